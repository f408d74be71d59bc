"""What two filters find of a hierarchical target: eigenvalues, the scalar behind them, and errors against n."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.axes import name_above, value_axis, value_range
from featdash.figures.palette import CASES, NOISE, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import Numbers, count_noun, each, lowest, number, quote_number, trace_values, with_decimals
from featdash.lessons.hidden_layers.frames import FilterFrame

STYLES = {
    "random": MethodStyle("random neurons", NOISE, "dot", "x", "✖", "."),
    "products": MethodStyle("all products", *CASES[0]),
    "second": MethodStyle("filter 2 alone", *CASES[1]),
    "one": MethodStyle("filter 1 alone", *CASES[2]),
    "two": MethodStyle("both filters", *SUBJECT),
}


def filter_values(
    values: np.ndarray, r: int, share: float, n: int, *, theme: Theme, height: int = 240, reach: float = 0.0
) -> Picture:
    """values (d,), the largest in size first, of which r are kept; share : of their directions in the hidden ones.

    reach : the largest size of a value at any n, so that the axis stands still.
    """
    figure = blank(theme, height, f"Eigenvalues of the average of (y − ȳ) xxᵀ, n = {number(n)}")
    order = np.argsort(-values, kind="stable")
    ranks = np.empty(len(values), int)
    ranks[order] = np.arange(1, len(values) + 1)
    kinds = (("kept", slice(0, r), STYLES["two"], 9), ("left out", slice(r, None), STYLES["random"], 6))
    for name, part, style, size in kinds:
        figure.add_scatter(
            x=ranks[part].tolist(), y=trace_values(values[part]), mode="markers", name=name,
            marker={"symbol": style.marker, "size": size, "color": style.colour},
            hovertemplate=f"{name}<br>place %{{x}}<br>eigenvalue %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
    top = max(reach, float(np.abs(values).max()), 1e-12) * 1.12
    figure.update_xaxes(title_text="place, from the largest to the smallest", range=[0, len(values) + 1])
    figure.update_yaxes(title_text="eigenvalue", range=[-top, top])
    name_above(figure, [STYLES["two"].tag("kept"), STYLES["random"].tag("left out")], theme)
    table = {
        "place": ranks[order].tolist(),
        "eigenvalue": trace_values(values[order]),
        "kept": ["yes" if place < r else "no" for place in order],
    }
    return Picture(figure, _values_finding(values, r, share, n), table, _values_headline(r, share, n))


def _values_finding(values: np.ndarray, r: int, share: float, n: int) -> str:
    sizes = np.abs(values)
    left = f", the largest left out {quote_number(sizes[r])}" if r < len(sizes) else ""
    kept = f"the smallest of {count_noun(r, 'kept eigenvalue', 'kept eigenvalues')} is {quote_number(sizes[r - 1])}"
    return f"With n = {number(n)}, in size, {kept}{left}; {_lies(share)}."


def _lies(share: float) -> str:
    return f"{with_decimals(share, 2)} of what is kept lies in the hidden directions"


def _values_headline(r: int, share: float, n: int) -> str:
    kept = count_noun(r, "direction", "directions")
    return f"With n = {number(n)}: {kept} kept, {with_decimals(share, 2)} of that along the hidden ones"


REACH = 3.4  # of the axis, in standard deviations of q̂
SIZES = {"second": 5, "two": 6}


def found_number(frame: FilterFrame, n: int, *, theme: Theme, height: int = 240) -> Picture:
    """Noise-free labels of new inputs against q̂."""
    figure = blank(theme, height, f"Labels against the number found, q̂, n = {number(n)}")
    table: dict[str, list] = {"filters": [], "q̂": [], "label": []}
    for name, size in SIZES.items():
        style, found = STYLES[name], getattr(frame, name)
        figure.add_scatter(
            x=trace_values(found), y=trace_values(frame.labels), mode="markers", name=style.label,
            marker={"symbol": style.marker, "size": size, "color": style.colour, "opacity": 0.75},
            hovertemplate=f"{style.label}<br>q̂ = %{{x:.2f}}<br>label %{{y:.2f}}<extra></extra>",
        )  # fmt: skip
        table["filters"] += [style.label] * len(found)
        table["q̂"] += trace_values(found)
        table["label"] += trace_values(frame.labels)
    figure.update_xaxes(title_text="q̂ of new inputs, in standard deviations", range=[-REACH, REACH])
    figure.update_yaxes(title_text="label, without noise")
    name_above(figure, [STYLES[name].tag() for name in reversed(SIZES)], theme)
    both, alone = (with_decimals(one, 2) for one in frame.correlation)
    alt = f"With n = {number(n)} the correlation of q̂ with the true q is {both} after both filters and {alone} after "
    return Picture(figure, f"{alt}filter 2 alone.", table, f"Correlation of q̂ with the true q, n = {number(n)}: {both}")


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
    return Picture(figure, alt, table, _errors_headline(sizes, ends))


def _errors_headline(sizes: Sequence[int], ends: Mapping[str, float]) -> str:
    """The first filter and both."""
    if "one" not in ends or "two" not in ends:
        return ""
    both = f"filter 1 alone {with_decimals(ends['one'], 2)}, both filters {with_decimals(ends['two'], 2)}"
    return f"Error with n = {number(sizes[-1])}: {both}"
