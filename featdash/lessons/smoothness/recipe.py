"""Smoothness: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.learners.methods import NETWORK, TANGENT_KERNEL
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Choice, Cost, MultipleChoice, Number, Spec, setting
from featdash.tasks.step import SHAPES

KINDS = ("rbf", "laplace", "polynomial", "ntk")  # as in featdash.learners, which the server does not import
RATED = ("heaviside", "smooth")
METHODS = ("kernel", "network")
HOLDOUT = 1000
NEAR = 0.1


@dataclass(frozen=True)
class SmoothnessSpec(Spec):
    """The recipe of a fit in one dimension, and of its rates."""

    target: str = setting("heaviside", Choice(tuple(SHAPES)), "Target", "The function in the picture.")
    kernel: str = setting("rbf", Choice(KINDS), "Kernel", "Its λ is chosen on the holdout.")
    length: float = setting(0.2, Number(0.01, 10), "Length ℓ", "Length scale: inputs are divided by it.")
    degree: int = setting(
        9, Number(1, 15, whole=True), "Degree", "Degree of the polynomial kernel; the others have none.", group="Method"
    )
    n: int = setting(
        100, Number(5, 2000, whole=True), "Samples n", "Training samples of the fits in the left picture.", group="Data"
    )
    noise: float = settings.noise(0.2, "Standard deviation; the target's is 1.")
    sizes: tuple[int, ...] = setting(
        (25, 50, 100, 200, 400),
        MultipleChoice(Number(5, 2000, whole=True), 2, 10),
        "Sizes",
        "Numbers of samples at which the rates are measured.",
        group="Data",
    )
    repeats: int = setting(
        4, Number(1, 10, whole=True), "Repeats", "Samples that a rate averages over.", group="Repeats"
    )
    width: int = settings.width(100, 1000, "Neurons of the trained network, even.")
    steps: int = setting(
        4000,
        Number(1, 20_000, whole=True),
        "Network steps",
        "Updates of the network's weights, all layers together.",
        group="Training",
    )
    seed: int = settings.seed()


def cost(spec: SmoothnessSpec) -> Cost:
    """The network is fitted once for the picture and once for every point of the rates."""
    largest = max(*spec.sizes, spec.n)
    points = [spec.n, *(size for size in spec.sizes for _ in range(len(RATED) * spec.repeats))]
    seconds = sum(fit.seconds(size, 1, spec.width, spec.steps) for fit in (TANGENT_KERNEL, NETWORK) for size in points)
    memory = ARITHMETIC + LIBRARIES + 8 * (5 * largest**2 + 4 * HOLDOUT * largest)
    return Cost(int(memory), 0.5 + seconds, "lower the sizes, the repeats or the network's steps")


EXPERIMENT = Experiment(
    name="smoothness",
    title="Smoothness",
    noun="fits",
    spec=SmoothnessSpec,
    cost=cost,
    run=in_worker("featdash.lessons.smoothness.run"),
)
