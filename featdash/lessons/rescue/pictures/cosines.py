"""How near one average comes to u, against n/d, at several d."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.axes import value_axis
from featdash.figures.findings import join_words, quote_number
from featdash.figures.labels import name_above
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import number, trace_values
from featdash.lessons.rescue.pictures.styles import STYLES

OPEN = ("-open", "-open-dot")  # of the markers of all dimensions but the largest


def average_cosines(
    d: Sequence[int], ratio: Sequence[int], cosine: Mapping[str, np.ndarray], *, theme: Theme, height: int = 235
) -> Picture:
    """|cos| between u and an average over the sample, its mean and standard error over the repeats.

    cosine : transform -> (R, D, S), NaN where not yet measured. The largest d is drawn with full markers.
    """
    figure = blank(theme, height, "One average of n samples: how near to u it points")
    rows: dict[str, list] = {"labels": [], "d": [], "n/d": [], "mean |cos|": [], "standard error": []}
    ends: dict[str, list[tuple[int, float]]] = {}
    for name, table in cosine.items():
        style = STYLES[name]
        for i, size in enumerate(d):
            mean, error = _mean_and_error(table[:, i])
            symbol = style.marker + ("" if i == len(d) - 1 else OPEN[min(i, 1)])
            marker = {"symbol": symbol, "size": 9, "color": style.colour, "line": {"color": style.colour, "width": 1.5}}
            hover = f"{style.label}, d = {size}<br>n/d = %{{x}}<br>mean |cos| %{{y:.3f}}<extra></extra>"
            look = {"mode": "lines+markers", "line": style.line(1.2 + i), "marker": marker, "hovertemplate": hover}
            bars = {"type": "data", "array": trace_values(error), "color": style.colour, "thickness": 1.2, "width": 3}
            label = f"{style.label}, d = {size}"
            figure.add_scatter(x=trace_values(ratio), y=trace_values(mean), name=label, error_y=bars, **look)
            if np.isfinite(mean).any():
                ends.setdefault(name, []).append((int(size), float(mean[np.isfinite(mean)][-1])))
            for row in zip(ratio, trace_values(mean), trace_values(error), strict=True):
                for key, entry in zip(rows, (style.label, int(size), *row), strict=True):
                    rows[key].append(entry)
    axis = value_axis("", (float(np.log10(min(ratio) / 1.3)), float(np.log10(max(ratio) * 1.3))), True)
    figure.update_xaxes(**axis | {"title_text": "samples an input, n/d", "tickvals": list(ratio)})
    figure.update_xaxes(ticktext=[number(one) for one in ratio])
    figure.update_yaxes(title_text="|cos| of the angle to u", range=[0, 1.02], tickvals=[0, 0.5, 1])
    drawn = [f"hollow: d = {number(d[0])}", f"full: d = {number(d[-1])}"] if len(d) > 1 else [f"d = {number(d[0])}"]
    name_above(figure, [*(STYLES[name].tag() for name in cosine), ", ".join(drawn)], theme)
    return Picture(figure, _finding(ends), rows)


def _mean_and_error(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Over the repeats measured so far, each (S,); NaN where there is none, an error of 0 where there is one."""
    known = np.isfinite(table).all(axis=1)
    if not known.any():
        return np.full(table.shape[1], np.nan), np.full(table.shape[1], np.nan)
    rows = table[known]
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows)) if len(rows) > 1 else np.zeros(table.shape[1])
    return rows.mean(axis=0), error


def _finding(ends: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Each kind of labels at the largest n/d, dimension by dimension."""
    told = {
        name: join_words([f"{quote_number(value, 2)} at d = {number(size)}" for size, value in values])
        for name, values in ends.items()
    }
    if not told:
        return "No average has been taken yet."
    parts = "; ".join(f"{STYLES[name].label} {values}" for name, values in told.items())
    return f"At the largest n/d the mean cosine is: {parts}."
