"""Kinds of labels: what each makes of y, how near one average comes to u, and Algorithm 1 on each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import decades, end_labels, name_above, value_axis, value_range
from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import Numbers, each, join_words, number, quote_number, trace_values, with_decimals

STYLES = {
    "none": MethodStyle("plain labels", *SUBJECT),
    "sign_threshold": MethodStyle("sign with threshold", *CASES[1]),
    "conditional_mean": MethodStyle("conditional mean", *CASES[0]),
    "softmax": MethodStyle("softmax head", *CASES[4]),
}
SHORT = {
    "none": "plain",
    "sign_threshold": "threshold",
    "conditional_mean": "conditional mean",
    "softmax": "softmax",
}
HERMITE = {1: "z", 2: "z² − 1", 3: "He₃(z)", 4: "He₄(z)"}


HIGHEST = 3.6  # the axis ends here; the label of a sample is seldom beyond


def transformed_labels(
    z: Numbers,
    transformed: Mapping[str, Numbers],
    correlation: Mapping[str, float],
    exponent: int,
    *,
    theme: Theme,
    height: int = 235,
) -> Picture:
    """T(f*) against z = u·x, with each correlation with He_k(z) after its name.

    transformed : transform -> (Z,); correlation : that of the noisy label's transform; exponent : k.
    """
    polynomial = HERMITE[exponent]
    figure = blank(theme, height, f"Labels of the step, and their correlation with {polynomial}")
    table: dict[str, list] = {"z": trace_values(z)}
    for name, values in transformed.items():
        style = STYLES[name]
        hover = f"{style.label}<br>z = %{{x:.2f}}<br>T(y) = %{{y:.3f}}<extra></extra>"
        shape = "hv" if name == "sign_threshold" else "linear"
        line = style.line(2.5) | {"shape": shape}
        curve = {"mode": "lines", "line": line, "name": style.label, "hovertemplate": hover}
        figure.add_scatter(x=trace_values(z), y=trace_values(values), **curve)
        table[style.label] = trace_values(values)
    figure.add_hline(y=0, line=theme.theory("dot"))
    most = max((float(np.max(np.abs(values))) for values in transformed.values()), default=1.0)
    top = min(HIGHEST, 1.1 * most) if most > 0 else 1.0
    figure.update_xaxes(
        title_text="z = u·x, the place along the hidden direction", range=[float(min(z)), float(max(z))]
    )
    figure.update_yaxes(title_text="T(y)", range=[-top, top])
    tags = [STYLES[name].tag(f"{STYLES[name].label} ({with_decimals(correlation[name], 2)})") for name in transformed]
    name_above(figure, tags, theme)
    by_label = {STYLES[name].label: float(correlation[name]) for name in transformed}
    sentence = (
        f"The correlation of T(y) with {polynomial} is {each(_without_tiny(by_label), 2)}."
        if by_label
        else "No labels yet."
    )
    return Picture(figure, sentence, table)


def _without_tiny(values: Mapping[str, float]) -> dict[str, float]:
    """The values, with 0 for those that are zero up to the quadrature."""
    return {name: 0.0 if abs(value) < 0.005 else value for name, value in values.items()}


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
    figure.update_xaxes(**axis | {"title_text": "samples per input, n/d", "tickvals": list(ratio)})
    figure.update_xaxes(ticktext=[number(one) for one in ratio])
    figure.update_yaxes(title_text="|cos| of the angle to u", range=[0, 1.02], tickvals=[0, 0.5, 1])
    legend = [f"hollow: d = {number(d[0])}", f"full: d = {number(d[-1])}"] if len(d) > 1 else [f"d = {number(d[0])}"]
    name_above(figure, [*(STYLES[name].tag() for name in cosine), ", ".join(legend)], theme)
    return Picture(figure, _finding(ends), rows)


def _mean_and_error(table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean and error over the repeats so far, each (S,); NaN without a repeat, an error of 0 with a single one."""
    finite = np.isfinite(table).all(axis=1)
    if not finite.any():
        return np.full(table.shape[1], np.nan), np.full(table.shape[1], np.nan)
    rows = table[finite]
    error = rows.std(axis=0, ddof=1) / np.sqrt(len(rows)) if len(rows) > 1 else np.zeros(table.shape[1])
    return rows.mean(axis=0), error


def _finding(ends: Mapping[str, Sequence[tuple[int, float]]]) -> str:
    """Each kind of labels at the largest n/d, dimension by dimension."""
    clauses = {
        name: join_words([f"{quote_number(value, 2)} at d = {number(size)}" for size, value in values])
        for name, values in ends.items()
    }
    if not clauses:
        return "No average has been taken yet."
    parts = "; ".join(f"{STYLES[name].label} {values}" for name, values in clauses.items())
    return f"At the largest n/d the mean cosine is: {parts}."


LOWEST = 0.01  # the axis always reaches down to here, so that it gives nothing away


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
    by_label = {STYLES[name].label: end for name, end in ends.items()}
    alt = f"At the largest n measured the excess risk is {each(by_label)}." if by_label else "No excess risk yet."
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
    by_label = {STYLES[name].label: end for name, end in ends.items()}
    sentence = (
        f"At the largest n measured the alignment is {each(by_label)}" if by_label else "No alignment is measured yet"
    )
    return Picture(figure, f"{sentence}; chance is {quote_number(chance)}.", table)


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
    """Each curve's value at its largest n so far; curves without a value are left out."""
    finite = {name: [float(value) for value in values if np.isfinite(value)] for name, values in curves.items()}
    return {name: values[-1] for name, values in finite.items() if values}


def _headline(n: Sequence[int], risks: Mapping[str, Numbers]) -> str:
    """Every kind of labels, at the largest n at which all are measured."""
    table = np.array([np.asarray(risk, float) for risk in risks.values()])
    complete = np.flatnonzero(np.isfinite(table).all(axis=0)) if len(table) else np.zeros(0, int)
    if not len(complete):
        return ""
    last = int(complete[-1])
    clauses = [f"{SHORT[name]} {quote_number(float(risk[last]), 2)}" for name, risk in risks.items()]
    return f"Risk at n = {number(int(n[last]))}: {', '.join(clauses)}"
