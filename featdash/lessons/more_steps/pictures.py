"""A first layer step by step, the samples that an alignment of ½ takes, and the risk after several steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, value_axis, value_range
from featdash.figures.film import Changes, Film, place_of, times_of
from featdash.figures.palette import CASES, STAGES
from featdash.figures.picture import METHODS, MethodStyle, Picture, Theme, blank
from featdash.figures.text import (
    Numbers,
    each,
    join_words,
    number,
    quote_number,
    spoken_power,
    trace_values,
    with_decimals,
)
from featdash.lessons.more_steps.frames import LayerFrame

BLUE = METHODS["algorithm1"]
LOSSES = {
    "correlation": BLUE,
    "square_mean": MethodStyle("squared loss, output 1/m Σ", *CASES[0]),
    "square_root": MethodStyle("squared loss, output 1/√m Σ", *CASES[1]),
}
NAMES = {"correlation": "correlation loss", "square_mean": "squared, 1/m", "square_root": "squared, 1/√m"}
STEPS = {
    1: MethodStyle("1 step", STAGES[0], "dash", "diamond", "◆", ""),
    2: MethodStyle("2 steps", STAGES[1], "dot", "square", "■", ""),
    4: MethodStyle("4 steps", STAGES[2], "dashdot", "triangle-up", "▲", ""),
    8: MethodStyle("8 steps", BLUE.colour, "solid", "circle", "●", ""),
}
SHARE = (0.0, 1.04)
NEURONS = "neurons"
NEURONS_AFTER = "The neurons after {}"


def steps_word(count: float) -> str:
    """1 step, 2 steps."""
    return f"{number(count)} step{'' if count == 1 else 's'}"


def neuron_dial(frame: LayerFrame, steps: int, *, theme: Theme, height: int = 320) -> Picture:
    """Each neuron's direction as a point of a half circle: upwards its part inside the subspace, sideways the rest.

    a_j = +1 is to the right, −1 to the left. A random neuron is near the ground, one along the subspace at the top. The
    area of a marker is the neuron's squared norm, which is its weight in the alignment.
    """
    figure = blank(theme, height, NEURONS_AFTER.format(steps_word(steps)))
    side, inside, size = _on_dial(frame)
    arc = np.linspace(0, np.pi, 61)
    figure.add_scatter(
        x=trace_values(np.cos(arc)), y=trace_values(np.sin(arc)), mode="lines", line=theme.theory(), hoverinfo="skip",
        name="length 1",
    )  # fmt: skip
    figure.add_scatter(
        x=trace_values(side), y=trace_values(inside), mode="markers", name=NEURONS,
        marker={"size": trace_values(size), "color": BLUE.colour, "opacity": 0.6, "line": {"width": 0}},
        hovertemplate="a neuron<br>part along the hidden direction %{y:.2f}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(x=[0], y=[1], mode="markers", marker=theme.star(), name="hidden direction", hoverinfo="skip")
    place = {"x": 0, "y": 1, "yshift": -12, "yanchor": "top", "font": {"size": theme.text}}
    figure.add_annotation(text="hidden direction u", showarrow=False, **place)
    figure.update_xaxes(
        title_text="everything else", range=[-1.12, 1.12], tickvals=[-1, 0, 1], ticktext=["1", "0", "1"]
    )
    figure.update_yaxes(title_text="part along u, |w·u|", range=[0, 1.12], tickvals=[0, 0.5, 1], scaleanchor="x")
    alignment = quote_number(frame.alignment["correlation"], 2)
    alt = f"After {steps_word(steps)} the alignment of the layer with the hidden direction is {alignment}."
    table = {
        "output weight": trace_values(frame.sign),
        "part along u": trace_values(inside),
        "norm": trace_values(frame.norm),
    }
    return Picture(figure, alt, table, f"Alignment after {steps_word(steps)}: {alignment}")


def dial_film(figure: go.Figure, frames: Sequence[LayerFrame], steps: Sequence[int]) -> Film:
    """Of `neuron_dial`: the neurons turn step by step; frames : the layer after each of these numbers of steps."""
    side, inside, size = (np.stack(part) for part in zip(*map(_on_dial, frames), strict=True))
    trace = ("data", place_of(figure.data, NEURONS))
    changes: Changes = {
        ("layout", "title", "text"): [NEURONS_AFTER.format(steps_word(count)) for count in steps],
        (*trace, "x"): side,
        (*trace, "y"): inside,
        (*trace, "marker", "size"): size,
    }
    return Film(times_of(0, len(steps)), changes)


def _on_dial(frame: LayerFrame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Of each neuron (m,), its place to the side, its place upwards, and the size of its marker in pixels."""
    inside = np.sqrt(np.clip(np.asarray(frame.share, float), 0, 1))
    side = np.asarray(frame.sign, float) * np.sqrt(1 - inside**2)
    return side, inside, np.clip(10 * np.asarray(frame.norm, float), 3, 24)


