"""Transform the label: Algorithm 1 whose first step gets T(y) in place of y; the head is trained on y as before.

Transforms: `none`, Algorithm 1 as it is; `sign_threshold`, T(y) = sign(y) 1{|y| > τ}; `conditional_mean`,
T(y) = E[He_k(z) | y], z = u·x, k the generative exponent; `softmax`, T(y) = e^{ρ ȳ}/E e^{ρ ȳ} − 1, ȳ the label cut off.
Line 1, which takes the linear part out of the labels, is left out but for the first: the linear part of T(y) is the
signal. All have the same samples, starts, widths and holdout,
each sample size being a prefix of the largest sample; `none` at n is Algorithm 1 of the race with that n and seed.

Streams: `labels`, one, at 0 (LabelCurves); `cells`, at = cells done, ordered by size, then transform (RescueTable);
`cosines`, at = pairs of repeat and dimension done (CosineTable). No arrays in the result.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from featdash.geometry.neurons import alignment
from featdash.learners.algorithm1 import FirstStep
from featdash.learners.feature_map import Layer
from featdash.learners.label_transform import LabelLaw, SignThreshold, Transform, label_law
from featdash.lessons.rescue.frames import CosineTable, LabelCurves, RescueTable
from featdash.lessons.rescue.recipe import RATIOS, ROWS, RescueSpec
from featdash.lessons.shared.gaussian_race import Splits, draw_field, tuned_risk
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import of_seed, stream
from featdash.theory.target import PolynomialTarget, resolve_target

GRID = np.linspace(-3.2, 3.2, 256)
HEADS = 0.7  # of the whole run, when the averages begin

Transforms = Mapping[str, Transform]
Sums = tuple[np.ndarray, float]  # Σ T x (d,) or Σ T xxᵀ (d, d), and Σ T


def run(spec: RescueSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a rescue; see the module's docstring."""
    yield Progress(0.01, "the law of the labels")
    target, small = resolve_target(spec.target, spec.d), spec.small_target()
    exponent = label_law(small, 0.0).generative_exponent()
    law = label_law(small, spec.noise)
    transforms = transforms_of(spec, law, exponent)
    curves = label_curves(small, law, transforms, exponent)
    yield Frame("labels", 0, curves.to_arrays())
    table = empty_table(spec)
    yield from learn(spec, target, transforms, table, device)
    cosines = empty_cosines(spec)
    yield from average(spec, transforms, exponent, cosines)
    yield report(curves, table, cosines, target)


def transforms_of(spec: RescueSpec, law: LabelLaw, exponent: int) -> Transforms:
    """The transforms that are asked for, as functions; `none` is the label itself."""
    available: Transforms = {
        "none": np.asarray,
        "sign_threshold": SignThreshold(spec.threshold),
        "conditional_mean": law.conditional_mean(exponent),
        "softmax": law.softmax_head(spec.rho, spec.cut),
    }
    return {name: available[name] for name in spec.transforms}


def label_curves(target: PolynomialTarget, law: LabelLaw, transforms: Transforms, exponent: int) -> LabelCurves:
    """Along u: the label, what each transform makes of it, and how that goes with He_k(z)."""
    label = target(GRID[:, None] * target.subspace[0])
    transformed = {name: transform(label) for name, transform in transforms.items()}
    correlation = {name: law.correlation(transform, exponent) for name, transform in transforms.items()}
    return LabelCurves(GRID, label, transformed, correlation, exponent, target.information_exponent)


def empty_table(spec: RescueSpec) -> RescueTable:
    """The table before the first cell."""

    def nothing_yet() -> dict[str, np.ndarray]:
        return {name: np.full(len(spec.sizes), np.nan) for name in spec.transforms}

    return RescueTable(np.array(spec.sizes), nothing_yet(), nothing_yet())


def learn(
    spec: RescueSpec, target: PolynomialTarget, transforms: Transforms, table: RescueTable, device: str
) -> Iterator[Event]:
    """Fills the table, cell by cell."""
    whole = draw_field(GaussianTask(target, spec.noise, spec.seed), spec.n, spec.holdout, spec.test)
    work = np.cumsum([size + 2000 for size in spec.sizes for _ in transforms])
    cells = [(i, size, name) for i, size in enumerate(spec.sizes) for name in transforms]
    for index, (i, size, name) in enumerate(cells):
        yield Progress(max(0.02, HEADS * float(work[index - 1] / work[-1]) if index else 0.0), f"n = {size}")
        part = Sample(*(rows[:size] for rows in whole.train))
        layer = first_layer(spec, part, None if name == "none" else transforms[name], device)
        table.alignment[name][i] = alignment(layer.network.W, target.subspace)
        table.risk[name][i] = tuned_risk(layer, Splits(target, part, whole.holdout, whole.test), device)
        yield Frame("cells", index + 1, {key: values.copy() for key, values in table.to_arrays().items()})


