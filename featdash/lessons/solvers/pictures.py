"""Seconds of kernel solvers against n: measured, and extrapolated to sizes that nobody can measure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import decades, end_labels, value_axis, value_range
from featdash.figures.palette import CASES
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import duration, join_words, number, quote_number, trace_values

FAR = 1e7
SOLVERS = {
    "direct": MethodStyle("direct solve", *CASES[1]),
    "richardson": MethodStyle("one Richardson step", *CASES[0]),
}
EXTRAPOLATED = "Extrapolated to n = 10⁷, not measured"
DISTURBED = "No extrapolation: other work on the machine disturbed these times"
BUSY = " ⚠ disturbed by other work"
LITTLE = 0.01  # of the residual: the axis always reaches down to here, so that it gives nothing away
ROUNDING = 1e-14  # a smaller residual is drawn here: it is rounding


@dataclass(frozen=True)
class Line:
    """seconds = far (n/10⁷)^exponent, through the time at the largest n; low, high : other lines' range at 10⁷."""

    exponent: int
    far: float
    low: float
    high: float

    def at(self, n: float) -> float:
        return self.far * (n / FAR) ** self.exponent


Numbers = Sequence[float] | np.ndarray


@dataclass(frozen=True, eq=False)
class Timings:
    """n (k,) : the sizes that have been timed.  seconds : solver -> (k,)."""

    n: Numbers
    seconds: Mapping[str, Numbers]


def solver_times(
    timings: Timings,
    exponents: Mapping[str, int],
    *,
    theme: Theme,
    last: int,
    busy: bool = False,
    height: int = 400,
) -> Picture:
    """Measured seconds against n, log–log, with lines of the known slopes through the times at the largest n so far.

    exponents : solver -> exponent of its flops in n; last : the largest n of the run, so that the axis stands still;
    busy : whether other work disturbed the times.
    """
    n, seconds = timings.n, timings.seconds
    figure = blank(theme, height, "Measured seconds on one core" + (BUSY if busy else ""))
    ends: list[tuple[float, str]] = []
    values: list[float] = []
    for name, times in seconds.items():
        style, slope = SOLVERS[name], exponents[name]
        span = [float(n[0]), float(last)]
        line = [float(times[-1]) * (value / n[-1]) ** slope for value in span]
        figure.add_scatter(
            x=span, y=trace_values(line), mode="lines", line=style.line(1.6), name=f"{style.label}, slope {slope}",
            hovertemplate=f"{style.label}, slope {slope}<br>n = %{{x}} samples<br>time %{{y:.3g}} s<extra></extra>",
        )  # fmt: skip
        figure.add_scatter(**_dots(name, n, times))
        ends.append((line[1], style.tag(f"{style.label}, slope {slope}")))
        values += [*times, *line]
    vertical = value_range(values, True)
    across = (math.log10(n[0]) - 0.03, math.log10(last) + 0.03)
    figure.update_xaxes(**value_axis("samples n", across, True))
    figure.update_yaxes(**value_axis("seconds", vertical, True))
    end_labels(figure, ends, vertical, theme=theme, log=True, height=height)
    table: dict[str, list] = {
        "n": list(map(int, n)),
        **{f"{SOLVERS[name].label}, s": trace_values(times) for name, times in seconds.items()},
    }
    at_last = {SOLVERS[name].label: float(f"{times[-1]:.2g}") for name, times in seconds.items()}
    clause = join_words([f"{number(value)} s for {label}" for label, value in at_last.items()])
    note = "; other work disturbed the measurement" if busy else ""
    alt = f"At n = {number(n[-1])} the measured time is {clause}{note}."
    brief = {label.removesuffix(" solve").removeprefix("one "): value for label, value in at_last.items()}
    headline = ", ".join(f"{label} {number(value)} s" for label, value in brief.items())
    headline = f"At n = {number(n[-1])}: {headline}{' (disturbed)' if busy else ''}" if clause else ""
    return Picture(figure, alt if clause else "No solver has been timed yet.", table, headline)


def _dots(name: str, n: Numbers, times: Numbers) -> dict:
    style = SOLVERS[name]
    return {
        "x": trace_values(n),
        "y": trace_values(times),
        "mode": "markers",
        "marker": {"symbol": style.marker, "size": 10, "color": style.colour},
        "name": style.label,
        "hovertemplate": f"{style.label}<br>n = %{{x}} samples<br>time %{{y:.3g}} s<extra></extra>",
    }


