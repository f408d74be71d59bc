"""Delete a line: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from featdash.lessons.race.recipe import RaceSpec, base_memory, copy_memory, head_memory, sample_memory
from featdash.lessons.race.recipe import cost as race_cost
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Cost, Number, Spec, setting
from featdash.theory.ridge_path import dense_cost

LINES: dict[str, str] = {
    "intact": "Algorithm 1 as it is",
    "linear_part_left": "line 1 deleted: the linear part stays in the labels",
    "no_symmetry": "no mirror copies: the network is not zero when the step is taken",
    "small_start": "no mirror copies, but output weights of size 1/m in the step: the network is almost zero",
    "old_weights_kept": "λ₁ = 0: the step is added to the old weights",
    "biases_not_drawn": "line 3 deleted: all biases stay 0",
    "fresh_data": "fresh samples for line 4",
}


@dataclass(frozen=True)
class AblationSpec(Spec):
    """The recipe of an ablation; a target with a linear part shows what line 1 is for."""

    target: str = settings.target("figure-1")
    d: int = setting(10, Number(2, 100, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    n: int = setting(
        10_000, Number(10, 100_000, whole=True), "Samples n", "Training samples, the same for all.", group="Data"
    )
    width: int = settings.width(1000, 2000)
    noise: float = settings.noise()
    seed: int = settings.seed()
    steps: int = setting(
        10_000, Number(1, 1e7, whole=True), "Head steps T", "Gradient steps on the head.", group="Training"
    )
    holdout: int = settings.holdout(10_000, 100_000)
    test: int = settings.test(10_000, 100_000)

    def check_together(self) -> None:
        self.race()

    def race(self) -> RaceSpec:
        """The race that the intact algorithm runs alone."""
        return RaceSpec(**vars(self), methods=("algorithm1",))


def cost(spec: AblationSpec) -> Cost:
    """A head of Algorithm 1 for each variant, a round of each in turn, so that all are kept."""
    race, times = spec.race(), len(LINES)
    memory = base_memory(race.methods) + sample_memory(replace(race, fresh_data=True))
    dense, _ = dense_cost(race.n, race.width)
    memory += max(times * head_memory(race, *race.methods) + dense, copy_memory(race))
    one = race_cost(race)
    return Cost(int(memory), one.seconds * times, one.remedy)


EXPERIMENT = Experiment(
    name="ablation", title="Delete a line", spec=AblationSpec, cost=cost, run=in_worker("featdash.lessons.ablation.run")
)
