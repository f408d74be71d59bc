"""Test accuracy against training steps, with a panel for each law of the inputs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import columns, margin_of, panel_labels
from featdash.figures.picture import METHODS, Picture, Theme, blank, plot_height
from featdash.figures.text import join_words, letters, number, trace_values, with_decimals

VERTICAL = (0.38, 1.04)
NAMES = len("■ random features 0.78")  # letters between two panels
HEAD = "ridge head on the network's features"
TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
ON_INPUTS, SHORT = "ridge head on the inputs: the linear model", "on the inputs"


@dataclass(frozen=True, eq=False)
class Curve:
    """at, accuracy (T,) : after that many steps."""

    at: Sequence[float] = ()
    accuracy: Sequence[float] = ()


@dataclass(frozen=True, eq=False)
class Course:
    """The accuracies of one course of training.

    curves : method -> accuracy of its own output.  heads : accuracy of ridge heads on the network's features.
    linear : accuracy of the ridge head on the inputs, None before it is fitted.
    """

    curves: Mapping[str, Curve]
    heads: Curve
    linear: float | None = None


NO_COURSE = Course({}, Curve())


def accuracy_curves(
    courses: Mapping[str, Course], last: float, *, theme: Theme, at: float | None = None, height: int = 300
) -> Picture:
    """Accuracy of each method's own output, of a tuned ridge head on the network's features, and of one on the inputs.

    courses : law -> its course; one or two laws.
    last : the last step of the course, so that the axis stands still while the curves grow.
    at : a step to mark.
    """
    hollow = METHODS["network"].tag(f"<i>{HEAD}</i>").replace("◆", "◇")
    line = f'<span style="color:{METHODS["linear"].colour}">─</span> <i>{SHORT}</i>'
    figure = blank(theme, height, f"Test accuracy   {hollow}   {line}")
    titles = list(courses) if len(courses) > 1 else []
    columns(figure, len(courses), margin_of(NAMES, theme) + theme.text, titles, shared_yaxes=True)
    table: dict[str, list] = {"inputs": [], "method": [], "step": [], "accuracy": []}
    for panel, (law, course) in enumerate(courses.items(), start=1):
        _chance(figure, panel, theme, at)
        for trace in _traces(course, last, theme):
            figure.add_scatter(row=1, col=panel, **trace)
            table["inputs"] += [law] * len(trace["x"])
            table["method"] += [trace["name"]] * len(trace["x"])
            table["step"] += trace["customdata"]
            table["accuracy"] += trace["y"]
    labels = _labels(next(iter(courses.values()), NO_COURSE))
    margin = 3 * theme.text + 10 if titles else 2 * theme.text + 12
    room = plot_height(theme, height, margin)
    panel_labels(figure, labels, VERTICAL, panel=1, room=room, theme=theme, log=False)
    figure.update_xaxes(**step_axis("step", last, 0.08 if len(courses) == 1 else 0.16))
    figure.update_yaxes(range=VERTICAL, dtick=0.1)
    figure.update_yaxes(title_text="share of correct signs", row=1, col=1)
    aside = margin_of(letters([text for _, text in labels]), theme) if len(courses) == 1 else 20
    # Less at the left than others have: the names between the panels need the width.
    figure.update_layout(margin={"t": margin, "r": aside, "l": 4 * theme.text + 6})
    figure.update_annotations(selector={"yanchor": "bottom"}, font_size=theme.text, yshift=-2)
    return Picture(figure, _finding(courses), table, headline=_headline(courses))


def _traces(course: Course, last: float, theme: Theme) -> list[dict]:
    traces = []
    if course.linear is not None:
        level = Curve([0, int(last)], [course.linear] * 2)
        traces.append(_trace(ON_INPUTS, level, {"color": METHODS["linear"].colour, "width": 1.2}, {"size": 1}))
    for method, curve in course.curves.items():
        style = METHODS[method]
        marker = {"symbol": style.marker, "size": 6, "maxdisplayed": 9}
        traces.append(_trace(name_of(method), curve, style.line(2.5 if method == "network" else 1.8), marker))
    if len(course.heads.at):
        style = METHODS["network"]
        ring = {"symbol": style.marker, "size": 12, "color": theme.paper, "line": {"color": style.colour, "width": 2}}
        traces.append(_trace(HEAD, course.heads, style.line(1) | {"dash": "dot"}, ring))
    return traces


def _trace(name: str, curve: Curve, line: dict, marker: dict) -> dict:
    return {
        "x": trace_values(step_places(curve.at)),
        "y": trace_values(curve.accuracy),
        "customdata": [int(step) for step in curve.at],
        "name": name,
        "mode": "lines+markers",
        "line": line,
        "marker": marker,
        "hovertemplate": f"{name}<br>step %{{customdata}}<br>accuracy %{{y:.3f}}<extra></extra>",
    }


def name_of(method: str) -> str:
    """The name of a method; the network, which these lessons train in steps, has a short one."""
    return "network" if method == "network" else METHODS[method].label


def _chance(figure: go.Figure, panel: int, theme: Theme, at: float | None) -> None:
    """Thin lines at the accuracy of a coin and at the selected step."""
    figure.add_hline(y=0.5, line=theme.theory("dot"), row=1, col=panel)
    if at is not None:
        figure.add_vline(x=float(step_places([at])[0]), line=theme.theory("dash"), row=1, col=panel)


def _labels(course: Course) -> list[tuple[float, str]]:
    ends = {method: float(curve.accuracy[-1]) for method, curve in course.curves.items() if len(curve.accuracy)}
    return [(value, METHODS[method].tag(f"{name_of(method)} {value:.2f}")) for method, value in ends.items()]


def _finding(courses: Mapping[str, Course]) -> str:
    clauses = []
    for law, course in courses.items():
        ends = {method: curve.accuracy[-1] for method, curve in course.curves.items() if len(curve.accuracy)}
        if ends:
            steps = {method: int(course.curves[method].at[-1]) for method in ends}
            together = len(set(steps.values())) == 1
            values = [
                f"{with_decimals(value, 3)} for {name_of(method)}"
                + ("" if together else f" at step {number(steps[method])}")
                for method, value in ends.items()
            ]
            when = f" at step {number(next(iter(steps.values())))}" if together else ""
            clauses.append(f"{f' on {law} inputs' if law else ''}{when} is {join_words(values)}{_heads_clause(course)}")
    return f"The test accuracy{'; the test accuracy'.join(clauses)}." if clauses else "No method has taken a step yet."


def _headline(courses: Mapping[str, Course]) -> str:
    """The accuracy of the network itself, on each law of the inputs."""
    ends = {law: course.curves["network"] for law, course in courses.items() if "network" in course.curves}
    ends = {law: curve for law, curve in ends.items() if len(curve.at)}
    clauses = [
        f"{with_decimals(curve.accuracy[-1], 2)}{f' {law}' if law else ''} (step {number(curve.at[-1])})"
        for law, curve in ends.items()
    ]
    return f"Accuracy of the network: {', '.join(clauses)}" if clauses else ""


def _heads_clause(course: Course) -> str:
    """The ridge heads after steps 1 and 2, beside the linear model's."""
    after = dict(zip(course.heads.at, course.heads.accuracy, strict=True))
    parts = [f"{with_decimals(float(after[step]), 3)} after step {step}" for step in (1, 2) if step in after]
    if course.linear is not None:
        parts.append(f"{with_decimals(course.linear, 3)} on the inputs")
    return f"; ridge heads have {join_words(parts)}" if parts else ""


def step_places(steps: Sequence[float]) -> np.ndarray:
    """The places of steps on an axis: log₁₀(1 + t), so that the untrained layer at t = 0 has a place too."""
    return np.log10(1 + np.asarray(steps, dtype=float))


def step_axis(title: str, last: float, apart: float = 0.08) -> dict:
    """An axis over steps 0 to `last`, for `update_xaxes`; ticks are at least `apart`, a share of the axis, apart."""
    ticks = [tick for tick in TICKS if tick <= last]
    least = apart * math.log10(1 + last)
    visible = [0]
    for tick in ticks[1:]:
        if math.log10(1 + tick) - math.log10(1 + visible[-1]) >= least:
            visible.append(tick)
    end = math.log10(1 + max(last, 1))
    texts = [number(tick) for tick in visible]
    return {
        "title_text": title,
        "range": [-0.03 * end, 1.04 * end],
        "tickangle": 0,
        "tickvals": step_places(visible).tolist(),
        "ticktext": texts,
    }
