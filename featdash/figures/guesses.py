"""A class's guesses of a number, from one round or two, drawn on the axis of the picture that the question is about."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import plotly.graph_objects as go

from featdash.figures.picture import Theme
from featdash.figures.text import count_noun, number

BINS = 24  # of the whole axis
DEPTH = 0.3  # of a picture with curves
FEWEST = 5  # guesses that the longest bar stands for at least, so that a single guess does not fill the picture
PALE, FULL = 0.22, 0.62  # opacity of the first round and of the last one
SLIM = 0.55  # width of the last round's bars, so that the first round is seen behind them


@dataclass(frozen=True)
class Guesses:
    """A class's guesses of one number.

    rounds : the numbers of each round, one or two, in any order; unsure : how many were not sure, by round.
    low, high, log : the axis on which the class guessed.
    """

    rounds: tuple[tuple[float, ...], ...]
    unsure: tuple[int, ...]
    low: float
    high: float
    log: bool = False


def draw_guesses(figure: go.Figure, guesses: Guesses, axis: str, theme: Theme, depth: float = DEPTH) -> None:
    """Bars on the picture's own axis, whose range stays: pale for the first round, full for the last one.

    Guesses beyond that range are counted at its end. axis : "x" for bars from below, "y" for bars from the right;
    depth : the share of the picture that the longest bar takes.
    """
    log = figure.layout[f"{axis}axis"].type == "log"
    ends = ends_of(figure, guesses, axis)
    counts = [bin_counts(values, ends, log) for values in guesses.rounds]
    most = max([FEWEST, *(count for row in counts for count in row)])
    for index, row in enumerate(counts):
        last = index == len(counts) - 1
        for place, count in enumerate(row):
            if count:
                _draw_bar(
                    figure, _edges(ends, log, place, SLIM if last and index else 1.0), depth * count / most, axis, theme
                )
                figure.layout.shapes[-1].opacity = FULL if last else PALE
    _tell_beyond(figure, guesses.rounds[-1], ends, axis, theme)


def ends_of(figure: go.Figure, guesses: Guesses, axis: str) -> tuple[float, float]:
    """The ends of the picture's axis, as Plotly has them: log10 on a log axis; those of the guesses if it has none."""
    ends = ends_of_axis(figure, axis)
    if ends:
        return ends
    log = figure.layout[f"{axis}axis"].type == "log"
    low, high = (place_on(value, log) for value in (guesses.low, guesses.high))
    return low, high if high > low else low + 1.0


def ends_of_axis(figure: go.Figure, axis: str) -> tuple[float, float] | None:
    """The ends of the picture's axis, as Plotly has them: log10 on a log axis; None if Plotly fits them to the data."""
    axis_layout = figure.layout[f"{axis}axis"]
    if not axis_layout.range or None in axis_layout.range:
        return None
    low, high = sorted(map(float, axis_layout.range))
    return low, high if high > low else low + 1.0


def bin_counts(values: Sequence[float], ends: tuple[float, float], log: bool) -> list[int]:
    """How many values fall into each of the BINS equal parts of the axis; values beyond it do not count."""
    counts = [0] * BINS
    for value in values:
        share = (place_on(value, log) - ends[0]) / (ends[1] - ends[0])
        if 0 <= share <= 1:
            counts[min(int(share * BINS), BINS - 1)] += 1
    return counts


def place_on(value: float, log: bool) -> float:
    """Where a value stands on the axis; what a log axis cannot hold stands at −∞."""
    if log:
        return math.log10(value) if value > 0 else -math.inf
    return value


def _edges(ends: tuple[float, float], log: bool, place: int, width: float) -> tuple[float, float]:
    """Where a bar begins and ends, in values of the axis; width : the share of its bin that it fills."""
    step = (ends[1] - ends[0]) / BINS
    middle = ends[0] + (place + 0.5) * step
    low, high = middle - width * step / 2, middle + width * step / 2
    return (10.0**low, 10.0**high) if log else (low, high)


def _draw_bar(figure: go.Figure, edges: tuple[float, float], share: float, axis: str, theme: Theme) -> None:
    """One bar; a shape below the curves, since a trace would move the axes."""
    along = "y" if axis == "x" else "x"
    begin, end = (0.0, share) if axis == "x" else (1 - share, 1.0)
    figure.add_shape(
        type="rect",
        layer="below",
        line={"width": 0},
        fillcolor=theme.ink,
        name="guesses",
        **{f"{axis}ref": axis, f"{along}ref": f"{along} domain"},
        **{f"{axis}0": edges[0], f"{axis}1": edges[1], f"{along}0": begin, f"{along}1": end},
    )


def _tell_beyond(
    figure: go.Figure, values: Sequence[float], ends: tuple[float, float], axis: str, theme: Theme
) -> None:
    """How many guesses of the last round lie before the beginning and behind the end of the axis."""
    log = figure.layout[f"{axis}axis"].type == "log"
    places = [place_on(value, log) for value in values]
    beyond = (sum(place < ends[0] for place in places), sum(place > ends[1] for place in places))
    arrows = ("←", "→") if axis == "x" else ("↓", "↑")
    for share, count, arrow in zip((0.02, 0.98), beyond, arrows, strict=True):
        if count:
            at = {"x": share, "y": 0.02} if axis == "x" else {"x": 0.98, "y": share}
            figure.add_annotation(
                text=f"<b>{arrow} {count}</b>",
                showarrow=False,
                font={"size": theme.text + 1, "color": theme.ink},
                bgcolor=theme.paper,
                xref="x domain",
                yref="y domain",
                xanchor="left" if at["x"] < 0.5 else "right",
                yanchor="bottom" if at["y"] < 0.5 else "top",
                **at,
            )


def guesses_line(guesses: Guesses) -> str:
    """What the class guessed, in one sentence: how many guesses, their median, and how many were not sure."""
    values, unsure = guesses.rounds[-1], guesses.unsure[-1]
    sentence = f"The class made {count_noun(len(values), 'guess', 'guesses')}"
    if values:
        sentence += f", {'half of them up to ' if len(values) > 1 else ''}{number(median(values))}"
    if len(guesses.rounds) > 1 and guesses.rounds[0]:
        sentence += f" ({number(median(guesses.rounds[0]))} before talking)"
    return f"{sentence}, {count_noun(unsure, 'was', 'were')} not sure." if unsure else f"{sentence}."
