"""The loss of a network on each target against the steps, and the level at which a target counts as learned."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.axes import end_labels, value_range
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import join_words, number, quote_number, thin_out, trace_values
from featdash.lessons.staircase.pictures.style import TARGETS


def loss_courses(
    steps: Sequence[int],
    losses: Mapping[str, np.ndarray],
    level: float,
    d: int,
    *,
    theme: Theme,
    log: bool = False,
    height: int = 430,
) -> Picture:
    """E(f − f*)² against the step; steps (k,), losses : target -> (k,), NaN from where it diverged."""
    figure = blank(theme, height, f"Loss on each target, d = {d}")
    table: dict[str, list] = {"target": [], "step": [], "loss": []}
    ends: list[tuple[float, str]] = [(level, f"┄ level {number(level)}")]
    for name, values in losses.items():
        style = TARGETS[name]
        x, y = thin_out(steps, values)
        marker = {"symbol": style.marker, "size": 7, "color": style.colour, "maxdisplayed": 8}
        figure.add_scatter(
            x=trace_values(x), y=trace_values(y), mode="lines+markers", name=style.label, line=style.line(2.4),
            marker=marker, hovertemplate=f"{style.label}<br>step %{{x:,.0f}}<br>loss %{{y:.3g}}<extra></extra>",
        )  # fmt: skip
        finite = values[np.isfinite(values)]
        ends.append((float(finite[-1]) if len(finite) else 0.0, style.tag()))
        table["target"] += [style.label] * len(x)
        table["step"] += trace_values(x)
        table["loss"] += trace_values(y)
    figure.add_hline(y=level, line=theme.theory("dash"))
    vertical = value_range([*(value for value in table["loss"] if value is not None), level], False)
    last = max(steps[-1], 20)
    across = {"type": "log", "range": [1, math.log10(last)]} if log else {"range": [0, last]}
    figure.update_xaxes(title_text="step", **across)
    figure.update_yaxes(title_text="loss E (f − f*)²", range=vertical)
    end_labels(figure, ends, vertical, theme=theme, log=False, height=height)
    first_steps = {name: first_below(steps, values, level) for name, values in losses.items()}
    return Picture(figure, _finding(steps, first_steps, level), table, _headline(steps, first_steps))


def first_below(steps: Sequence[int], losses: np.ndarray, level: float) -> int | None:
    """The first step with a loss below the level; None if there is none."""
    below = np.flatnonzero(losses < level)
    return int(steps[below[0]]) if len(below) else None


def _finding(steps: Sequence[int], first_steps: Mapping[str, int | None], level: float) -> str:
    clauses = [f"{_when(at)} for {TARGETS[name].label}" for name, at in first_steps.items()]
    return f"By step {number(steps[-1])} the loss is below {quote_number(level)} at {join_words(clauses)}."


def _when(at: int | None) -> str:
    return "no step" if at is None else f"step {number(at)}"


def _headline(steps: Sequence[int], first_steps: Mapping[str, int | None]) -> str:
    """Who is the first and who the last."""
    early = sorted((at, name) for name, at in first_steps.items() if at is not None)
    waiting = len(first_steps) - len(early)
    if not early:
        return f"After {number(steps[-1])} steps nothing is learned yet" if steps[-1] > 1 else ""
    first = f"Learned at step {number(early[0][0])}: {TARGETS[early[0][1]].label}"
    if waiting:
        return f"{first}; {'one is' if waiting == 1 else f'{waiting} are'} not learned"
    return first if len(early) == 1 else f"{first}; the last one at step {number(early[-1][0])}"
