"""One look and two: what an average update makes of a label, and the overlap of a neuron with u."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.axes import name_above, value_range
from featdash.figures.film import Changes, Film, Until, times_of
from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.streams import Frames, Placed
from featdash.figures.text import Numbers, each, join_words, number, quote_number, trace_values, with_decimals
from featdash.lessons.repetition.frames import HALF, Course, OverlapFrame

STYLES = {
    "once": MethodStyle("ReLU, one look", *CASES[1]),
    "tanh_once": MethodStyle("tanh, one look", *CASES[0]),
    "twice": MethodStyle("ReLU, two looks", *SUBJECT),
    "tanh_twice": MethodStyle("tanh, two looks", *CASES[6]),
}
OPEN = ("-open", "-open-dot", "")  # of the markers, by dimension: the largest is full
GAP = 0.06  # between the two halves, of the width


def symbol_of(name: str, place: int, count: int) -> str:
    """The marker of a variant at the dimension of that place, of so many."""
    return STYLES[name].marker + ("" if place == count - 1 else OPEN[min(place, 1)])


def in_order(names: Mapping[str, object]) -> list[str]:
    """Of the variants that are there, as all pictures have them."""
    return [name for name in STYLES if name in names]


ROUNDING = 5e-5  # of a drift; below it is told as zero


def effective_labels(
    y: Numbers, effective: Mapping[str, Numbers], drift: Mapping[str, float], *, theme: Theme, height: int = 300
) -> Picture:
    """T(y) against y: an average update is a step along E T(y) x; behind each name its part along u, E T(y) z."""
    figure = blank(theme, height, "What a step makes of a label: T(y), E T(y) z")
    table: dict[str, list] = {"y": trace_values(y)}
    drifts = {name: 0.0 if abs(drift[name]) < ROUNDING else float(drift[name]) for name in in_order(drift)}
    for name in drifts:
        style, values = STYLES[name], trace_values(effective[name])
        hover = f"{style.label}<br>label y = %{{x:.2f}}<br>T(y) = %{{y:.3f}}<extra></extra>"
        curve = {"mode": "lines", "line": style.line(2.5), "name": style.label, "hovertemplate": hover}
        figure.add_scatter(x=trace_values(y), y=values, **curve)
        table[style.label] = values
    low, high = value_range([value for column in list(table.values())[1:] for value in column], False)
    figure.add_hline(y=0, line=theme.theory("dot"))
    figure.update_xaxes(title_text="label y", range=[float(min(y)), float(max(y))])
    figure.update_yaxes(title_text="T(y)", range=[1.08 * low, high])
    tags = [STYLES[name].tag(f"{STYLES[name].label}: {with_decimals(value, 3)}") for name, value in drifts.items()]
    name_above(figure, tags, theme)
    words = each({STYLES[name].label: value for name, value in drifts.items()})
    return Picture(figure, f"The part of an average update along u, E T(y) z, is {words}.", table)


Courses = Mapping[str, Mapping[int, Course]]  # variant -> d -> its course


def overlap_course(courses: Courses, time: float, squares: float, *, theme: Theme, height: int = 300) -> Picture:
    """The median of |w·u| over the runs, a curve a variant and dimension: against n/d at the left, n/d² at the right.

    time, squares : the ends of the two axes.
    """
    figure = blank(theme, height, "Overlap of the neuron with u, median of the runs")
    make_subplots(1, 2, figure=figure, shared_yaxes=True, horizontal_spacing=GAP)
    names, d = in_order(courses), sorted({size for one in courses.values() for size in one})
    rows: dict[str, list] = {"variant": [], "d": [], "samples": [], "median |w·u|": []}
    for name in names:
        for size, one in sorted(courses[name].items()):
            _add_course(figure, name, d.index(size), len(d), size, one, (time, squares))
            rows["variant"] += [STYLES[name].label] * len(one.n)
            rows["d"] += [int(size)] * len(one.n)
            rows["samples"] += trace_values(one.n)
            rows["median |w·u|"] += trace_values(one.median)
    figure.add_hline(y=HALF, line=theme.theory("dot"))
    for panel, (title, last) in enumerate((("samples / d", time), ("samples / d²", squares)), start=1):
        figure.update_xaxes(title_text=title, range=[0, 1.02 * last], row=1, col=panel)
    figure.update_yaxes(range=[0, 1.02], tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.update_yaxes(title_text="|w·u|", row=1, col=1)
    key = f"hollow: d = {number(d[0])}, full: d = {number(d[-1])}" if len(d) > 1 else f"d = {number(d[0])}"
    name_above(figure, [*(STYLES[name].tag() for name in names), key], theme, 3)
    return Picture(figure, _finding(courses, names), rows, _headline(courses, names, d[-1]))


def _add_course(
    figure: go.Figure, name: str, place: int, count: int, size: int, one: Course, ends: tuple[float, float]
) -> None:
    """Both curves of one course, as far as their axes go."""
    style, label = STYLES[name], f"{STYLES[name].label}, d = {size}"
    marker = {"symbol": symbol_of(name, place, count), "size": 7, "color": style.colour, "maxdisplayed": 6}
    look = {"mode": "lines+markers", "line": style.line(1.2 + 0.6 * place), "marker": marker, "name": label}
    look["meta"] = {"d": size, "once": not name.endswith("twice")}  # for the film
    for panel, (unit, power) in enumerate((("d", 1), ("d²", 2)), start=1):
        across = one.n / float(size) ** power
        shown = across <= ends[panel - 1] * (1 + 1e-9)
        hover = f"{label}<br>samples %{{x:.3~g}} {unit}<br>median |w·u| %{{y:.3f}}<extra></extra>"
        figure.add_scatter(
            x=trace_values(across[shown]),
            y=trace_values(one.median[shown]),
            hovertemplate=hover,
            row=1,
            col=panel,
            **look,
        )


def course_film(figure: go.Figure, linear: Sequence[float], square: Sequence[float]) -> Film:
    """Of the curves: each as far as the samples go, n/d first, then n/d² of one look alone.

    linear, square : the moments of the two phases, ascending.
    """
    first_phase, second_phase = np.asarray(linear, float), np.asarray(square, float)
    changes: Changes = {}
    for index, trace in enumerate(figure.data):
        size, once = trace.meta["d"], trace.meta["once"]
        reach = np.concatenate([first_phase, np.maximum(first_phase[-1], second_phase * size * once)])
        changes[("data", index)] = Until(reach if trace.xaxis == "x" else reach / size)
    return Film([*times_of(0, len(first_phase)), *times_of(1, len(second_phase))], changes)


def samples_word(one: Course, size: int, name: str) -> str:
    """The samples at which a course is ½: of two looks in units of d, of one in units of d²."""
    if one.half is None:
        return "not reached"
    if name.endswith("twice"):
        return f"{number(round(one.half / size))} d"
    return f"{number(round(one.half / size**2, 1))} d²"


def _finding(courses: Courses, names: Sequence[str]) -> str:
    """What each variant comes to, and what a half of it takes, by dimension."""
    clauses = []
    for name in names:
        by = [
            f"{quote_number(float(one.median[-1]), 2)} at d = {number(size)} ({samples_word(one, size, name)})"
            for size, one in sorted(courses[name].items())
        ]
        clauses.append(f"{STYLES[name].label} {join_words(by)}")
    return f"Median overlaps at the end, and the samples that ½ takes: {'; '.join(clauses)}."


def _headline(courses: Courses, names: Sequence[str], size: int) -> str:
    """What a half takes in the largest dimension, a sentence for a single variant; nothing before the first sample."""
    by_name = {name: courses[name][size] for name in names if size in courses[name]}
    if not any(len(one.n) > 1 for one in by_name.values()):
        return ""
    by_looks: dict[str, list[str]] = {}  # "one look" -> what it takes with each activation
    for name, one in by_name.items():
        activation, looks = STYLES[name].label.split(", ")
        taken = "not yet" if one.half is None else samples_word(one, size, name)
        by_looks.setdefault(looks, []).append(f"{activation} {taken}")
    if len(by_name) == 1:
        ((looks, (word,)),) = by_looks.items()
        activation, taken = word.split(" ", 1)
        verb = "has not yet reached ½" if taken == "not yet" else f"reaches ½ after {taken} samples"
        return f"At d = {number(size)} {activation} with {looks} {verb}"
    clauses = [
        f"{looks}: {', '.join(words) if any(not word.endswith('not yet') for word in words) else 'none yet'}"
        for looks, words in by_looks.items()
    ]
    return f"Half at d = {number(size)}, {'; '.join(clauses)}"


def overlap_runs(d: Sequence[int], overlap: Mapping[str, np.ndarray], *, theme: Theme, height: int = 250) -> Picture:
    """|w·u| of every run at one moment, a column a dimension and variant; overlap : variant -> (D, R)."""
    figure = blank(theme, height, "Every run now: its overlap with u")
    rows: dict[str, list] = {"variant": [], "d": [], "run": [], "|w·u|": []}
    names = in_order(overlap)
    lane = 0.8 / max(len(names), 1)
    for column, name in enumerate(names):
        style, side, table = STYLES[name], lane * (column - (len(names) - 1) / 2), overlap[name]
        for i, size in enumerate(d):
            runs = np.arange(table.shape[1])
            across = i + side + 0.7 * lane * ((runs * 0.618034) % 1 - 0.5)
            marker = {"symbol": symbol_of(name, i, len(d)), "size": 5, "color": style.colour, "opacity": 0.75}
            hover = f"{style.label}, d = {size}<br>a run with |w·u| %{{y:.3f}}<extra></extra>"
            values = trace_values(np.abs(table[i]))
            dots = {"x": trace_values(across), "y": values, "mode": "markers", "marker": marker}
            label = {"name": f"{style.label}, d = {size}", "meta": {"variant": name, "row": i}}  # for the film
            figure.add_scatter(**dots, **label, hovertemplate=hover)
            rows["variant"] += [style.label] * len(runs)
            rows["d"] += [int(size)] * len(runs)
            rows["run"] += runs.tolist()
            rows["|w·u|"] += values
    places = {"tickvals": list(range(len(d))), "ticktext": [f"d = {number(size)}" for size in d]}
    figure.update_xaxes(title_text="dimension", range=[-0.5, len(d) - 0.5], **places)
    figure.update_yaxes(title_text="|w·u|", range=[0, 1.02], tickvals=[0, 0.5, 1])
    name_above(figure, [STYLES[name].tag() for name in names], theme)
    spans = [_span(STYLES[name].label, np.abs(overlap[name])) for name in names]
    return Picture(figure, f"Of all runs {join_words(spans)}.", rows)


def furthest(linear: Placed[OverlapFrame], squares: Placed[OverlapFrame] | None) -> dict[str, np.ndarray]:
    """Variant -> (D, R), each run after the most samples that it has had: n/d, or n/d² of what goes on beyond that."""
    table = linear.arrays
    overlap = dict(table.overlap)
    if squares is not None:
        beyond = (squares.at * table.d >= linear.at)[:, None]
        overlap |= {name: np.where(beyond, runs, overlap[name]) for name, runs in squares.arrays.overlap.items()}
    return overlap


def runs_film(figure: go.Figure, linear: Frames[OverlapFrame], squares: Frames[OverlapFrame]) -> Film:
    """Of all runs: each dot rises or falls as the samples come in, n/d first, then n/d²."""
    tables = [dict(table.overlap) for table in linear]
    for at, table in zip(squares.at, squares, strict=True):
        tables.append(tables[-1] | furthest(linear.last(), Placed(at, table)))
    changes: Changes = {}
    for index, trace in enumerate(figure.data):
        name, row = trace.meta["variant"], trace.meta["row"]
        changes[("data", index, "y")] = np.abs(np.stack([overlap[name][row] for overlap in tables]))
    return Film([*times_of(0, len(linear)), *times_of(1, len(squares))], changes)


def _span(label: str, sizes: np.ndarray) -> str:
    return f"{label} lie from {quote_number(float(sizes.min()), 2)} to {quote_number(float(sizes.max()), 2)}"
