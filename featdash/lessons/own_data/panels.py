"""The panels of a comparison on a table."""

from __future__ import annotations

from featdash.figures.picture import Picture
from featdash.lessons.own_data.frames import FitTable
from featdash.lessons.own_data.pictures.looks import column_map
from featdash.lessons.own_data.pictures.risks import fold_risks, pair_table
from featdash.lessons.own_data.recipe import OwnDataSpec
from featdash.ui.panels import Panel, View

OwnDataView = View[OwnDataSpec, None]


def table_of(view: OwnDataView) -> FitTable | None:
    frame = view.last("fits")
    return FitTable.from_arrays(frame.arrays) if frame else None


def risks(view: OwnDataView) -> Picture | None:
    """Every fold, with mean and error."""
    table = table_of(view)
    return fold_risks(table.risk, table.test_to_train, theme=view.theme) if table else None


def pairs(view: OwnDataView) -> Picture | None:
    """What the folds say of two methods."""
    table = table_of(view)
    return pair_table(table.risk, table.test_to_train, theme=view.theme) if table else None


def looks(view: OwnDataView) -> Picture | None:
    """The heat map by column."""
    table = table_of(view)
    if table is None:
        return None
    return column_map(table.look, table.columns.tolist(), table.planted.tolist(), theme=view.theme)


PANELS = (
    Panel("own-looks", looks, streams=("fits",), wide=True),
    Panel("own-risk", risks, row=1, streams=("fits",)),
    Panel("own-pairs", pairs, row=1, streams=("fits",)),
)
