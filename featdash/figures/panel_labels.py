"""Direct labels at the right end of the curves of one panel among several."""

from __future__ import annotations

import math
from collections.abc import Sequence

import plotly.graph_objects as go

from featdash.figures.labels import spread
from featdash.figures.palette import Theme

EM = 0.56  # mean width of a letter, in pixels of its size


def margin_of(letters: int, theme: Theme) -> int:
    """Pixels that a label of so many letters takes."""
    return round(theme.text * EM * letters) + 12


def panel_labels(
    figure: go.Figure,
    labels: Sequence[tuple[float, str]],
    vertical: tuple[float, float],
    *,
    panel: int,
    room: float,
    theme: Theme,
    log: bool,
) -> None:
    """Texts to the right of panel 1, 2, ..., level with their values, pushed apart where two are close.

    labels : (value, text), values as in the data; vertical : the range of the axis as Plotly has it; room : its pixels.
    The caller leaves room beside the panel, see `margin_of`.
    """
    low, high = vertical
    levels = [(math.log10(max(value, 1e-12)) if log else value, text) for value, text in labels]
    ordered = sorted((min(max(level, low), high), text) for level, text in levels)
    wanted = [room * (level - low) / (high - low) for level, _ in ordered]
    placed = spread(wanted, theme.text * 1.3, room + theme.text)
    axis = "" if panel == 1 else str(panel)
    for (level, text), pixel, place in zip(ordered, wanted, placed, strict=True):
        across = {"x": 1, "xref": f"x{axis} domain", "xanchor": "left", "xshift": 6}
        along = {"y": level, "yref": f"y{axis}", "yanchor": "middle", "yshift": place - pixel}
        figure.add_annotation(text=text, showarrow=False, font={"size": theme.text}, align="left", **across, **along)
