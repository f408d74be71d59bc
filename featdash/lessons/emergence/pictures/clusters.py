"""Neurons on their way to two opposite directions: maps of their cosines, and the cosines themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.film import Changes, Film, times_of
from featdash.figures.palette import NEGATIVE, NOISE, POSITIVE
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import course, join_words, trace_values, with_decimals
from featdash.lessons.emergence.frames import Neurons

UNTRAINED = "untrained"
DOTS = "neurons now"  # marks their traces, whose names are those of their panels
REACH = 1.45  # from the middle: the stars are within 1, and neurons that do not fit into a plane lie beyond
SIDES = {1: ("nearest +", POSITIVE, "circle"), -1: ("nearest −", NEGATIVE, "square"), 0: ("dead", NOISE, "x")}
HOVERED = {1: "nearest the star +", -1: "nearest the star −", 0: "without a gradient: dead"}
UNMARKED = {"visible": False, "range": [-REACH, REACH], "constrain": "domain"}  # only distances mean something


def cluster_maps(
    panels: Mapping[str, Neurons],
    star: str,
    *,
    theme: Theme,
    untrained: Neurons | None = None,
    folded: bool = False,
    height: int = 300,
) -> Picture:
    """Neurons by cosine similarity (MDS), with a panel for each layer, coloured by the star nearest to each neuron.

    panels : title -> the layer.  star : the name of the direction at the stars.
    untrained : the layer from which all of them began, pale in each panel around the same stars.
    """
    dead = any(panel.dead_count for panel in panels.values())
    tags = "  ".join(_tag(side) for side in SIDES if side or dead)
    if untrained:
        tags += f'  <span style="color:{theme.ghost}">●</span> {UNTRAINED}: |cos| {untrained.median_abs_cos:.3f}'
    figure = blank(theme, height, f"Neurons (MDS), ☆ = {'' if folded else '±'}{star}   {tags}")
    make_subplots(1, len(panels), figure=figure, subplot_titles=_titles(panels, folded), horizontal_spacing=0.03)
    table: dict[str, list] = {"panel": [], "x": [], "y": [], "nearest star": []}
    start = untrained.layout(folded)[0] if untrained else np.zeros((0, 2))
    for column, (name, panel) in enumerate(panels.items(), start=1):
        points, stars, _ = panel.layout(folded)
        sides = [int(side) for side in panel.star]
        if untrained and not np.array_equal(panel.points, untrained.points):
            ghosts = {"size": 5, "color": theme.ghost}
            places = {"x": trace_values(start[:, 0]), "y": trace_values(start[:, 1])}
            figure.add_scatter(
                row=1, col=column, mode="markers", name=UNTRAINED, marker=ghosts, hoverinfo="skip", **places
            )
        figure.add_scatter(row=1, col=column, name=name, **_dots(points, panel))
        figure.add_scatter(row=1, col=column, **_stars(stars, theme))
        table["panel"] += [name] * len(points)
        table["x"] += trace_values(points[:, 0])
        table["y"] += trace_values(points[:, 1])
        table["nearest star"] += sides
        anchor = "x" if column == 1 else f"x{column}"
        figure.update_yaxes(scaleanchor=anchor, scaleratio=1, row=1, col=column)
    figure.update_xaxes(**UNMARKED)
    figure.update_yaxes(**UNMARKED)
    figure.update_layout(margin={"t": round(4.3 * theme.text) + 10, "b": 6})
    figure.update_annotations(font_size=theme.text, yshift=-2)
    layers = {UNTRAINED: untrained, **panels} if untrained else panels
    return Picture(figure, _finding(layers), table, headline=_headline(layers))


def cluster_film(figure: go.Figure, panels: Sequence[Mapping[str, Neurons]], folded: bool) -> Film:
    """Of `cluster_maps`: the neurons go from the untrained layer to their stars.

    panels : at each moment, title -> the layer.
    """
    traces = [index for index, trace in enumerate(figure.data) if trace.meta == DOTS]
    titles = [_titles(moment, folded) for moment in panels]
    changes: Changes = {}
    for column, trace in enumerate(traces):
        layers = [list(moment.values())[column] for moment in panels]
        points = np.stack([layer.layout(folded)[0] for layer in layers])
        looks = [_look(layer) for layer in layers]
        changes |= {("data", trace, axis): points[..., side] for side, axis in enumerate("xy")}
        changes |= {("data", trace, "marker", part): [look[part] for look in looks] for part in ("color", "symbol")}
        changes[("data", trace, "customdata")] = [look["customdata"] for look in looks]
        changes[("layout", "annotations", column, "text")] = [moment[column] for moment in titles]
    return Film(times_of(0, len(panels)), changes)


def _tag(side: int) -> str:
    name, colour, _ = SIDES[side]
    return f'<span style="color:{colour}">{({1: "●", -1: "■", 0: "✕"})[side]}</span> {name}'


def _titles(panels: Mapping[str, Neurons], folded: bool) -> list[str]:
    titles = []
    for name, panel in panels.items():
        dead = f", {panel.dead_count} dead" if panel.dead_count else ""
        numbers = f"|cos| {panel.median_abs_cos:.3f}, stress {panel.layout(folded)[-1]:.2f}{dead}"
        titles.append(f"{name}<br>{numbers}")
    return titles


def _dots(points: np.ndarray, layer: Neurons) -> dict:
    look = _look(layer)
    return {
        "x": trace_values(points[:, 0]),
        "y": trace_values(points[:, 1]),
        "mode": "markers",
        "marker": {"size": 8, "color": look["color"], "symbol": look["symbol"], "opacity": 0.65},
        "cliponaxis": False,
        "customdata": look["customdata"],
        "hovertemplate": "neuron %{customdata}<extra></extra>",
        "meta": DOTS,
    }


def _look(layer: Neurons) -> dict[str, list[str]]:
    """Colour and symbol of each neuron, and what it says under the pointer."""
    sides = [int(side) for side in layer.star]
    return {
        "color": [SIDES[side][1] for side in sides],
        "symbol": [SIDES[side][2] for side in sides],
        "customdata": [HOVERED[side] for side in sides],
    }


def _stars(stars: np.ndarray, theme: Theme) -> dict:
    return {
        "x": trace_values(stars[:, 0]),
        "y": trace_values(stars[:, 1]),
        "mode": "markers+text",
        "marker": {"symbol": "star-open", "size": 20, "color": theme.ink, "line": {"width": 1.5}},
        "text": ["+", "−"][: len(stars)],
        "textposition": "top center",
        "textfont": {"size": theme.text + 4, "shadow": theme.halo},
        "hoverinfo": "skip",
        "cliponaxis": False,
    }


def cosine_histogram(
    panels: Mapping[str, tuple[Neurons, Neurons]], star: str, *, theme: Theme, least: float = 0.0, height: int = 250
) -> Picture:
    """The distribution of the neurons' cosines with the star, as filled bars; of the untrained layer, as an outline.

    panels : title -> the layer (before, now).
    least : up to which share the axis goes at least, so that it stands still in a film.
    """
    figure = blank(theme, height, f"Cosines with ☆ = {star}; outline: untrained")
    titles = [_median(name, now) for name, (_, now) in panels.items()]
    make_subplots(1, len(panels), figure=figure, subplot_titles=titles, shared_yaxes=True, horizontal_spacing=0.05)
    top = max(least, *(highest_share(layer) for pair in panels.values() for layer in pair))
    table: dict[str, list] = {"panel": [], "cosine": [], "share untrained": [], "share now": []}
    for column, (name, (before, now)) in enumerate(panels.items(), start=1):
        edges = np.linspace(-1, 1, len(now.histogram) + 1)
        middles = (edges[1:] + edges[:-1]) / 2
        colours = [SIDES[1 if middle > 0 else -1][1] for middle in middles]
        places, start, end = trace_values(middles), _shares(before), _shares(now)
        hover = f"{name or 'neurons'}<br>cosine %{{x:.2f}}<br>share of neurons %{{y:.3f}}<extra></extra>"
        figure.add_bar(
            name=name or "neurons", x=places, y=end, marker_color=colours, hovertemplate=hover, row=1, col=column
        )
        outline = {"color": theme.ink, "width": 1.2, "shape": "hvh"}
        before_hover = hover.replace("<br>", ", untrained<br>", 1)
        line = {"x": places, "y": start, "mode": "lines", "line": outline, "name": "untrained"}
        figure.add_scatter(**line, hovertemplate=before_hover, row=1, col=column)
        table["panel"] += [name] * len(places)
        table["cosine"] += places
        table["share untrained"] += start
        table["share now"] += end
    figure.update_xaxes(title_text="cos(wᵢ, ☆)", range=[-1.05, 1.05], dtick=0.5)
    figure.update_yaxes(range=[0, 1.05 * top])
    figure.update_yaxes(title_text="share of neurons", row=1, col=1)
    figure.update_layout(bargap=0, margin_t=4 * theme.text + 12)
    figure.update_annotations(font_size=theme.text, yshift=-2)
    return Picture(figure, _spread_of_cosines(panels), table)


def cosine_film(figure: go.Figure, panels: Sequence[Mapping[str, Neurons]]) -> Film:
    """Of `cosine_histogram`: the bars leave the outline.

    panels : at each moment, title -> the layer.
    """
    traces = [index for index, trace in enumerate(figure.data) if trace.type == "bar"]
    changes: Changes = {}
    for column, trace in enumerate(traces):
        layers = [list(moment.values())[column] for moment in panels]
        titles = [_median(list(moment)[column], layer) for moment, layer in zip(panels, layers, strict=True)]
        changes[("data", trace, "y")] = np.array([_shares(layer) for layer in layers], dtype=float)
        changes[("layout", "annotations", column, "text")] = titles
    return Film(times_of(0, len(panels)), changes)


def _median(name: str, layer: Neurons) -> str:
    return f"{name}<br>median {layer.median_abs_cos:.3f}"


def highest_share(layer: Neurons) -> float:
    """Of the neurons of a layer, in one bin of their cosines."""
    return float(layer.histogram.max() / max(layer.histogram.sum(), 1))


def _shares(panel: Neurons) -> list[float | None]:
    return trace_values(panel.histogram / max(panel.histogram.sum(), 1))


def _finding(panels: Mapping[str, Neurons]) -> str:
    clauses = [f"{with_decimals(panel.median_abs_cos, 3)} for «{name}»" for name, panel in panels.items()]
    return f"The median |cosine| of the neurons with the star is {join_words(clauses)}."


def _headline(panels: Mapping[str, Neurons]) -> str:
    clauses = [f"{with_decimals(panel.median_abs_cos, 2)} {name}" for name, panel in panels.items()]
    return f"Median |cos|: {'; '.join(clauses)}"


def _spread_of_cosines(panels: Mapping[str, tuple[Neurons, Neurons]]) -> str:
    clauses = [
        f"{course(before.median_abs_cos, now.median_abs_cos, ' untrained', ' now')} in «{name}»"
        for name, (before, now) in panels.items()
    ]
    return f"The median |cosine| {join_words(clauses)}."
