"""Hidden layers in order: a target y = g(q), q a sum of squares along hidden directions, learned layer by layer.

q = Σ_k s_k ((u_k·x)² − 1)/√(2r), u orthonormal, s = +1 for the first half of them (rounded up) and −1 for the others,
so that q has mean 0 and variance 1. Filter 1 keeps the r eigenvectors of M = mean of (y − ȳ) xxᵀ whose eigenvalues are
largest in size; filter 2 is the quadratic q̂ of what is kept that goes best with the labels, one number. See `Filters`.
After each a ridge head on random ReLU neurons is fitted, its λ tuned on a holdout.

Stages: `random`, neurons on x; `products`, ridge on all products of two inputs; `second`, filter 2 alone, then neurons
on its number; `one`, filter 1, then neurons on its r numbers; `two`, both, then neurons on the one number.

Streams, see `frames`: `filters` and `errors`, one a size. Summary: `errors` by stage, mean squared error on noise-free
labels over their variance, with all n samples; `by_size` : stage -> {n: error}; `share`, of filter 1 in the hidden
directions; `correlation` of q̂ with q, `two` and `second`; `linear`, the error of the best linear function of the true
q; `least` (the smallest |eigenvalue| kept) and `bulk` (the largest left out, null where none is).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from featdash.lessons.hidden_layers.frames import STAGES, ErrorFrame, FilterFrame
from featdash.lessons.hidden_layers.heads import Labelled, Moments, products_of, random_neurons
from featdash.lessons.hidden_layers.recipe import HOLDOUT, NEURONS, OUTER, TEST, HiddenLayersSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.streams import stream

SHOWN = 300  # new inputs in the picture
SPREAD = 1.5  # of the biases of neurons on one number


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """The target: directions U (d, r), and what it draws."""

    spec: HiddenLayersSpec
    U: np.ndarray

    def sample(self, part: str, rows: int, noise: float = 0.0) -> Labelled:
        """Inputs (rows, d) and labels (rows,)."""
        X = stream(self.spec.seed, "hidden-layers", part, "inputs").standard_normal((rows, self.spec.d))
        errors = stream(self.spec.seed, "hidden-layers", part, "noise").standard_normal(rows)
        return X, OUTER[self.spec.outer](self.inner(X)) + noise * errors

    def inner(self, X: np.ndarray) -> np.ndarray:
        """q (n,)."""
        r = self.spec.r
        signs = np.where(np.arange(r) < (r + 1) // 2, 1.0, -1.0)
        return ((X @ self.U) ** 2 - 1) @ signs / np.sqrt(2 * r)


def hierarchy(spec: HiddenLayersSpec) -> Hierarchy:
    """The target of a recipe."""
    drawn = stream(spec.seed, "hidden-layers", "directions").standard_normal((spec.d, spec.r))
    return Hierarchy(spec, np.linalg.qr(drawn)[0])


def run(spec: HiddenLayersSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of a run; see the module's docstring."""
    yield Progress(0.01, "drawing the data")
    target = hierarchy(spec)
    train = target.sample("train", spec.n, spec.noise)
    others = target.sample("holdout", HOLDOUT, spec.noise), target.sample("test", TEST)
    fixed = {
        "random": Moments(random_neurons(neurons_of(spec, "random"), spec.d, NEURONS["random"])),
        "products": Moments(products_of(spec.d)),
    }
    found, errors, before = {}, {}, 0
    for size in spec.sizes:
        X, y = train[0][:size], train[1][:size]
        found[size], inputs = apply_filters(target, (X, y), others)
        yield Frame("filters", float(size), found[size].to_arrays())
        for one in fixed.values():
            one.extend(X[before:], y[before:])
        labels = [y, *(labels for _, labels in others)]
        known = {name: one.error(*others) for name, one in fixed.items()}
        known |= {name: error_of_head(spec, name, parts, labels) for name, parts in inputs.items()}
        errors[size] = ErrorFrame(np.array([known[name] for name in STAGES]))
        before = size
        yield Frame("errors", float(size), errors[size].to_arrays())
        yield Progress(size / spec.n, f"heads on {size} samples")
    yield Result(describe(target, others[1], found[spec.n], errors))


