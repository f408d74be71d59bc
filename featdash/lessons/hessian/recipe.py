"""The Hessian announces the next feature: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Cost, Number, Spec, setting

NEURONS = 4
EVERY = 10  # steps between two looks at the Hessian
EIGENVALUES = 16  # the lowest ones that are kept
FOUND = 0.5  # squared share along u₂
TEST = 2000
RATIOS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)  # n/d of the second part
DRAWS = 3  # for each of them
RATE, START = 0.2, 0.02  # of a step; the norm of a neuron at the start
BASE = 18_000_000  # bytes of numerical code and its buffers; nothing is computed with torch
FLOPS_A_SECOND = 1e10  # of one core, in double precision


@dataclass(frozen=True)
class HessianSpec(Spec):
    """The recipe of two trainings, with few and with many samples a dimension."""

    few: float = setting(1.5, Number(0.5, 20), "Few samples, n/d", "Of the first network.", "Data")
    many: float = setting(12.0, Number(0.5, 20), "Many samples, n/d", "Of the second network.", "Data")
    d: int = setting(100, Number(10, 150, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", "Data")
    noise: float = settings.noise(0.0)
    steps: int = setting(
        200, Number(EVERY, 400, whole=True), "Steps", f"Of gradient descent on all samples, {RATE:g} long.", "Training"
    )
    seed: int = settings.seed()


def cost(spec: HessianSpec) -> Cost:
    """Seconds of the Hessians, of their eigenvalues, and of all gradients. Bytes of the samples and the Hessian."""
    side, pairs = NEURONS * spec.d, NEURONS * (NEURONS + 1) / 2
    rows = spec.d * (spec.few + spec.many)
    looks = 1 + spec.steps / EVERY
    hessians = looks * (2 * pairs * rows * spec.d**2 + 2 * 4 * side**3)
    gradients = 6 * spec.steps * NEURONS * spec.d * (rows + DRAWS * sum(RATIOS) * spec.d)
    second = len(RATIOS) * DRAWS * 4 * side**3 + 2 * pairs * DRAWS * sum(RATIOS) * spec.d**3
    memory = BASE + 8 * (2 * spec.d * (rows + TEST) + 6 * side**2)
    return Cost(int(memory), 0.5 + (hessians + gradients + second) / FLOPS_A_SECOND, "lower d or the steps")


EXPERIMENT = Experiment(
    name="hessian",
    title="The Hessian announces the next feature",
    noun="Hessian",
    spec=HessianSpec,
    cost=cost,
    run=in_worker("featdash.lessons.hessian.run"),
)
