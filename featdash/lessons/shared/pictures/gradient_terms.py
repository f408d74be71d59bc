"""Lemma 1: the gradient of n samples, of infinitely many, and the terms of its Hermite series."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import decades, end_labels, value_axis, value_range
from featdash.figures.film import Changes, Film, place_of, times_of
from featdash.figures.palette import NOISE, SUBJECT, translucent
from featdash.figures.picture import Picture, Theme, blank, hatch_pattern, legend_above
from featdash.figures.text import (
    Numbers,
    course,
    join_words,
    number,
    quote_number,
    thin_out,
    trace_values,
    with_decimals,
    with_index,
)
from featdash.lessons.shared.pictures.headlines import gradients_headline

ESTIMATE = SUBJECT.colour  # what Algorithm 1 sees; theory is in ink
LETTERS = {"population": "∇", "leading term": "∇¹"}
SINGLE_NEURONS = "Gradients of single neurons, n = {}"
OF_SAMPLES = "n samples"


def gradient_scatter(
    leading: np.ndarray,
    population: np.ndarray,
    empirical: np.ndarray,
    *,
    theme: Theme,
    samples: float,
    least: float = 0.0,
    height: int = 400,
) -> Picture:
    """Gradients along the principal directions against the leading term, a point for each neuron and direction.

    leading, population, empirical : (q, r), components along u_1 ... u_r.
    least : up to where both axes go at least, so that they stand still in a film.
    """
    x, exact, estimates = thin_out(*(np.asarray(part, float).ravel() for part in (leading, population, empirical)))
    figure = blank(theme, height, SINGLE_NEURONS.format(number(samples)))
    u = "u₁" if leading.shape[1] == 1 else "uᵢ"
    reach = 1.05 * float(max(np.abs(x).max(), np.abs(exact).max(), np.abs(estimates).max(), least, 1e-9))
    same = {"mode": "lines", "line": theme.theory("dash"), "name": "leading term alone", "hoverinfo": "skip"}
    figure.add_scatter(x=[-reach, reach], y=[-reach, reach], **same)
    hollow = {"symbol": "circle-open", "size": 7, "color": ESTIMATE, "line": {"width": 1.5}}
    cross = {"symbol": "x-thin", "size": 7, "line": {"width": 1.5, "color": theme.ink}}
    for name, values, marker in ((OF_SAMPLES, estimates, hollow), ("population", exact, cross)):
        hover = f"{name}<br>leading term along uᵢ %{{x:.3g}}<br>gradient along uᵢ %{{y:.3g}}<extra></extra>"
        points = {"mode": "markers", "name": name, "marker": marker, "hovertemplate": hover}
        figure.add_scatter(x=trace_values(x), y=trace_values(values), **points)
    figure.update_xaxes(title_text=f"leading term along {u}", range=[-reach, reach])
    figure.update_yaxes(title_text=f"gradient along {u}: {u}·∇L(wⱼ)", range=[-reach, reach])
    figure.update_layout(**legend_above(theme))
    table = {"leading": trace_values(x), "population": trace_values(exact), OF_SAMPLES: trace_values(estimates)}
    headline = gradients_headline(exact, estimates, samples, u)
    return Picture(figure, _scatter_finding(x, exact, estimates, samples), table, headline)


def gradient_film(figure: go.Figure, empirical: Sequence[np.ndarray], samples: Sequence[float]) -> Film:
    """Of `gradient_scatter`: the circles come to the crosses as samples come in.

    empirical : for each of these numbers of samples (K,), the components (q, r).
    """
    circles = np.stack([thin_out(np.ravel(part))[0] for part in empirical])
    changes: Changes = {
        ("layout", "title", "text"): [SINGLE_NEURONS.format(number(n)) for n in samples],
        ("data", place_of(figure.data, OF_SAMPLES), "y"): circles,
    }
    return Film(times_of(0, len(samples)), changes)


def _scatter_finding(x: np.ndarray, exact: np.ndarray, estimates: np.ndarray, samples: float) -> str:
    subject = f"With {number(samples)} samples the neurons' gradients along the principal directions"
    if not exact.any():
        alone = "are noise alone" if estimates.any() else "vanish"
        return f"{subject} {alone}: the population gradient is exactly zero."
    tail = "and there is no leading term" if not x.any() else "and the dashed line is the leading term"
    agreement = _correlation(exact, estimates)
    if agreement is None:
        return f"{subject} and those of infinitely many samples do not vary together, {tail}."
    return f"{subject} correlate with those of infinitely many samples at {quote_number(agreement)}, {tail}."


def _correlation(a: np.ndarray, b: np.ndarray) -> float | None:
    """The correlation of the two; None if one of them does not vary, up to rounding."""
    a, b = (values / (np.abs(values).max() or 1.0) for values in (a, b))
    if min(np.ptp(a), np.ptp(b)) < 1e-12:
        return None
    return float(np.corrcoef(a, b)[0, 1])


def error_against_samples(
    n: Numbers,
    error: np.ndarray,
    *,
    theme: Theme,
    from_leading: np.ndarray | None = None,
    guide: Numbers | None = None,
    slope: tuple[float, float] | None = None,
    absolute: bool = False,
    height: int = 210,
) -> Picture:
    """Distance of the empirical gradient from the population's, against n, log-log; with repeats, also their band.

    error, from_leading : (R, S), a row for each repeat: distances divided by the norm of the vector they are from.
    guide (S,) : the predicted power law; slope : (measured, predicted).
    absolute : whether the population gradient is zero, so that nothing was divided by its norm.
    """
    rows = {"population": np.atleast_2d(error)}
    if from_leading is not None and np.isfinite(from_leading).all():
        rows["leading term"] = np.atleast_2d(from_leading)
    figure = _with_slopes(blank(theme, height, "Gradient ∇ₙ of n samples"), slope, "curve from ∇:<br>")
    labels, table = [], {"n": trace_values(n)}
    for (name, repeats), dash in zip(rows.items(), ("solid", "dot"), strict=False):
        mean = np.sqrt(np.mean(repeats**2, axis=0))
        _band(figure, n, repeats)
        marker = {"size": 5, "symbol": "circle" if dash == "solid" else "circle-open"}
        style = {"line": {"color": ESTIMATE, "dash": dash, "width": 2}, "marker": marker, "mode": "lines+markers"}
        relative = "distance" if absolute else "relative distance"
        hover = f"∇ₙ from the {name}<br>n = %{{x:,.0f}}<br>{relative} %{{y:.3g}}<extra></extra>"
        figure.add_scatter(
            x=trace_values(n), y=trace_values(mean), name=f"from the {name}", hovertemplate=hover, **style
        )
        labels.append((float(mean[-1]), f"from {LETTERS[name]}"))
        table[f"distance from the {name}"] = trace_values(mean)
    _guide(figure, n, guide, theme)
    _finish(figure, labels, "samples n", _distance(list(rows), absolute), theme, height)
    last = float(np.sqrt(np.mean(rows["population"][:, -1] ** 2)))
    kind = "distance" if absolute else "relative distance"
    alt = f"At n = {number(n[-1])} the {kind} of the empirical gradient from the population's is {number(last)}"
    return Picture(figure, alt + _slope_clause(slope, "n"), table)


def error_against_dimension(
    d: Numbers,
    error: Numbers,
    *,
    theme: Theme,
    guide: Numbers | None = None,
    slope: tuple[float, float] | None = None,
    absolute: bool = False,
    height: int = 210,
) -> Picture:
    """What the leading term leaves of the population gradient, against d, log-log; no samples enter.

    absolute : whether there is no leading term, so that `error` (D,) is the norm of the population gradient itself.
    """
    what = "Norm of ∇, without a leading term" if absolute else "Leading ∇¹ against ∇"
    figure = _with_slopes(blank(theme, height, what), slope)
    line = {"color": theme.ink, "width": 2}
    name, up = ("norm of ∇", "‖∇‖") if absolute else ("what ∇¹ leaves of ∇", "‖∇ − ∇¹‖/‖∇¹‖")
    hover = f"{name}<br>d = %{{x:,.0f}}<br>{up} = %{{y:.3g}}<extra></extra>"
    style = {"mode": "lines+markers", "line": line, "marker": {"symbol": "x", "size": 6}}
    figure.add_scatter(x=trace_values(d), y=trace_values(error), name=name, hovertemplate=hover, **style)
    _guide(figure, d, guide, theme)
    _finish(figure, [], "dimension d", up, theme, height)
    kind = "population gradient's norm" if absolute else "part of the population gradient beyond the leading term"
    alt = f"At d = {number(d[0])} the {kind} is {quote_number(error[0])}"
    if len(d) > 1:
        alt = f"From d = {number(d[0])} to {number(d[-1])} the {kind} {course(error[0], error[-1])}"
    return Picture(figure, alt + _slope_clause(slope, "d"), {"d": trace_values(d), "error": trace_values(error)})


def _distance(kinds: Sequence[str], absolute: bool) -> str:
    """The title of the axis of the distances."""
    if len(kinds) > 1:
        return "relative distance of ∇ₙ"
    return "‖∇ₙ − ∇‖" if absolute else "‖∇ₙ − ∇‖/‖∇‖"


def _with_slopes(figure: go.Figure, slope: tuple[float, float] | None, curve: str = "") -> go.Figure:
    """The figure with the slopes in its upper corner: its title stays visible while a question hides the answer.

    curve : the words that say which curve has the slope, where there are several; they take a line of their own.
    """
    place = {"x": 1, "xref": "x domain", "xanchor": "right", "y": 1, "yref": "y domain", "yanchor": "top"}
    text = f"{curve}slope {with_decimals(slope[0], 2)}, predicted {number(slope[1])}" if slope else ""
    return figure.add_annotation(text=text, showarrow=False, align="right", visible=bool(slope), **place)


def _slope_clause(slope: tuple[float, float] | None, letter: str) -> str:
    if not slope:
        return "."
    return f"; the slope in {letter} is {with_decimals(slope[0], 2)}, predicted {number(slope[1])}."


def _band(figure: go.Figure, x: Numbers, repeats: np.ndarray) -> None:
    """From the smallest to the largest repeat."""
    if len(repeats) < 2:
        return
    edge = {"color": "rgba(0,0,0,0)", "width": 0}
    low, high = repeats.min(axis=0), repeats.max(axis=0)
    figure.add_scatter(
        x=trace_values(x), y=trace_values(low), mode="lines", line=edge, hoverinfo="skip", name="least repeat"
    )
    shade = {"fill": "tonexty", "fillcolor": translucent(ESTIMATE, 0.22), "line": edge, "hoverinfo": "skip"}
    figure.add_scatter(x=trace_values(x), y=trace_values(high), mode="lines", name="largest repeat", **shade)


def _guide(figure: go.Figure, x: Numbers, guide: Numbers | None, theme: Theme) -> None:
    if guide is not None:
        line = theme.theory("dash")
        figure.add_scatter(
            x=trace_values(x), y=trace_values(guide), mode="lines", line=line, hoverinfo="skip", name="predicted"
        )


def _finish(figure: go.Figure, labels: list, across: str, up: str, theme: Theme, height: int) -> None:
    values = [value for trace in figure.data for value in trace.y]
    vertical = value_range(values, True)
    figure.update_yaxes(**value_axis(up, vertical, True))
    figure.update_xaxes(title_text=across, type="log", **decades(0, 7))
    if len(labels) > 1:
        end_labels(figure, labels, vertical, theme=theme, log=True, height=height)


def term_bars(
    norm: Numbers,
    samples: Numbers,
    noise: float,
    inside: float,
    *,
    theme: Theme,
    n: float,
    height: int = 400,
) -> Picture:
    """The size of each term of the gradient's series, beside the noise of n samples.

    norm (p + 1,) : RMS norms over neurons, 0 for a term that vanishes; samples (p + 1,) : those at which it equals the
    noise; noise, inside : RMS norm of the noise of the whole gradient, and of its part in the principal subspace.
    """
    figure = blank(theme, height, "Series terms; the n that shows each")
    present = [k for k, size in enumerate(norm) if size > 0]
    vertical = value_range([*(norm[k] for k in present), noise / 2, inside / 2], True)
    floor, vertical = 10 ** vertical[0], (vertical[0], vertical[1] + 0.35)
    for k, size in enumerate(norm):
        is_above = size > noise
        colour = ESTIMATE if is_above else NOISE
        fill = {"color": colour, "pattern": hatch_pattern("" if is_above else "/", colour, theme)}
        text = number(float(f"{samples[k]:.2g}")) if size > 0 else "zero"
        bar = {"x": [k], "y": [max(float(size), floor)], "text": text, "textposition": "outside", "marker": fill}
        figure.add_bar(
            **bar,
            textfont_size=theme.text,
            constraintext="none",
            textangle=0,
            cliponaxis=False,
            name=f"term {k}",
            hovertemplate=_term_hover(k, float(size), float(samples[k])),
        )
    figure.add_hline(y=noise, line=theme.theory())
    figure.add_hline(y=inside, line=theme.theory("dot"))
    figure.update_xaxes(title_text=f"term k; noise of n = {number(n)}", dtick=1)
    figure.update_yaxes(**value_axis("RMS norm", vertical, True))
    labels = [(noise, "─ noise"), (inside, "⋯ in span U")]
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    above = [str(k) for k in present if norm[k] > noise]
    terms = "no term of the series is"
    if above:
        terms = f"{'the term' if len(above) == 1 else 'the terms'} k = {', '.join(above)} of the series "
        terms += "is" if len(above) == 1 else "are"
    alt = f"With {number(n)} samples {terms} above the noise of the gradient, {number(noise)}."
    table: dict[str, list] = {
        "k": list(range(len(norm))),
        "norm": trace_values(norm),
        "samples needed": trace_values(samples),
    }
    return Picture(figure, alt, table)


def _term_hover(k: int, size: float, samples: float) -> str:
    """What a bar of the series says under the pointer."""
    if not size > 0:
        return f"term {k}: exactly zero<extra></extra>"
    return f"term {k}<br>RMS norm {size:.3g}<br>meets the noise at n = {number(float(f'{samples:.2g}'))}<extra></extra>"


def series_parity(coefficients: Numbers, energy: Numbers, *, theme: Theme, height: int = 210) -> Picture:
    """Which coefficients of the ReLU a target meets in the gradient at b = 0: its degree k meets c_k and c_{k+2}.

    coefficients (p + 3,) : c_k = E σ^{(k)}(t), t ~ N(0, 1); energy (p + 1,) : of the target, by degree. Degrees 0 and 1
    are fitted separately and meet nothing.
    """
    indices = {j for k, share in enumerate(energy) if k > 1 and share > 1e-12 for j in (k, k + 2)}
    figure = blank(theme, height, "Why: the ReLU coefficients that f* meets")
    for k, value in enumerate(coefficients):
        colour = ESTIMATE if k in indices else NOISE
        name, text = with_index("c", k), "0" if value == 0 else number(float(f"{value:.2g}"))
        fill = {"color": colour, "pattern": hatch_pattern("" if k in indices else "/", colour, theme)}
        bar = {"x": [k], "y": [float(value)], "text": f"<b>{text}</b>" if k in indices else text, "marker": fill}
        figure.add_bar(
            **bar,
            textposition="outside",
            textfont_size=theme.text,
            constraintext="none",
            cliponaxis=False,
            name=name,
            hovertemplate=f"{name} = {text}<br>{'' if k in indices else 'not '}met by the target<extra></extra>",
        )
    low, high = min(min(coefficients), 0.0), max(coefficients)
    figure.update_yaxes(title_text="cₖ = E σ⁽ᵏ⁾(t)", range=[low - 0.3 * (high - low), high + 0.3 * (high - low)])
    figure.update_xaxes(title_text="k (bold: met by the target)", tickvals=list(range(len(coefficients))))
    for k in sorted(indices):
        figure.add_vrect(x0=k - 0.48, x1=k + 0.48, fillcolor=theme.grid, opacity=0.6, layer="below", line_width=0)
    figure.update_layout(showlegend=False, bargap=0.35)
    nothing = all(coefficients[k] == 0 for k in indices)
    names = join_words([with_index("c", k) for k in sorted(indices)])
    verdict = "all zero, so the population gradient vanishes" if nothing else "not all zero, so a gradient is left"
    alt = f"The target meets {names} of the ReLU: {verdict}."
    if not indices:
        alt = "The target meets no coefficient of the ReLU, so the population gradient vanishes."
    table: dict[str, list] = {
        "k": list(range(len(coefficients))),
        "c": trace_values(coefficients),
        "met": [k in indices for k in range(len(coefficients))],
    }
    return Picture(figure, alt, table)
