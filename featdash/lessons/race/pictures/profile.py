"""The learned function along one principal direction, against the truth."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from featdash.figures.labels import method_tags, name_above
from featdash.figures.palette import METHODS, Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.risk_axis import ROUGH, note_rough
from featdash.figures.text import Numbers, number, thin_out, trace_values


def profile(
    z: Numbers,
    truth: Numbers,
    learned: Mapping[str, Numbers],
    *,
    theme: Theme,
    rough: Collection[str] = (),
    height: int = 240,
) -> Picture:
    """Each method's prediction at x = z u₁, and the target there.

    z : (Z,); truth : (Z,); learned : method -> (Z,); rough : methods whose solver did not go far enough, drawn pale.
    """
    figure = blank(theme, height, "The learned function along u₁")
    table = {"z": trace_values(z), "target": trace_values(truth)}
    grid, heights = thin_out(z, truth)
    hover = "<br>z = %{x:.3g}<br>f(z u₁) = %{y:.3g}<extra></extra>"
    known = {"name": "target f*", "mode": "lines", "hovertemplate": f"target f*{hover}"}
    figure.add_scatter(x=trace_values(grid), y=trace_values(heights), line=theme.theory(), **known)
    for method, values in learned.items():
        style, (grid, heights) = METHODS[method], thin_out(z, values)
        marker = {"symbol": style.marker, "size": 6, "maxdisplayed": 8}
        figure.add_scatter(
            x=trace_values(grid),
            y=trace_values(heights),
            name=f"{style.label} (rough)" if method in rough else style.label,
            opacity=ROUGH if method in rough else 1.0,
            line=style.line(),
            mode="lines+markers",
            marker=marker,
            hovertemplate=f"{style.label}{hover}",
        )
        table[style.label] = trace_values(values)
    figure.update_xaxes(title_text="z, with x = z u₁")
    figure.update_yaxes(title_text="f(z u₁)")
    name_above(figure, ["─ target f*", *method_tags(learned, rough)], theme)
    if rough:
        note_rough(figure, theme)
    return Picture(figure, _finding(z, truth, learned), table)


def _finding(z: Numbers, truth: Numbers, learned: Mapping[str, Numbers]) -> str:
    middle = np.abs(np.asarray(z, float)) <= 2  # where samples are; further out every method guesses
    gaps = {
        METHODS[method].label: float(np.sqrt(np.mean((np.asarray(values) - np.asarray(truth))[middle] ** 2)))
        for method, values in learned.items()
    }
    if not gaps:
        return "The target is shown along its first principal direction; no method has learned anything yet."
    told = ", ".join(f"{number(gap)} for {label}" for label, gap in gaps.items())
    return f"For |z| ≤ 2 the root mean square distance to the target is {told}."
