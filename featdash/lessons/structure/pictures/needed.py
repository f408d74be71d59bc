"""The samples that the weakest direction takes, against κ²r, with fitted powers and the leading order of theory."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import value_axis
from featdash.figures.findings import join_words, with_decimals
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import number, trace_values
from featdash.lessons.structure.pictures.styles import STYLES
from featdash.theory.exponents import Growth

EDGE = 1.25  # a factor at the ends of both axes
SHORT = {"rank": "r", "condition": "κ²r", "together": "κ²r"}  # κ is the same for all r of equal weights


def samples_of_structure(
    found: Mapping[str, Growth],
    line: float | None,
    sizes: tuple[int, int],
    widest: tuple[float, float],
    d: int,
    *,
    theme: Theme,
    height: int = 430,
) -> Picture:
    """n*/d² against κ²r on logarithmic axes, with the fitted lines.

    found : one of STYLES -> n* by κ²r.  line : leading order of n*/(d²κ²r), None to leave it out.  sizes : smallest and
    largest n.  widest : smallest and largest κ²r.  A target for which no n is enough is hollow, at the top.
    """
    figure = blank(theme, height, "Samples until the weakest direction is seen")
    across = widest[0] / EDGE, widest[1] * EDGE
    along = sizes[0] / d**2 / EDGE, sizes[1] / d**2 * EDGE**2
    if line is not None:
        figure.add_scatter(
            x=trace_values(across), y=trace_values(line * np.array(across)), mode="lines", line=theme.theory("dot"),
            hoverinfo="skip", name="leading order",
        )  # fmt: skip
    table: dict[str, list] = {"what": [], "κ²r": [], "n*": [], "slope": [], "error": []}
    for name, one in found.items():
        _draw(figure, name, one, sizes[1] / d**2 * EDGE, d)
        table["what"] += [STYLES[name].label] * len(one.needed)
        table["κ²r"] += trace_values(list(one.needed))
        table["n*"] += [n and float(f"{n:.6g}") for n in one.needed.values()]
        table["slope"] += [one.slope] * len(one.needed)
        table["error"] += [one.error] * len(one.needed)
    tags = [STYLES[name].tag(f"{STYLES[name].label}: {power(name, one)}") for name, one in found.items()]
    _name(figure, [*tags, *(["··· leading order: n = " + number(line) + " d²κ²r"] if line is not None else [])], theme)
    for update, title, ends in (
        (figure.update_xaxes, "κ²r (log scale)", across),
        (figure.update_yaxes, "samples n*/d² (log scale)", along),
    ):
        update(**value_axis(title, (math.log10(ends[0]), math.log10(ends[1])), True))
    return Picture(figure, _finding(found), table, _headline(found))


def power(name: str, one: Growth) -> str:
    """The fitted power with its error; or why there is none."""
    if one.slope is None:
        return "too few for a slope" if any(one.needed.values()) else "more than all n" if one.beyond else "unknown"
    what = SHORT[name] if name == "rank" else f"({SHORT[name]})"
    return f"{what}^{with_decimals(one.slope, 2)} ± {with_decimals(one.error or 0.0, 2)}"


def _draw(figure: go.Figure, name: str, one: Growth, top: float, d: int) -> None:
    """Points, the fitted line through their range, and hollow markers where no size is enough."""
    style = STYLES[name]
    known = [(place, n / d**2) for place, n in sorted(one.needed.items()) if n is not None]
    if one.slope is not None and one.intercept is not None:
        ends = np.array([known[0][0], known[-1][0]])
        fitted = np.exp(one.intercept) * ends**one.slope / d**2
        figure.add_scatter(
            x=trace_values(ends), y=trace_values(fitted), mode="lines", line=style.line(1.6), hoverinfo="skip",
            name=f"{style.label}, fit",
        )  # fmt: skip
    figure.add_scatter(
        x=trace_values([place for place, _ in known]), y=trace_values([n for _, n in known]), mode="markers",
        marker={"symbol": style.marker, "size": 9, "color": style.colour}, name=style.label,
        hovertemplate=f"{style.label}<br>κ²r = %{{x:.3g}}<br>n*/d² = %{{y:.3g}}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=trace_values(one.beyond), y=[top] * len(one.beyond), mode="markers", name=style.label,
        marker={"symbol": f"{style.marker}-open", "size": 10, "color": style.colour},
        hovertemplate=f"{style.label}<br>κ²r = %{{x:.3g}}: more than all n<extra></extra>",
    )  # fmt: skip


def _name(figure: go.Figure, tags: list[str], theme: Theme) -> None:
    """One a line between title and picture: with their powers two of them are wider than a phone."""
    place = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "align": "left"}
    figure.add_annotation(text="<br>".join(tags), showarrow=False, font={"size": theme.text}, **place)
    figure.update_layout(margin_t=round((2.6 + 1.3 * len(tags)) * theme.text))


def _finding(found: Mapping[str, Growth]) -> str:
    """The fitted powers."""
    told = []
    for name, one in found.items():
        known = sum(n is not None for n in one.needed.values())
        if one.slope is not None:
            told.append(f"like {power(name, one)} for {STYLES[name].label} over {known} targets")
        else:
            told.append(f"at too few targets for a slope for {STYLES[name].label}")
    return f"The samples needed grow: {join_words(told)}." if told else "No target is measured yet."


def _headline(found: Mapping[str, Growth]) -> str:
    """The powers of the two sweeps; "" without both."""
    rank, condition = found.get("rank"), found.get("condition")
    if rank is None or condition is None or rank.slope is None or condition.slope is None:
        return ""
    return f"Samples grow like {power('rank', rank)}, and like {power('condition', condition)}"
