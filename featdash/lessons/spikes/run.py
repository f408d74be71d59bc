"""How many spikes: which functions of the found direction leave the bulk of the features, by the size of the step.

First part. W¹ = W⁰ − η ∇L on n samples, at the mirrored start of 2N neurons, of which the N distinct ones are kept:
w_j ~ N(0, I/d), a_j = ±1/√N, L a mean and no ½, η = n^α. Line 1 of Algorithm 1 is left out, and its weight decay too:
W⁰ is not forgotten. The features ReLU(W¹x) of n new samples, less their means, are taken apart by singular values. The
step moves all neurons along β = (1/n) Σ y_i x_i, so that its left singular vectors are functions of z = β·x/‖β‖.
The edge: polynomials of z up to degree 4 are taken out of the features by least squares, and the largest singular value
of what is left is where the bulk ends. A spike is MARGIN beyond it. Both are choices of ours.

Second part. Labels with two directions, (z₁ + z₂)/√2 + (He₂(z₁) − He₂(z₂))/2, in d₂ dimensions: v₊ = (e₁ + e₂)/√2 is
linear in them, v₋ = (e₁ − e₂)/√2 comes with degree 2 alone. The gradient of n samples, from d₂ to d₂^2.25.

Streams, see `frames`: `steps` and `samples`. Summary: `alpha`, and as lists over it `spikes`, `first` (|correlation| of
the first left singular vector with He₁(z)), `second` (of the second with He₂(z)), `ratio` (first value over the edge);
`one_from`, `two_from` : the α from which on there are as many spikes; `overlap` : ‖U β‖/‖β‖, how much of β lies in the
subspace; `directions` : `n`, `together` and `single` as lists, `single_at_square` at n = d₂², and `together_from`, the
n from which on `together` is at least SEEN.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from featdash.geometry.neurons import leading_directions, subspace_share
from featdash.geometry.spectrum import singular_values
from featdash.learners.algorithm1 import FirstStep, first_layer_gradient, gradient_over_prefixes, remove_linear_part
from featdash.learners.network import Network
from featdash.lessons.spikes.frames import DirectionFrame, FeatureFrame
from featdash.lessons.spikes.recipe import ALPHAS, DEGREES, LEADING, POWERS, TWO_DIRECTIONS, SpikesSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask
from featdash.tasks.streams import of_seed
from featdash.theory.polynomial import hermite_values
from featdash.theory.target import resolve_target

SEEN = 0.8
FIRST_PART = 0.8  # of the progress


def run(spec: SpikesSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a run; see the module's docstring."""
    yield Progress(0.01, "drawing the data")
    target = resolve_target(spec.target, spec.d)
    task = GaussianTask(target, spec.noise, spec.seed)
    train, fresh = task.sample(spec.n, "train"), task.sample(spec.n, "fresh")
    linear = remove_linear_part(train.X, train.y)
    labels = train.y - linear(train.X) if spec.remove_linear else train.y
    start, beta = distinct_start(spec, spec.d), train.X.T @ labels / spec.n
    gradient = first_layer_gradient(train.X, labels, start, device)[: spec.neurons] / np.sqrt(spec.neurons)
    yield Progress(0.05, "one gradient")
    spectra = yield from feature_spectra(spec, start.first_half().W, gradient, fresh.X, beta)
    rows = yield from directions(spec, device)
    overlap = float(np.sqrt(subspace_share(beta[None], target.subspace)[0]))
    yield Result(describe(spectra) | {"overlap": overlap, "directions": describe_directions(spec, rows)})


def distinct_start(spec: SpikesSpec, d: int) -> Network:
    """The mirrored start of 2N neurons."""
    return FirstStep(2 * spec.neurons, remove_linear=spec.remove_linear).start(d, of_seed(spec.seed))


def feature_spectra(
    spec: SpikesSpec, W: np.ndarray, gradient: np.ndarray, X: np.ndarray, beta: np.ndarray
) -> Generator[Event, None, list[FeatureFrame]]:
    """The frames `steps`; returns them."""
    basis = hermite_basis(X, beta)
    before, along = X @ W.T, X @ gradient.T
    spectra = []
    for count, alpha in enumerate(ALPHAS, start=1):
        features = np.maximum(before - spec.n**alpha * along, 0)
        spectra.append(take_apart(features - features.mean(axis=0), basis))
        yield Frame("steps", alpha, spectra[-1].to_arrays())
        yield Progress(0.05 + (FIRST_PART - 0.05) * count / len(ALPHAS), f"features after a step of n^{alpha:g}")
    return spectra


