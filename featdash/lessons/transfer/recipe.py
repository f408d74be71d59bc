"""Transfer: features pretrained on n samples of one polynomial, the head refitted on N of another; a grid.

A cell is one (seed, n) with all its N; with `from_scratch` each seed also has one column of Algorithm 1 trained on N
samples of the new target alone, n = N, judged by the same holdout and test samples. Figure 2 is the grid; the bench is
one n, one seed and `from_scratch`: its cells are shared with the figure.

Streams: those of the cells, "cell/<index>/points" and "cell/<index>/layer", see `lessons.transfer.run` and,
for training from scratch, `lessons.sweep.run`; no arrays of its own.

Summary
    points      list of {"method", "width", "n", "N", "seed", "excess_risk", "standard_error", "lam"}; method is
                "transfer", or "algorithm1" from scratch, where n is null and N is what it saw
    statistics  list of {"method", "width", "n", "N", "seeds", "mean", "std"} over seeds; std with n − 1, null for one
    alignment   list of {"n", "seeds", "mean", "std"} of the pretrained first layers
    gaps        list of {"method", "n", "seed", "N", "reason"} of cells that failed, N the list of its sizes
    target, pretraining     as a race describes its target
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from featdash.lessons.shared.gaussian_recipe import DimensionSpec, settings_of, without_preprocessing
from featdash.lessons.sweep.column_recipe import HALF_POWERS, ColumnSpec, head_memory, head_work, sample_memory
from featdash.recipes import settings
from featdash.recipes.events import Result
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.grid import Cell, CellResults, Grid, Place, statistics
from featdash.recipes.spec import ARITHMETIC, Cost, Flag, Number, setting
from featdash.recipes.whole_numbers import WholeNumbers
from featdash.theory.target import number_of_variables, resolve_target

METHOD = "transfer"
PRETRAINING = "He2(z1)/2 + He3(z1)/(2*sqrt(3))"
WHOLE_POWERS = tuple(10**k for k in range(7))
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
    others = spec.holdout + spec.test
    pretraining = spec.n * (1e-6 + 3e-8 * spec.d + spec.width * (4e-9 + 7e-11 * spec.d))
    work = pretraining + head_work(spec.N, spec.width, 1, others, 1, spec.d)
    memory = ARITHMETIC + head_memory(spec.N, spec.width, 1, others, together=True)
    memory += sample_memory(others + spec.N[-1], min(spec.n, ROWS), spec.d)
    return Cost(int(memory), 0.2 + work, "lower n, the largest N or the width")


@dataclass(frozen=True)
class TransferSpec(TransferTask):
    """The recipe of a transfer; the default is «Figure 2, quick». Width, seeds and judges are ours: the paper
    states none, and width 100 is inferred from its points."""

    n: tuple[int, ...] = setting(
        WHOLE_POWERS[:6],
        WholeNumbers(Number(1, 2_000_000, whole=True), most=20),
        "Pretraining n",
        'A list, or powers such as "10^0..6".',
        group="Data",
    )
    N: tuple[int, ...] = setting(
        HALF_POWERS[:9],
        WholeNumbers(Number(1, 200_000, whole=True), most=40),
        "Refit N",
        'A list, or powers such as "10^0..4 by 1/2".',
    )
    seeds: tuple[int, ...] = settings.seeds((0, 1, 2), 100)
    from_scratch: bool = setting(
        False, Flag(), "Against training from scratch", "Algorithm 1 on the N samples of the new target alone."
    )


PAPER = TransferSpec(
    pretraining=PRETRAINING, target="He3(z1)/sqrt(6)", d=10, noise=1.0, n=WHOLE_POWERS, N=HALF_POWERS[:9],
    width=1000, seeds=tuple(range(10)), holdout=10**5, test=10**5,
)  # fmt: skip
PRESETS: dict[str, TransferSpec] = {
    "figure2-quick": replace(PAPER, n=WHOLE_POWERS[:6], seeds=(0, 1, 2), holdout=20_000, test=20_000),
    "figure2-paper": PAPER,
    # The published points to within their seeds' error; of these changes and the width none can be left out.
    "figure2-unprocessed": without_preprocessing(replace(PAPER, width=100)),
}


@dataclass(frozen=True)
class TransferBenchSpec(TransferColumnSpec):
    """The recipe of a bench: freeze one pretrained layer, refit its head on another polynomial, race it from scratch.

    That of a transfer column, with the grid of Figure 2 as its default.
    """

    N: tuple[int, ...] = setting(
        PAPER.N,
        TransferSpec.__dataclass_fields__["N"].metadata["rule"],
        "Refit N",
        'A list, or powers such as "10^0..4 by 1/2".',
    )


def axes(spec: TransferSpec) -> dict[str, Sequence[Any]]:
    """Seed by seed: training from scratch, where n is None, then the transfer from each n."""
    return {"seed": spec.seeds, "n": (None, *spec.n) if spec.from_scratch else spec.n}


def cell(spec: TransferSpec | TransferColumnSpec, place: Place) -> Cell:
    """A transfer from n samples; a column of Algorithm 1, trained on N samples of the new target, where n is None."""
    settings = {**settings_of(spec), "d": spec.d, "width": spec.width}
    if place["n"] is None:
        return "column", ColumnSpec(**settings, seed=place["seed"], n=spec.N)
    pair: dict[str, Any] = {"pretraining": spec.pretraining, "fresh_data": spec.fresh_data, "N": spec.N}
    return "transfer-column", TransferColumnSpec(**settings, **pair, **place)


def points(column: ColumnSpec | TransferColumnSpec, summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What is trained from scratch sees N samples of the new target, and n = None of the old one."""
    rows = [{**point, **column.identity()} for point in summary["points"]]
    return [{**row, "N": row["n"], "n": None} for row in rows] if isinstance(column, ColumnSpec) else rows


