"""The panels of a rescue: from the frames of its streams to the pictures' numbers."""

from __future__ import annotations

from featdash.figures.picture import Picture
from featdash.lessons.rescue.frames import CosineTable, LabelCurves, RescueTable
from featdash.lessons.rescue.pictures.cosines import average_cosines
from featdash.lessons.rescue.pictures.curves import rescue_alignments, rescue_risks
from featdash.lessons.rescue.pictures.labels import transformed_labels
from featdash.lessons.rescue.recipe import RescueSpec
from featdash.ui.panels import Panel, View

RescueView = View[RescueSpec, None]


def risks(view: RescueView) -> Picture | None:
    """Excess risk against n."""
    frame = view.last("cells")
    if frame is None:
        return None
    table = RescueTable.from_arrays(frame.arrays)
    return rescue_risks(table.n.tolist(), table.risk, theme=view.theme, height=300)


def alignments(view: RescueView) -> Picture | None:
    """Alignment against n."""
    frame = view.last("cells")
    if frame is None:
        return None
    table = RescueTable.from_arrays(frame.arrays)
    return rescue_alignments(table.n.tolist(), table.alignment, 1 / view.spec.d, theme=view.theme, height=250)


def labels(view: RescueView) -> Picture | None:
    """What the step gets."""
    frame = view.last("labels")
    if frame is None:
        return None
    curves = LabelCurves.from_arrays(frame.arrays)
    parts = (curves.z, curves.transformed, curves.correlation, curves.exponent)
    return transformed_labels(*parts, theme=view.theme, height=300)


def cosines(view: RescueView) -> Picture | None:
    """The averages."""
    frame = view.last("cosines")
    if frame is None:
        return None
    table = CosineTable.from_arrays(frame.arrays)
    return average_cosines(table.d.tolist(), table.ratio.tolist(), table.cosine, theme=view.theme, height=250)


PANELS = (
    Panel("rescue-risk", risks, width=1.2, streams=("cells",)),
    Panel("rescue-alignment", alignments, stacked=True, streams=("cells",)),
    Panel("rescue-labels", labels, streams=("labels",)),
    Panel("rescue-cosines", cosines, stacked=True, streams=("cosines",)),
)
