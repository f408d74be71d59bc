"""A second direction in one gradient: what all neurons together know of it, and what a single one does."""

from __future__ import annotations

import math
from collections.abc import Sequence

from featdash.figures.axes import value_axis
from featdash.figures.findings import with_decimals
from featdash.figures.labels import end_labels
from featdash.figures.palette import METHODS, Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import number, trace_values
from featdash.lessons.spikes.frames import DirectionFrame

VERTICAL = (0.0, 1.06)
TOGETHER, SINGLE = METHODS["algorithm1"], METHODS["random_features"]  # for their looks alone


def second_direction(
    sizes: Sequence[int], rows: Sequence[DirectionFrame], d: int, *, theme: Theme, height: int = 400
) -> Picture:
    """|Cosine| with v₋ against n, of the second singular vector and in the median of single neurons; sizes (k,)."""
    figure = blank(theme, height, f"The second direction in one gradient, d₂ = {d}")
    curves = {
        "all neurons": ([row.together for row in rows], TOGETHER),
        "one neuron": ([row.single for row in rows], SINGLE),
    }
    labels: list[tuple[float, str]] = []
    table: dict[str, list] = {"n": trace_values(sizes)}
    for name, (values, style) in curves.items():
        figure.add_scatter(
            x=trace_values(sizes), y=trace_values(values), mode="lines+markers", name=name, line=style.line(2.2),
            marker={"symbol": style.marker, "size": 8, "color": style.colour},
            hovertemplate=f"{name}<br>n = %{{x:,.0f}}<br>|cosine| %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        labels.append((values[-1], style.tag(name)))
        table[name] = trace_values(values)
    for size, word in ((d, "n = d₂"), (d * d, "n = d₂²")):
        figure.add_vline(x=size, line=theme.theory("dot"))
        place = {"x": math.log10(size), "y": 1, "yref": "y domain", "xanchor": "left", "yanchor": "bottom", "xshift": 2}
        figure.add_annotation(text=word, showarrow=False, font={"size": theme.text}, **place)
    low, high = math.log10(d) - 0.05, 2.25 * math.log10(d) + 0.05
    figure.update_xaxes(**value_axis("samples n", (low, high), True))
    figure.update_yaxes(title_text="|cosine| with v₋", range=VERTICAL)
    figure.update_layout(margin_t=4 * theme.text)
    end_labels(figure, labels, VERTICAL, theme=theme, log=False, height=height)
    last = rows[-1]
    told = f"{with_decimals(last.together, 2)} for all neurons together and {with_decimals(last.single, 2)} for one"
    alt = f"With n = {number(sizes[-1])} the cosine with the second direction is {told} in the median."
    headline = f"With n = {number(sizes[-1])}: all neurons {with_decimals(last.together, 2)}, "
    return Picture(figure, alt, table, f"{headline}one neuron {with_decimals(last.single, 2)}")
