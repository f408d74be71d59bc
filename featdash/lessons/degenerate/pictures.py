"""When it must fail: risk, alignment and gradient against n at several dimensions, a panel a dimension."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.axes import PANEL_NAME, decades, end_labels, value_axis, value_range
from featdash.figures.palette import HEURISTIC, NOISE, SUBJECT
from featdash.figures.picture import METHODS, MethodStyle, Picture, Theme, blank, legend_above
from featdash.figures.text import join_words, number, quote_number, trace_values
from featdash.lessons.shared.pictures.headlines import shorten

DOTTED = {"color": NOISE, "dash": "dot", "width": 2}
RESCUE = MethodStyle("Algorithm 1 on the rescue", SUBJECT.colour, "dash", "diamond-open", "◇", "")
Table = np.ndarray | None


def failure_risks(
    d: Sequence[int],
    n: Sequence[int],
    risks: Mapping[str, np.ndarray],
    csq_mark: Sequence[float],
    rescue: Table = None,
    *,
    theme: Theme,
    height: int = 235,
) -> Picture:
    """Excess risk of each method against n, a panel a dimension, with the mark n = d^{p/2}.

    d (D,), n (S,), ascending; risks : method -> (R, D, S), NaN where not yet measured.
    rescue (R, D, S) : of Algorithm 1 on the second target.
    csq_mark (D,), or empty where the heuristic for correlational queries is not stated.
    """
    tables = {METHODS[method]: table for method, table in risks.items()}
    tables |= {} if rescue is None else {RESCUE: rescue}
    figure = _panels(d, f"Excess risk{_spread(tables.values())}", theme, height, side="right")
    values = [float(value) for table in tables.values() for value in table.ravel() if np.isfinite(value)]
    vertical = value_range([*values, 1.0, 0.025], True)  # that far down always: the axis must not tell who gets there
    vertical = (vertical[0], vertical[1] + 0.2)  # room for each panel's d over the curves that stay at 1
    rows: dict[str, list] = {"method": [], "d": [], "n": [], "excess risk": []}
    for style, table in tables.items():
        for column in range(len(d)):
            curve = (style.label, style.line(), style.marker, "excess risk")
            mean = _curve(figure, n, table[:, column], curve, (column, d[column]), theme)
            _append(rows, (style.label, d[column]), n, mean)
    figure.add_hline(y=1, line=theme.theory("dot"))
    for column, mark in enumerate(csq_mark, start=1):
        _mark(figure, mark, column, theme)
    figure.update_xaxes(range=_across(n, csq_mark))
    _axes(figure, "excess risk, E (f − f*)²", value_axis("", vertical, True))
    figure.update_layout(**legend_above(theme))
    return Picture(figure, _risk_finding(d, n, tables), rows, _headline(d, risks, rescue))


def failure_alignment(
    d: Sequence[int],
    n: Sequence[int],
    alignment: np.ndarray,
    noise_alignment: np.ndarray,
    untrained: Sequence[float],
    csq_mark: Sequence[float] = (),
    rescue: Table = None,
    *,
    theme: Theme,
    height: int = 205,
) -> Picture:
    """Alignment of Algorithm 1's first layer, and that of a step on labels of random sign, a panel a dimension.

    alignment, noise_alignment (R, D, S), NaN where not yet measured; untrained (D,) : r/d, a thin line.
    rescue (R, D, S) : that of Algorithm 1's first layer on the second target.
    csq_mark : as for the risks, so that both pictures have one axis.
    """
    figure = _panels(d, "Alignment of W¹ with the subspace", theme, height)
    rows: dict[str, list] = {"layer": [], "d": [], "n": [], "alignment": []}
    style = METHODS["algorithm1"]
    layers = [(style.label, alignment, style.line(), style.marker)]
    layers += [] if rescue is None else [(RESCUE.label, rescue, RESCUE.line(), RESCUE.marker)]
    layers += [("random signs: noise alone", noise_alignment, DOTTED, "circle-open")]
    for column in range(len(d)):
        for name, table, line, symbol in layers:
            curve = (name, line, symbol, "alignment")
            mean = _curve(figure, n, table[:, column], curve, (column, d[column]), theme)
            _append(rows, (name, d[column]), n, mean)
    for column, level in enumerate(untrained, start=1):
        figure.add_hline(y=float(level), line=theme.theory("dash"), row=1, col=column)
    figure.update_xaxes(range=_across(n, csq_mark))
    _axes(figure, "alignment", {"range": [0, 1.02], "tickvals": [0, 0.5, 1]})
    figure.update_layout(**legend_above(theme))
    words = _ends({name: table for name, table, *_ in layers}, d)
    alt = f"At the largest n measured the alignments with the subspace are: {words}."
    return Picture(figure, alt if words else "No alignment has been measured yet.", rows)


def gradient_against_noise(
    d: Sequence[int],
    n: Sequence[int],
    noise: np.ndarray,
    population: Sequence[float],
    *,
    theme: Theme,
    height: int = 230,
) -> Picture:
    """The noise of the gradient against n, and the population gradient that should stand out from it; log-log.

    noise (R, D, S) : RMS norms of empirical - population gradient; population (D,) : RMS norms, 0 draws no line.
    """
    figure = blank(theme, height, "Population gradient against its noise")
    rows: dict[str, list] = {"curve": [], "d": [], "n": [], "norm": []}
    labels: list[tuple[float, str]] = []
    vertical = value_range(
        [*(float(v) for v in noise.ravel() if np.isfinite(v)), *(p for p in population if p > 0)], True
    )
    colour = METHODS["algorithm1"].colour
    for column, (size, level) in enumerate(zip(d, population, strict=True)):
        mean = _mean(noise[:, column])
        line = {"color": NOISE, "width": 1 + 2 * (column + 1) / len(d), "dash": "dot"}
        hover = f"noise of the gradient, d = {size}<br>n = %{{x:,.0f}}<br>RMS norm %{{y:.3g}}<extra></extra>"
        name = f"noise, d = {size}"
        figure.add_scatter(
            x=trace_values(n), y=trace_values(mean), mode="lines+markers", line=line, name=name, hovertemplate=hover
        )
        if np.isfinite(mean).any():
            labels.append((float(mean[np.isfinite(mean)][-1]), f"d = {size}"))
        _append(rows, ("noise", size), n, mean)
        if level > 0:
            figure.add_hline(y=float(level), line={"color": colour, "width": 1 + 2 * (column + 1) / len(d)})
            _append(rows, ("population", size), n, np.full(len(n), float(level)))
    text = (
        "population gradient: exactly 0"
        if not any(population)
        else f'<span style="color:{colour}">━</span> population gradient, thicker for larger d'
    )
    note = {"x": 1, "xref": "paper", "xanchor": "right", "y": 1, "yref": "paper", "yanchor": "top", "showarrow": False}
    figure.add_annotation(text=text, font={"size": theme.text}, **note)
    vertical = (vertical[0], vertical[1] + 0.25)
    figure.update_yaxes(**value_axis("RMS norm", vertical, True))
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    figure.update_xaxes(title_text="samples n", type="log", **decades(0, 7))
    return Picture(figure, _noise_finding(d, noise, population), rows)


def _noise_finding(d: Sequence[int], noise: np.ndarray, population: Sequence[float]) -> str:
    """The population gradient and its noise, both at the largest n measured."""
    norms = _by_dimension(d, noise)
    clause = f"the noise of the gradient at the largest n measured is {norms}"
    clause = clause if norms else "its noise has not been measured yet"
    if not any(population):
        return f"The population gradient is exactly zero; {clause}."
    sizes = ", ".join(f"{quote_number(p)} at d = {size}" for size, p in zip(d, population, strict=True))
    return f"The population gradient has the RMS norm {sizes}; {clause}."


def _across(n: Sequence[int], csq_mark: Sequence[float]) -> list[float]:
    """The range of an axis over n that holds the marks as well."""
    return [float(np.log10(min(*n, *csq_mark) / 1.4)), float(np.log10(max(n) * 1.3))]


def _panels(d: Sequence[int], title: str, theme: Theme, height: int, side: str = "left") -> go.Figure:
    """A panel a dimension, all on the same axes, its d inside in the upper corner of that side."""
    figure = blank(theme, height, title)
    make_subplots(1, len(d), figure=figure, shared_yaxes=True, horizontal_spacing=0.03)
    for column, size in enumerate(d, start=1):
        axis = "" if column == 1 else str(column)
        place = {"xref": f"x{axis} domain", "y": 1, "yref": f"y{axis} domain", "yanchor": "top", "xanchor": side}
        place |= {"x": 1, "xshift": -4} if side == "right" else {"x": 0, "xshift": 4}
        place |= {"name": PANEL_NAME, "showarrow": False}
        figure.add_annotation(text=f"<b>d = {size}</b>", font_size=theme.text, **place)
    return figure


def _curve(
    figure: go.Figure,
    n: Sequence[int],
    table: np.ndarray,
    curve: tuple[str, dict, str, str],
    panel: tuple[int, int],
    theme: Theme,
) -> np.ndarray:
    """Mean of the repeats (R, S) with bars from the smallest to the largest; returns the mean.

    curve : its name, line and marker, and what it measures; panel : its column, from 0, and its d.
    """
    (name, line, symbol, measure), (column, d) = curve, panel
    mean = _mean(table)
    full = np.where(np.isfinite(table), table, mean)
    marker = {"symbol": symbol, "size": 7, "color": line["color"], "line": {"color": theme.paper, "width": 0}}
    if symbol.endswith("-open"):
        marker["line"] = {"color": line["color"], "width": 1.5}
    hover = f"{name}, d = {d}<br>n = %{{x:,.0f}}<br>{measure} %{{y:.3f}}<extra></extra>"
    style = {"line": line, "marker": marker, "mode": "lines+markers", "hovertemplate": hover}
    if len(table) > 1:
        bars = {"type": "data", "symmetric": False, "color": line["color"], "thickness": 1.2, "width": 3}
        style["error_y"] = bars | {
            "array": trace_values(full.max(axis=0) - mean),
            "arrayminus": trace_values(mean - full.min(axis=0)),
        }
    group = {"name": name, "legendgroup": name, "showlegend": column == 0}
    figure.add_scatter(x=trace_values(n), y=trace_values(mean), row=1, col=column + 1, **style, **group)
    return mean


def _spread(tables: Iterable[np.ndarray]) -> str:
    """What the bars are, where there are repeats."""
    return ": mean and range of the repeats" if max(map(len, tables), default=0) > 1 else ""


def _mean(table: np.ndarray) -> np.ndarray:
    """Over the repeats measured so far, NaN where there is none."""
    counts = np.isfinite(table).sum(axis=0)
    return np.divide(np.nansum(table, axis=0), counts, out=np.full(table.shape[1], np.nan), where=counts > 0)


def _mark(figure: go.Figure, mark: float, column: int, theme: Theme) -> None:
    """n = d^{p/2}, a heuristic for learners that only correlate: a thin grey line, and its name in grey."""
    figure.add_vline(x=mark, line=theme.theory("dash") | {"color": HEURISTIC}, row=1, col=column)
    axis = "" if column == 1 else str(column)
    place = {"x": float(np.log10(mark)), "xref": f"x{axis}", "xanchor": "left", "xshift": 3, "yref": f"y{axis} domain"}
    text = "n = d<sup>p/2</sup>: heuristic for<br>correlational queries"
    font = {"size": theme.text, "color": HEURISTIC}
    figure.add_annotation(text=text, y=0, yanchor="bottom", showarrow=False, align="left", font=font, **place)


def _axes(figure: go.Figure, title: str, up: dict) -> None:
    figure.update_xaxes(title_text="samples n", type="log", **decades(0, 7))
    figure.update_yaxes(**{key: value for key, value in up.items() if key != "title_text"})
    figure.update_yaxes(title_text=title, row=1, col=1)


def _append(rows: dict[str, list], lead: tuple, n: Sequence[int], values: np.ndarray) -> None:
    for size, value in zip(n, trace_values(values), strict=True):
        for key, entry in zip(rows, (*lead, int(size), value), strict=True):
            rows[key].append(entry)


def _last_means(table: np.ndarray) -> list[float]:
    """The mean at the largest n measured so far, of each dimension."""
    means = [_mean(table[:, column]) for column in range(table.shape[1])]
    return [float(mean[np.isfinite(mean)][-1]) if np.isfinite(mean).any() else float("nan") for mean in means]


def _by_dimension(d: Sequence[int], table: np.ndarray) -> str:
    """Where a curve is at the largest n measured, in each dimension that has been begun."""
    ends = zip(d, _last_means(table), strict=True)
    return ", ".join(f"{quote_number(value)} at d = {size}" for size, value in ends if np.isfinite(value))


def _ends(tables: Mapping[str, np.ndarray], d: Sequence[int]) -> str:
    """Where each curve that has been begun is at the largest n measured, dimension by dimension."""
    clauses = {name: _by_dimension(d, table) for name, table in tables.items()}
    return "; ".join(f"{name} {values}" for name, values in clauses.items() if values)


def _headline(d: Sequence[int], risks: Mapping[str, np.ndarray], rescue: Table) -> str:
    """The lowest risk in the smallest and in the largest dimension that has been begun, and the rescue's there."""
    ends = {METHODS[name].label: _last_means(table) for name, table in risks.items()}
    indices = [index for index in range(len(d)) if any(np.isfinite(values[index]) for values in ends.values())]
    if not indices:
        return ""
    ends_on_show = sorted({indices[0], indices[-1]})
    lowest = []
    for index in ends_on_show:
        risk_by_method = {label: values[index] for label, values in ends.items() if np.isfinite(values[index])}
        best = min(risk_by_method, key=risk_by_method.__getitem__)
        lowest.append((f"{quote_number(risk_by_method[best], 2)} at d = {number(d[index])}", best))
    if len({best for _, best in lowest}) == 1:
        words = f"Lowest risk: {', '.join(text for text, _ in lowest)} ({lowest[0][1]})"
    else:
        words = f"Lowest risk: {', '.join(f'{text} ({best})' for text, best in lowest)}"
    rescue_means = _last_means(rescue) if rescue is not None else [np.nan] * len(d)
    rescued = [quote_number(rescue_means[index], 2) for index in ends_on_show if np.isfinite(rescue_means[index])]
    beside = f"{words}; on the rescue {join_words(rescued)}"
    return shorten(beside, words) if len(rescued) == len(lowest) else words


def _risk_finding(d: Sequence[int], n: Sequence[int], tables: Mapping[MethodStyle, np.ndarray]) -> str:
    words = _ends({style.label: table for style, table in tables.items()}, d)
    if not words:
        return "No excess risk has been measured yet."
    return f"At the largest n measured, of at most {number(max(n))}, the excess risks are: {words}."
