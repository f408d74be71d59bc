"""One look and two: what an average update makes of a label, and the overlap of a neuron with u."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.axes import name_above, value_range
from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import Numbers, each, join_words, number, quote_number, trace_values, with_decimals

STYLES = {
    "once": MethodStyle("one look", *CASES[1]),
    "twice": MethodStyle("two looks", *SUBJECT),
}
OPEN = ("-open", "-open-dot", "")  # of the markers, by dimension: the largest is full


def symbol_of(name: str, place: int, count: int) -> str:
    """The marker of a variant at the dimension of that place, of so many."""
    return STYLES[name].marker + ("" if place == count - 1 else OPEN[min(place, 1)])


ROUNDING = 5e-5  # of a drift; below it is told as zero


def effective_labels(
    y: Numbers, effective: Mapping[str, Numbers], drift: Mapping[str, float], *, theme: Theme, height: int = 300
) -> Picture:
    """T(y) against y: an average update is a step along E T(y) x; behind each name its part along u, E T(y) z."""
    figure = blank(theme, height, "What a step makes of a label: T(y), E T(y) z")
    table: dict[str, list] = {"y": trace_values(y)}
    known = {name: 0.0 if abs(value) < ROUNDING else float(value) for name, value in drift.items()}
    for name, values in effective.items():
        style = STYLES[name]
        hover = f"{style.label}<br>label y = %{{x:.2f}}<br>T(y) = %{{y:.3f}}<extra></extra>"
        curve = {"mode": "lines", "line": style.line(2.5), "name": style.label, "hovertemplate": hover}
        figure.add_scatter(x=trace_values(y), y=trace_values(values), **curve)
        table[style.label] = trace_values(values)
    low, high = value_range([value for column in list(table.values())[1:] for value in column], False)
    figure.add_hline(y=0, line=theme.theory("dot"))
    figure.update_xaxes(title_text="label y", range=[float(min(y)), float(max(y))])
    figure.update_yaxes(title_text="T(y)", range=[1.08 * low, high])
    tags = [STYLES[name].tag(f"{STYLES[name].label}: {with_decimals(known[name], 3)}") for name in effective]
    name_above(figure, tags, theme)
    told = each({STYLES[name].label: known[name] for name in effective})
    return Picture(figure, f"The part of an average update along u, E T(y) z, is {told}.", table)


Medians = Mapping[str, np.ndarray]  # variant -> (D, K)


def overlap_course(
    t: Numbers, d: Sequence[int], median: Medians, slope: float, last: float, *, theme: Theme, height: int = 300
) -> Picture:
    """The median of |w·u| over the runs against t/d, a curve a variant and dimension.

    t (K,) : in units of d, from 0.  slope : of theory's line at the start, 0 for none.  last : end of the axis.
    """
    figure = blank(theme, height, "Overlap of the neuron with u, median of the runs")
    rows: dict[str, list] = {"variant": [], "d": [], "t/d": [], "median |w·u|": []}
    for name, table in median.items():
        style = STYLES[name]
        for i, size in enumerate(d):
            marker = {"symbol": symbol_of(name, i, len(d)), "size": 8, "color": style.colour, "maxdisplayed": 7}
            hover = f"{style.label}, d = {size}<br>t/d = %{{x:.0f}}<br>median |w·u| %{{y:.3f}}<extra></extra>"
            look = {"mode": "lines+markers", "line": style.line(1.2 + 0.6 * i), "hovertemplate": hover}
            label = f"{style.label}, d = {size}"
            figure.add_scatter(x=trace_values(t), y=trace_values(table[i]), name=label, marker=marker, **look)
            rows["variant"] += [style.label] * len(t)
            rows["d"] += [int(size)] * len(t)
            rows["t/d"] += trace_values(t)
            rows["median |w·u|"] += trace_values(table[i])
    if slope > 0 and t[-1] > 0:  # not while a question hides the curves
        end = min(last, 0.5 / slope)
        hover = "first slope by theory<br>t/d = %{x:.0f}<br>|w·u| %{y:.3f}<extra></extra>"
        line = {"x": [0, end], "y": [0, end * slope], "mode": "lines", "line": theme.theory("dot")}
        figure.add_scatter(**line, name="first slope by theory", hovertemplate=hover)
    figure.update_xaxes(title_text="samples seen, over the dimension: t/d", range=[0, 1.02 * last])
    figure.update_yaxes(title_text="|w·u|", range=[0, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1])
    drawn = f"hollow: d = {number(d[0])}, full: d = {number(d[-1])}" if len(d) > 1 else f"d = {number(d[0])}"
    name_above(figure, [*(STYLES[name].tag() for name in median), drawn], theme)
    ends = {name: [float(table[i][-1]) for i in range(len(d))] for name, table in median.items()}
    return Picture(figure, _finding(t, d, ends), rows, _headline(t, d, ends))


def overlap_runs(d: Sequence[int], overlap: Mapping[str, np.ndarray], *, theme: Theme, height: int = 250) -> Picture:
    """|w·u| of every run at one moment, a column a dimension and variant; overlap : variant -> (D, R)."""
    figure = blank(theme, height, "Every run now: its overlap with u")
    rows: dict[str, list] = {"variant": [], "d": [], "run": [], "|w·u|": []}
    for name, table in overlap.items():
        style, side = STYLES[name], -0.18 if name == "once" else 0.18
        for i, size in enumerate(d):
            runs = np.arange(table.shape[1])
            across = i + side + 0.22 * ((runs * 0.618034) % 1 - 0.5)
            marker = {"symbol": symbol_of(name, i, len(d)), "size": 6, "color": style.colour, "opacity": 0.75}
            hover = f"{style.label}, d = {size}<br>a run with |w·u| %{{y:.3f}}<extra></extra>"
            values = trace_values(np.abs(table[i]))
            dots = {"x": trace_values(across), "y": values, "mode": "markers", "marker": marker}
            figure.add_scatter(**dots, name=f"{style.label}, d = {size}", hovertemplate=hover)
            rows["variant"] += [style.label] * len(runs)
            rows["d"] += [int(size)] * len(runs)
            rows["run"] += runs.tolist()
            rows["|w·u|"] += values
    places = {"tickvals": list(range(len(d))), "ticktext": [f"d = {number(size)}" for size in d]}
    figure.update_xaxes(title_text="dimension", range=[-0.5, len(d) - 0.5], **places)
    figure.update_yaxes(title_text="|w·u|", range=[0, 1.02], tickvals=[0, 0.5, 1])
    name_above(figure, [STYLES[name].tag() for name in overlap], theme)
    spans = [_span(STYLES[name].label, np.abs(table)) for name, table in overlap.items()]
    return Picture(figure, f"Of all runs {join_words(spans)}.", rows)


def _span(label: str, sizes: np.ndarray) -> str:
    return f"{label} lie from {quote_number(float(sizes.min()), 2)} to {quote_number(float(sizes.max()), 2)}"


def _finding(t: Numbers, d: Sequence[int], ends: Mapping[str, Sequence[float]]) -> str:
    """The medians at the last moment, by dimension."""
    told = []
    for name, values in ends.items():
        by = [f"{quote_number(value, 2)} at d = {number(size)}" for size, value in zip(d, values, strict=True)]
        told.append(f"{STYLES[name].label} {join_words(by)}")
    return f"At t/d = {number(round(float(t[-1]), 1))} the median overlaps are: {'; '.join(told)}."


def _headline(t: Numbers, d: Sequence[int], ends: Mapping[str, Sequence[float]]) -> str:
    """Both variants in the largest dimension; nothing before the first sample."""
    if not t[-1] > 0:
        return ""
    told = [f"{STYLES[name].label} {quote_number(values[-1], 2)}" for name, values in reversed(list(ends.items()))]
    return f"Overlap at d = {number(d[-1])} after {number(round(float(t[-1]), 1))} d samples: {', '.join(told)}"