def hermite_basis(X: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """He₁(z) ... He₄(z) on the rows of X, less their means, made orthonormal in this order: (n, 4)."""
    z = X @ (beta / (np.linalg.norm(beta) or 1.0))
    polynomials = hermite_values(z, DEGREES)[1:].T
    return np.linalg.qr(polynomials - polynomials.mean(axis=0))[0]


def take_apart(features: np.ndarray, basis: np.ndarray) -> FeatureFrame:
    """The spectrum of features (n, N) whose columns have mean 0, basis (n, 4); by their smaller Gram matrix."""
    n, N = features.shape
    gram = features @ features.T if n <= N else features.T @ features
    squares, vectors = np.linalg.eigh(gram)
    leading = vectors[:, ::-1][:, :LEADING]
    left_vectors = leading if n <= N else features @ leading
    left_vectors = left_vectors / np.maximum(np.linalg.norm(left_vectors, axis=0), 1e-300)
    rest = features - basis @ (basis.T @ features)
    edge = np.linalg.eigvalsh(rest @ rest.T if n <= N else rest.T @ rest)[-1]
    values = np.sqrt(np.maximum(squares[::-1], 0))
    return FeatureFrame(values.astype(np.float32), float(np.sqrt(max(edge, 0.0))), np.abs(left_vectors.T @ basis))


def directions(spec: SpikesSpec, device: str) -> Generator[Event, None, list[DirectionFrame]]:
    """The frames `samples`; returns them."""
    task = GaussianTask(resolve_target(TWO_DIRECTIONS, spec.d2), spec.noise, spec.seed)
    sample = task.sample(spec.sizes[-1], "train")
    start, rows = distinct_start(spec, spec.d2), []
    gradients = gradient_over_prefixes(sample.X, sample.y, start, spec.sizes, device)
    for size, gradient in gradients:
        rows.append(second_direction(gradient[: spec.neurons]))
        yield Frame("samples", float(size), rows[-1].to_arrays())
        yield Progress(FIRST_PART + (1 - FIRST_PART) * size / spec.sizes[-1], f"gradients of {size} samples")
    return rows


def second_direction(gradient: np.ndarray) -> DirectionFrame:
    """How v₋ shows in a gradient (N, d₂)."""
    plus, minus = np.zeros((2, gradient.shape[1]))
    plus[:2], minus[:2] = np.sqrt(0.5), (np.sqrt(0.5), -np.sqrt(0.5))
    rest = gradient - np.outer(gradient @ plus, plus)
    single = np.median(np.sqrt(subspace_share(rest, minus[None])))
    values = singular_values(gradient)
    third = float(values[2]) or 1.0
    return DirectionFrame(float(abs(leading_directions(gradient)[1] @ minus)), float(single), float(values[1]) / third)


def describe(spectra: list[FeatureFrame]) -> dict[str, Any]:
    """What the summary says of the first part."""
    spikes = [frame.spikes for frame in spectra]
    return {
        "alpha": list(ALPHAS),
        "spikes": spikes,
        "first": [float(frame.correlation[0, 0]) for frame in spectra],
        "second": [float(frame.correlation[1, 1]) for frame in spectra],
        "ratio": [float(frame.values[0] / (frame.edge or 1.0)) for frame in spectra],
        "one_from": since(spikes, 1, ALPHAS),
        "two_from": since(spikes, 2, ALPHAS),
    }


def describe_directions(spec: SpikesSpec, rows: list[DirectionFrame]) -> dict[str, Any]:
    """What the summary says of the second part."""
    together, single = [row.together for row in rows], [row.single for row in rows]
    return {
        "n": list(spec.sizes),
        "together": together,
        "single": single,
        "single_at_square": single[POWERS.index(2.0)],
        "seen": SEEN,
        "together_from": since(together, SEEN, spec.sizes),
    }


def since(values: list, least: float, places: tuple) -> float | None:
    """The place from which on the values are at least so large; None if the last is not."""
    below = [index for index, value in enumerate(values) if value < least]
    first = below[-1] + 1 if below else 0
    return places[first] if first < len(places) else None
