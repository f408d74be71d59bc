"""What runs at several sample sizes have in common: the target, the noise, how Algorithm 1 steps, who judges."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np

from featdash.learners.methods import METHODS
from featdash.recipes import settings
from featdash.recipes.spec import Choice, Flag, Number, Spec, setting
from featdash.tasks.gaussian import GaussianTask, random_directions
from featdash.tasks.streams import stream
from featdash.theory.target import PolynomialTarget, number_of_variables, resolve_target


@dataclass(frozen=True)
class ComparisonSpec(Spec):
    """Settings that mean what they mean in a race, so that a cell can be told as a race."""

    target: str = settings.target("figure-1")
    noise: float = settings.noise()
    step_rule: str = setting(
        "rms",
        Choice(("rms", "fixed")),
        "First step η₁",
        "Its size: what brings the rows of W¹ to RMS norm 1, or fixed.",
        group="Method",
    )
    eta: float = setting(
        3.0, Number(1e-3, 1e4), "Fixed η₁", "The first step's size, where it is fixed; else unused.", group="Method"
    )
    remove_linear: bool = setting(
        True,
        Flag(),
        "Remove the linear part",
        "Line 1 of Algorithm 1: take α + β·x out of the labels before the step.",
        group="Method",
    )
    biases: str = setting(
        "redrawn",
        Choice(("redrawn", "kept")),
        "Biases",
        "Drawn anew after the first step, or kept from before it.",
        group="Method",
    )
    rotated: bool = setting(
        False, Flag(), "Rotate the subspace", "Random directions in place of the first axes.", group="Data"
    )
    holdout: int = settings.holdout(20_000, 200_000)
    test: int = settings.test(20_000, 200_000)


ComparisonT = TypeVar("ComparisonT", bound=ComparisonSpec)


@dataclass(frozen=True)
class DimensionSpec(ComparisonSpec):
    """A comparison at one dimension."""

    d: int = setting(10, Number(2, 200, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")

    def check_together(self) -> None:
        resolve_target(self.target, self.d)


@dataclass(frozen=True)
class BaselineSpec(DimensionSpec):
    """A comparison with random features and the tangent kernel, whose symmetric start makes half of m neurons copies.

    The first step moves a neuron and its copy in opposite directions, so all m neurons of Algorithm 1 differ.
    """

    distinct: str = setting(
        "half",
        Choice(("half", "all")),
        "Distinct neurons of the baselines",
        "m/2, the other half being mirror copies as in the paper, or m like Algorithm 1.",
        group="Method",
    )


@dataclass(frozen=True)
class NetworkSpec(BaselineSpec):
    """A comparison at one width, from one seed."""

    width: int = settings.width(1000, 4000)
    seed: int = settings.seed()
    fresh_data: bool = settings.fresh_data()

    @property
    def baseline_width(self) -> int:
        """Neurons of a baseline, copies included: of 2m mirrored ones m differ."""
        return self.width if self.distinct == "half" else 2 * self.width

    def neurons(self, method: str) -> int:
        """Of a method's network, copies included."""
        return self.width if METHODS[method].steps else self.baseline_width

    def responses(self, method: str, n: int) -> int:
        """Numbers of each input that a method's features are made of: those of its distinct neurons, or, without
        neurons, its kernel with the n samples.

        A first step draws the biases of all neurons anew; what keeps the symmetric start has half of them twice.
        """
        if not METHODS[method].neurons:
            return n
        return self.width if METHODS[method].steps else self.baseline_width // 2


def without_preprocessing(spec: ComparisonT) -> ComparisonT:
    """The same without preprocessing, as the published figures were probably made.

    Algorithm 1 so meets the published curve of Figure 1 at every n: at (m = 1000, n = 1000) 0.445 ± 0.090, published
    0.465 ± 0.134.
    """
    return replace(spec, remove_linear=False, step_rule="fixed", eta=3.16, biases="kept")


def settings_of(spec: ComparisonSpec) -> dict[str, Any]:
    """The settings of ComparisonSpec, which a recipe hands on to its cells."""
    return {field.name: getattr(spec, field.name) for field in dataclasses.fields(ComparisonSpec)}


def task_of(text: str, spec: DimensionSpec, seed: int, like: str | None = None) -> GaussianTask:
    """The task of a target on its principal subspace: the first axes, or a frame drawn from the seed as a race does.

    like : a target whose frame to use instead, where two are to share their directions.
    """
    directions = None
    if spec.rotated:
        k = number_of_variables(like or text)
        directions = random_directions(k, spec.d, stream(seed, "subspace"))
    target: PolynomialTarget = resolve_target(text, spec.d, directions)
    return GaussianTask(target, spec.noise, seed)


CHECKPOINTS = (2, 3, 5, 8, 12, 18, 26, 38, 50)  # Lanczos steps after which a run shows a head
PROFILE_GRID = np.linspace(-3, 3, 41)
PROFILE_COMPANIONS = 32


@dataclass(frozen=True)
class SingleDirectionSpec(Spec):
    """A recipe whose target must have rank 1."""

    target: str = settings.target("transfer", about="A target that follows a single direction.")

    def check_together(self) -> None:
        rank = self.small_target().rank
        if rank != 1:
            raise ValueError(
                f"target must follow a single direction, got {rank} of them; take one such as He3(z1)/sqrt(6)"
            )

    def small_target(self) -> PolynomialTarget:
        """The target with no more inputs than it has variables, to be evaluated at many points."""
        return resolve_target(self.target, number_of_variables(self.target))
