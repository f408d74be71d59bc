"""The errors of a hierarchical target by what is learned of its layers, against the number of samples."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from featdash.figures.axes import value_axis, value_range
from featdash.figures.findings import each, lowest, with_decimals
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import Numbers, number, trace_values
from featdash.lessons.hidden_layers.pictures.styles import STYLES

ROOM = 0.12  # decades beside the first and the last size


def stage_errors(
    sizes: Sequence[int],
    errors: Mapping[str, Numbers],
    linear: float | None,
    *,
    theme: Theme,
    last: int,
    height: int = 400,
) -> Picture:
    """errors : one of STYLES -> (k,) at sizes (k,); linear : the least error of a line in q, None before the end.

    last : the largest size of the run, so that the axis stands still.
    """
    figure = blank(theme, height, "Error on new inputs, over the variance of the labels")
    table: dict[str, list] = {"stage": [], "n": [], "error": []}
    for name, values in errors.items():
        style = STYLES[name]
        figure.add_scatter(
            x=trace_values(sizes), y=trace_values(values), mode="lines+markers", name=style.label,
            line=style.line(2.6 if name == "two" else 2), marker={"symbol": style.marker, "size": 8},
            hovertemplate=f"{style.label}<br>n = %{{x:,.0f}}<br>error %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        table["stage"] += [style.label] * len(sizes)
        table["n"] += trace_values(sizes)
        table["error"] += trace_values(values)
    if linear is not None:
        figure.add_hline(y=linear, line=theme.theory("dot"))
    least = [one for values in errors.values() for one in values] + ([] if linear is None else [linear])
    across = (math.log10(max(last / 16, 1)) - ROOM, math.log10(max(last, 1)) + ROOM)
    ticks = [last // 2**power for power in (4, 3, 2, 1, 0)]
    places = {"tickvals": ticks, "ticktext": [number(one) for one in ticks]}
    figure.update_xaxes(**value_axis("samples n", across, True) | places)
    figure.update_yaxes(**value_axis("error", value_range([*least, 1.0], True), True))
    tags = [STYLES[name].tag() for name in errors]
    name_above(figure, [*tags, "··· best line in q"] if linear is not None else tags, theme)
    ends = {name: float(values[-1]) for name, values in errors.items()}
    told = {STYLES[name].label: value for name, value in ends.items()}
    alt = f"With n = {number(sizes[-1])} the error is {each(told)}{lowest(told)}."
    return Picture(figure, alt, table, _headline(sizes, ends))


def _headline(sizes: Sequence[int], ends: Mapping[str, float]) -> str:
    """The first filter and both."""
    if "one" not in ends or "two" not in ends:
        return ""
    both = f"filter 1 alone {with_decimals(ends['one'], 2)}, both filters {with_decimals(ends['two'], 2)}"
    return f"Error with n = {number(sizes[-1])}: {both}"