def gap(column: ColumnSpec | TransferColumnSpec) -> dict[str, Any]:
    """The method, and its sizes N."""
    sizes = column.n if isinstance(column, ColumnSpec) else column.N
    return {"method": column.identity()["method"], "N": list(sizes)}


def summary(spec: TransferSpec | TransferColumnSpec, results: CellResults) -> Result:
    """All points, their means and deviations, the alignments of the pretrained layers, and the gaps."""
    layers = [{**place, **one} for place, one in results.cells if one and "alignment" in one]
    return Result(
        {
            "points": results.points,
            "statistics": statistics(results.points),
            "gaps": results.gaps,
            "alignment": statistics(layers, "alignment", by=("n",)),
            "target": resolve_target(spec.target, spec.d).describe(),
            "pretraining": resolve_target(spec.pretraining, spec.d).describe(),
        }
    )


def bench_axes(spec: TransferBenchSpec) -> dict[str, Sequence[Any]]:
    """Training from scratch, where n is None, then the transfer."""
    return {"seed": (spec.seed,), "n": (None, spec.n)}


TRANSFER_COLUMN = Experiment(
    name="transfer-column",
    title="Transfer column",
    spec=TransferColumnSpec,
    cost=cost,
    run=in_worker("featdash.lessons.transfer.run"),
)
TRANSFER = Grid(
    name="transfer",
    title="Transfer",
    presets=PRESETS,
    spec=TransferSpec,
    axes=axes,
    cell=cell,
    cell_experiments=("column", "transfer-column"),
    points=points,
    gap=gap,
    summary=summary,
    remedy="lower n, N, the width or the number of seeds",
)
TRANSFER_BENCH = Grid(
    name="transfer-bench",
    title="Transfer bench",
    noun="bench",
    spec=TransferBenchSpec,
    axes=bench_axes,
    cell=cell,
    cell_experiments=TRANSFER.cell_experiments,
    points=points,
    gap=gap,
    summary=summary,
    remedy=TRANSFER.remedy,
)
