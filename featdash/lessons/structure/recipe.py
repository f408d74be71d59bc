"""Samples against rank and condition of a quadratic target: its recipe, and what a run of it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, Cost, MultipleChoice, Number, Spec, setting
from featdash.theory.target import PolynomialTarget

POWERS = tuple(range(-4, 6))  # of 2, the sample sizes in units of d²
ROWS = 32_768  # samples that are held at a time
PAIR_SECONDS, NUMBER_SECONDS = 1.1e-10, 2.2e-8  # an input of a sample with a neuron; an input, drawn twice
LAYER_SECONDS = 3e-3  # of a layer, whatever the samples
INPUT_BYTES = 42  # for each input that is held: samples, the ones drawn next, their copies, and what the heap scatters
LEAST = 3  # entries of a sweep, the fewest with an error of their slope


@dataclass(frozen=True)
class Case:
    """One target: rank r, and the ratio of its largest weight to its smallest."""

    rank: int
    ratio: float

    @property
    def weights(self) -> np.ndarray:
        """λ_i (r,), largest first, even in their logarithm, the smallest 1; not normalised."""
        return np.geomspace(self.ratio, 1.0, self.rank) if self.rank > 1 else np.ones(1)

    @property
    def difficulty(self) -> float:
        """κ²r = ‖H†‖² of the target with E f² = 1, κ = ‖H†‖/√r as in the paper: Σ λ_i² / (2 λ_r²)."""
        return float(np.sum(self.weights**2) / (2 * self.weights[-1] ** 2))

    @property
    def weakest(self) -> np.ndarray:
        """The directions whose weight is the smallest, (k,)."""
        return np.flatnonzero(np.isclose(self.weights, self.weights[-1]))

    def target(self, d: int) -> PolynomialTarget:
        """Σ λ_i He₂(z_i) with E f² = 1, z_i = x_i: its Hermite expansion is known, no formula has to be read."""
        scale = math.sqrt(2 * np.sum(self.weights**2))
        weights = [weight / scale for weight in self.weights.tolist()]
        formula = " + ".join(f"{weight!r}*He2(z{i})" for i, weight in enumerate(weights, start=1))
        degrees = (tuple(row) for row in (2 * np.eye(self.rank, dtype=int)).tolist())
        return PolynomialTarget(formula, d, np.eye(self.rank, d), dict(zip(degrees, weights, strict=True)))


@dataclass(frozen=True)
class StructureSpec(Spec):
    """The recipe of two sweeps over targets Σ λ_i He₂(z_i), by one gradient step."""

    ranks: tuple[int, ...] = setting(
        (1, 2, 3, 4, 6, 8),
        MultipleChoice(Number(1, 8, whole=True), LEAST, 8),
        "Ranks r",
        "Numbers of hidden directions, all of the same weight.",
    )
    ratios: tuple[float, ...] = setting(
        (1.0, 2.0, 3.0, 4.0),
        MultipleChoice(Number(1, 8), LEAST, 6),
        "Ratios λ₁/λᵣ",
        "Largest weight over smallest, in the second sweep.",
    )
    rank: int = setting(2, Number(2, 8, whole=True), "Rank of the ratios", "Hidden directions in the second sweep.")
    d: int = setting(50, Number(10, 100, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    width: int = settings.width(100, 400)
    noise: float = settings.noise(0.0)
    repeats: int = setting(
        3, Number(1, 10, whole=True), "Repeats", "How often samples and start are drawn anew.", group="Repeats"
    )
    seed: int = settings.seed()

    @property
    def cases(self) -> tuple[Case, ...]:
        """All targets, each once, those of the first sweep first."""
        return tuple(dict.fromkeys([*self.by_rank, *self.by_ratio]))

    @property
    def by_rank(self) -> tuple[Case, ...]:
        """The first sweep, ascending."""
        return tuple(Case(rank, 1.0) for rank in sorted(self.ranks))

    @property
    def by_ratio(self) -> tuple[Case, ...]:
        """The second sweep, ascending."""
        return tuple(Case(self.rank, ratio) for ratio in sorted(self.ratios))

    @property
    def sizes(self) -> list[int]:
        """The sample sizes n, d² times the powers of 2, rounded, ascending."""
        return [round(self.d**2 * 2.0**power) for power in POWERS]


def leading_order(noise: float) -> float:
    """n/(d²κ²r) at which a weakest direction weighs as much as all outside, to leading order in d: π/2 (1 + ς²).

    Lemma 1: the gradient of a neuron has the square 4h²/(2πd) along a direction of H's eigenvalue h, in the mean over
    w ~ N(0, I/d); after line 1 the samples leave 4 E y²/(4n) in each other direction, as f* is even in them.
    """
    return float(np.pi / 2 * (1 + noise**2))


def cost(spec: StructureSpec) -> Cost:
    """Each case and repeat draws the samples of every size twice, and takes one gradient of them."""
    samples = len(spec.cases) * spec.repeats * sum(spec.sizes)
    layers = len(spec.cases) * spec.repeats * len(POWERS)
    seconds = 1.0 + LAYER_SECONDS * layers + samples * spec.d * (NUMBER_SECONDS + PAIR_SECONDS * spec.width)
    rows = min(ROWS, spec.sizes[-1])
    memory = ARITHMETIC + INPUT_BYTES * rows * spec.d
    return Cost(int(memory), seconds, f"lower d to {max(10, int(spec.d * 0.7))}, or the repeats")


EXPERIMENT = Experiment(
    name="structure",
    title="Rank and condition",
    noun="sweeps",
    spec=StructureSpec,
    cost=cost,
    run=in_worker("featdash.lessons.structure.run"),
)
