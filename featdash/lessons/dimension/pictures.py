"""How errors grow with the dimension: the samples that theory asks for, the growth and the reach of each method."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import decades, value_axis
from featdash.figures.film import Changes, Film, place_of, times_of
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import join_words, number, quote_number, trace_values
from featdash.lessons.shared.pictures.errors import Curves, factors_of, growth_of, note, short
from featdash.lessons.shared.pictures.headlines import shorten, two_digits

TICKS = 6
GROWTH = "Error at d = {} over that at d = {}"
Line = tuple[float, str]
ABOVE = 0.85  # rows over the first one: its text stands between its marker and the names of the lines


@dataclass(frozen=True, eq=False)
class Demand:
    """The samples (k,) that theory asks for at the dimensions d (k,), up to its constant."""

    d: Sequence[float] | np.ndarray
    samples: Sequence[float] | np.ndarray


def samples_asked(
    demand: Demand,
    n: int,
    level: float,
    dims_by_method: Mapping[str, float | None],
    *,
    theme: Theme,
    height: int = 220,
) -> Picture:
    """Samples for an error of `level` against d, the line log-linear; measured reaches as markers at the run's n.

    dims_by_method : method -> d where its error rises through `level`, None where it does not within the dimensions
    measured; empty before the end of the run.
    """
    figure = blank(theme, height, f"Samples for an error of {number(level)}")
    hover = "theory<br>d = %{x} inputs<br>asks for n = %{y:.3g} samples<extra></extra>"
    figure.add_scatter(
        x=trace_values(demand.d),
        y=trace_values(demand.samples),
        mode="lines",
        line=theme.theory(),
        name="theory",
        hovertemplate=hover,
    )
    figure.add_hline(y=n, line=theme.theory("dot"))
    place = {"x": 1, "xref": "x domain", "xanchor": "right", "y": math.log10(n), "yanchor": "bottom"}
    figure.add_annotation(text=f"n = {number(n)} here", showarrow=False, font={"size": theme.text}, **place)
    finite = {method: d for method, d in dims_by_method.items() if d is not None}
    for method, d in finite.items():
        style = METHODS[method]
        hover = f"{style.label}<br>reaches d = {d:.1f} inputs with n = {n} samples<extra></extra>"
        marker = {"symbol": style.marker, "size": 12, "color": style.colour, "line": {"color": theme.ink, "width": 1}}
        figure.add_scatter(x=[d], y=[n], mode="markers", marker=marker, name=style.label, hovertemplate=hover)
    top = math.ceil(math.log10(max(*demand.samples, n)))
    figure.update_xaxes(title_text="dimension d", range=[0, max(demand.d) * 1.02])
    figure.update_yaxes(title_text="samples n", type="log", range=[0, top], **decades(0, top, max(1, -(-top // TICKS))))
    table: dict[str, list] = {
        "curve": ["theory"] * len(demand.d) + [METHODS[method].label for method in finite],
        "d": trace_values([*demand.d, *finite.values()]),
        "n": trace_values([*demand.samples, *(n for _ in finite)]),
    }
    end = (
        f"With n = {number(n)}: {reach_sentence(dims_by_method, max(demand.d), level)}"
        if dims_by_method
        else "The run goes on."
    )
    most = f"{number(demand.samples[-1])} {'sample' if demand.samples[-1] == 1 else 'samples'}"
    alt = f"An error of {number(level)} asks for {most} at d = {number(demand.d[-1])}. {end}"
    return Picture(figure, alt, table)


def error_growth(
    curves: Curves, dims: Sequence[int], *, theme: Theme, lines: Sequence[Line] = (), height: int = 200
) -> Picture:
    """Last error over first, a row a method, on a log axis; 1 is a method that the dimension does not touch.

    curves : as for `error_curves`, of the methods measured at every dimension.
    lines : (factor, name) of predictions, drawn thin.
    """
    low, high = number(min(dims)), number(max(dims))
    factors = {method: growth_of(curve) for method, curve in curves.items()}
    bars = {method: (factor, _times(factor)) for method, factor in factors.items()}
    figure = blank(theme, height, GROWTH.format(high, low))
    _rows(figure, bars, "error", 1.0, lines, theme)
    _across(figure, "growth of the error (factor)", [*factors.values(), *(value for value, _ in lines), 1.0])
    words = ", ".join(f"{quote_number(factor, 2)} for {short(method)}" for method, factor in factors.items())
    table: dict[str, list] = {
        "method": [METHODS[method].label for method in factors],
        "factor": trace_values(list(factors.values())),
    }
    alt = f"The error at d = {high} over that at d = {low} is {words}."
    return Picture(figure, alt if factors else "No method has been measured at every dimension yet.", table)


def growth_film(figure: go.Figure, curves: Curves, dims: Sequence[int]) -> Film | None:
    """Of `error_growth`: each bar is as long as its error has grown up to the dimension that the film has reached."""
    stops = [number(d) for d in sorted(dims)]
    changes: Changes = {("layout", "title", "text"): [GROWTH.format(d, stops[0]) for d in stops]}
    for method, curve in curves.items():
        factors, index = factors_of(curve), place_of(figure.data, METHODS[method].label)
        changes[("data", index, "x")] = np.stack([np.ones_like(factors), factors], axis=1)
        changes[("data", index, "text")] = [["", _times(factor)] for factor in factors.tolist()]
    return Film(times_of(0, len(stops)), changes) if curves and len(stops) > 1 else None


def _times(factor: float) -> str:
    return f"× {quote_number(factor, 2)}"


def dimension_reach(
    dims_by_method: Mapping[str, float | None],
    dims: Sequence[int],
    level: float,
    *,
    theme: Theme,
    lines: Sequence[Line] = (),
    height: int = 200,
) -> Picture:
    """The d at which each error rises through `level`, a row a method, on a log axis over `dims`.

    dims_by_method : method -> d, None where the error stays below; lines : (d, name) of predictions, drawn thin where
    they are within the axis.
    """
    figure = blank(theme, height, f"Reach: the d where the error passes {number(level)}")
    ends = _ends(dims_by_method, dims)
    texts = {
        method: f"beyond {number(max(dims))}" if d is None else number(round(d, 1))
        for method, d in dims_by_method.items()
    }
    visible = [(d, name) for d, name in lines if min(dims) < d < 1.5 * max(dims)]
    bars = {method: (end, texts[method]) for method, end in ends.items()}
    _rows(figure, bars, f"error passes {number(level)} at d =", float(min(dims)), visible, theme)
    _across(figure, "dimension d", [*ends.values(), *(d for d, _ in visible), *dims])
    table = {"method": [METHODS[method].label for method in dims_by_method], "reach": list(texts.values())}
    return Picture(figure, reach_sentence(dims_by_method, max(dims), level), table)


def reach_film(figure: go.Figure, dims_by_method: Mapping[str, float | None], dims: Sequence[int]) -> Film | None:
    """Of `dimension_reach`: each bar goes on with the dimension until its error passes the level."""
    stops = np.array(sorted(dims), dtype=float)
    changes: Changes = {}
    for method, end in _ends(dims_by_method, dims).items():
        index = place_of(figure.data, METHODS[method].label)
        text = figure.data[index].text
        changes[("data", index, "x")] = np.stack([np.full_like(stops, stops[0]), np.minimum(stops, end)], axis=1)
        changes[("data", index, "text")] = [list(text) if stop >= end else ["", ""] for stop in stops]
    return Film(times_of(0, len(stops)), changes) if changes and len(stops) > 1 else None


def _ends(dims_by_method: Mapping[str, float | None], dims: Sequence[int]) -> dict[str, float]:
    """Where the bars of `dimension_reach` end."""
    return {method: max(dims) if d is None else d for method, d in dims_by_method.items()}


def reach_sentence(dims_by_method: Mapping[str, float | None], last: float, level: float) -> str:
    """One sentence on where the errors pass the level, and which do not up to the last dimension."""
    passing = [f"{quote_number(d, 1)} for {short(method)}" for method, d in dims_by_method.items() if d is not None]
    below = [short(method) for method, d in dims_by_method.items() if d is None]
    parts = [f"The error passes {number(level)} at d = {', '.join(passing)}"] if passing else []
    if below:
        stays = "it stays" if passing else "The error stays"
        parts.append(f"{stays} below {number(level)} up to d = {number(last)} for {', '.join(below)}")
    return f"{'; '.join(parts)}." if parts else "No method has been measured."


def _rows(
    figure: go.Figure,
    bars: Mapping[str, Line],
    quantity: str,
    start: float,
    lines: Sequence[Line],
    theme: Theme,
) -> None:
    """A bar from `start` to the method's marker, (value, text); thin vertical lines with their names above."""
    for value, name in lines:
        figure.add_vline(x=value, line=theme.theory("dash"))
        note(figure, value, name, theme, y=1, yanchor="bottom")
    for method, (value, text) in bars.items():
        style, row = METHODS[method], METHODS[method].tag(short(method))
        figure.add_scatter(
            x=trace_values([start, value]),
            y=[row, row],
            mode="lines+markers+text",
            line={"color": style.colour, "width": 4},
            marker={"symbol": style.marker, "size": [0, 13], "opacity": 1, "color": style.colour},
            text=["", text],
            textposition="top center",
            textfont={"size": theme.text, "shadow": theme.halo},
            cliponaxis=False,
            name=style.label,
            hovertemplate=f"{style.label}<br>{quantity} {text}<extra></extra>",
        )


