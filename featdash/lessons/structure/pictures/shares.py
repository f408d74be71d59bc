"""How much of a layer lies along the weakest hidden direction, against the samples of its step."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from featdash.figures.axes import value_axis
from featdash.figures.findings import join_words, with_decimals
from featdash.figures.labels import end_labels
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import Numbers, number, trace_values
from featdash.lessons.structure.pictures.styles import CURVES

VERTICAL = (0.0, 1.04)
MARGIN = 1.25  # of the axis of samples, a factor at both ends


def share_courses(
    curves: Mapping[float, np.ndarray], ratios: Numbers, letter: str, *, theme: Theme, height: int = 215
) -> Picture:
    """Mean over repeats of the weakest direction's share, with one standard deviation, against n/d².

    curves : value of what is varied -> (R, N).  ratios (N,) : n/d².  letter : what is varied, such as r.
    """
    figure = blank(theme, height, f"Share of the weakest direction, by {letter}")
    table: dict[str, list] = {letter: [], "n/d²": [], "mean": [], "std": []}
    labels = []
    for index, (value, values) in enumerate(curves.items()):
        colour, dash, marker, glyph = CURVES[index % len(CURVES)]
        name, mean = f"{letter} = {number(value)}", values.mean(axis=0)
        spread = values.std(axis=0, ddof=1) if len(values) > 1 else np.zeros(len(mean))
        bars = {"type": "data", "array": trace_values(spread), "color": colour, "thickness": 1, "width": 2}
        figure.add_scatter(
            x=trace_values(ratios), y=trace_values(mean), mode="lines+markers", name=name, error_y=bars,
            line={"color": colour, "dash": dash, "width": 2}, marker={"symbol": marker, "size": 7, "color": colour},
            hovertemplate=f"{name}<br>n/d² = %{{x:.3g}}<br>share %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        labels.append((float(mean[-1]), f'<span style="color:{colour}">{glyph}</span> {name}'))
        table[letter] += [float(value)] * len(mean)
        table["n/d²"] += trace_values(ratios)
        table["mean"] += trace_values(mean)
        table["std"] += trace_values(spread)
    figure.add_hline(y=0.5, line=theme.theory("dot"))
    low, high = float(np.log10(min(ratios) / MARGIN)), float(np.log10(max(ratios) * MARGIN))
    axis = value_axis("", (low, high), True)
    ticks = [tick for tick in (0.1, 1, 10) if 10**low <= tick <= 10**high]
    across = {"title_text": "samples n/d² (log scale)", "tickvals": ticks, "ticktext": [number(one) for one in ticks]}
    figure.update_xaxes(**axis | across)
    figure.update_yaxes(title_text="share", range=VERTICAL, tickvals=[0, 0.5, 1])
    end_labels(figure, labels, VERTICAL, theme=theme, log=False, height=height)
    return Picture(figure, _finding(curves, ratios, letter), table)


def _finding(curves: Mapping[float, np.ndarray], ratios: Numbers, letter: str) -> str:
    """The shares at the most samples."""
    if not curves:
        return "No target is measured yet."
    ends = [f"{with_decimals(float(c.mean(axis=0)[-1]), 2)} at {letter} = {number(v)}" for v, c in curves.items()]
    return f"At n = {number(ratios[-1])} d² the share of the weakest direction is {join_words(ends)}."
