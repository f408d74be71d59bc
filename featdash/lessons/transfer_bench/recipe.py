"""The bench of transfer: freeze one pretrained layer, refit its head on another polynomial, race it from scratch.

A transfer with one n and one seed, and training from scratch beside it: its cells are those of `transfer`, shared with
the figure.

Streams and summary: as in `transfer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from featdash.lessons.transfer import recipe
from featdash.lessons.transfer.recipe import TransferSpec
from featdash.lessons.transfer_column.recipe import TransferColumnSpec
from featdash.recipes.grid import Grid
from featdash.recipes.spec import setting


@dataclass(frozen=True)
class TransferBenchSpec(TransferColumnSpec):
    """The recipe of a bench: that of a transfer column, with the grid of Figure 2 as its default."""

    N: tuple[int, ...] = setting(
        recipe.PAPER.N,
        TransferSpec.__dataclass_fields__["N"].metadata["rule"],
        "Refit N",
        'A list, or powers such as "10^0..4 by 1/2".',
    )


def axes(spec: TransferBenchSpec) -> dict[str, Sequence[Any]]:
    """Training from scratch, where n is None, then the transfer."""
    return {"seed": (spec.seed,), "n": (None, spec.n)}


EXPERIMENT = Grid(
    name="transfer-bench",
    title="Transfer bench",
    noun="bench",
    spec=TransferBenchSpec,
    axes=axes,
    cell=recipe.cell,
    cell_experiments=recipe.EXPERIMENT.cell_experiments,
    points=recipe.points,
    gap=recipe.gap,
    summary=recipe.summary,
    remedy=recipe.EXPERIMENT.remedy,
)
