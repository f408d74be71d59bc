"""What an average update makes of a label, with one look and with two."""

from __future__ import annotations

from collections.abc import Mapping

from featdash.figures.axes import value_range
from featdash.figures.findings import each, with_decimals
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import Numbers, trace_values
from featdash.lessons.repetition.pictures.styles import STYLES

ROUNDING = 5e-5  # of a drift; below it is told as zero


def effective_labels(
    y: Numbers, effective: Mapping[str, Numbers], drift: Mapping[str, float], *, theme: Theme, height: int = 300
) -> Picture:
    """T(y) against y: an average update is a step along E T(y) x; behind each name its part along u, E T(y) z."""
    figure = blank(theme, height, "What a step makes of a label: T(y), E T(y) z")
    table: dict[str, list] = {"y": trace_values(y)}
    known = {name: 0.0 if abs(value) < ROUNDING else float(value) for name, value in drift.items()}
    for name, values in effective.items():
        style = STYLES[name]
        hover = f"{style.label}<br>label y = %{{x:.2f}}<br>T(y) = %{{y:.3f}}<extra></extra>"
        curve = {"mode": "lines", "line": style.line(2.5), "name": style.label, "hovertemplate": hover}
        figure.add_scatter(x=trace_values(y), y=trace_values(values), **curve)
        table[style.label] = trace_values(values)
    low, high = value_range([value for column in list(table.values())[1:] for value in column], False)
    figure.add_hline(y=0, line=theme.theory("dot"))
    figure.update_xaxes(title_text="label y", range=[float(min(y)), float(max(y))])
    figure.update_yaxes(title_text="T(y)", range=[1.08 * low, high])
    tags = [STYLES[name].tag(f"{STYLES[name].label}: {with_decimals(known[name], 3)}") for name in effective]
    name_above(figure, tags, theme)
    told = each({STYLES[name].label: known[name] for name in effective})
    return Picture(figure, f"The part of an average update along u, E T(y) z, is {told}.", table)
