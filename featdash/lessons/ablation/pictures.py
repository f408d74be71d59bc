"""Delete a line: Algorithm 1 as it is printed, the pictures that its lines change, and how each variant ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import decades, end_labels, value_axis, value_range
from featdash.figures.film import Changes, Film, differences, place_of, times_of
from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank, hatch_pattern, legend_above
from featdash.figures.text import (
    Numbers,
    join_words,
    number,
    quote_number,
    thin_out,
    trace_values,
    with_decimals,
    with_index,
)
from featdash.lessons.shared.frames import LossCurve, NeuronFrame
from featdash.lessons.shared.pictures.headlines import shorten, two_digits

VARIANTS = {
    "intact": MethodStyle("intact", *SUBJECT),
    "linear_part_left": MethodStyle("linear part left", *CASES[0]),
    "no_symmetry": MethodStyle("no mirror copies", *CASES[1]),
    "small_start": MethodStyle("no mirror, a/m", *CASES[2]),
    "old_weights_kept": MethodStyle("λ₁ = 0", *CASES[3]),
    "biases_not_drawn": MethodStyle("biases stay 0", *CASES[4]),
    "fresh_data": MethodStyle("fresh data", *CASES[5]),
}
LINES = (
    "1  α ← mean y,  β ← mean y x,  y ← y − α − β·x",
    "2  W ← W − η₁ (∇L + λ₁ W),  λ₁ = 1/η₁",
    "3  redraw biases  bⱼ ~ N(0, 1)",
    "4  repeat  a ← a − η (∇L + λ a),  same data",
    "5  return  x ↦ α + β·x + a·ReLU(W x + b)",
)
START = "   start: aⱼ = ±1, wⱼ ~ N(0, I/d), b = 0, mirrored"
# What stands in place of a line when its variant is on: the row of the listing, 0 for the start, and its words.
DELETED = {
    "linear_part_left": (1, "1  α ← 0,  β ← 0"),
    "no_symmetry": (0, "   start: aⱼ = ±1, wⱼ ~ N(0, I/d), b = 0, no mirror"),
    "small_start": (0, "   start: aⱼ = ±1/m, wⱼ ~ N(0, I/d), b = 0, no mirror"),
    "old_weights_kept": (2, "2  W ← W − η₁ ∇L,  λ₁ = 0"),
    "biases_not_drawn": (3, "3  biases stay  bⱼ = 0"),
    "fresh_data": (4, "4  repeat  a ← a − η (∇L + λ a),  fresh data"),
}
CHANGED = CASES[1].colour
LOW_BARS = 60  # pixels that the bars are higher by where their names are not magnified
LISTING = 380  # pixels of its longest line, and of the longest title of an axis beside it


def listing(line: int, variant: str, *, theme: Theme, height: int = 190) -> Picture:
    """Algorithm 1 printed: the line looked at on a band, the one that is switched off in colour.

    line : 1 to 5; variant : one of VARIANTS.
    """
    figure = blank(theme, height, "Algorithm 1" + ("" if variant == "intact" else f", {VARIANTS[variant].label}"))
    texts = [START, *LINES]
    changed_row, words = DELETED.get(variant, (None, ""))
    if changed_row is not None:
        texts[changed_row] = words
    for row, text in enumerate(texts):
        label = f'<span style="color:{CHANGED}"><b>{text}</b></span>' if row == changed_row else text
        entry = f"▸ {label}" if row == line else f"   {label}"
        place = {"x": 0, "xref": "paper", "xanchor": "left", "y": -row, "yref": "y"}
        figure.add_annotation(text=entry, showarrow=False, align="left", font={"size": theme.text + 1}, **place)
    band = {"y0": -line - 0.5, "y1": -line + 0.5, "x0": 0, "x1": 1, "xref": "x domain"}
    figure.add_shape(type="rect", fillcolor=theme.grid, line_width=0, layer="below", **band)
    bare = {"showticklabels": False, "showgrid": False, "showline": False, "ticks": "", "fixedrange": True}
    figure.update_xaxes(range=[0, 1], title_text="", **bare)
    figure.update_yaxes(range=[-5.6, 0.6], title_text="", **bare)
    figure.update_layout(margin={"l": 8, "r": 4, "b": 4, "t": 2 * theme.text + 8}, meta={"least": LISTING})
    instead = " ".join(words.split()).removeprefix(f"{changed_row} ").removeprefix("start: ")
    state = "unchanged" if changed_row is None else f"with its {_row_name(changed_row)} changed: {instead}"
    alt = f"Algorithm 1 {state}; shown is line {line}."
    return Picture(figure, alt, {"row": list(range(len(texts))), "line": [text.strip() for text in texts]})


def _row_name(row: int) -> str:
    return f"line {row}" if row else "start"


def result_bars(variants: Mapping[str, Mapping[str, Any]], variant: str, *, theme: Theme, height: int = 205) -> Picture:
    """Excess risk of each variant with one standard error, its alignment beside its name; `variant` stands out.

    variants : name -> {"excess_risk", "standard_error", "alignment"}.
    """
    figure = blank(theme, height, "Excess risk, and alignment of W¹")
    names = list(variants)[::-1]
    for name in names:
        style, row = VARIANTS[name], variants[name]
        fill = {"color": style.colour, "pattern": hatch_pattern(style.hatch, style.colour, theme)}
        error = {"array": [row["standard_error"]], "color": theme.ink, "thickness": 1.5, "width": 3}
        bar = {"x": [row["excess_risk"]], "y": [style.label], "orientation": "h", "marker": fill, "error_x": error}
        hover = f"{style.label}<br>excess risk %{{x:.3f}}<extra></extra>"
        faint = 1.0 if name in ("intact", variant) else 0.4
        figure.add_bar(opacity=faint, name=style.label, hovertemplate=hover, **bar)
        end = row["excess_risk"] + row["standard_error"]
        text = f"{number(round(row['excess_risk'], 3))} · aligned {row['alignment']:.2f}"
        note = {"text": f"<b>{text}</b>" if name == variant else text, "showarrow": False, "font": {"size": theme.text}}
        figure.add_annotation(x=end, y=style.label, xanchor="left", xshift=5, **note)
    most = max(row["excess_risk"] + row["standard_error"] for row in variants.values())
    figure.update_xaxes(title_text="excess risk, E (f − f*)²", range=[0, 2.2 * most])
    figure.update_yaxes(showline=False, ticks="")
    figure.update_layout(bargap=0.3, meta={"narrow": {"height": height + LOW_BARS}})
    columns = ("excess_risk", "standard_error", "alignment")
    table: dict[str, list] = {"variant": [VARIANTS[name].label for name in variants]}
    table |= {column: trace_values([row[column] for row in variants.values()]) for column in columns}
    return Picture(figure, _bars_finding(variants, variant), table)


def _bars_finding(variants: Mapping[str, Mapping[str, Any]], variant: str) -> str:
    start = f"Algorithm 1 intact ends at an excess risk of {quote_number(variants['intact']['excess_risk'])}"
    if variant != "intact" and variant in variants:
        row = variants[variant]
        end = f"{quote_number(row['excess_risk'])}, with an alignment of {quote_number(row['alignment'], 2)}"
        return f"{start}; with «{VARIANTS[variant].label}» it is {end}."
    if len(variants) < 2:
        return f"{start}."
    risks = {name: quote_number(row["excess_risk"]) for name, row in variants.items()}
    most = risks[max(variants, key=lambda name: variants[name]["excess_risk"])]
    worst = join_words([f"«{VARIANTS[name].label}»" for name in variants if risks[name] == most])
    return f"{start}; the highest is {most}, with {worst}."


def _of_line(line: int, theme: Theme, height: int, title: str) -> go.Figure:
    """An empty figure with a zoom of its own, for the pictures of all lines take turns in one place."""
    figure = blank(theme, height, title)
    figure.update_layout(uirevision=f"line {line}", meta={"least": LISTING})
    return figure


def linear_part(alpha: float, beta: Numbers, band: float, *, theme: Theme, is_off: bool, height: int = 400) -> Picture:
    """Line 1: the constant α and the slopes β_i that it estimates and takes out of the labels.

    band : the standard error of each estimate, √(E y²/n), for a sense of what is noise; is_off : the line is
    switched off, so that all of this stays in the labels.
    """
    fate = "stays in the labels" if is_off else "is taken out of the labels"
    figure = _of_line(1, theme, height, f"Line 1: the linear part {fate}")
    names = ["α", *(with_index("β", i + 1) for i in range(len(beta)))]
    values = [float(alpha), *map(float, beta)]
    style = VARIANTS["linear_part_left"]
    colour = style.colour if is_off else SUBJECT.colour
    fill = {"color": colour, "pattern": hatch_pattern(style.hatch if is_off else "", colour, theme)}
    hover = "estimate of %{x}: %{y:.3f}<extra></extra>"
    figure.add_bar(x=names, y=trace_values(values), name="estimate", marker=fill, hovertemplate=hover)
    figure.add_hrect(y0=-band, y1=band, fillcolor=theme.ink, opacity=0.12, line_width=0)
    figure.add_hline(y=0, line=theme.theory())
    figure.update_xaxes(title_text="α and the coordinates of β", type="category", autorange=True)
    figure.update_yaxes(title_text="estimate (grey: ± one standard error)")
    largest = max(range(len(values)), key=lambda i: abs(values[i]))
    alt = (
        f"The linear part {fate}; its largest estimate in size is {names[largest]} = {quote_number(values[largest])}, "
        f"with a standard error of {quote_number(band)}."
    )
    return Picture(figure, alt, {"coefficient": names, "estimate": trace_values(values)})


def hinges(
    intact: tuple[np.ndarray, np.ndarray], other: tuple[np.ndarray, np.ndarray] | None, *, theme: Theme,
    name: str = "", height: int = 400,
) -> Picture:  # fmt: skip
    """Line 3: where along its own direction each neuron bends, at -b_j/‖w_j‖.

    intact, other : the biases and the norms of the rows of W¹, (m,) each; name : the variant of the second.
    """
    figure = _of_line(3, theme, height, "Line 3: where the neurons bend")
    edges = np.linspace(-4, 4, 33)
    middles, table = (edges[1:] + edges[:-1]) / 2, {"position": trace_values((edges[1:] + edges[:-1]) / 2)}
    layers = {"intact": intact} | ({name: other} if other is not None and name != "intact" else {})
    spreads = {}
    for variant, (b, norms) in layers.items():
        style = VARIANTS[variant]
        with np.errstate(over="ignore"):  # a neuron without weights bends infinitely far out
            places = -np.asarray(b) / np.maximum(norms, np.finfo(float).tiny)
        share = np.histogram(np.clip(places, -4, 4), edges)[0] / len(places)
        fill = {"color": style.colour, "pattern": hatch_pattern(style.hatch, style.colour, theme)}
        hover = f"{style.label}<br>bend at −b/‖w‖ ≈ %{{x:.3g}}<br>%{{y:.1%}} of the neurons<extra></extra>"
        bar = {"name": style.label, "marker": fill, "opacity": 0.75, "hovertemplate": hover}
        figure.add_bar(x=trace_values(middles), y=trace_values(share), **bar)
        table[style.label] = trace_values(share)
        spreads[style.label] = float(np.mean(np.abs(places) > 0.125))
    figure.update_xaxes(title_text="position of the bend, −bⱼ/‖wⱼ‖ (beyond ±4: at the ends)", range=[-4.1, 4.1])
    figure.update_yaxes(title_text="share of neurons", rangemode="tozero")
    figure.update_layout(barmode="overlay", bargap=0.05, **legend_above(theme))
    shares = join_words([f"{with_decimals(100 * value, 1)} % ({label})" for label, value in spreads.items()])
    return Picture(figure, f"Of the neurons, {shares} bend further than 0.125 from the origin.", table)


def head_curves(
    heads: Mapping[str, LossCurve], variant: str, *, theme: Theme, last: float, height: int = 400
) -> Picture:
    """Line 4: excess risk against head steps of every variant, the intact one and `variant` in front.

    heads : variant -> its curves; last : right end of the axis, so that it stands still.
    """
    figure = _of_line(4, theme, height, "Line 4: excess risk while the head trains")
    labels: list[tuple[float, str]] = []
    table: dict[str, list] = {"variant": [], "t": [], "excess risk": []}
    front = ("intact", variant) if variant != "intact" else tuple(heads)
    for name in sorted(heads, key=lambda name: name in front):
        style, (t, values) = VARIANTS[name], thin_out(heads[name].t, heads[name].excess)
        marker = {"symbol": style.marker, "size": 7, "maxdisplayed": 8}
        width = 2.5 if name in ("intact", variant) else 1.5
        line = {"line": style.line(width), "marker": marker, "opacity": 1.0 if name in front else 0.25}
        hover = f"{style.label}<br>after t = %{{x:,.0f}} head steps<br>excess risk %{{y:.3g}}<extra></extra>"
        curve = {"name": style.label, "mode": "lines+markers", "hovertemplate": hover}
        figure.add_scatter(x=trace_values(t), y=trace_values(values), **curve, **line)
        if name in front:
            labels.append((float(values[-1]), style.tag()))
        table["variant"] += [style.label] * len(t)
        table["t"] += trace_values(t)
        table["excess risk"] += trace_values(values)
    vertical = value_range(table["excess risk"], True)
    figure.update_yaxes(**value_axis("excess risk, E (f − f*)²", vertical, True))
    figure.update_xaxes(
        title_text="head steps t", type="log", range=[0, float(np.log10(max(last, 2)))], **decades(0, 7)
    )
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    ends = {name: float(curve.excess[-1]) for name, curve in heads.items()}
    words = join_words(
        [f"{number(ends[name])} ({VARIANTS[name].label})" for name in dict.fromkeys(front) if name in ends]
    )
    alt = f"The excess risk after the last step so far is {words}." if words else "No head has taken a step yet."
    return Picture(figure, alt, table)


def predictor_profile(
    z: Numbers,
    truth: Numbers,
    functions: Mapping[str, Numbers],
    *,
    theme: Theme,
    height: int = 400,
) -> Picture:
    """Line 5: what is returned, along u₁, averaged over the other directions; functions : variant -> (Z,)."""
    figure = _of_line(5, theme, height, "Line 5: the function returned, along u₁")
    hover = "<br>z = %{x:.2f}<br>along u₁: %{y:.3f}<extra></extra>"
    target = {"name": "target f*", "hovertemplate": f"target f*{hover}"}
    figure.add_scatter(x=trace_values(z), y=trace_values(truth), mode="lines", line=theme.theory(), **target)
    table, gaps = {"z": trace_values(z), "target": trace_values(truth)}, {}
    middle = np.abs(np.asarray(z, float)) <= 2  # where samples are; further out every method guesses
    for name, values in functions.items():
        style = VARIANTS[name]
        marker = {"symbol": style.marker, "size": 7, "maxdisplayed": 9}
        line = {"mode": "lines+markers", "line": style.line(2.5), "marker": marker}
        curve = {"name": style.label, "hovertemplate": f"{style.label}{hover}"}
        figure.add_scatter(x=trace_values(z), y=trace_values(values), **curve, **line)
        table[style.label] = trace_values(values)
        gaps[style.label] = float(np.sqrt(np.mean((np.asarray(values) - np.asarray(truth))[middle] ** 2)))
    vertical = value_range([value for column in list(table.values())[1:] for value in column], False)
    figure.update_xaxes(title_text="z, with x = z u₁ + the rest", range=[min(z), max(z)])
    figure.update_yaxes(title_text="f along u₁", range=vertical)
    figure.update_layout(**legend_above(theme))
    words = join_words([f"{quote_number(gap)} ({label})" for label, gap in gaps.items()])
    alt = f"For |z| ≤ 2 the root mean square distance to the target along u₁ is {words}."
    return Picture(figure, alt if words else "No function has been returned yet.", table)


def headline(variants: Mapping[str, Mapping[str, Any]], variant: str) -> str:
    """How a variant ends, beside the intact one; variants : as for `result_bars`."""
    if variant not in variants or "intact" not in variants:
        return ""
    (risk, alignment), (other_risk, other_alignment) = (
        (two_digits(variants[name]["excess_risk"]), f"{variants[name]['alignment']:.2f}")
        for name in ("intact", variant)
    )
    if variant == "intact":
        return f"Algorithm 1 intact: excess risk {risk}, alignment {alignment}"
    words = f"With «{VARIANTS[variant].label}»: excess risk {other_risk} instead of {risk}"
    same = other_alignment == alignment
    turned = f"the same alignment, {alignment}" if same else f"alignment {other_alignment} instead of {alignment}"
    return shorten(f"{words}, {turned}", words)


def step_film(figure: go.Figure, layers: Sequence[NeuronFrame], after: go.Figure, name: str) -> Film:
    """Of line 2: the neurons turn as the step is taken; at its end stands `figure`, which may compare two layers.

    layers (K,) : at the moments of the step.  after : the map right after it.  name : of its trace of the layer now.
    """
    count = len(layers)
    changes: Changes = {}
    after = go.Figure(after.data[len(after.data) - len(figure.data) :], after.layout)  # one layer has no pale one
    for path, (before, end) in differences(after, figure).items():
        if isinstance(end, np.ndarray):
            changes[path] = np.stack([before] * count + [end])
        else:
            changes[path] = [before] * count + [end]
    now, end = place_of(after.data, name), figure.data[place_of(after.data, name)]
    points = np.stack([layer.map(False).points for layer in layers])
    shares = np.stack([layer.share for layer in layers])
    for leaf, moving, last in (
        (("x",), points[..., 0], end.x),
        (("y",), points[..., 1], end.y),
        (("marker", "color"), shares, end.marker.color),
    ):
        changes[("data", now, *leaf)] = np.concatenate([moving, np.asarray(last, float)[None]])
    return Film([*times_of(0, count), 1.0], changes)
