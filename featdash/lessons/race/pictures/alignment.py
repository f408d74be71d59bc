"""Principal directions against the leading directions of the first layer, before training and now."""

from __future__ import annotations

from typing import Any

import numpy as np
from plotly.subplots import make_subplots

from featdash.figures.findings import quote_number
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import indexed, trace_values
from featdash.lessons.shared.neuron_frames import LayerFrame

MOST_PRINTED = 60  # cells whose number is printed; more would overlap


def alignment_heatmap(before: LayerFrame, now: LayerFrame, *, theme: Theme, height: int = 200) -> Picture:
    """|<u_i, v_j>| as two heatmaps, with the principal angles between the two subspaces in the titles."""
    panels = {"before": before, "now": now}
    titles = [f"{name}: {angles(panel.angles)}" for name, panel in panels.items()]
    rank = len(now.angles)
    framed = "v₁" if rank == 1 else f"v₁ … {indexed('v', rank)}"
    figure = blank(theme, height, f"Alignment |⟨uᵢ, vⱼ⟩|, angles to the framed {framed}")
    make_subplots(1, 2, figure=figure, subplot_titles=titles, horizontal_spacing=0.08)
    table: dict[str, list] = {"panel": [], "principal direction": [], "layer direction": [], "overlap": []}
    for column, (name, panel) in enumerate(panels.items(), start=1):
        overlap = np.asarray(panel.overlap, float)
        figure.add_heatmap(row=1, col=column, **_cells(overlap, theme))
        for i, row in enumerate(overlap, start=1):
            for j, value in enumerate(row, start=1):
                for key, entry in zip(
                    table, (name, indexed("u", i), indexed("v", j), round(float(value), 6)), strict=True
                ):
                    table[key].append(entry)
    for column in (1, 2):
        _frame(figure, column, rank, now.overlap.shape, theme)
    figure.update_xaxes(title_text="directions vⱼ of W", showline=False)
    figure.update_yaxes(autorange="reversed", showline=False)
    figure.update_yaxes(title_text="uᵢ", row=1, col=1)
    bar = {"thickness": 10, "tickvals": [0, 0.5, 1], "len": 1.0}
    figure.update_layout(
        coloraxis={"colorscale": theme.sequential, "cmin": 0, "cmax": 1, "colorbar": bar},
        margin={"t": 3 * theme.text + 10},
    )
    figure.update_annotations(font_size=theme.text, yshift=-2)
    return Picture(figure, _finding(before, now), table)


def _frame(figure: Any, column: int, rank: int, shape: tuple[int, ...], theme: Theme) -> None:
    """A frame around the leading directions v_1 .. v_r, whose span the angles are measured to."""
    corners = {"x0": -0.5, "x1": min(rank, shape[1]) - 0.5, "y0": -0.5, "y1": shape[0] - 0.5}
    figure.add_shape(type="rect", **corners, line={"color": theme.ink, "width": 2}, row=1, col=column)


def angles(degrees: Any) -> str:
    """Principal angles in words: at most three of them are written out."""
    values = np.asarray(degrees, float).ravel()
    if len(values) <= 3:
        return ", ".join(f"{value:.3g}°" for value in values)
    return f"{values[0]:.3g}° to {values[-1]:.3g}°"


def _cells(overlap: np.ndarray, theme: Theme) -> dict:
    rows, columns = overlap.shape
    text = {"texttemplate": "%{z:.2f}", "textfont": {"size": theme.text}}
    printed = text if overlap.size <= MOST_PRINTED else {}
    return {
        "z": [trace_values(row) for row in overlap],
        "x": [indexed("v", j + 1) for j in range(columns)],
        "y": [indexed("u", i + 1) for i in range(rows)],
        "coloraxis": "coloraxis",
        "xgap": 1,
        "ygap": 1,
        "hovertemplate": "alignment |⟨%{y}, %{x}⟩| = %{z:.3f}<extra></extra>",
        **printed,
    }


def _finding(before: LayerFrame, now: LayerFrame) -> str:
    start, end = (float(np.max(panel.angles)) for panel in (before, now))
    return (
        f"The largest angle between the principal subspace and the leading directions of the first layer is "
        f"{quote_number(start, 1)}° before training and {quote_number(end, 1)}° now."
    )
