"""The bench of transfer: freeze one pretrained layer, refit its head on another polynomial, race it from scratch.

A transfer with one n and one seed, and `from_scratch`: its cells are those of `transfer`, shared with the figure.

Streams and summary: as in `transfer`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from featdash.lessons.shared.gaussian_recipe import settings_of
from featdash.lessons.transfer import recipe
from featdash.lessons.transfer.recipe import TransferSpec
from featdash.lessons.transfer_column.recipe import TransferColumnSpec
from featdash.recipes.events import Result
from featdash.recipes.experiment import Composite
from featdash.recipes.spec import Cost, setting


@dataclass(frozen=True)
class TransferBenchSpec(TransferColumnSpec):
    """The recipe of a bench: that of a transfer column, with the grid of Figure 2 as its default."""

    N: tuple[int, ...] = setting(
        recipe.PAPER.N,
        TransferSpec.__dataclass_fields__["N"].metadata["rule"],
        "Refit N",
        'A list, or powers such as "10^0..4 by 1/2".',
    )


def as_transfer(spec: TransferBenchSpec) -> TransferSpec:
    """The same as a transfer of one n and one seed, with training from scratch beside it."""
    pair = {name: getattr(spec, name) for name in ("d", "pretraining", "width", "fresh_data", "N")}
    return TransferSpec(**settings_of(spec), **pair, n=(spec.n,), seeds=(spec.seed,), from_scratch=True)


def cells(spec: TransferBenchSpec) -> list[tuple[str, recipe.Cell]]:
    """Training from scratch, then the transfer."""
    return recipe.cells(as_transfer(spec))


def gather(spec: TransferBenchSpec, results: Sequence[Result | Exception]) -> Result:
    """As in a transfer."""
    return recipe.gather(as_transfer(spec), results)


def cost(spec: TransferBenchSpec) -> Cost:
    """As of a transfer."""
    return recipe.cost(as_transfer(spec))


EXPERIMENT = Composite(
    name="transfer-bench",
    title="Transfer bench",
    noun="bench",
    spec=TransferBenchSpec,
    cost=cost,
    cells=cells,
    gather=gather,
    cell_experiments=("column", "transfer-column"),
)
