"""Lemma 1, seen: the gradient of n samples, the gradient of infinitely many, and the one term that finds the subspace.

All gradients are those of the first layer at the symmetric start with b = 0, after line 1 of Algorithm 1.

Streams: `dimensions`, at = d, from small to large, no samples in it: d (k,) and error (k,) up to here, ‖leading term -
population gradient‖ / ‖leading term‖ over 4000 neurons; where E∇²f* = 0, so that there is no leading term, the RMS norm
of the population gradient. `gradients`, at = samples n' used, from few to many (GradientFrame). Result: LemmaArrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from featdash.geometry.neurons import neuron_sample
from featdash.learners.algorithm1 import FirstStep, empirical_gradient, rms
from featdash.lessons.lemma.frames import GradientFrame, LemmaArrays, SampleErrors, SeriesTerms
from featdash.lessons.lemma.recipe import LemmaSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask
from featdash.tasks.streams import of_seed, stream
from featdash.theory.gradient_series import gradient_series, latent_series, leading_gradient, without_linear_part
from featdash.theory.target import PolynomialTarget, resolve_target

SIZES_A_DECADE, DECADES = 4, 3
DIMENSIONS = 9  # over two decades
NEURONS_A_DIMENSION = 4000  # 1 % of Monte Carlo error in an RMS norm
SMALLEST_DIMENSION = 10


def run(spec: LemmaSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a look at Lemma 1; see the module's docstring."""

    target = resolve_target(spec.target, spec.d)
    yield Progress(0.01, "summing the series")
    dims = dimension_grid()
    by_dimension = np.array([dimension_error(target, int(d), spec.seed) for d in dims])
    for k, d in enumerate(dims, start=1):
        yield Frame("dimensions", float(d), {"d": dims[:k], "error": by_dimension[:k]})
    start = FirstStep(spec.width).start(spec.d, of_seed(spec.seed))
    exact = ExactGradients(target, start.first_half().W, start.first_half().a)
    sizes = np.unique(np.geomspace(spec.n / 10**DECADES, spec.n, SIZES_A_DECADE * DECADES + 1).round().astype(int))
    gaps = {name: np.full((spec.repeats, len(sizes)), np.nan) for name in ("population", "inside", "leading")}
    samples = GaussianTask(target, spec.noise, spec.seed).chunks(spec.n * spec.repeats, "train", rows=spec.n)
    for repeat, (_, sample) in enumerate(samples):
        for i, size in enumerate(sizes):
            empirical = empirical_gradient(sample, int(size), start, device)
            for name, gap in exact.gaps(empirical).items():
                gaps[name][repeat, i] = gap
            if repeat == 0:
                errors = gaps["population"][0, : i + 1] / exact.scale
                frame = GradientFrame(*exact.scatter(empirical), sizes[: i + 1], errors)
                yield Frame("gradients", float(size), frame.to_arrays())
            fraction = (repeat + size / spec.n) / spec.repeats
            yield Progress(0.05 + 0.94 * fraction, f"gradient of {size} samples, repeat {repeat + 1} of {spec.repeats}")
    yield report(exact, (dims, by_dimension), sizes, gaps)