def _across(figure: go.Figure, title: str, values: Sequence[float]) -> None:
    """A log axis with room for the texts."""
    low, high = math.log10(min(values)), math.log10(max(values))
    room = 0.12 * (high - low + 0.3)
    figure.update_xaxes(**value_axis(title, (low - 0.3 * room, high + room), True))
    rows = len({trace.name for trace in figure.data})
    figure.update_yaxes(range=[rows - 0.5, -ABOVE], title_text="", automargin=True)
    figure.update_layout(margin_t=round(3.6 * figure.layout.template.layout.font.size) + 6)


def errors_at_end(curves: Curves) -> str:
    """Each method's error at the largest dimension that all have reached; "" before there is one."""
    common = set.intersection(*(set(curve.d.tolist()) for curve in curves.values())) if curves else set()
    if not common:
        return ""
    last = max(common)
    ends = {method: float(curve.error[curve.d.tolist().index(last)]) for method, curve in curves.items()}
    words = [f"{short(method)} {two_digits(ends[method])}" for method in sorted(ends, key=ends.__getitem__)]
    return shorten(
        f"Error at d = {number(last)}: {join_words(words)}", f"Lowest error at d = {number(last)}: {words[0]}"
    )


def errors_growth(curves: Curves) -> str:
    """By which factors the errors have changed from the first to the last dimension; "" before all have two."""
    if not curves or any(len(curve.d) < 2 for curve in curves.values()):
        return ""
    factors = sorted(growth_of(curve) for curve in curves.values())
    ends = list(dict.fromkeys(two_digits(factor) for factor in (factors[0], factors[-1])))
    first, last = (number(next(iter(curves.values())).d[index]) for index in (0, -1))
    if any(curve.d[-1] != next(iter(curves.values())).d[-1] for curve in curves.values()):
        return ""
    verb = "grow" if factors[0] > 1 else "change"
    return f"From d = {first} to {last} the errors {verb} by a factor of {' to '.join(ends)}"
