"""Which tasks are learned by which time: a map, with the times that single equations predict."""

from __future__ import annotations

import math

import numpy as np

from featdash.figures.axes import value_axis
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import Numbers, number, quote_number, trace_values
from featdash.lessons.scaling_laws.frames import HALF, crossing

COLUMNS = 90  # of the map; more are not told apart
TASK_TICKS = (1, 2, 5, 10, 20, 50, 100)


def learned_tasks(
    t: Numbers, share: np.ndarray, predicted: Numbers, *, theme: Theme, until: float = 0.0, height: int = 240
) -> Picture:
    """share (K, P) at t (K,), from 0; predicted (P,) : when half of each task would be learned if it were alone.

    until : the end of the time axis, if it is known.
    """
    figure = blank(theme, height, "Which tasks are learned: grey, not yet")
    count = share.shape[1]
    late = np.flatnonzero(np.asarray(t, float) > 0)
    kept = late[np.linspace(0, len(late) - 1, min(COLUMNS, len(late))).astype(int)] if len(late) else late
    rows = np.arange(1, count + 1)
    if len(kept) > 1:
        figure.add_heatmap(
            x=_edges(np.log10(np.asarray(t, float)[kept])), y=_edges(np.log10(rows)) if count > 1 else [-0.1, 0.1],
            z=np.round(np.clip(share[kept], 0, 1), 2).T.tolist(), zmin=0, zmax=1, colorscale=theme.sequential,
            showscale=False, hoverinfo="skip",
        )  # fmt: skip
    jumps = np.asarray(predicted, float)
    hover = "task %{customdata}<br>alone, half learned at t = %{text}<extra></extra>"
    figure.add_scatter(
        x=trace_values(np.log10(jumps)), y=trace_values(np.log10(rows[: len(jumps)])), mode="markers",
        customdata=rows[: len(jumps)].tolist(), text=[quote_number(one, 1) for one in jumps], name="each task alone",
        marker={"symbol": "circle-open", "size": 6, "color": theme.ink, "line": {"width": 1.5}}, hovertemplate=hover,
    )  # fmt: skip
    last = max(float(t[-1]), until, 3.0)
    ticks = [one for one in TASK_TICKS if one <= count]
    figure.update_xaxes(**_log_ticks(last))
    labels = {"tickvals": np.log10(ticks).tolist(), "ticktext": [number(one) for one in ticks]}
    vertical = [-0.15, math.log10(count + 0.5) + 0.06]
    figure.update_yaxes(title_text="task p (log scale)", range=vertical, showgrid=False, **labels)
    name_above(figure, ["○ half learned, predicted for each task alone"], theme)
    return Picture(figure, _finding(t, share), _table(t, share, jumps), _headline(t, share))


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


def _table(t: Numbers, share: np.ndarray, predicted: np.ndarray) -> dict[str, list]:
    halves = [crossing(np.asarray(t, float), one, HALF) for one in share.T]
    known = [*trace_values(predicted), *[None] * (share.shape[1] - len(predicted))]
    return {
        "task": list(range(1, share.shape[1] + 1)),
        "half learned at t": trace_values(halves),
        "predicted alone": known,
        "share learned": trace_values(share[-1]),
    }


def _finding(t: Numbers, share: np.ndarray) -> str:
    done = int((share[-1] >= HALF).sum())
    total = share.shape[1]
    task = "task is" if total == 1 else "tasks are"
    return f"At t = {number(float(f'{float(t[-1]):.3g}'))}, {done or 'none'} of {total} {task} half learned."


def _headline(t: Numbers, share: np.ndarray) -> str:
    if not float(t[-1]) > 0:
        return ""
    done = int((share[-1] >= HALF).sum())
    at = number(float(f"{float(t[-1]):.2g}"))
    return f"At t = {at}: {done} of {share.shape[1]} {'task' if share.shape[1] == 1 else 'tasks'} half learned"
