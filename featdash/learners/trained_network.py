"""A two-layer ReLU network with all of its parameters trained, stopped where the holdout is best."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np
import torch

from featdash.learners.activation import RELU
from featdash.learners.network import Network, check_width, draw_network, forward

Sample = tuple[np.ndarray, np.ndarray]


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
        drawn = draw_network(self.width, d, rng, biases=True)
        return replace(drawn, a=drawn.a / np.sqrt(self.width))


@dataclass(frozen=True)
class NetworkFit:
    """The network after `step` updates, and its mean squared error on the holdout."""

    network: Network
    step: int
    holdout_risk: float

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f̂ on the rows of X, (k,)."""
        return forward(self.network, X)


def train_network(
    training: Training, train: Sample, holdout: Sample, rng: np.random.Generator, pictures: int = 40
) -> Iterator[NetworkFit]:
    """The network at the start and at `pictures` evenly spaced steps, the last one included.

    train (X (n, d), y (n,)), holdout (X_h, y_h). Keep the fit of least `holdout_risk`: early stopping is to the
    network what λ is to a kernel, chosen on the same holdout.
    """
    start = training.start(train[0].shape[1], rng)
    parameters = [torch.tensor(part, dtype=torch.float32, requires_grad=True) for part in (start.a, start.W, start.b)]
    shown = set(np.linspace(0, training.steps, pictures + 1).round().astype(int).tolist())
    for step in _steps(training, parameters, train, rng):
        if step in shown:
            with _one_thread():
                network = Network(*(part.detach().double().numpy().copy() for part in parameters))
                risk = float(np.mean((forward(network, holdout[0]) - holdout[1]) ** 2))
            yield NetworkFit(network, step, risk)


@contextmanager
def _one_thread() -> Iterator[None]:
    """A step of a small network takes less time than to share it out: threads that wait for each other cost tenfold."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _steps(
    training: Training, parameters: list[torch.Tensor], train: Sample, rng: np.random.Generator
) -> Iterator[int]:
    """0, 1, ..., steps, the parameters moved in place between two of them."""
    rows, labels = (torch.tensor(np.asarray(part), dtype=torch.float32) for part in train)
    optimiser = torch.optim.Adam(parameters, lr=training.rate)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, training.steps)
    a, W, b = parameters
    yield 0
    for step in range(1, training.steps + 1):
        if training.batch < len(labels):
            batch = torch.from_numpy(rng.integers(0, len(labels), training.batch))
        else:
            batch = slice(None)
        with _one_thread():
            optimiser.zero_grad()
            outputs = RELU.value(torch.addmm(b, rows[batch], W.T)) @ a
            torch.mean((outputs - labels[batch]) ** 2).backward()
            optimiser.step()
        schedule.step()
        yield step