def alignment_course(
    steps: Sequence[int], frames: Sequence[LayerFrame], losses: Sequence[str], last: int, *, theme: Theme,
    height: int = 300,
) -> Picture:  # fmt: skip
    """The share of the layer's squared norm inside the subspace against the steps taken, a curve a loss.

    last : the end of the axis.
    """
    single = len(losses) == 1
    figure = blank(theme, height, "Alignment, step by step" if single else "Alignment, step by step, by loss")
    table: dict[str, list] = {"steps": trace_values(steps)}
    labels = []
    for name in losses:
        style, values = LOSSES[name], [frame.alignment[name] for frame in frames]
        figure.add_scatter(
            x=trace_values(steps), y=trace_values(values), mode="lines+markers", name=NAMES[name],
            line=style.line(2.5), marker={"symbol": style.marker, "size": 9, "color": style.colour},
            hovertemplate=f"{NAMES[name]}<br>%{{x}} steps<br>alignment %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        table[NAMES[name]] = trace_values(values)
        labels.append((values[-1], style.tag(with_decimals(values[-1], 2) if single else NAMES[name])))
    figure.update_xaxes(title_text="first-layer steps taken", range=[-0.2, last + 0.2], dtick=1)
    figure.update_yaxes(title_text="alignment", range=SHARE, tickvals=[0, 0.25, 0.5, 0.75, 1])
    end_labels(figure, labels, SHARE, theme=theme, log=False, height=height)
    ends = {NAMES[name]: frames[-1].alignment[name] for name in losses}
    words = quote_number(next(iter(ends.values())), 2) if single else each(ends, 2)
    alt = f"After {steps_word(steps[-1])} the alignment is {words}."
    return Picture(figure, alt, table, _course_headline(steps, frames, losses))


def _course_headline(steps: Sequence[int], frames: Sequence[LayerFrame], losses: Sequence[str]) -> str:
    """The alignment at the end, of a single loss also after the first step."""
    ends = {name: with_decimals(frames[-1].alignment[name], 2) for name in losses}
    if len(losses) > 1:
        return f"Alignment at step {steps[-1]}: {', '.join(f'{value} ({NAMES[name]})' for name, value in ends.items())}"
    first = {step: frame.alignment[losses[0]] for step, frame in zip(steps, frames, strict=True)}.get(1)
    before = "" if first is None or steps[-1] == 1 else f"{with_decimals(first, 2)} after 1 step, "
    return f"Alignment {before}{ends[losses[0]]} after {steps_word(steps[-1])}"


Exponents = Mapping[int, tuple[float, float]]  # T₁ -> slope and its error


def needed_samples(
    d: Numbers, samples: np.ndarray, exponents: Exponents, *, theme: Theme, height: int = 320
) -> Picture:
    """Samples at which the alignment is ½ against d, both on log axes: every repeat, and a line through the medians.

    samples (T, D, R) : rows as STEPS; NaN where nothing is measured.  exponents : of the finished run, empty before.
    """
    figure = blank(theme, height, "Samples for an alignment of ½: growth as a power of d")
    table: dict[str, list] = {"steps": [], "d": [], "samples": []}
    labels = []
    for (steps, style), rows in zip(STEPS.items(), samples, strict=True):
        finite = np.isfinite(rows)
        across = np.broadcast_to(np.asarray(d, float)[:, None], rows.shape)[finite]
        dots = {"symbol": style.marker, "size": 7, "color": style.colour, "opacity": 0.75}
        hover = f"{style.label}<br>d = %{{x}}<br>n = %{{y:,.0f}}<extra></extra>"
        figure.add_scatter(
            x=trace_values(across), y=trace_values(rows[finite]), mode="markers", name=style.label, marker=dots,
            hovertemplate=hover,
        )  # fmt: skip
        has_runs = finite.any(axis=1)
        middle = [float(np.median(row[one])) for row, one in zip(rows[has_runs], finite[has_runs], strict=True)]
        places = np.asarray(d, float)[has_runs]
        figure.add_scatter(
            x=trace_values(places), y=trace_values(middle), mode="lines", name=f"{style.label}, median",
            line=style.line(2), hoverinfo="skip",
        )  # fmt: skip
        table["steps"] += [steps] * len(across)
        table["d"] += trace_values(across)
        table["samples"] += trace_values(rows[finite])
        if middle:
            slope, error = exponents.get(steps, (float("nan"), float("nan")))
            fitted = f": {slope:.2f} ± {error:.2f}" if np.isfinite(error) else ""
            labels.append((middle[-1], style.tag(f"{style.label}{fitted}")))
    vertical = value_range(table["samples"], True)
    ends = np.log10([min(d), max(d)])
    figure.update_xaxes(**value_axis("dimension d", (ends[0] - 0.06, ends[1] + 0.06), True))
    figure.update_xaxes(tickvals=list(d), ticktext=[number(one) for one in d])
    figure.update_yaxes(**value_axis("samples n", vertical, True))
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    return Picture(figure, _growth(exponents, table), table, _growth_headline(exponents))


def _growth(exponents: Exponents, table: Mapping[str, list]) -> str:
    slopes = {f"{steps_word(steps)}": slope for steps, (slope, _) in exponents.items() if np.isfinite(slope)}
    if slopes:
        return f"The samples that an alignment of one half takes grow like d to the power {each(slopes, 2)}."
    if not table["samples"]:
        return "No number of samples is known yet."
    ends = quote_number(min(table["samples"]), 0), quote_number(max(table["samples"]), 0)
    return f"The numbers of samples known lie from {ends[0]} to {ends[1]}."


def _growth_headline(exponents: Exponents) -> str:
    slopes = [(steps, slope) for steps, (slope, _) in exponents.items() if np.isfinite(slope)]
    if not slopes:
        return ""
    ends = (slopes[0], slopes[-1]) if len(slopes) > 1 else (slopes[0],)
    return "Samples grow like " + join_words(
        [f"{spoken_power('d', f'{slope:.1f}')} for {steps_word(steps)}" for steps, slope in ends]
    )


RISKS = (MethodStyle("", BLUE.colour, "dash", "square", "■", ""), BLUE)  # by the place of the dimension


def risk_course(
    steps: Sequence[int], risk: np.ndarray, sizes: Mapping[int, int], *, theme: Theme, height: int = 300
) -> Picture:
    """Excess risk of a head on the layer against T₁, each repeat and their mean; risk (D, T, R), NaN until measured."""
    figure = blank(theme, height, "Risk of a head after T₁ steps")
    table: dict[str, list] = {"d": [], "steps": [], "mean risk": []}
    labels, ends = [], {}
    for row, (d, n) in enumerate(sizes.items()):
        style, name = RISKS[row], f"d = {d}, n = {number(n)}"
        has_runs = np.isfinite(risk[row]).any(axis=1)
        if not has_runs.any():
            continue
        means = np.array([float(np.nanmean(one)) for one in risk[row][has_runs]])
        at = np.asarray(steps)[has_runs]
        repeats = np.repeat(at, risk.shape[2]), risk[row][has_runs].ravel()
        figure.add_scatter(
            x=trace_values(repeats[0]), y=trace_values(repeats[1]), mode="markers", name=f"{name}, repeats",
            marker={"symbol": style.marker, "size": 6, "color": style.colour, "opacity": 0.5},
            hovertemplate=f"{name}<br>%{{x}} steps<br>risk %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        figure.add_scatter(
            x=trace_values(at), y=trace_values(means), mode="lines", line=style.line(2.5), name=name,
            hovertemplate=f"{name}, mean<br>%{{x}} steps<br>risk %{{y:.3f}}<extra></extra>",
        )  # fmt: skip
        labels.append((means[-1], style.tag(f"d = {d}<br>n = {number(n)}")))
        table["d"] += [d] * len(at)
        table["steps"] += trace_values(at)
        table["mean risk"] += trace_values(means)
        ends[f"d = {d}"] = (at[0], means[0], at[-1], means[-1])
    vertical = value_range(risk[np.isfinite(risk)].tolist(), False)
    figure.update_xaxes(title_text="first-layer steps T₁", range=[0.7, max(steps) + 0.3], tickvals=list(steps))
    figure.update_yaxes(title_text="excess risk, E (f − f*)²", range=vertical)
    end_labels(figure, labels, vertical, theme=theme, log=False, height=height)
    clauses = [
        f"at {name} it is {quote_number(first, 2)} after {steps_word(begin)} and {quote_number(last, 2)} after "
        f"{steps_word(end)}"
        for name, (begin, first, end, last) in ends.items()
    ]
    headline = ", ".join(
        f"{name}: {with_decimals(first, 2)} → {with_decimals(last, 2)}" for name, (_, first, _, last) in ends.items()
    )
    alt = f"Of the mean risk: {join_words(clauses)}." if clauses else "No risk is known yet."
    return Picture(figure, alt, table, f"Risk, {headline}" if headline else "")
