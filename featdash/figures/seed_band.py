"""A mean over seeds with its band, against a number of samples as a power of d."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go

from featdash.figures.text import number, trace_values

OPACITY = 0.15
MOST_SIZES = 5  # numbers of samples below an axis
Row = Mapping[str, Any]


def power_of(n: float, d: int) -> float:
    """log_d n."""
    return math.log(n) / math.log(d)


def power_axis(sizes: Sequence[int], d: int, letter: str, about: str) -> dict:
    """An axis over log_d n that holds the whole grid, with n itself below each whole power, or every second of many."""
    low, high = power_of(min(sizes), d), power_of(max(sizes), d)
    powers = list(range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1))
    every = 1 if len(powers) <= MOST_SIZES else 2  # more would stand upright in a narrow picture
    texts = [f"{power}<br>{number(d**power)}" if rank % every == 0 else f"{power}" for rank, power in enumerate(powers)]
    edge = 0.03 * max(high - low, 1.0)
    title = f"log<sub>d</sub> {letter} for d = {d}, and {letter}: {about}"
    return {"title_text": title, "range": [low - edge, high + edge], "tickvals": powers, "ticktext": texts}


def seed_band(
    figure: go.Figure, panel: int, rows: Sequence[Row], along: str, d: int, style: Mapping[str, Any], name: str
) -> None:
    """The curve of the means over rows[along], and a band of one standard deviation.

    A few values far apart may deviate by as much as their mean: that makes no band, and stays in the hover text.

    rows : {along, "mean", "std" or None, "seeds"}, ascending in `along`.
    style : "colour", "dash", "marker".
    """
    x = [power_of(row[along], d) for row in rows]
    place = {"row": 1, "col": panel}
    distinct = [row for row in rows if row["std"] is not None and row["std"] < row["mean"]]
    if distinct:
        edge = [row["mean"] + row["std"] for row in distinct]
        edge += [row["mean"] - row["std"] for row in reversed(distinct)]
        there = [power_of(row[along], d) for row in distinct]
        figure.add_scatter(
            x=trace_values([*there, *reversed(there)]), y=trace_values(edge), mode="lines", line={"width": 0},
            fill="toself", fillcolor=style["colour"], opacity=OPACITY, hoverinfo="skip", name=name, **place,
        )  # fmt: skip
    hover = [f"{along} = {number(row[along])}<br>{mean_in_words(row)}" for row in rows]
    figure.add_scatter(
        x=trace_values(x), y=trace_values([row["mean"] for row in rows]), name=name, mode="lines+markers",
        customdata=hover, line={"color": style["colour"], "dash": style["dash"], "width": 2.2},
        marker={"symbol": style["marker"], "size": 7, "color": style["colour"]},
        hovertemplate=f"{name}<br>%{{customdata}}<extra></extra>", **place,
    )  # fmt: skip


def mean_in_words(row: Row) -> str:
    """A mean in words, with its spread and the number of seeds."""
    seeds = row["seeds"]
    if seeds == 1 or row["std"] is None:
        return f"risk {number(round(row['mean'], 4))}, 1 seed"
    return f"risk {number(round(row['mean'], 4))} ± {number(round(row['std'], 4))}, {seeds} seeds"
