"""The cost of kernel ridge: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Cost, Number, Spec, setting

SMALLEST_SHARE = 8  # the smallest size is the largest over this
EXPONENTS = {"direct": 3, "richardson": 2}  # of n in the count of flops
SOLVERS = tuple(EXPONENTS)


@dataclass(frozen=True)
class SolversSpec(Spec):
    """The recipe of a timing."""

    largest: int = setting(5600, Number(400, 7000, whole=True), "Largest n", "Samples of the largest system.")
    sizes: int = setting(
        8, Number(4, 12, whole=True), "Sizes", "From an eighth of the largest on, evenly in log n.", group="Data"
    )
    iterations: int = setting(
        20, Number(1, 1000, whole=True), "Iterations", "Richardson steps timed at each n.", group="Training"
    )
    repeats: int = setting(
        3,
        Number(1, 10, whole=True),
        "Repeats",
        "Timings of each system; the shortest counts.",
        group="Repeats",
    )
    lam: float = setting(
        1e-3,
        Number(1e-6, 10),
        "Ridge λ",
        "Strength of the ridge: it matters to the iteration, and not to the direct solve.",
    )
    seed: int = settings.seed("What the random systems begin with: the same seed gives the same systems.")

    def ladder(self) -> list[int]:
        """The sizes, ascending."""
        smallest = max(2, self.largest // SMALLEST_SHARE)
        return np.unique(np.geomspace(smallest, self.largest, self.sizes).round().astype(int)).tolist()


def cost(spec: SolversSpec) -> Cost:
    """Two matrices of the largest size; 3·10¹⁰ flops a second direct, 8 GB a second for the products."""
    ladder = np.array(spec.ladder(), dtype=float)
    direct, product = np.sum(ladder**3) / 3 / 3e10, np.sum(ladder**2) * 8 / 8e9
    seconds = 1.0 + spec.repeats * (direct + (spec.iterations + 1) * product) + (spec.iterations + 40) * product
    memory = ARITHMETIC + LIBRARIES + 2 * 8 * spec.largest**2
    return Cost(memory, float(seconds), f"lower largest to {max(400, spec.largest // 2)}")


EXPERIMENT = Experiment(
    name="solvers", title="Cost of a kernel", spec=SolversSpec, cost=cost, run=in_worker("featdash.lessons.solvers.run")
)
