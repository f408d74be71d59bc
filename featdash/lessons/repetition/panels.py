"""The panels of one look against two: from the frames of its streams to the pictures' numbers."""

from __future__ import annotations

import numpy as np

from featdash.figures.picture import Picture
from featdash.lessons.repetition.frames import EffectiveLabels, OverlapFrame
from featdash.lessons.repetition.pictures.labels import effective_labels
from featdash.lessons.repetition.pictures.overlaps import overlap_course, overlap_runs
from featdash.lessons.repetition.recipe import RepetitionSpec
from featdash.ui.panels import Panel, View

RepetitionView = View[RepetitionSpec, None]


def course(view: RepetitionView) -> Picture | None:
    """Medians against t/d."""
    frames = view.frames("overlaps")
    if not frames:
        return None
    tables = [OverlapFrame.from_arrays(frame.arrays) for frame in frames]
    median = {
        name: np.stack([np.median(np.abs(table.overlap[name]), axis=1) for table in tables], axis=1)
        for name in tables[0].overlap
    }
    first = view.last("labels")
    drift = EffectiveLabels.from_arrays(first.arrays).drift if first else {}
    t, slope = [frame.at for frame in frames], view.spec.gamma * abs(drift.get("twice", 0.0))
    return overlap_course(t, tables[0].d.tolist(), median, slope, view.spec.time, theme=view.theme)


def runs(view: RepetitionView) -> Picture | None:
    """Every run at the moment."""
    frame = view.last("overlaps")
    if frame is None:
        return None
    table = OverlapFrame.from_arrays(frame.arrays)
    return overlap_runs(table.d.tolist(), table.overlap, theme=view.theme)


def labels(view: RepetitionView) -> Picture | None:
    """What each makes of a label."""
    frame = view.last("labels")
    if frame is None:
        return None
    found = EffectiveLabels.from_arrays(frame.arrays)
    return effective_labels(found.y, found.effective, found.drift, theme=view.theme)


PANELS = (
    Panel("repetition-overlap", course, width=1.3, streams=("overlaps", "labels"), start=1),
    Panel("repetition-labels", labels, streams=("labels",)),
    Panel("repetition-runs", runs, stacked=True, streams=("overlaps",), start=1),
)
