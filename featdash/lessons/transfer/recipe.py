"""Transfer: features pretrained on n samples of one polynomial, the head refitted on N of another; a composite.

A cell is one (seed, n) with all its N; with `from_scratch` each seed also has one column of Algorithm 1 trained on N
samples of the new target alone, n = N, judged by the same holdout and test samples. Figure 2 is the grid; the bench of
the page is one n, one seed and `from_scratch`.

Frames: those of the cells, "cell/<index>/points" and "cell/<index>/layer", see `transfer_column` and, for training from
scratch, `column`.

Summary
    points      list of {"method", "width", "n", "N", "seed", "excess_risk", "standard_error", "lam"}; method is
                "transfer", or "algorithm1" from scratch, where n is null and N is what it saw
    statistics  list of {"method", "width", "n", "N", "seeds", "mean", "std"} over seeds; std with n − 1, null for one
    alignment   list of {"n", "seeds", "mean", "std"} of the pretrained first layers
    gaps        list of {"method", "n", "seed", "N", "reason"} of cells that failed, N the list of its sizes
    target, pretraining     as a race describes its target
Arrays: the columns of the points of method "transfer": n, N, width, seed, excess_risk, standard_error, lam.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from featdash.lessons.learning_curve.recipe import HALF_POWERS, ColumnSpec
from featdash.lessons.learning_curve.recipe import cost as column_cost
from featdash.lessons.shared.gaussian_recipe import settings_of
from featdash.lessons.sweep.recipe import UNPROCESSED
from featdash.lessons.transfer_column.recipe import METHOD, PRETRAINING, TransferColumnSpec, TransferTask
from featdash.lessons.transfer_column.recipe import cost as transfer_cost
from featdash.recipes.composite import Composite
from featdash.recipes.events import Result
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Cost, Flag, Number, Spec, setting
from featdash.recipes.statistics import refuse_nothing, statistics, table, total_cost
from featdash.recipes.target_summary import describe
from featdash.theory.target import resolve_target

FIGURE2 = {"pretraining": PRETRAINING, "target": "He3(z1)/sqrt(6)", "d": 10, "noise": 1.0, "N": HALF_POWERS[:9]}
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
    )
    N: tuple[int, ...] = setting(
        HALF_POWERS[:9],
        Grid(Number(1, 200_000, whole=True), most=40),
        "Refit N",
        'A list, or powers such as "10^0..4 by 1/2".',
    )
    seeds: tuple[int, ...] = setting(
        (0, 1, 2), Grid(Number(0, 2**31 - 1, whole=True), most=100), "Seeds", 'A list, or a range such as "0..9".'
    )
    from_scratch: bool = setting(
        False, Flag(), "Against training from scratch", "Algorithm 1 on the N samples of the new target alone."
    )


PAPER = TransferSpec(**FIGURE2, n=WHOLE_POWERS, width=1000, seeds=tuple(range(10)), holdout=10**5, test=10**5)
PRESETS: dict[str, TransferSpec] = {
    "figure2-quick": replace(PAPER, n=WHOLE_POWERS[:6], seeds=(0, 1, 2), holdout=20_000, test=20_000),
    "figure2-paper": PAPER,
    # The published points to within their seeds' error; of these changes and the width none can be left out.
    "figure2-unprocessed": replace(PAPER, width=100, **UNPROCESSED),
}


def cells(spec: TransferSpec) -> list[tuple[str, Spec]]:
    """Seed by seed: training from scratch, then the transfer from each n."""
    shared, recipes = {**settings_of(spec), "d": spec.d}, []
    pair = {"pretraining": spec.pretraining, "width": spec.width, "fresh_data": spec.fresh_data, "N": spec.N}
    for seed in spec.seeds:
        if spec.from_scratch:
            recipes.append(("column", ColumnSpec(**shared, width=spec.width, n=spec.N, seed=seed)))
        recipes += [("transfer-column", TransferColumnSpec(**shared, **pair, n=n, seed=seed)) for n in spec.n]
    return recipes


def gather(spec: TransferSpec, results: Sequence[Result | Exception]) -> Result:
    """All points, their means and deviations, the alignments, and the gaps; ValueError where there are only gaps."""
    points, aligned, gaps = [], [], []
    for (name, cell), result in zip(cells(spec), results, strict=True):
        scratch = name == "column"
        if isinstance(result, Exception):
            gaps.append(gap(cell, scratch, result))
            continue
        for point in result.summary["points"]:
            points.append({**point, "N": point["n"], "n": None} if scratch else point)
        if "alignment" in result.summary:
            aligned.append({"n": cell.n, "alignment": result.summary["alignment"]})
    refuse_nothing(points, gaps)
    summary = {"points": points, "statistics": statistics(points), "gaps": gaps}
    summary |= {"alignment": statistics(aligned, "alignment", by=("n",))}
    summary["target"] = describe(resolve_target(spec.target, spec.d))
    summary["pretraining"] = describe(resolve_target(spec.pretraining, spec.d))
    return Result(summary, table([point for point in points if point["method"] == METHOD]))


def gap(cell: Any, scratch: bool, error: Exception) -> dict[str, Any]:
    """A failed cell as the page shows it."""
    which = {"method": "algorithm1", "n": None, "N": list(cell.n)} if scratch else {}
    return {"method": METHOD, "n": cell.n, "N": list(getattr(cell, "N", ())), **which, "seed": cell.seed} | {
        "reason": str(error)
    }


def cost(spec: TransferSpec) -> Cost:
    """The sum over the cells."""
    recipes = [(cell, column_cost if name == "column" else transfer_cost) for name, cell in cells(spec)]
    return total_cost(recipes, "lower n, N, the width or the number of seeds")


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
