"""The Hessian announces the next feature: y = z₁ + He₂(z₂), and who finds u₂ first.

Four softplus neurons (`learners.smooth_network`), a_j = 1, each at norm START in a random direction, under gradient
descent on all samples. First two networks, with few and many samples a dimension, step by step with the lowest
eigenvalues of their training Hessian. Then networks by n/d: the vector where the neurons' share along u₁ is largest,
and the neurons at the end.

Streams, see `frames`: `training`, `threshold`. Summary: `few` and `many`, each with `vector_from` and `neurons_from`
(the first look at which the squared share along u₂ is at least FOUND; null for never), `vector` and `neurons` (these
shares at the end of the first phase, the look at which the share along u₁ is largest), `first` (that look), `best`
(the largest share of the vector at any look), `gap` (lowest eigenvalue over the one after the m lowest, at `first`),
`share` (along u₂ at the end), `loss`, `risk`; `threshold`: `ratio`, `vector`, `neurons`, lists of medians, and `from`,
the n/d from which on the neurons' share is at least FOUND.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Any

import numpy as np
import scipy.linalg

from featdash.learners.smooth_network import SmoothNetwork
from featdash.lessons.hessian.frames import NetworkLook, ThresholdFrame, TrainingFrame
from featdash.lessons.hessian.recipe import (
    DRAWS,
    EIGENVALUES,
    EVERY,
    FOUND,
    NEURONS,
    RATE,
    RATIOS,
    START,
    TEST,
    HessianSpec,
)
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import stream
from featdash.theory.target import resolve_target

TARGET = "z1 + He2(z2)"
NAME = "hessian"
TRAINED = 0.7  # of the progress


def run(spec: HessianSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of a run; see the module's docstring."""
    yield Progress(0.0, "drawing the data")
    looks = yield from train(spec)
    vector, neurons = yield from scan(spec)
    summary = {
        name: describe(list(looks), [frame.networks[name] for frame in looks.values()]) for name in ("few", "many")
    }
    yield Result(summary | {"threshold": describe_threshold(vector, neurons)})


def draw(d: int, noise: float, ratio: float, seed: int) -> Sample:
    """round(n/d · d) samples, at least two."""
    return GaussianTask(resolve_target(TARGET, d), noise, seed).sample(max(2, round(ratio * d)), "train")


def start(d: int, seed: int) -> SmoothNetwork:
    """The network before its first step."""
    W = stream(seed, NAME, "start").standard_normal((NEURONS, d))
    return SmoothNetwork(np.ones(NEURONS), START * W / np.linalg.norm(W, axis=1, keepdims=True))


def train(spec: HessianSpec) -> Generator[Event, None, dict[int, TrainingFrame]]:
    """The frames `training`; returns them by their steps."""
    samples = {
        "few": draw(spec.d, spec.noise, spec.few, spec.seed),
        "many": draw(spec.d, spec.noise, spec.many, spec.seed),
    }
    test = GaussianTask(resolve_target(TARGET, spec.d), 0.0, spec.seed).sample(TEST, "test")
    networks = dict.fromkeys(samples, start(spec.d, spec.seed))
    looks: dict[int, TrainingFrame] = {}
    for step in range(spec.steps + 1):
        if step % EVERY == 0:
            looks[step] = TrainingFrame({name: look(networks[name], one, test) for name, one in samples.items()})
            yield Frame("training", step, looks[step].to_arrays())
            yield Progress(TRAINED * step / spec.steps, f"step {step}")
        networks = {name: networks[name].descend(one.X, one.y, RATE) for name, one in samples.items()}
    return looks


def look(network: SmoothNetwork, sample: Sample, test: Sample) -> NetworkLook:
    """The network and its Hessian as they stand."""
    norms = np.linalg.norm(network.W, axis=1, keepdims=True)
    eigenvalues, vector = lowest(network, sample)
    return NetworkLook(
        loss=float(np.mean((network(sample.X) - sample.y) ** 2)),
        risk=float(np.mean((network(test.X) - test.clean) ** 2)),
        neurons=network.W[:, :2] / np.maximum(norms, 1e-300),
        share=share(network.W),
        eigenvalues=eigenvalues,
        vector=vector,
    )


def share(W: np.ndarray) -> np.ndarray:
    """Of the squared norm of W (m, d) along u₁ and u₂, the first two axes: (2,)."""
    return np.sum(W[:, :2] ** 2, axis=0) / max(float(np.sum(W**2)), 1e-300)


def lowest(network: SmoothNetwork, sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    """The lowest eigenvalues of the Hessian, and the share (2,) of the lowest vector."""
    last = min(EIGENVALUES, network.W.size) - 1
    values, vectors = scipy.linalg.eigh(network.hessian(sample.X, sample.y), subset_by_index=[0, last])
    return values, share(vectors[:, 0].reshape(network.W.shape))


def scan(spec: HessianSpec) -> Generator[Event, None, tuple[np.ndarray, np.ndarray]]:
    """The frames `threshold`; returns the shares of vector and neurons (K, R)."""
    vector, neurons = (np.full((len(RATIOS), DRAWS), np.nan) for _ in range(2))
    for index in range(vector.size):
        row, repeat = divmod(index, DRAWS)
        seed = spec.seed * DRAWS + repeat
        sample, network = draw(spec.d, spec.noise, RATIOS[row], seed), start(spec.d, seed)
        first = network
        for _ in range(spec.steps):
            network = network.descend(sample.X, sample.y, RATE)
            first = max(first, network, key=lambda one: share(one.W)[0])
        vector[row, repeat], neurons[row, repeat] = lowest(first, sample)[1][1], share(network.W)[1]
        yield Frame("threshold", index + 1, ThresholdFrame(vector.copy(), neurons.copy()).to_arrays())
        yield Progress(TRAINED + (1 - TRAINED) * (index + 1) / vector.size, f"training at n/d = {RATIOS[row]:g}")
    return vector, neurons


def describe(steps: Sequence[int], looks: Sequence[NetworkLook]) -> dict[str, Any]:
    """What the summary says of one network."""
    vector, neurons = (np.array([getattr(one, name)[1] for one in looks]) for name in ("vector", "share"))
    first = int(np.argmax([one.share[0] for one in looks]))
    values = looks[first].eigenvalues
    return {
        "vector_from": since(steps, vector),
        "neurons_from": since(steps, neurons),
        "first": steps[first],
        "vector": float(vector[first]),
        "neurons": float(neurons[first]),
        "best": float(vector.max()),
        "gap": float(values[0] / values[min(NEURONS, len(values) - 1)]),
        "share": float(neurons[-1]),
        "loss": looks[-1].loss,
        "risk": looks[-1].risk,
    }


def since(steps: Sequence[int], shares: np.ndarray) -> int | None:
    """The first step at which the share is at least FOUND."""
    places = np.flatnonzero(shares >= FOUND)
    return steps[places[0]] if len(places) else None


def describe_threshold(vector: np.ndarray, neurons: np.ndarray) -> dict[str, Any]:
    """What the summary says of the networks by n/d."""
    medians = np.median(neurons, axis=1)
    below = np.flatnonzero(medians < FOUND)
    first = int(below[-1]) + 1 if len(below) else 0
    return {
        "ratio": list(RATIOS),
        "vector": np.median(vector, axis=1).tolist(),
        "neurons": medians.tolist(),
        "from": RATIOS[first] if first < len(RATIOS) else None,
    }
