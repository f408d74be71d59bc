"""Neurons placed by their cosine similarity: the layer now over the pale layer before, and the alignment."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import number, quote_number, trace_values, with_index
from featdash.geometry.neurons import NeuronMap
from featdash.lessons.shared.frames import NeuronFrame
from featdash.lessons.shared.pictures.alignment_gauge import (
    ABOVE,
    Alignment,
    gauge_above,
    gauge_beside,
    place_above,
)

# Half the side of the map, by whether it is folded: unfolded, all points are within the circle of radius 1, and the
# names of the stars outside of it. A map that was not made together with the layer after the step may be larger.
REACH = {False: 1.18, True: 0.9}
OUTSIDE = 1.09  # times the furthest point: where the names of the stars begin
NEAR = 0.5  # of the furthest point; a star nearer to the middle has its name beside it
NAME, MARGIN = 0.12, 1.04  # of the furthest point, what a name is high; what a point at the edge reaches
SYMBOLS = {1: "circle", -1: "circle-open"}  # by the sign of the output weight
HOLLOW = "○ negative<br>   output"
NOW = "now"  # name of the trace of the layer now
BEFORE_AND_NOW = ("before", NOW)
TURNED = 0.2  # change of the mean share above which neurons are said to have turned
BESIDE = 104  # pixels at the right of the map, with the gauge of the alignment
LEFT, RIGHT = 28, 18  # pixels beside the map for what the names of the stars need beyond REACH; «−u₁» is at the left
NARROW_HEIGHT = 345  # pixels of the picture there, whose map is as wide as a phone


def neuron_map(
    before: NeuronFrame,
    now: NeuronFrame,
    *,
    theme: Theme,
    folded: bool = False,
    names: tuple[str, str] = BEFORE_AND_NOW,
    alignment: Alignment | None = None,
    height: int = 250,
) -> Picture:
    """One map of two layers: the untrained one pale, and over it the layer now; or any two layers with their names.

    folded : whether w and −w count as one neuron.
    alignment : a large number and a bar beside the map, or above it on a narrow stage.
    """
    panels = {name: (panel, panel.map(folded)) for name, panel in zip(names, (before, now), strict=True)}
    has_turned = not np.array_equal(before.points, now.points)
    title = "Neurons by |cosine|, w and −w as one (MDS)" if folded else "Neurons by cosine similarity (MDS)"
    figure = blank(theme, height, title)
    layers = [(names[0], _ghosts(panels[names[0]][1].points, theme))] if has_turned else []
    layer_map = panels[names[1]][1]
    layers += [(names[1], _neurons(now, layer_map.points))]
    places = np.concatenate([array for _, one in panels.values() for array in (one.points, one.stars)])
    furthest = float(np.linalg.norm(places, axis=1).max())
    layers += [
        ("stars", _stars(layer_map.stars, folded, theme)),
        ("names", _names(layer_map.stars, folded, furthest, theme)),
    ]
    figure.add_traces([{"type": "scatter", "name": name, **trace} for name, trace in layers])
    stresses = [number(round(one.stress, 3)) for _, one in panels.values()]
    told = names if has_turned else names[:1]
    signs = [HOLLOW] if -1 in now.sign else []
    words = [
        {**_corner("top", theme), "text": "<br>".join([*_key(told, theme), *signs])},
        {**_corner("bottom", theme), "text": f"stress {'<br>→ '.join(stresses[: len(told)])}"},
    ]
    circle = [] if folded else [_circle(theme)]
    reach = max(REACH[folded], OUTSIDE * furthest)
    axes = _axes(theme, reach)
    meta = {"upright": min(reach, _upright(places, layer_map.stars, furthest, folded))}
    axes |= {"annotations": words, "shapes": circle, "meta": meta | {"narrow": {"height": NARROW_HEIGHT}}}
    if alignment:
        notes, shapes = gauge_beside(alignment, theme)
        axes |= {"annotations": [*words, *notes], "shapes": [*circle, *shapes]}
        axes["meta"] = meta | {"narrow": _narrow(words, circle, alignment, theme)}
        axes["margin"]["r"] = BESIDE
    # All at once: it is drawn while others wait for theirs, and each update of a layout takes Plotly milliseconds.
    figure.update_layout(**axes)
    return Picture(figure, _finding(before, now, names, alignment), _table(panels))


def _table(panels: Mapping[str, tuple[NeuronFrame, NeuronMap]]) -> dict[str, list]:
    table: dict[str, list] = {"panel": [], "x": [], "y": [], "share": [], "sign": []}
    for name, (panel, layer_map) in panels.items():
        table["panel"] += [name] * len(layer_map.points)
        table["x"] += trace_values(layer_map.points[:, 0])
        table["y"] += trace_values(layer_map.points[:, 1])
        table["share"] += trace_values(panel.share)
        table["sign"] += [int(sign) for sign in panel.sign]
    return table


def _ghosts(points: np.ndarray, theme: Theme) -> dict:
    return {
        "x": trace_values(points[:, 0]),
        "y": trace_values(points[:, 1]),
        "mode": "markers",
        "marker": {"size": 6, "color": theme.ghost},
        "cliponaxis": False,
        "hoverinfo": "skip",
    }


def _neurons(panel: NeuronFrame, points: np.ndarray) -> dict:
    signs = [int(sign) for sign in panel.sign]
    return {
        "x": trace_values(points[:, 0]),
        "y": trace_values(points[:, 1]),
        "mode": "markers",
        "marker": {
            "size": 8,
            "symbol": [SYMBOLS[sign] for sign in signs],
            "color": trace_values(panel.share),
            "coloraxis": "coloraxis",
        },
        "cliponaxis": False,  # a neuron that no plane holds well may stand outside the frame, and is shown there
        "customdata": signs,
        "hovertemplate": "share inside the subspace %{marker.color:.2f}<br>sign of a: %{customdata}<extra></extra>",
    }


def _stars(stars: np.ndarray, folded: bool, theme: Theme) -> dict:
    return {
        "x": trace_values(stars[:, 0]),
        "y": trace_values(stars[:, 1]),
        "mode": "markers",
        "marker": theme.star(),
        "text": _star_names(stars, folded),
        "cliponaxis": False,
        "hovertemplate": "principal direction %{text}<extra></extra>",
    }


def _star_names(stars: np.ndarray, folded: bool) -> list[str]:
    signs = [""] if folded else ["", "−"]
    return [f"{sign}{with_index('u', i + 1)}" for i in range(len(stars)) for sign in signs][: len(stars)]


def _places_of_names(stars: np.ndarray, furthest: float) -> tuple[np.ndarray, np.ndarray]:
    """Where the names of the stars begin, outside of all points or beside a star near the middle, and in which way."""
    lengths = np.linalg.norm(stars, axis=1, keepdims=True)
    ways = np.divide(stars, lengths, out=np.tile([0.0, 1.0], (len(stars), 1)), where=lengths > 0)
    return ways * np.where(lengths > NEAR * furthest, OUTSIDE * furthest, lengths + 0.1 * furthest), ways


def _upright(points: np.ndarray, stars: np.ndarray, furthest: float, folded: bool) -> float:
    """How far up and down the map must go for its points, the circle and the names of the stars."""
    places, ways = _places_of_names(stars, furthest)
    above = np.abs(ways[:, 1]) >= np.abs(ways[:, 0])
    names = np.abs(places[:, 1]) + furthest * np.where(above, NAME, NAME / 2)
    return float(max(MARGIN * np.abs(points[:, 1]).max(), names.max(initial=0.0), 0.0 if folded else MARGIN))


def _names(stars: np.ndarray, folded: bool, furthest: float, theme: Theme) -> dict:
    """The names of the stars."""
    places, ways = _places_of_names(stars, furthest)
    return {
        "x": trace_values(places[:, 0]),
        "y": trace_values(places[:, 1]),
        "mode": "text",
        "text": _star_names(stars, folded),
        "textposition": [_outwards(*way) for way in ways],
        "textfont": {"size": theme.text + 3, "shadow": theme.halo, "weight": "bold"},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def _outwards(x: float, y: float) -> str:
    """The side of a point on which its text stands, given the point's direction from the middle."""
    if abs(x) > abs(y):
        return "middle right" if x > 0 else "middle left"
    return "top center" if y > 0 else "bottom center"


