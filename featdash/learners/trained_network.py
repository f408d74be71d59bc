"""A two-layer ReLU network with all of its parameters trained, stopped where the holdout is best."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from threadpoolctl import threadpool_limits

from featdash.learners.network import Network, check_width, draw_network, forward
from featdash.tasks import Labelled

MOMENTS = (0.9, 0.999)  # of Adam, as its authors give them (Kingma and Ba 2015), and so is the next
SMALLEST = 1e-8


@dataclass(frozen=True)
class Training:
    """How to train f(x) = Σ_j a_j σ(w_j·x + b_j) on the mean squared error, a mean and no ½.

    Start: mirrored, w_j ~ N(0, I/d), b_j ~ N(0, 1), a_j = ±1/√m, between the race's a_j = ±1, with which a wide network
    barely leaves its tangent space and blurs a jump, and ±1/m, with which it is often stuck on a sine of two periods.
    Optimiser: Adam, its rate brought to zero along a cosine; batches drawn with replacement, batch >= n is full batch.

    width : m, even.  steps : parameter updates.  rate : Adam's first rate.
    """

    width: int = 100
    steps: int = 1500
    batch: int = 128
    rate: float = 0.03

    def __post_init__(self) -> None:
        check_width(self.width)
        if self.steps < 1 or self.batch < 1 or not self.rate > 0:
            rule = "steps and batch must be at least 1 and rate above 0"
            raise ValueError(f"{rule}, got {self.steps}, {self.batch} and {self.rate}; raise them")

    def start(self, d: int, rng: np.random.Generator) -> Network:
        network = draw_network(self.width, d, rng, biases=True)
        return replace(network, a=network.a / np.sqrt(self.width))

    def rate_at(self, step: int) -> float:
        """The rate of update `step`, 1 to `steps`, along half a cosine."""
        return self.rate * 0.5 * (1 + math.cos(math.pi * (step - 1) / self.steps))


@dataclass(frozen=True)
class NetworkFit:
    """The network after `step` updates, and its mean squared error on the holdout."""

    network: Network
    step: int
    holdout_risk: float

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f̂ on the rows of X, (k,)."""
        return forward(self.network, X)


@dataclass(eq=False)
class Parameters:
    """(a, b, W) in one vector of m(2 + d) numbers, so that an update of them all is one operation."""

    vector: np.ndarray
    width: int
    a: np.ndarray = field(init=False)
    b: np.ndarray = field(init=False)
    W: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        m = self.width
        self.a, self.b, self.W = self.vector[:m], self.vector[m : 2 * m], self.vector[2 * m :].reshape(m, -1)

    def network(self) -> Network:
        """A copy in double precision."""
        return Network(*(part.astype(float) for part in (self.a, self.W, self.b)))


def train_network(
    training: Training, train: Labelled, holdout: Labelled, rng: np.random.Generator, checkpoints: int = 40
) -> Iterator[NetworkFit]:
    """The network at the start and at `checkpoints` evenly spaced steps, the last one included.

    train (X (n, d), y (n,)), holdout (X_h, y_h). Keep the fit of least `holdout_risk`: early stopping is to the
    network what λ is to a kernel, chosen on the same holdout. Arithmetic in single precision.
    """
    start = training.start(train[0].shape[1], rng)
    parameters = Parameters(np.concatenate([start.a, start.b, start.W.ravel()]).astype(np.float32), training.width)
    rows, labels = (np.asarray(part, dtype=np.float32) for part in train)
    updates = _updates(training, parameters, rows, labels, rng)
    begin = 0
    for checkpoint in np.unique(np.linspace(0, training.steps, checkpoints + 1).round().astype(int)).tolist():
        # matrices of a small network take less time than to share them out
        with threadpool_limits(1):
            for _ in range(checkpoint - begin):
                next(updates)
            network = parameters.network()
            risk = float(np.mean((forward(network, holdout[0]) - holdout[1]) ** 2))
        begin = checkpoint
        yield NetworkFit(network, checkpoint, risk)


def loss_gradient(parameters: Parameters, X: np.ndarray, y: np.ndarray, into: Parameters) -> None:
    """∂/∂(a, b, W) of mean (f(X) − y)², written to `into`; X (n, d), y (n,).

    With z = XWᵀ + b, s = σ(z), u = 2(s a − y)/n and B = 1{z > 0} ⊙ u aᵀ: ∂_a = sᵀu, ∂_b = Bᵀ1, ∂_W = BᵀX.
    """
    z = X @ parameters.W.T
    z += parameters.b
    active = z > 0
    z *= active
    u = (2 / len(y)) * (z @ parameters.a - y)
    np.dot(u, z, out=into.a)
    back = active * np.outer(u, parameters.a)
    np.sum(back, axis=0, out=into.b)
    np.dot(back.T, X, out=into.W)


def _updates(
    training: Training, parameters: Parameters, X: np.ndarray, y: np.ndarray, rng: np.random.Generator
) -> Iterator[None]:
    """One Adam update in place at a time, without end; the rate is that of `training.rate_at`."""
    gradient = Parameters(np.empty_like(parameters.vector), training.width)
    mean, square = np.zeros_like(parameters.vector), np.zeros_like(parameters.vector)
    first, second = MOMENTS
    step = 0
    while True:
        step += 1
        batch = rng.integers(0, len(y), training.batch) if training.batch < len(y) else slice(None)
        loss_gradient(parameters, X[batch], y[batch], gradient)
        mean += (1 - first) * (gradient.vector - mean)
        square += (1 - second) * (gradient.vector**2 - square)
        length = training.rate_at(step) / (1 - first**step)
        parameters.vector -= length * mean / (np.sqrt(square / (1 - second**step)) + SMALLEST)
        yield
