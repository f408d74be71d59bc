"""How many samples theory asks for as the dimension grows, and the dimension that each method has reached."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from featdash.figures.axes import decades
from featdash.figures.error_curves import short
from featdash.figures.lettering import number, plotted
from featdash.figures.palette import METHODS, Look, blank
from featdash.figures.picture import Picture

TICKS = 6


def samples_asked(
    dims: Sequence[float],
    asked: Sequence[float],
    n: int,
    level: float,
    reached: Mapping[str, float | None],
    *,
    look: Look,
    height: int = 220,
) -> Picture:
    """Samples for an error of `level` against d, the line log-linear; measured reaches as markers at the run's n.

    dims (k,), asked (k,) : the prediction, up to its constant; reached : method -> d where its error rises through
    `level`, None where it does not within the dimensions measured.
    """
    figure = blank(look, height, f"Samples for an error of {number(level)}")
    hover = "prediction<br>d = %{x}<br>n = %{y:.3g}<extra></extra>"
    figure.add_scatter(
        x=plotted(dims), y=plotted(asked), mode="lines", line=look.theory(), name="theory", hovertemplate=hover
    )
    figure.add_hline(y=n, line=look.theory("dot"))
    place = {"x": 1, "xref": "x domain", "xanchor": "right", "y": math.log10(n), "yanchor": "bottom"}
    figure.add_annotation(text=f"n = {number(n)} here", showarrow=False, font={"size": look.text}, **place)
    known = {method: d for method, d in reached.items() if d is not None}
    for method, d in known.items():
        style = METHODS[method]
        hover = f"{style.label}<br>reaches d = {d:.1f} with n = {n}<extra></extra>"
        marker = {"symbol": style.marker, "size": 12, "color": style.colour, "line": {"color": look.ink, "width": 1}}
        figure.add_scatter(x=[d], y=[n], mode="markers", marker=marker, name=style.label, hovertemplate=hover)
    top = math.ceil(math.log10(max(*asked, n)))
    figure.update_xaxes(title_text="dimension d", range=[0, max(dims) * 1.02])
    figure.update_yaxes(title_text="samples n", type="log", range=[0, top], **decades(0, top, max(1, -(-top // TICKS))))
    table = {
        "curve": ["theory"] * len(dims) + [METHODS[method].label for method in known],
        "d": plotted(dims) + plotted(list(known.values())),
        "n": plotted(asked) + [n] * len(known),
    }
    told = ", ".join(f"{d:.1f} for {short(method)}" for method, d in known.items())
    end = f"with n = {number(n)} the measured reach is d = {told}" if told else "no reach has been measured yet"
    alt = f"An error of {number(level)} asks for {number(asked[-1])} samples at d = {number(dims[-1])}; {end}."
    return Picture(figure, alt, table)