def apply_filters(
    target: Hierarchy, train: Labelled, others: tuple[Labelled, Labelled]
) -> tuple[FilterFrame, dict[str, list[np.ndarray]]]:
    """What the filters find; and, by stage, what they let through of train, holdout and test, (n, k) each."""
    spec, filters = target.spec, Filters.of(*train)
    inputs = [X for X, _ in (train, *others)]
    ranks = {"two": spec.r, "second": spec.d}
    numbers = {name: standardise([filters.second(X, rank) for X in inputs]) for name, rank in ranks.items()}
    q = target.inner(inputs[2])
    frame = FilterFrame(
        values=filters.values,
        share=float(np.sum((filters.vectors[:, : spec.r].T @ target.U) ** 2) / spec.r),
        labels=others[1][1][:SHOWN].astype(np.float32),
        two=numbers["two"][2][:SHOWN].astype(np.float32),
        second=numbers["second"][2][:SHOWN].astype(np.float32),
        correlation=np.array([np.corrcoef(numbers[name][2], q)[0, 1] for name in ranks]),
    )
    one = [filters.first(X, spec.r) for X in inputs]
    return frame, {"one": one} | {name: [part[:, None] for part in parts] for name, parts in numbers.items()}


def standardise(parts: list[np.ndarray]) -> list[np.ndarray]:
    """The numbers of three samples in standard deviations of the first."""
    scale = float(parts[0].std()) or 1.0
    return [one / scale for one in parts]


def neurons_of(spec: HiddenLayersSpec, stage: str) -> np.random.Generator:
    """What draws the random neurons of a stage."""
    return stream(spec.seed, "hidden-layers", "neurons", stage)


def error_of_head(spec: HiddenLayersSpec, stage: str, inputs: list[np.ndarray], labels: list[np.ndarray]) -> float:
    """The error of a head on random neurons of what a filter lets through; train, holdout and test."""
    spread = 1.0 if stage == "one" else SPREAD
    neurons = random_neurons(neurons_of(spec, stage), inputs[0].shape[1], NEURONS[stage], spread)
    moments = Moments(neurons)
    moments.extend(inputs[0], labels[0])
    return moments.error((inputs[1], labels[1]), (inputs[2], labels[2]))


def describe(target: Hierarchy, test: Labelled, last: FilterFrame, errors: dict[int, ErrorFrame]) -> dict[str, Any]:
    """The summary."""
    r, sizes = target.spec.r, np.abs(last.values)
    return {
        "errors": {name: errors[max(errors)].of(name) for name in STAGES},
        "by_size": {name: {str(n): one.of(name) for n, one in errors.items()} for name in STAGES},
        "share": last.share,
        "correlation": dict(zip(("two", "second"), last.correlation.tolist(), strict=True)),
        "linear": float(1 - np.corrcoef(target.inner(test[0]), test[1])[0, 1] ** 2),
        "least": float(sizes[r - 1]),
        "bulk": float(sizes[r]) if r < len(sizes) else None,
    }


@dataclass(frozen=True, eq=False)
class Filters:
    """The eigenvalues (d,) and eigenvectors (d, d), as columns, of M = mean of (y − ȳ) xxᵀ, largest |value| first."""

    values: np.ndarray
    vectors: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray) -> Self:
        """From inputs (n, d) and labels (n,)."""
        values, vectors = np.linalg.eigh((X * (y - y.mean())[:, None]).T @ X / len(X))
        order = np.argsort(-np.abs(values))
        return cls(values[order], vectors[:, order])

    def first(self, X: np.ndarray, r: int) -> np.ndarray:
        """ẑ (n, r): the inputs along the first r eigenvectors."""
        return X @ self.vectors[:, :r]

    def second(self, X: np.ndarray, r: int) -> np.ndarray:
        """q̂ (n,) = ½ Σ_{k ≤ r} value_k (ẑ_k² − 1); r = d leaves the first filter out.

        It is β · φ(ẑ), φ the orthonormal polynomials of degree 2 in ẑ and β the mean of (y − ȳ) φ(ẑ) on the same
        sample: the eigenvectors make the mean of (y − ȳ) ẑ_k ẑ_l zero for k ≠ l.
        """
        return (self.first(X, r) ** 2 - 1) @ self.values[:r] / 2