def _axes(theme: Theme, reach: float) -> dict:
    """The frame of a map, whose two axes mean nothing and are not drawn; colours and margins of the layout."""
    axis = {"visible": False, "constrain": "domain", "range": [-reach, reach]}
    sides = {"b": theme.text, "l": 1.5 * LEFT} if theme.large else {"b": 6, "l": LEFT}
    return {
        "xaxis": axis,
        "yaxis": {**axis, "scaleanchor": "x", "scaleratio": 1, "constraintoward": "top"},
        "coloraxis": {"colorscale": theme.sequential, "cmin": 0, "cmax": 1, "showscale": False},
        "margin": {"t": 2 * theme.text + 4, "r": RIGHT, **sides},
    }


def _circle(theme: Theme) -> dict:
    """The unit circle, on which a neuron stands that lies in the plane of the map."""
    return {
        "type": "circle",
        "x0": -1,
        "x1": 1,
        "y0": -1,
        "y1": 1,
        "line": {"color": theme.grid, "width": 1},
        "layer": "below",
    }


def _corner(side: str, theme: Theme) -> dict:
    """The place of short lines of words in a left corner of the picture, which the circle leaves free."""
    return {**place_above(theme), "xref": "paper", "y": 1 if side == "top" else 0, "yanchor": side, "align": "left"}


