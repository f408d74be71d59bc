"""Risk against the ridge strength λ."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from featdash.figures.axes import decades, value_range
from featdash.figures.findings import join_words
from featdash.figures.palette import METHODS, Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.risk_axis import RISKS, ROUGH, converged_part, note_rough, risk_axis
from featdash.figures.text import Numbers, number, thin_out, trace_values

STRENGTH = "ridge strength λ"


def lam_curve(
    lams: Numbers,
    risks: Mapping[str, Numbers],
    tuned: Mapping[str, float],
    *,
    theme: Theme,
    risk: str = "excess",
    chosen: Mapping[str, float] | None = None,
    settled: Mapping[str, Numbers] | None = None,
    height: int = 240,
) -> Picture:
    """Risk of the ridge limit against λ, a curve a method.

    lams : (L,), shared by all; risks : method -> (L,); tuned : method -> the λ best on the holdout, marked by a ring;
    chosen : method -> the λ set by the visitor, marked by a filled marker.
    settled : method -> (L,), where the solver went far enough; elsewhere the curve is pale, with a note. None: all.
    """
    figure = blank(theme, height, f"{RISKS[risk].capitalize()} against the ridge strength λ")
    table: dict[str, list] = {"method": [], STRENGTH: [], RISKS[risk]: []}
    for method, values in risks.items():
        style, (strengths, heights) = METHODS[method], thin_out(lams, values)
        hover = f"{style.label}<br>λ = %{{x:.3g}}<br>risk = %{{y:.3g}}<extra></extra>"
        known = None if settled is None else thin_out(settled[method])[0]
        for rough in (False, True) if known is not None and not np.all(known) else (False,):
            part = {"y": trace_values(converged_part(heights, known, rough)), "opacity": ROUGH if rough else 1.0}
            figure.add_scatter(
                x=trace_values(strengths),
                name=style.label,
                mode="lines",
                line=style.line(),
                hovertemplate=hover,
                **part,
            )
        for place, fill in ((tuned[method], theme.paper), ((chosen or tuned)[method], style.colour)):
            ring = {"symbol": style.marker, "size": 11, "color": fill, "line": {"color": style.colour, "width": 2}}
            value = float(np.interp(math.log(place), np.log(lams), values))
            figure.add_scatter(x=[place], y=[value], mode="markers", marker=ring, name=style.label, hoverinfo="skip")
        table["method"] += [style.label] * len(strengths)
        table[STRENGTH] += trace_values(strengths)
        table[RISKS[risk]] += trace_values(heights)
    vertical = value_range(table[RISKS[risk]], True)
    figure.update_xaxes(title_text=STRENGTH, type="log", **decades(-12, 12, 2))
    figure.update_yaxes(**risk_axis((risk,), vertical, log=True))
    if settled is not None and not all(np.all(known) for known in settled.values()):
        note_rough(figure, theme)
    told = join_words([f"{number(tuned[method])} for {METHODS[method].label}" for method in risks])
    alt = f"On the holdout set the best λ is {told}." if told else "No λ has been tried yet."
    return Picture(figure, alt, table)
