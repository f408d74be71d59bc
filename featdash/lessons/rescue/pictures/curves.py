"""Algorithm 1 on each kind of labels: excess risk and alignment against n."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import decades, value_axis, value_range
from featdash.figures.findings import each, quote_number
from featdash.figures.labels import end_labels
from featdash.figures.palette import Theme, blank
from featdash.figures.picture import Picture
from featdash.figures.text import Numbers, number, trace_values
from featdash.lessons.rescue.pictures.styles import SHORT, STYLES

LOWEST = 0.01  # the axis reaches down to here always: it must not tell who gets there


def rescue_risks(n: Sequence[int], risks: Mapping[str, Numbers], *, theme: Theme, height: int = 235) -> Picture:
    """Excess risk of Algorithm 1 against n, a curve a kind of labels of its first step; log-log.

    risks : transform -> (S,), NaN where not yet measured.
    """
    figure = blank(theme, height, "Excess risk of Algorithm 1, by the labels of its step")
    values = [float(value) for risk in risks.values() for value in risk if np.isfinite(value)]
    vertical = value_range([*values, 1.0, LOWEST], True)
    table = _curves(figure, n, risks, "excess risk")
    figure.add_hline(y=1, line=theme.theory("dot"))
    figure.update_yaxes(**value_axis("excess risk, E (f − f*)²", vertical, True))
    ends = _ends(risks)
    labels = [(end, STYLES[name].tag()) for name, end in ends.items()]
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    known = {STYLES[name].label: end for name, end in ends.items()}
    alt = f"At the largest n measured the excess risk is {each(known)}." if known else "No excess risk yet."
    return Picture(figure, alt, table, _headline(n, risks))


def rescue_alignments(
    n: Sequence[int], alignments: Mapping[str, Numbers], chance: float, *, theme: Theme, height: int = 235
) -> Picture:
    """The alignment of W¹ with u against n; chance : 1/d, a thin line."""
    figure = blank(theme, height, "Alignment of W¹ with u")
    table = _curves(figure, n, alignments, "alignment")
    figure.add_hline(y=chance, line=theme.theory("dash"))
    figure.update_yaxes(title_text="alignment", range=[0, 1.02], tickvals=[0, 0.5, 1])
    ends = _ends(alignments)
    labels = [(end, STYLES[name].tag()) for name, end in ends.items()]
    end_labels(figure, labels, (0, 1.02), theme=theme, log=False, height=height)
    known = {STYLES[name].label: end for name, end in ends.items()}
    told = f"At the largest n measured the alignment is {each(known)}" if known else "No alignment is measured yet"
    return Picture(figure, f"{told}; chance is {quote_number(chance)}.", table)


def _curves(figure: go.Figure, n: Sequence[int], curves: Mapping[str, Numbers], what: str) -> dict:
    """Draws the curves on an axis over n, and returns their table."""
    rows: dict[str, list] = {"labels": [], "n": [], what: []}
    for name, values in curves.items():
        style = STYLES[name]
        hover = f"{style.label}<br>n = %{{x:,.0f}}<br>{what} %{{y:.3f}}<extra></extra>"
        look = {"line": style.line(2.5), "marker": {"symbol": style.marker, "size": 8}, "mode": "lines+markers"}
        figure.add_scatter(x=trace_values(n), y=trace_values(values), name=style.label, hovertemplate=hover, **look)
        rows["labels"] += [style.label] * len(n)
        rows["n"] += [int(size) for size in n]
        rows[what] += trace_values(values)
    across = [float(np.log10(min(n) / 1.25)), float(np.log10(max(n) * 1.25))]
    figure.update_xaxes(title_text="samples n", type="log", range=across, **decades(0, 7))
    return rows


def _ends(curves: Mapping[str, Numbers]) -> dict[str, float]:
    """Each curve at the largest n measured of it; of those that have been begun."""
    found = {name: [float(value) for value in values if np.isfinite(value)] for name, values in curves.items()}
    return {name: values[-1] for name, values in found.items() if values}


def _headline(n: Sequence[int], risks: Mapping[str, Numbers]) -> str:
    """Every kind of labels, at the largest n at which all are measured."""
    table = np.array([np.asarray(risk, float) for risk in risks.values()])
    everyone = np.flatnonzero(np.isfinite(table).all(axis=0)) if len(table) else np.zeros(0, int)
    if not len(everyone):
        return ""
    last = int(everyone[-1])
    told = [f"{SHORT[name]} {quote_number(float(risk[last]), 2)}" for name, risk in risks.items()]
    return f"Risk at n = {number(int(n[last]))}: {', '.join(told)}"