def _key(names: tuple[str, ...], theme: Theme) -> list[str]:
    """The legend: which dots belong to which layer, a line each."""
    colours = (theme.ghost, theme.sequential[-1][1])[: len(names)]
    return [f'<span style="color:{one}">●</span> {name}' for one, name in zip(colours, names, strict=True)]


def _narrow(words: list[dict], circle: list[dict], alignment: Alignment, theme: Theme) -> dict:
    """The layout on a narrow stage: the gauge stands above the map, which takes the whole width.

    words, circle : the annotations and shapes that the map has in any case.
    """
    notes, shapes = gauge_above(alignment, theme)
    margin = _axes(theme, 1.0)["margin"]
    margin["t"] += ABOVE + theme.text
    height = NARROW_HEIGHT + margin["t"]
    return {"annotations": [*words, *notes], "shapes": [*circle, *shapes], "margin": margin, "height": height}


def _finding(before: NeuronFrame, now: NeuronFrame, names: tuple[str, str], alignment: Alignment | None) -> str:
    start, end = (float(np.mean(panel.share)) for panel in (before, now))
    if alignment and alignment.before is not None and alignment.now is not None:
        return _alignment_sentence(
            quote_number(alignment.before, 2), quote_number(alignment.now, 2), end - start, names
        )
    if names != BEFORE_AND_NOW:
        return (
            f"A neuron has on average {quote_number(start)} of its squared norm inside the principal subspace in "
            f"the map «{names[0]}» and {quote_number(end)} in the map «{names[1]}»."
        )
    return (
        f"A neuron has {quote_number(start)} of its squared norm inside the principal subspace before training and "
        f"{quote_number(end)} now, on average: {_verdict(end - start)}."
    )


def _alignment_sentence(start: str, end: str, gain: float, names: tuple[str, str]) -> str:
    """The alignment of both layers in words."""
    if names != BEFORE_AND_NOW:
        return f"The alignment is {start} in the map «{names[0]}» and {end} in the map «{names[1]}»."
    about = "the share of the layer's squared norm inside the principal subspace"
    return f"The alignment, {about}, is {start} before training and {end} now: {_verdict(gain)}."


def _verdict(gain: float) -> str:
    way = "towards" if gain > 0 else "away from"
    return f"the neurons have turned {way} the principal subspace" if abs(gain) > TURNED else "they have hardly turned"
