"""The steps that a target takes against the dimension."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, value_axis, value_range
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import join_words, number, trace_values
from featdash.lessons.shared.pictures.headlines import shorten, two_digits
from featdash.lessons.staircase.pictures.style import TARGETS

Counts = Mapping[str, Sequence[np.ndarray]]  # target -> for each d the steps (r,) of its networks, ∞ if not learned


def step_counts(dims: Sequence[int], counts: Counts, most: int, *, theme: Theme, height: int = 430) -> Picture:
    """Median steps with a bar from the least to the most, log-log, for each d (ascending) with a finished network.

    most : the steps after which a network gives up; a median that no network reached is drawn there, hollow.
    """
    figure = blank(theme, height, "Steps until learned")
    table: dict[str, list] = {"target": [], "d": [], "steps, median": [], "least": [], "most": [], "not learned": []}
    ends: list[tuple[float, str]] = []
    medians: dict[str, dict[int, float]] = {}
    for name, columns in counts.items():
        steps_by_d = {d: steps for d, steps in zip(dims, columns, strict=True) if len(steps)}
        if not steps_by_d:
            continue
        medians[name] = {d: float(np.median(steps)) for d, steps in steps_by_d.items()}
        _draw(figure, name, steps_by_d, most, theme)
        ends.append((min(list(medians[name].values())[-1], most), TARGETS[name].tag()))
        _enter(table, name, steps_by_d, medians[name])
    values = [value for value in (*table["least"], *table["most"]) if value]
    gave_up = any(table["not learned"])
    vertical = value_range([*values, most] if gave_up else values, True)
    figure.update_xaxes(**_axis_of(dims))
    figure.update_yaxes(**value_axis("steps", vertical, True))
    end_labels(figure, ends, vertical, theme=theme, log=True, height=height)
    return Picture(figure, _finding(medians, most), table, _headline(medians))


def _axis_of(dims: Sequence[int]) -> dict:
    edge = 0.06
    across = [math.log10(min(dims)) - edge, math.log10(max(dims)) + edge]
    ticks = {"tickvals": list(dims), "ticktext": [str(d) for d in dims]}
    return {"title_text": "dimension d", "type": "log", "range": across, **ticks}


def _draw(figure: go.Figure, name: str, by_d: Mapping[int, np.ndarray], most: int, theme: Theme) -> None:
    style = TARGETS[name]
    middle = np.array([min(float(np.median(steps)), most) for steps in by_d.values()])
    low, high = (np.array([min(float(pick(steps)), most) for steps in by_d.values()]) for pick in (np.min, np.max))
    is_learned = [math.isfinite(np.median(steps)) for steps in by_d.values()]
    bars = {
        "type": "data",
        "symmetric": False,
        "array": trace_values(high - middle),
        "arrayminus": trace_values(middle - low),
    }
    rim = {"color": style.colour, "width": 1.8}
    fill = [style.colour if one else theme.paper for one in is_learned]
    hover = [_steps_words(steps) for steps in by_d.values()]
    figure.add_scatter(
        x=list(by_d), y=trace_values(middle), error_y=bars | {"color": style.colour, "thickness": 1.5, "width": 5},
        mode="lines+markers", name=style.label, line=style.line(2), customdata=hover,
        marker={"symbol": style.marker, "size": 10, "color": fill, "line": rim},
        hovertemplate=f"{style.label}<br>d = %{{x}}<br>%{{customdata}}<extra></extra>",
    )  # fmt: skip


def _steps_words(steps: np.ndarray) -> str:
    """The steps (r,) of some networks in words; ascending, ∞ for one that did not learn."""
    finite = steps[np.isfinite(steps)]
    lost = len(steps) - len(finite)
    if not len(finite):
        return f"not learned by any of {len(steps)}"
    words = (
        f"steps {number(finite[0])} to {number(finite[-1])}" if finite[0] < finite[-1] else f"steps {number(finite[0])}"
    )
    return f"{words}, {lost} of {len(steps)} not learned" if lost else words


def _enter(table: dict[str, list], name: str, by_d: Mapping[int, np.ndarray], medians: Mapping[int, float]) -> None:
    table["target"] += [TARGETS[name].label] * len(by_d)
    table["d"] += list(by_d)
    table["steps, median"] += trace_values(list(medians.values()))
    table["least"] += trace_values([steps[0] for steps in by_d.values()])
    table["most"] += trace_values([steps[-1] for steps in by_d.values()])
    table["not learned"] += [int(np.isinf(steps).sum()) for steps in by_d.values()]


def _finding(medians: Mapping[str, Mapping[int, float]], most: int) -> str:
    clauses = []
    for name, by_d in medians.items():
        d, steps = max(by_d), by_d[max(by_d)]
        when = f"takes {number(steps)} steps" if math.isfinite(steps) else f"is not learned in {number(most)} steps"
        clauses.append(f"{TARGETS[name].label} {when} at d = {d}")
    return f"In the median {join_words(clauses)}." if clauses else "No network is done yet."


def _headline(medians: Mapping[str, Mapping[int, float]]) -> str:
    """By which factor the steps grow, for the target that grows least and the one that grows most."""
    dims = sorted({d for by_d in medians.values() for d in by_d})
    factors = {}
    for name, by_d in medians.items():
        first, last = (by_d.get(d, math.inf) for d in (dims[0], dims[-1]))
        if len(dims) > 1 and math.isfinite(first) and math.isfinite(last):
            factors[name] = last / first
    if not factors:
        return ""
    names = [min(factors, key=factors.__getitem__), max(factors, key=factors.__getitem__)]
    clauses = [f"by {two_digits(factors[name])} on {TARGETS[name].label}" for name in dict.fromkeys(names)]
    lead = f"From d = {dims[0]} to {dims[-1]} the steps multiply"
    return shorten(f"{lead} {join_words(clauses)}", f"{lead} {clauses[-1]}")
