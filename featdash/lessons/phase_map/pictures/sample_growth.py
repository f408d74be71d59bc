"""The samples needed to reach a level, against the dimension, with the fitted powers of the dimension."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures import palette
from featdash.figures.axes import name_above
from featdash.figures.picture import METHODS, MethodStyle, Picture, Theme, blank
from featdash.figures.text import drawn_power, join_words, number, spoken_power, to_power, trace_values, with_decimals
from featdash.theory.exponents import LEVELS, Growth

ALIGNMENT = MethodStyle("alignment ½", *palette.ALIGNMENT)
SHARES = dict(zip(LEVELS, ("¼", "½", "¾"), strict=True))
MARGIN = 0.08  # of an axis, in decades of the dimension
HOLLOW = 0.25  # decades above the largest n, for the hollow markers


def needed_samples(
    growths: Mapping[str, Growth],
    level: str,
    sizes: Sequence[int],
    dimensions: Sequence[int],
    *,
    theme: Theme,
    degree: int = 2,
    height: int = 400,
) -> Picture:
    """n* against d on logarithmic axes, its fitted lines, and the lines n = d² and n = d^p of theory.

    growths : "alignment" and methods -> the samples needed and their growth; level : of the risk, one of LEVELS.
    A dimension where no n of the map is enough has a hollow marker at the top.
    """
    figure = blank(theme, height, f"Samples to alignment ½, and to {SHARES[level]} of the zero risk")
    edge = math.log10(dimensions[0]) - MARGIN, math.log10(dimensions[-1]) + MARGIN
    top = math.log10(sizes[-1]) + HOLLOW
    for power in sorted({2, degree}):
        _guide(figure, power, edge, (math.log10(sizes[0]), top), theme)
    table: dict[str, list] = {"what": [], "d": [], "n*": [], "slope": [], "error": []}
    for name, one in growths.items():
        style = style_of(name)
        _draw(figure, one, style, sizes[-1])
        table["what"] += [style.label] * len(one.needed)
        table["d"] += list(one.needed)
        table["n*"] += [n and float(f"{n:.6g}") for n in one.needed.values()]
        table["slope"] += [one.slope and float(f"{one.slope:.6g}")] * len(one.needed)
        table["error"] += [one.error and float(f"{one.error:.6g}")] * len(one.needed)
    tags = [
        style_of(name).tag(f"{style_of(name).label}: {slope_words(one, drawn_power)}") for name, one in growths.items()
    ]
    # With their powers, two names are wider than a phone.
    name_above(figure, [*tags, "hollow: more than all n of the map"], theme, each_line=1)
    figure.update_xaxes(**_axis("dimension d (log scale)", dimensions, edge))
    figure.update_yaxes(**_axis("samples n* (log scale)", (100, 1000, 10_000, 100_000), (math.log10(sizes[0]), top)))
    return Picture(figure, _finding(growths, level), table, _headline(growths, level))


def style_of(name: str) -> MethodStyle:
    """The style of a method, or of the alignment."""
    return ALIGNMENT if name == "alignment" else METHODS[name]


def slope_words(one: Growth, raised: Callable[[str, str], str] = spoken_power) -> str:
    """The fitted power with its error, or why there is none; raised : how a power is written."""
    if one.slope is None:
        return "too few for a slope" if any(one.needed.values()) else "never" if one.beyond else "unknown"
    return f"{raised('d', with_decimals(one.slope, 2))} ± {with_decimals(one.error or 0.0, 2)}"


def _guide(
    figure: go.Figure, power: int, across: tuple[float, float], along: tuple[float, float], theme: Theme
) -> None:
    """The line n = d^power, as far as it crosses the picture."""
    low, high = max(across[0], along[0] / power), min(across[1], along[1] / power)
    if low >= high:
        return
    name = f"n = {to_power('d', power)}"
    line = {"x": trace_values([low, high]), "y": trace_values([power * low, power * high]), "mode": "lines"}
    figure.add_scatter(**line, line=theme.theory("dot"), name=name, hoverinfo="skip")
    # Below the hollow markers, at the right of the line, and with room for the name before the edge.
    at = max(low, min(across[1] - 0.13 * (across[1] - across[0]), (along[1] - 2 * HOLLOW) / power))
    figure.add_annotation(
        x=at, y=power * at, text=name, showarrow=False, font={"size": theme.text, "shadow": theme.halo},
        xanchor="left", xshift=4, yanchor="top",
    )  # fmt: skip


def _draw(figure: go.Figure, one: Growth, style: MethodStyle, largest: int) -> None:
    """Points, the fitted line through their range, and hollow markers where the map ends first."""
    points = [(d, n) for d, n in one.needed.items() if n is not None]
    if one.slope is not None and one.intercept is not None:
        ends = np.array([math.log10(points[0][0]), math.log10(points[-1][0])])
        fitted = one.intercept / math.log(10) + one.slope * ends
        figure.add_scatter(
            x=trace_values(ends), y=trace_values(fitted), mode="lines", line=style.line(1.6), hoverinfo="skip",
            name=f"{style.label}, fit",
        )  # fmt: skip
    places = {"mode": "markers", "name": style.label}
    figure.add_scatter(
        x=trace_values([math.log10(d) for d, _ in points]), y=trace_values([math.log10(n) for _, n in points]),
        marker={"symbol": style.marker, "size": 9, "color": style.colour},
        customdata=[f"d = {d}<br>n* = {number(round(n))}" for d, n in points],
        hovertemplate=f"{style.label}<br>%{{customdata}}<extra></extra>", **places,
    )  # fmt: skip
    figure.add_scatter(
        x=trace_values([math.log10(d) for d in one.beyond]), y=[math.log10(largest) + HOLLOW / 2] * len(one.beyond),
        marker={"symbol": f"{style.marker}-open", "size": 10, "color": style.colour},
        customdata=list(one.beyond),
        hovertemplate=f"{style.label}<br>d = %{{customdata}}: more than {number(largest)}<extra></extra>", **places,
    )  # fmt: skip


def _axis(title: str, ticks: Sequence[int], across: tuple[float, float]) -> dict:
    at = [(round(math.log10(tick), 5), number(tick)) for tick in ticks]
    visible = [(place, text) for place, text in at if across[0] <= place <= across[1]]
    return {
        "title_text": title,
        "range": list(across),
        "tickvals": [place for place, _ in visible],
        "ticktext": [text for _, text in visible],
    }


def _headline(growths: Mapping[str, Growth], level: str) -> str:
    """The power of the first method that has one; "" if none has."""
    for name, one in growths.items():
        if name != "alignment" and one.slope is not None:
            return f"{METHODS[name].label}: samples to {SHARES[level]} of the zero risk grow like {slope_words(one)}"
    return ""


def _finding(growths: Mapping[str, Growth], level: str) -> str:
    """The fitted powers, and which methods never reach the level."""
    clauses = []
    for name, one in growths.items():
        what = ALIGNMENT.label if name == "alignment" else f"{SHARES[level]} of the zero risk for {METHODS[name].label}"
        count = sum(n is not None for n in one.needed.values())
        if one.slope is not None:
            clauses.append(f"{what} like {slope_words(one)} over {count} dimensions")
        elif one.beyond and not count:
            clauses.append(f"{what} nowhere on the map")
        else:
            clauses.append(f"{what} at too few dimensions for a slope")
    return f"The samples needed grow: to {join_words(clauses)}." if clauses else "No cell of the map is known yet."
