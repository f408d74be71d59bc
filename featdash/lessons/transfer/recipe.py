"""Transfer: features pretrained on n samples of one polynomial, the head refitted on N of another; a composite.

A cell is one (seed, n) with all its N; with `from_scratch` each seed also has one column of Algorithm 1 trained on N
samples of the new target alone, n = N, judged by the same holdout and test samples. Figure 2 is the grid; the bench of
the page is one n, one seed and `from_scratch`.

Streams: those of the cells, "cell/<index>/points" and "cell/<index>/layer", see `transfer_column` and, for training
from scratch, `column`; no arrays of its own.

Summary
    points      list of {"method", "width", "n", "N", "seed", "excess_risk", "standard_error", "lam"}; method is
                "transfer", or "algorithm1" from scratch, where n is null and N is what it saw
    statistics  list of {"method", "width", "n", "N", "seeds", "mean", "std"} over seeds; std with n − 1, null for one
    alignment   list of {"n", "seeds", "mean", "std"} of the pretrained first layers
    gaps        list of {"method", "n", "seed", "N", "reason"} of cells that failed, N the list of its sizes
    target, pretraining     as a race describes its target
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from featdash.lessons.learning_curve.recipe import HALF_POWERS, ColumnSpec
from featdash.lessons.learning_curve.recipe import cost as column_cost
from featdash.lessons.shared.gaussian_recipe import settings_of, without_preprocessing
from featdash.lessons.transfer_column.recipe import METHOD, PRETRAINING, TransferColumnSpec, TransferTask
from featdash.lessons.transfer_column.recipe import cost as transfer_cost
from featdash.recipes.events import Result
from featdash.recipes.experiment import Composite
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Cost, Flag, Number, setting
from featdash.recipes.statistics import refuse_nothing, statistics, total_cost
from featdash.theory.target import resolve_target

Cell = ColumnSpec | TransferColumnSpec
WHOLE_POWERS = tuple(10**k for k in range(7))


@dataclass(frozen=True)
class TransferSpec(TransferTask):
    """The recipe of a transfer; the default is «Figure 2, quick». Width, seeds and judges are ours: the paper
    states none, and width 100 is inferred from its points."""

    n: tuple[int, ...] = setting(
        WHOLE_POWERS[:6],
        Grid(Number(1, 2_000_000, whole=True), most=20),
        "Pretraining n",
        'A list, or powers such as "10^0..6".',
        group="Data",
    )
    N: tuple[int, ...] = setting(
        HALF_POWERS[:9],
        Grid(Number(1, 200_000, whole=True), most=40),
        "Refit N",
        'A list, or powers such as "10^0..4 by 1/2".',
    )
    seeds: tuple[int, ...] = setting(
        (0, 1, 2),
        Grid(Number(0, 2**31 - 1, whole=True), most=100),
        "Seeds",
        'A list, or a range such as "0..9".',
        group="Repeats",
    )
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


def cells(spec: TransferSpec) -> list[tuple[str, Cell]]:
    """Seed by seed: training from scratch, then the transfer from each n."""
    shared, recipes = {**settings_of(spec), "d": spec.d, "width": spec.width}, list[tuple[str, Cell]]()
    pair: dict[str, Any] = {"pretraining": spec.pretraining, "fresh_data": spec.fresh_data, "N": spec.N}
    for seed in spec.seeds:
        if spec.from_scratch:
            recipes.append(("column", ColumnSpec(**shared, n=spec.N, seed=seed)))
        recipes += [("transfer-column", TransferColumnSpec(**shared, **pair, n=n, seed=seed)) for n in spec.n]
    return recipes


def gather(spec: TransferSpec, results: Sequence[Result | Exception]) -> Result:
    """All points, their means and deviations, the alignments, and the gaps; ValueError where there are only gaps."""
    points, aligned, gaps = [], [], []
    for (_, cell), result in zip(cells(spec), results, strict=True):
        if isinstance(result, Exception):
            gaps.append({**gap(cell), "reason": str(result)})
        elif isinstance(cell, ColumnSpec):
            learned = [{**point, **cell.identity()} for point in result.summary["points"]]
            points += [{**point, "N": point["n"], "n": None} for point in learned]
        else:
            points += [{**point, **cell.identity()} for point in result.summary["points"]]
            aligned += [{"n": cell.n, "alignment": one} for one in [result.summary.get("alignment")] if one is not None]
    refuse_nothing(points, gaps)
    return Result(
        {
            "points": points,
            "statistics": statistics(points),
            "gaps": gaps,
            "alignment": statistics(aligned, "alignment", by=("n",)),
            "target": resolve_target(spec.target, spec.d).describe(),
            "pretraining": resolve_target(spec.pretraining, spec.d).describe(),
        }
    )


def gap(cell: Cell) -> dict[str, Any]:
    """A failed cell as the page shows it, without the reason."""
    if isinstance(cell, ColumnSpec):
        return {"method": cell.method, "n": None, "N": list(cell.n), "seed": cell.seed}
    return {"method": METHOD, "n": cell.n, "N": list(cell.N), "seed": cell.seed}


def cost(spec: TransferSpec) -> Cost:
    """The sum over the cells."""
    costs = [column_cost(cell) if isinstance(cell, ColumnSpec) else transfer_cost(cell) for _, cell in cells(spec)]
    return total_cost(costs, "lower n, N, the width or the number of seeds")


EXPERIMENT = Composite(
    name="transfer",
    title="Transfer",
    presets=PRESETS,
    spec=TransferSpec,
    cost=cost,
    cells=cells,
    gather=gather,
    cell_experiments=("column", "transfer-column"),
)
