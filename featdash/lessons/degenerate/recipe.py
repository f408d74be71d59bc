"""When it must fail: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from featdash.learners.methods import RACING
from featdash.lessons.race.recipe import (
    WATCHED,
    RaceSpec,
    base_memory,
    copy_memory,
    features_of,
    head_memory,
    sample_memory,
)
from featdash.lessons.race.recipe import cost as race_cost
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, Cost, MultipleChoice, Number, Spec, setting
from featdash.theory.ridge_path import dense_cost
from featdash.theory.target import resolve_target

NO_RESCUE = "none"


@dataclass(frozen=True)
class DegenerateSpec(Spec):
    """The recipe of a failure."""

    target: str = settings.target("transfer", about="One whose expected Hessian has rank below r.")
    rescue: str = settings.target(
        "pretrain",
        "Rescue",
        f"A second target for Algorithm 1, drawn on the same axes; write {NO_RESCUE} for no rescue.",
    )
    dims: tuple[int, ...] = setting(
        (40, 60),
        MultipleChoice(Number(2, 60, whole=True), most=4),
        "Dimensions d",
        "Numbers of inputs; each has a panel.",
    )
    sizes: tuple[int, ...] = setting(
        (1000, 3000, 10_000, 30_000),
        MultipleChoice(Number(10, 50_000, whole=True), most=8),
        "Samples n",
        "Numbers of training samples; each is a point of every curve.",
        group="Data",
    )
    methods: tuple[str, ...] = setting(
        ("algorithm1", "random_features"),
        MultipleChoice(Choice(RACING)),
        "Methods",
        "Which predictors learn the target, beside the rescue.",
        group="Method",
    )
    width: int = settings.width(500, 2000)
    noise: float = settings.noise()
    repeats: int = setting(
        1, Number(1, 10, whole=True), "Repeats", "Seeds, counted up from the first.", group="Repeats"
    )
    seed: int = settings.seed(most=2**31 - 11)
    holdout: int = settings.holdout(5000, 100_000)
    test: int = settings.test(5000, 100_000)

    def check_together(self) -> None:
        for d in self.dims:
            self.race(d, max(self.sizes))
            if self.has_rescue:
                resolve_target(self.rescue, d)

    @property
    def has_rescue(self) -> bool:
        """Whether a second target is run beside."""
        return self.rescue != NO_RESCUE

    def race(self, d: int, n: int) -> RaceSpec:
        """The race of one cell at the first seed."""
        names = ("target", "width", "noise", "seed", "methods", "holdout", "test")
        return RaceSpec(d=d, n=n, **{name: getattr(self, name) for name in names})


def cost(spec: DegenerateSpec) -> Cost:
    """The races of all cells, one after another, each with one of Algorithm 1 on the rescue."""
    races = [spec.race(d, n) for d in spec.dims for n in spec.sizes]
    beside = [replace(race, methods=(WATCHED,)) for race in races if spec.has_rescue]
    seconds = spec.repeats * sum(race_cost(race).seconds for race in [*races, *beside])
    remedy = f"lower repeats, or the largest of sizes to {max(10, int(max(spec.sizes) * 0.4))}"
    memory = base_memory(spec.methods) + max(cell_memory(race) for race in [*races, *beside])
    return Cost(int(memory), seconds, remedy)


def cell_memory(race: RaceSpec) -> float:
    """Bytes of the samples, with the rescue's beside them, and of one head at a time."""
    heads = [head_memory(race, name) + dense_cost(race.n, features_of(race, name))[0] for name in race.methods]
    return 2 * sample_memory(race) + max(copy_memory(race), *heads)


EXPERIMENT = Experiment(
    name="degenerate",
    title="When it must fail",
    noun="targets",
    spec=DegenerateSpec,
    cost=cost,
    run=in_worker("featdash.lessons.degenerate.run"),
)
