"""How many samples theory asks for as the dimension grows, and the dimension that each method has reached."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from featdash.figures.axes import decades
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import number, trace_values
from featdash.lessons.shared.pictures.error_growth import reach_sentence

TICKS = 6


@dataclass(frozen=True, eq=False)
class Demand:
    """The samples (k,) that theory asks for at the dimensions d (k,), up to its constant."""

    d: Sequence[float] | np.ndarray
    samples: Sequence[float] | np.ndarray


def samples_asked(
    asked: Demand,
    n: int,
    level: float,
    reached: Mapping[str, float | None],
    *,
    theme: Theme,
    height: int = 220,
) -> Picture:
    """Samples for an error of `level` against d, the line log-linear; measured reaches as markers at the run's n.

    reached : method -> d where its error rises through `level`, None where it does not within the dimensions measured;
    empty before the end of the run.
    """
    figure = blank(theme, height, f"Samples for an error of {number(level)}")
    hover = "theory<br>d = %{x} inputs<br>asks for n = %{y:.3g} samples<extra></extra>"
    figure.add_scatter(
        x=trace_values(asked.d),
        y=trace_values(asked.samples),
        mode="lines",
        line=theme.theory(),
        name="theory",
        hovertemplate=hover,
    )
    figure.add_hline(y=n, line=theme.theory("dot"))
    place = {"x": 1, "xref": "x domain", "xanchor": "right", "y": math.log10(n), "yanchor": "bottom"}
    figure.add_annotation(text=f"n = {number(n)} here", showarrow=False, font={"size": theme.text}, **place)
    known = {method: d for method, d in reached.items() if d is not None}
    for method, d in known.items():
        style = METHODS[method]
        hover = f"{style.label}<br>reaches d = {d:.1f} inputs with n = {n} samples<extra></extra>"
        marker = {"symbol": style.marker, "size": 12, "color": style.colour, "line": {"color": theme.ink, "width": 1}}
        figure.add_scatter(x=[d], y=[n], mode="markers", marker=marker, name=style.label, hovertemplate=hover)
    top = math.ceil(math.log10(max(*asked.samples, n)))
    figure.update_xaxes(title_text="dimension d", range=[0, max(asked.d) * 1.02])
    figure.update_yaxes(title_text="samples n", type="log", range=[0, top], **decades(0, top, max(1, -(-top // TICKS))))
    table: dict[str, list] = {
        "curve": ["theory"] * len(asked.d) + [METHODS[method].label for method in known],
        "d": trace_values([*asked.d, *known.values()]),
        "n": trace_values([*asked.samples, *(n for _ in known)]),
    }
    end = f"With n = {number(n)}: {reach_sentence(reached, max(asked.d), level)}" if reached else "The run goes on."
    most = f"{number(asked.samples[-1])} {'sample' if asked.samples[-1] == 1 else 'samples'}"
    alt = f"An error of {number(level)} asks for {most} at d = {number(asked.d[-1])}. {end}"
    return Picture(figure, alt, table)