def solver_reach(timings: Timings, lines: Mapping[str, Line], *, theme: Theme, height: int = 235) -> Picture:
    """The same lines continued to n = 10⁷, dashed and marked as extrapolated; none if the times were disturbed."""
    n, seconds = timings.n, timings.seconds
    figure = blank(theme, height, EXTRAPOLATED if lines else DISTURBED)
    ends: list[tuple[float, str]] = []
    table: dict[str, list] = {"solver": [], "n": [], "seconds": [], "extrapolated": []}
    for name, times in seconds.items():
        style = SOLVERS[name]
        small = {"marker": {"symbol": style.marker, "size": 6, "color": style.colour}}
        figure.add_scatter(**_dots(name, n, times) | small)
        for key, column in _rows(style.label, n, times, False).items():
            table[key] += column
        if name not in lines:
            continue
        line = lines[name]
        far = [float(n[-1]), FAR]
        beyond = trace_values([line.at(value) for value in far])
        dashes = {"color": style.colour, "dash": "dash", "width": 2}
        hover = f"{style.label}, extrapolated<br>n = %{{x:.3g}} samples<br>time about %{{y:.1g}} s<extra></extra>"
        figure.add_scatter(
            x=far,
            y=beyond,
            mode="lines+markers",
            line=dashes,
            name=f"{style.label}, extrapolated",
            hovertemplate=hover,
            **small,
        )
        ends.append((line.far, style.tag(duration(line.low, line.high))))
        for key, column in _rows(style.label, [FAR], [line.far], True).items():
            table[key] += column
    logs = [math.log10(value) for value in table["seconds"]] or [0.0]
    bottom, top = math.floor(min(logs)), math.ceil(max(logs))
    across = [math.log10(n[0]) - 0.1, math.log10(FAR) + 0.05]
    _beyond(figure, float(n[-1]), theme)
    figure.update_xaxes(title_text="samples n", type="log", range=across, **decades(2, 7))
    figure.update_yaxes(title_text="seconds", type="log", range=[bottom, top], **decades(bottom, top, 3))
    end_labels(figure, ends, (bottom, top), theme=theme, log=True, height=height)
    clause = " and ".join(f"{duration(line.low, line.high)} for {SOLVERS[name].label}" for name, line in lines.items())
    alt = f"Extrapolated to n = 10⁷, which nobody measured, the time is {clause}."
    return Picture(figure, alt if lines else f"{DISTURBED}.", table)


def _rows(label: str, n: Numbers, seconds: Numbers, extrapolated: bool) -> dict[str, list]:
    """Rows of the table."""
    rows = len(n)
    return {
        "solver": [label] * rows,
        "n": list(map(int, n)),
        "seconds": trace_values(seconds),
        "extrapolated": [extrapolated] * rows,
    }


def _beyond(figure: go.Figure, last: float, theme: Theme) -> None:
    """Shade what lies beyond the measurements, and say so."""
    figure.add_vrect(x0=last, x1=FAR, fillcolor=theme.grid, opacity=0.45, line_width=0, layer="below")
    place = {"x": math.log10(last), "xanchor": "left", "xshift": 4, "y": 1, "yref": "y domain", "yanchor": "top"}
    figure.add_annotation(text="extrapolated", showarrow=False, font={"size": theme.text}, **place)


def residual_curve(steps: Sequence[int], residual: Numbers, n: int, *, theme: Theme, height: int = 160) -> Picture:
    """The relative residual of Richardson's iteration against its steps."""
    figure = blank(theme, height, f"Residual of Richardson's steps, n = {number(n)}")
    style = SOLVERS["richardson"]
    stride = max(1, len(steps) // 150)
    x, y = list(steps)[::stride], [max(value, ROUNDING) for value in list(residual)[::stride]]
    figure.add_scatter(
        x=trace_values(x), y=trace_values(y), mode="lines+markers", line=style.line(2), name="Richardson's iteration",
        marker={"symbol": style.marker, "size": 6, "maxdisplayed": 12},
        hovertemplate="Richardson's iteration<br>after %{x} steps<br>relative residual %{y:.3g}<extra></extra>",
    )  # fmt: skip
    vertical = value_range([*y, 1.0, LITTLE], True)
    figure.update_xaxes(title_text="steps t", rangemode="tozero")
    figure.update_yaxes(**value_axis("‖Aα − y‖ / ‖y‖", vertical, True))
    count = f"{number(steps[-1])} {'step' if steps[-1] == 1 else 'steps'}"
    alt = f"After {count} of Richardson's iteration the relative residual is {quote_number(residual[-1], 4)}."
    return Picture(figure, alt, {"step": list(map(int, x)), "residual": trace_values(y)})
