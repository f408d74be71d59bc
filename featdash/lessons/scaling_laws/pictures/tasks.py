"""Single tasks as a network learns them: how much of each, against time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import value_axis
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import Numbers, join_words, number, quote_number, thin_out, trace_values
from featdash.lessons.scaling_laws.frames import HALF, crossing
from featdash.lessons.scaling_laws.pictures.styles import TASKS

VERTICAL = (-0.06, 1.22)


def task_courses(
    t: Numbers,
    share: np.ndarray,
    alone: tuple[Numbers, np.ndarray],
    tasks: Sequence[int],
    *,
    theme: Theme,
    height: int = 240,
) -> Picture:
    """share (K, n) of the tasks named, at t (K,); alone : times up to the end and shares of each by itself, dotted."""
    figure = blank(theme, height, "Single tasks: the share that is learned")
    table: dict[str, list] = {"task": [], "t": [], "share": [], "alone": []}
    for index, task in enumerate(tasks):
        beside = np.interp(t, alone[0], alone[1][:, index]) if len(alone[0]) else np.full(len(t), np.nan)
        _draw(figure, index, task, (t, share[:, index], beside), theme)
        x, y, z = thin_out(t, share[:, index], beside)
        table["task"] += [task] * len(x)
        table["t"] += trace_values(x)
        table["share"] += trace_values(y)
        table["alone"] += trace_values(z)
    last = max(float(t[-1]), *alone[0][-1:], 3.0)
    figure.update_xaxes(**value_axis("time t (log scale)", (math.log10(1.0), math.log10(last)), True))
    figure.update_yaxes(title_text="share learned", range=VERTICAL, tickvals=[0, 0.5, 1])
    name_above(figure, [f"{_key(tasks)}   ┄ alone"], theme)
    return Picture(figure, _finding(t, share, tasks), table, _headline(t, share, tasks))


def _draw(
    figure: go.Figure, index: int, task: int, course: tuple[Numbers, np.ndarray, np.ndarray], theme: Theme
) -> None:
    colour, dash, marker = TASKS[index % len(TASKS)]
    x, y, beside = thin_out(*course)
    line = {"color": colour, "dash": dash, "width": 2.2}
    symbol = {"symbol": marker, "size": 7, "color": colour, "maxdisplayed": 9}
    hover = f"task {task}<br>t = %{{x:.3g}}<br>share %{{y:.3f}}<extra></extra>"
    figure.add_scatter(
        x=trace_values(x), y=trace_values(y), mode="lines+markers", name=f"task {task}", line=line, marker=symbol,
        hovertemplate=hover,
    )  # fmt: skip
    figure.add_scatter(
        x=trace_values(x), y=trace_values(beside), mode="lines", name=f"task {task} alone", line=theme.theory("dot"),
        hovertemplate=hover.replace("<br>t", " alone<br>t"),
    )  # fmt: skip


def _key(tasks: Sequence[int]) -> str:
    """The tasks by their colours; glyphs as in their markers."""
    glyphs = {"circle": "●", "square": "■", "diamond": "◆", "triangle-up": "▲", "x": "✖", "cross": "✚", "star": "★"}
    styles = [TASKS[index % len(TASKS)] for index in range(len(tasks))]
    marks = [
        f'<span style="color:{colour}">{glyphs[marker]}</span> {task}'
        for task, (colour, _, marker) in zip(tasks, styles, strict=True)
    ]
    return "task " + "  ".join(marks)


def _finding(t: Numbers, share: np.ndarray, tasks: Sequence[int]) -> str:
    told = []
    for index, task in enumerate(tasks):
        at = crossing(np.asarray(t, float), share[:, index], HALF)
        told.append(f"task {task} at {'no time' if math.isnan(at) else f't = {quote_number(at, 1)}'}")
    return f"Half learned so far: {join_words(told)}."


def _headline(t: Numbers, share: np.ndarray, tasks: Sequence[int]) -> str:
    """The first and the last of those that are half learned."""
    times = {task: crossing(np.asarray(t, float), share[:, index], HALF) for index, task in enumerate(tasks)}
    known = [(at, task) for task, at in times.items() if not math.isnan(at)]
    if not known:
        return f"At t = {number(float(f'{float(t[-1]):.2g}'))} no task is half learned" if float(t[-1]) > 0 else ""
    ends = [min(known), max(known)] if len(known) > 1 else known
    return f"Half learned: {', '.join(f'task {task} at t = {quote_number(at, 1)}' for at, task in ends)}"