class ExactGradients:
    """What the series says of the neurons W (m, d), a (m,): everything that needs no sample.

    population, leading (m, d) : the whole gradient, and -2 a_j H w_j/√(2π).
    """

    def __init__(self, target: PolynomialTarget, W: np.ndarray, a: np.ndarray) -> None:
        self.target = target
        series = gradient_series(target, W, a)
        self.population, self.leading = series.total(), leading_gradient(target, W, a)
        self.terms = np.array([rms(series.term(k)) for k in range(len(series))])
        self._shown = neuron_sample(len(W))

    @property
    def scale(self) -> float:
        """What errors are divided by: the RMS norm of the population gradient, or 1 where that is exactly zero."""
        return rms(self.population) or 1.0

    def gaps(self, empirical: np.ndarray) -> dict[str, float]:
        """RMS distances from the population gradient, whole and inside the subspace, and from the leading term."""
        noise = empirical - self.population
        inside = rms(noise @ self.target.subspace.T)
        return {"population": rms(noise), "inside": inside, "leading": rms(empirical - self.leading)}

    def scatter(self, empirical: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Leading term, population gradient and empirical one of the shown neurons, along u_1 ... u_r: (q, r) each."""

        def shown_part(gradient: np.ndarray) -> np.ndarray:
            return (gradient[self._shown] @ self.target.subspace.T).astype(np.float32)

        return shown_part(self.leading), shown_part(self.population), shown_part(empirical)


def dimension_grid() -> np.ndarray:
    """Dimensions over two decades, from 10 up; no target has more variables than that."""
    return np.geomspace(SMALLEST_DIMENSION, 100 * SMALLEST_DIMENSION, DIMENSIONS).round()


def dimension_error(target: PolynomialTarget, d: int, seed: int) -> float:
    """‖leading - population‖ / ‖leading‖ in dimension d, over 4000 neurons; the population's RMS norm where H = 0.

    Only the latent coordinates of uniform unit vectors are drawn: the other d - k enter through their total, a χ².
    """
    rng, k = stream(seed, "lemma", d), len(target.directions)
    z = rng.standard_normal((NEURONS_A_DIMENSION, k))
    rest = 2 * rng.standard_gamma((d - k) / 2, NEURONS_A_DIMENSION)
    V = z / np.sqrt(np.sum(z**2, axis=1) + rest)[:, None]
    latent = latent_series(without_linear_part(target.expansion), V, np.zeros(len(V)))
    terms = np.arange(len(latent.along))
    if not target.hessian_rank:
        return 2 * float(np.sqrt(np.mean(latent.norm_of_sum(terms) ** 2)))
    beyond, leading = (np.mean(latent.norm_of_sum(part) ** 2) for part in (terms[terms != 1], terms[terms == 1]))
    return float(np.sqrt(beyond / leading))


@dataclass(frozen=True, eq=False)
class Slope:
    """A power law fitted to the last decade of a curve, beside the predicted one.

    guide : the line of the predicted exponent through the curve's centre over that decade, at all its x.
    """

    measured: float
    predicted: float
    decade: tuple[float, float]
    guide: np.ndarray

    def to_mapping(self) -> dict[str, Any]:
        return {"measured": self.measured, "predicted": self.predicted, "from": self.decade[0], "to": self.decade[1]}


def fit_slope(x: np.ndarray, y: np.ndarray, prediction: float) -> Slope:
    """Least squares of log y on log x over the largest decade of x (S,); y (S,) > 0."""
    late = x >= x[-1] / 10 * (1 - 1e-9)
    across, up = np.log(x[late]), np.log(y[late])
    exponent = float(np.polyfit(across, up, 1)[0])
    guide = np.exp(up.mean() + prediction * (np.log(x) - across.mean()))
    return Slope(exponent, prediction, (float(x[late][0]), float(x[-1])), guide)


def report(
    exact: ExactGradients,
    in_d: tuple[np.ndarray, np.ndarray],
    sizes: np.ndarray,
    gaps: dict[str, np.ndarray],
) -> Result:
    """Slopes, terms and noise; gaps are (R, S), each repeat at each size."""
    last = {name: float(np.sqrt(np.mean(gap[:, -1] ** 2))) for name, gap in gaps.items()}
    terms, leading = exact.terms, rms(exact.leading) or np.nan
    ratio = np.divide(last["population"], terms, out=np.full(len(terms), np.inf), where=terms > 0)
    error, samples_needed = gaps["population"] / exact.scale, ratio**2 * sizes[-1]
    slopes = {"samples": fit_slope(sizes, np.sqrt(np.mean(error**2, axis=0)), -0.5)}
    if exact.population.any():
        first = int(np.flatnonzero(terms)[0])
        slopes["dimensions"] = fit_slope(*in_d, -0.5 if exact.target.hessian_rank else -first / 2)
    arrays = LemmaArrays(
        SampleErrors(sizes, error, gaps["leading"] / leading, slopes["samples"].guide),
        SeriesTerms(terms, samples_needed, last["population"], last["inside"]),
        slopes["dimensions"].guide if "dimensions" in slopes else None,
    )
    return Result(summarise(exact, last, samples_needed, slopes), arrays.to_arrays())


def summarise(
    exact: ExactGradients, last: dict[str, float], samples_needed: np.ndarray, slopes: dict[str, Slope]
) -> dict[str, Any]:
    """Plain numbers: slopes, relative errors at n, RMS norms, and each term of the series beside the noise.

    last : RMS gaps at n over the repeats; samples_needed (p + 1,) : samples at which a term equals the noise.
    """
    leading, noise = rms(exact.leading) or np.nan, last["population"]
    norms = {"population": rms(exact.population), "leading": rms(exact.leading)}
    return {
        "slopes": {name: slope.to_mapping() for name, slope in slopes.items()},
        "errors": {
            "empirical_from_population": noise / exact.scale,
            "empirical_from_leading": finite_or_none(last["leading"] / leading),
            "population_from_leading": finite_or_none(rms(exact.population - exact.leading) / leading),
        },
        "norms": norms | {"noise": noise, "noise_inside": last["inside"]},
        "population_is_zero": not exact.population.any(),
        "terms": [
            {"k": k, "norm": float(size), "samples_needed": finite_or_none(n), "above_noise": bool(size > noise)}
            for k, (size, n) in enumerate(zip(exact.terms, samples_needed, strict=True))
        ],
    }


def finite_or_none(value: float) -> float | None:
    """The number, or None where there is none to be had, as JSON knows neither NaN nor infinity."""
    return float(value) if np.isfinite(value) else None
