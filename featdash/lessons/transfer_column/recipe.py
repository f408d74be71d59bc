"""Pretrain on n samples of one polynomial: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from featdash.lessons.learning_curve.recipe import head_memory, head_work, sample_memory
from featdash.lessons.shared.gaussian_recipe import DimensionSpec
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, Cost, Flag, Number, setting
from featdash.recipes.whole_numbers import WholeNumbers
from featdash.theory.target import number_of_variables, resolve_target

METHOD = "transfer"
PRETRAINING = "He2(z1)/2 + He3(z1)/(2*sqrt(3))"
ROWS = 1 << 16  # of the pretraining sample held at a time


@dataclass(frozen=True)
class TransferTask(DimensionSpec):
    """What both the cell and the composite know: two polynomials of the same directions, and how they are learned.

    target : of the refit. fresh_data False refits on the pretraining inputs with new labels.
    """

    target: str = settings.target("He3(z1)/sqrt(6)", label="New target", about="What the refitted head learns.")
    pretraining: str = settings.target(PRETRAINING, label="Pretraining target", about="What the first layer sees.")
    width: int = settings.width(1000, 4000, "Neurons, even; the source does not state it.")
    fresh_data: bool = setting(
        True, Flag(), "Fresh data for the head", "Off: the refit sees the pretraining inputs.", group="Data"
    )

    def check_together(self) -> None:
        super().check_together()
        try:
            resolve_target(self.pretraining, self.d)
        except ValueError as error:
            raise ValueError(f"pretraining {error}") from None
        mine, theirs = number_of_variables(self.target), number_of_variables(self.pretraining)
        if mine > theirs:
            rule = f"target must use the {theirs} directions of pretraining, got {mine} variables"
            raise ValueError(f"{rule}; use z1 to z{theirs}, or a richer pretraining target")


@dataclass(frozen=True)
class TransferColumnSpec(TransferTask):
    """The recipe of a column over N."""

    n: int = setting(
        10_000, Number(1, 2_000_000, whole=True), "Pretraining n", "Samples of the first-layer step.", group="Data"
    )
    N: tuple[int, ...] = setting(
        (100, 1000, 10_000), WholeNumbers(Number(1, 200_000, whole=True), most=40), "Refit N", "Samples of the head."
    )
    seed: int = settings.seed()

    def identity(self) -> dict[str, Any]:
        """What all points of the column have in common."""
        return {"method": METHOD, "width": self.width, "n": self.n, "seed": self.seed}


def cost(spec: TransferColumnSpec) -> Cost:
    """Memory and time; the pretraining sample passes by twice, in chunks."""
    judged = spec.holdout + spec.test
    pretraining = spec.n * (1e-6 + 3e-8 * spec.d + spec.width * (4e-9 + 7e-11 * spec.d))
    work = pretraining + head_work(spec.N, spec.width, 1, judged, 1, spec.d)
    memory = ARITHMETIC + head_memory(spec.N, spec.width, 1, judged, together=True)
    memory += sample_memory(judged + spec.N[-1], min(spec.n, ROWS), spec.d)
    return Cost(int(memory), 0.2 + work, "lower n, the largest N or the width")


EXPERIMENT = Experiment(
    name="transfer-column",
    title="Transfer column",
    spec=TransferColumnSpec,
    cost=cost,
    run=in_worker("featdash.lessons.transfer_column.run"),
)