def first_layer(spec: RescueSpec, sample: Sample, transform: Transform | None, device: str) -> Layer:
    """Lines 1 to 3 on T(y), line 1 left out; None for Algorithm 1 as it is."""
    step = FirstStep(spec.width, remove_linear=transform is None)
    labels = sample.y if transform is None else transform(sample.y)
    return step.take(lambda: [(sample.X, labels)], spec.d, of_seed(spec.seed), device)


def empty_cosines(spec: RescueSpec) -> CosineTable:
    """The cosines before the first average."""
    shape = (spec.repeats, len(spec.dims), len(RATIOS))
    cosine = {name: np.full(shape, np.nan) for name in spec.transforms}
    return CosineTable(np.array(sorted(spec.dims)), np.array(RATIOS), cosine)


def average(spec: RescueSpec, transforms: Transforms, exponent: int, table: CosineTable) -> Iterator[Event]:
    """Fills the cosines, a repeat and a dimension at a time."""
    degree, shape = min(exponent, 2), (spec.repeats, len(table.d))
    for index, (repeat, i) in enumerate(np.ndindex(*shape)):
        d = int(table.d[i])
        yield Progress(HEADS + (0.99 - HEADS) * index / (shape[0] * shape[1]), f"averages at d = {d}")
        target, rng = resolve_target(spec.target, d), stream(spec.seed, "rescue", "averages", d, repeat)
        sizes = [ratio * d for ratio in RATIOS]
        for name, cosines in cosines_of_averages(target, spec.noise, transforms, degree, sizes, rng).items():
            table.cosine[name][repeat, i] = cosines
        yield Frame("cosines", index + 1, {key: values.copy() for key, values in table.to_arrays().items()})


def report(curves: LabelCurves, table: RescueTable, cosines: CosineTable, target: PolynomialTarget) -> Result:
    """The last row of the table for each transform, its curve over n, and the mean cosines."""
    variants: dict[str, dict[str, Any]] = {}
    for name, risk in table.risk.items():
        alignments = table.alignment[name]
        variants[name] = {
            "alignment": float(alignments[-1]),
            "excess_risk": float(risk[-1]),
            "correlation": float(curves.correlation[name]),
            "n": table.n.tolist(),
            "alignments": alignments.tolist(),
            "excess_risks": risk.tolist(),
        }
    means = [
        {"transform": name, "d": int(d), "ratio": int(ratio), "cosine": float(values[:, i, j].mean())}
        for name, values in cosines.cosine.items()
        for i, d in enumerate(cosines.d)
        for j, ratio in enumerate(cosines.ratio)
    ]
    exponents = {"information": curves.information, "generative": curves.exponent}
    return Result({"variants": variants, "exponents": exponents, "cosines": means, "target": target.describe()})


def cosines_of_averages(
    target: PolynomialTarget,
    noise: float,
    transforms: Mapping[str, Transform],
    degree: int,
    sizes: Sequence[int],
    rng: np.random.Generator,
) -> dict[str, list[float]]:
    """transform -> |cos(ŵ, u)| at each of the ascending sizes, on prefixes of one sample.

    degree 1: ŵ = mean T(y) x. degree 2: ŵ is the eigenvector of mean T(y)(xxᵀ - I) whose eigenvalue is largest in size.
    """
    d, u = target.d, target.subspace[0]
    shape = (d,) if degree == 1 else (d, d)
    sums: dict[str, Sums] = {name: (np.zeros(shape), 0.0) for name in transforms}
    cosines: dict[str, list[float]] = {name: [] for name in transforms}
    begin = 0
    for size in sizes:
        for start in range(begin, size, ROWS):
            X = rng.standard_normal((min(ROWS, size - start), d))
            y = target(X) + noise * rng.standard_normal(len(X))
            for name, transform in transforms.items():
                T, (total, weight) = transform(y), sums[name]
                total += X.T @ T if degree == 1 else (X * T[:, None]).T @ X
                sums[name] = (total, weight + float(T.sum()))
        begin = size
        for name, (total, weight) in sums.items():
            cosines[name].append(min(abs(float(pointed_at(total, weight) @ u)), 1.0))
    return cosines


def pointed_at(total: np.ndarray, weight: float) -> np.ndarray:
    """The unit vector (d,) that a sum points to; zeros where it is zero."""
    if total.ndim == 1:
        size = float(np.linalg.norm(total))
        return total / size if size > 0 else total
    values, vectors = np.linalg.eigh(total - weight * np.eye(len(total)))
    return vectors[:, np.argmax(np.abs(values))]
