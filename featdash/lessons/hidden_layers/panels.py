"""The panels of «Hidden layers in order»: from the frames of its streams to the pictures' numbers."""

from __future__ import annotations

import numpy as np

from featdash.figures.picture import Picture
from featdash.lessons.hidden_layers.frames import STAGES, ErrorFrame, FilterFrame
from featdash.lessons.hidden_layers.pictures.errors import stage_errors
from featdash.lessons.hidden_layers.pictures.scalar import found_number
from featdash.lessons.hidden_layers.pictures.values import filter_values
from featdash.lessons.hidden_layers.recipe import HiddenLayersSpec
from featdash.ui.panels import Panel, View

LayersView = View[HiddenLayersSpec, None]


def errors(view: LayersView) -> Picture | None:
    """All stages, as far as samples have come."""
    frames = view.frames("errors")
    if not frames:
        return None
    rows = [ErrorFrame.from_arrays(frame.arrays) for frame in frames]
    columns = {name: [row.of(name) for row in rows] for name in STAGES}
    result = view.result()
    linear = result.summary["linear"] if result is not None and not view.moves("errors") else None
    sizes = [int(frame.at) for frame in frames]
    return stage_errors(sizes, columns, linear, theme=view.theme, last=view.spec.n, height=430)


def values(view: LayersView) -> Picture | None:
    """The eigenvalues with the last size so far."""
    frames = view.frames("filters")
    if not frames:
        return None
    rows = [FilterFrame.from_arrays(frame.arrays) for frame in frames]
    reach = max(float(np.abs(row.values).max()) for row in rows)
    last, n = rows[-1], int(frames[-1].at)
    return filter_values(last.values, view.spec.r, last.share, n, theme=view.theme, height=215, reach=reach)


def scalar(view: LayersView) -> Picture | None:
    """The number found with the last size so far."""
    frame = view.last("filters")
    if frame is None:
        return None
    return found_number(FilterFrame.from_arrays(frame.arrays), int(frame.at), theme=view.theme, height=215)


PANELS = (
    Panel("layers-errors", errors, width=1.2, streams=("errors",), start=1),
    Panel("layers-values", values, streams=("filters",), start=1),
    Panel("layers-scalar", scalar, stacked=True, streams=("filters",), start=1),
)
