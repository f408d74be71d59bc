"""Single tasks as a network learns them: how much of some, and which of all by which time."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import name_above, value_axis
from featdash.figures.palette import CASES
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import Numbers, join_words, number, quote_number, thin_out, trace_values
from featdash.lessons.scaling_laws.frames import HALF, crossing

VERTICAL = (-0.06, 1.22)
ALONE = "each task alone"  # name of the trace of what is predicted
COLUMNS = 90  # of the map; more are not told apart
TASK_TICKS = (1, 2, 5, 10, 20, 50, 100)


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
    colour, dash, marker, *_ = CASES[index % len(CASES)]
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
    """The tasks by their colours and markers."""
    looks = (CASES[index % len(CASES)] for index in range(len(tasks)))
    marks = [
        f'<span style="color:{look.colour}">{look.glyph}</span> {task}' for task, look in zip(tasks, looks, strict=True)
    ]
    return "task " + "  ".join(marks)


def _finding(t: Numbers, share: np.ndarray, tasks: Sequence[int]) -> str:
    clauses = []
    for index, task in enumerate(tasks):
        at = crossing(np.asarray(t, float), share[:, index], HALF)
        clauses.append(f"task {task} at {'no time' if math.isnan(at) else f't = {quote_number(at, 1)}'}")
    return f"Half learned so far: {join_words(clauses)}."


def _headline(t: Numbers, share: np.ndarray, tasks: Sequence[int]) -> str:
    """The first and the last of those that are half learned."""
    times = {task: crossing(np.asarray(t, float), share[:, index], HALF) for index, task in enumerate(tasks)}
    halves = [(at, task) for task, at in times.items() if not math.isnan(at)]
    if not halves:
        return f"At t = {number(float(f'{float(t[-1]):.2g}'))} no task is half learned" if float(t[-1]) > 0 else ""
    ends = [min(halves), max(halves)] if len(halves) > 1 else halves
    return f"Half learned: {', '.join(f'task {task} at t = {quote_number(at, 1)}' for at, task in ends)}"


def learned_tasks(
    t: Numbers, share: np.ndarray, times_alone: Numbers, *, theme: Theme, until: float = 0.0, height: int = 240
) -> Picture:
    """share (K, P) at t (K,), from 0; times_alone (P,) : when half of each task would be learned if it were alone.

    until : the end of the time axis, if it is known.
    """
    figure = blank(theme, height, "Which tasks are learned: grey, not yet")
    count = share.shape[1]
    late = np.flatnonzero(np.asarray(t, float) > 0)
    columns = late[np.linspace(0, len(late) - 1, min(COLUMNS, len(late))).astype(int)] if len(late) else late
    rows = np.arange(1, count + 1)
    if len(columns) > 1:
        figure.add_heatmap(
            x=_edges(np.log10(np.asarray(t, float)[columns])), y=_edges(np.log10(rows)) if count > 1 else [-0.1, 0.1],
            z=np.round(np.clip(share[columns], 0, 1), 2).T.tolist(), zmin=0, zmax=1, colorscale=theme.sequential,
            showscale=False, hoverinfo="skip",
        )  # fmt: skip
    jumps = np.asarray(times_alone, float)
    hover = "task %{customdata}<br>alone, half learned at t = %{text}<extra></extra>"
    figure.add_scatter(
        x=trace_values(np.log10(jumps)), y=trace_values(np.log10(rows[: len(jumps)])), mode="markers",
        customdata=rows[: len(jumps)].tolist(), text=[quote_number(one, 1) for one in jumps], name=ALONE,
        marker={"symbol": "circle-open", "size": 6, "color": theme.ink, "line": {"width": 1.5}}, hovertemplate=hover,
    )  # fmt: skip
    last = max(float(t[-1]), until, 3.0)
    ticks = [one for one in TASK_TICKS if one <= count]
    figure.update_xaxes(**_log_ticks(last))
    labels = {"tickvals": np.log10(ticks).tolist(), "ticktext": [number(one) for one in ticks]}
    vertical = [-0.15, math.log10(count + 0.5) + 0.06]
    figure.update_yaxes(title_text="task p (log scale)", range=vertical, showgrid=False, **labels)
    name_above(figure, ["○ half learned, predicted for each task alone"], theme)
    return Picture(figure, _learned_finding(t, share), _table(t, share, jumps), _learned_headline(t, share))


def _edges(centres: np.ndarray) -> list[float]:
    middle = (centres[1:] + centres[:-1]) / 2
    return trace_edges([2 * centres[0] - middle[0], *middle, 2 * centres[-1] - middle[-1]])


def trace_edges(values: Numbers) -> list[float]:
    """Borders of cells, to five decimals."""
    return [round(float(one), 5) for one in values]


def _log_ticks(last: float) -> dict:
    """An axis of log10 t from 1, with its ticks as times."""
    axis = value_axis("time t (log scale)", (0.0, math.log10(last)), True)
    axis |= {"type": "linear", "range": [0, math.log10(last)], "showgrid": False}
    return axis | {"tickvals": [math.log10(one) for one in axis["tickvals"]]}


def _table(t: Numbers, share: np.ndarray, times_alone: np.ndarray) -> dict[str, list]:
    halves = [crossing(np.asarray(t, float), one, HALF) for one in share.T]
    column = [*trace_values(times_alone), *[None] * (share.shape[1] - len(times_alone))]
    return {
        "task": list(range(1, share.shape[1] + 1)),
        "half learned at t": trace_values(halves),
        "predicted alone": column,
        "share learned": trace_values(share[-1]),
    }


def _learned_finding(t: Numbers, share: np.ndarray) -> str:
    learned_count = int((share[-1] >= HALF).sum())
    total = share.shape[1]
    task = "task is" if total == 1 else "tasks are"
    return f"At t = {number(float(f'{float(t[-1]):.3g}'))}, {learned_count or 'none'} of {total} {task} half learned."


def _learned_headline(t: Numbers, share: np.ndarray) -> str:
    if not float(t[-1]) > 0:
        return ""
    learned_count = int((share[-1] >= HALF).sum())
    at = number(float(f"{float(t[-1]):.2g}"))
    return f"At t = {at}: {learned_count} of {share.shape[1]} {'task' if share.shape[1] == 1 else 'tasks'} half learned"
