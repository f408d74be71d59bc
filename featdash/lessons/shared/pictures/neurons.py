"""Neurons placed by their cosine similarity, before training and now."""

from __future__ import annotations

from typing import Any

import numpy as np
from plotly.subplots import make_subplots

from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import number, quote_number, trace_values, with_index
from featdash.lessons.shared.frames import NeuronFrame

REACH = {False: 1.45, True: 1.75}  # folded or not; one for all moments, so that the stars stand still
SYMBOLS = {1: "circle", -1: "circle-open"}
BEFORE_AND_NOW = ("before", "now")
TRAIL = "#D55E00"
TURNED = 0.2  # from this change of the mean share on, neurons are said to have turned


def neuron_map(
    before: NeuronFrame,
    now: NeuronFrame,
    *,
    theme: Theme,
    folded: bool = False,
    samples: float | None = None,
    names: tuple[str, str] = BEFORE_AND_NOW,
    trail: np.ndarray | None = None,
    height: int = 250,
) -> Picture:
    """Two maps side by side: the untrained layer, and the layer now; or any two layers with their names.

    folded : the map where w and −w count as one neuron.
    samples : the number of samples behind `now`, for the title.
    trail : (k, 2), where one neuron has been on its way to now, drawn as a line.
    """
    panels = {name: (panel, panel.map(folded)) for name, panel in zip(names, (before, now), strict=True)}
    titles = [f"{name}: stress {number(round(drawn.stress, 3))}" for name, (_, drawn) in panels.items()]
    title = "Neurons by |cosine|, w and −w as one (MDS)" if folded else "Neurons by cosine similarity (MDS)"
    figure = blank(theme, height, title + (f", n = {number(samples)}" if samples else ""))
    make_subplots(1, 2, figure=figure, subplot_titles=titles, horizontal_spacing=0.06)
    table: dict[str, list] = {"panel": [], "x": [], "y": [], "share": [], "sign": []}
    for column, (name, (panel, drawn)) in enumerate(panels.items(), start=1):
        for trace in (_neurons(panel, drawn.points), _stars(drawn.stars, folded, theme)):
            figure.add_scatter(row=1, col=column, name=name, **trace)
        table["panel"] += [name] * len(drawn.points)
        table["x"] += trace_values(drawn.points[:, 0])
        table["y"] += trace_values(drawn.points[:, 1])
        table["share"] += trace_values(panel.share)
        table["sign"] += [int(sign) for sign in panel.sign]
    if trail is not None and len(trail) > 1:
        track = {"x": trace_values(trail[:, 0]), "y": trace_values(trail[:, 1]), "hoverinfo": "skip", "name": "trail"}
        figure.add_scatter(row=1, col=2, mode="lines", line={"color": TRAIL, "width": 2.5}, **track)
    _axes(figure, theme, REACH[folded])
    return Picture(figure, _finding(before, now, names), table)


def _neurons(panel: NeuronFrame, points: np.ndarray) -> dict:
    signs = [int(sign) for sign in panel.sign]
    return {
        "x": trace_values(points[:, 0]),
        "y": trace_values(points[:, 1]),
        "mode": "markers",
        "marker": {
            "size": 7,
            "symbol": [SYMBOLS[sign] for sign in signs],
            "color": trace_values(panel.share),
            "coloraxis": "coloraxis",
        },
        "cliponaxis": False,  # a neuron that no plane holds well may stand outside the frame, and is shown there
        "customdata": signs,
        "hovertemplate": "share inside the subspace %{marker.color:.2f}<br>sign of a: %{customdata}<extra></extra>",
    }


def _stars(stars: np.ndarray, folded: bool, theme: Theme) -> dict:
    names = [f"{sign}{with_index('u', i + 1)}" for i in range(len(stars)) for sign in ([""] if folded else ["", "−"])]
    return {
        "x": trace_values(stars[:, 0]),
        "y": trace_values(stars[:, 1]),
        "mode": "markers+text",
        "marker": {"symbol": "star", "size": 13, "color": theme.ink, "line": {"color": theme.paper, "width": 1}},
        "text": names[: len(stars)],
        "textposition": [_beside(name, y) for name, y in zip(names, stars[:, 1], strict=False)],
        "textfont": {"size": theme.text + 2, "shadow": ", ".join([f"0 0 3px {theme.paper}"] * 3), "weight": "bold"},
        "hovertemplate": "principal direction %{text}<extra></extra>",
    }


def _beside(name: str, y: float) -> str:
    """Where a star's name goes: inside the panel near its edges, else apart from the name of the opposite star."""
    below = y > 1.1 or (y > -1.1 and name.startswith("−"))
    return "bottom center" if below else "top center"


def _axes(figure: Any, theme: Theme, reach: float) -> None:
    framed = {"showticklabels": False, "dtick": 0.5, "ticks": "", "constrain": "domain", "range": [-reach, reach]}
    figure.update_xaxes(**framed, title_text="MDS 1")
    figure.update_yaxes(**framed)
    figure.update_yaxes(title_text="MDS 2", row=1, col=1)
    for column, axis in enumerate(("x", "x2"), start=1):
        figure.update_yaxes(scaleanchor=axis, scaleratio=1, row=1, col=column)
    title = {"text": "share in<br>subspace", "font": {"size": theme.text}}
    bar = {"title": title, "thickness": 8, "tickvals": [0, 0.5, 1], "len": 1.0, "x": 1.0}
    figure.update_layout(
        coloraxis={"colorscale": theme.sequential, "cmin": 0, "cmax": 1, "colorbar": bar},
        margin={"t": 3 * theme.text + 8, "b": round(1.6 * theme.text) + 4, "l": 30, "r": 8},
    )
    figure.update_annotations(font_size=theme.text, yshift=-2)


def _finding(before: NeuronFrame, now: NeuronFrame, names: tuple[str, str]) -> str:
    start, end = (float(np.mean(panel.share)) for panel in (before, now))
    if names != BEFORE_AND_NOW:
        return (
            f"A neuron has on average {quote_number(start)} of its squared norm inside the principal subspace in "
            f"the map «{names[0]}» and {quote_number(end)} in the map «{names[1]}»."
        )
    turned = "towards" if end > start else "away from"
    verdict = f"the neurons have turned {turned} the principal subspace"
    verdict = verdict if abs(end - start) > TURNED else "they have hardly turned"
    return (
        f"A neuron has {quote_number(start)} of its squared norm inside the principal subspace before training and "
        f"{quote_number(end)} now, on average: {verdict}."
    )
