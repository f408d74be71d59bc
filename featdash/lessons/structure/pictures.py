"""What a target's hidden structure asks of the samples, and how much of it each method learns."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, name_above, value_axis
from featdash.figures.film import Changes, Film, times_of
from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import Numbers, drawn_power, join_words, number, spoken_power, trace_values, with_decimals
from featdash.theory.exponents import Growth

STYLES = {
    "rank": MethodStyle("rank r, equal weights", *SUBJECT),
    "condition": MethodStyle("unequal weights", *CASES[1]),
    "together": MethodStyle("all neurons together", *CASES[0]),
}


EDGE = 1.25  # a factor at the ends of both axes
SHORT = {"rank": "r", "condition": "κ²r", "together": "κ²r"}  # κ is the same for all r of equal weights


def samples_of_structure(
    growths: Mapping[str, Growth],
    line: float | None,
    sizes: tuple[int, int],
    widest: tuple[float, float],
    d: int,
    *,
    theme: Theme,
    height: int = 430,
) -> Picture:
    """n*/d² against κ²r on logarithmic axes, with the fitted lines.

    growths : one of STYLES -> n* by κ²r.  line : leading order of n*/(d²κ²r), None to leave it out.
    sizes : smallest and largest n.  widest : smallest and largest κ²r.
    A target for which no n is enough is hollow, at the top.
    """
    figure = blank(theme, height, "Samples until the weakest direction is seen")
    across = widest[0] / EDGE, widest[1] * EDGE
    along = sizes[0] / d**2 / EDGE, sizes[1] / d**2 * EDGE**2
    if line is not None:
        figure.add_scatter(
            x=trace_values(across), y=trace_values(line * np.array(across)), mode="lines", line=theme.theory("dot"),
            hoverinfo="skip", name="leading order",
        )  # fmt: skip
    table: dict[str, list] = {"what": [], "κ²r": [], "n*": [], "slope": [], "error": []}
    for name, one in growths.items():
        _draw(figure, name, one, sizes[1] / d**2 * EDGE, d)
        table["what"] += [STYLES[name].label] * len(one.needed)
        table["κ²r"] += trace_values(list(one.needed))
        table["n*"] += [n and float(f"{n:.6g}") for n in one.needed.values()]
        table["slope"] += [one.slope] * len(one.needed)
        table["error"] += [one.error] * len(one.needed)
    tags = [STYLES[name].tag(f"{STYLES[name].label}: {power(name, one, drawn_power)}") for name, one in growths.items()]
    tags += ["··· leading order: n = " + number(line) + " d²κ²r"] if line is not None else []
    name_above(figure, tags, theme, each_line=1)  # with their powers, two are wider than a phone
    for update, title, ends in (
        (figure.update_xaxes, "κ²r (log scale)", across),
        (figure.update_yaxes, "samples n*/d² (log scale)", along),
    ):
        update(**value_axis(title, (math.log10(ends[0]), math.log10(ends[1])), True))
    return Picture(figure, _needed_finding(growths), table, _needed_headline(growths))


def needed_film(figure: go.Figure, sizes: Sequence[int], d: int) -> Film:
    """Of `samples_of_structure`: a target's point comes with the samples that it needs, fits and powers at the end.

    sizes (K,) : of the samples, ascending, a moment each.
    """
    levels, count = np.array(sizes) / d**2, len(sizes)
    changes: Changes = {}
    for index, trace in enumerate(figure.data):
        if trace.mode == "markers" and len(trace.y):
            heights = np.asarray(trace.y, float)
            is_reached = heights <= levels[:, None]
            is_reached[-1] = True  # those for which no size is enough
            changes[("data", index, "y")] = np.where(is_reached, heights, np.nan)
        elif (trace.name or "").endswith("fit"):
            changes[("data", index, "visible")] = [False] * (count - 1) + [True]
    labels = [style.label for style in STYLES.values()]
    for index, note in enumerate(figure.layout.annotations):
        name = re.sub(f"({'|'.join(map(re.escape, labels))}): .*?(?=<br>|$)", r"\1", note.text)
        if name != note.text:
            changes[("layout", "annotations", index, "text")] = [name] * (count - 1) + [note.text]
    return Film(times_of(0, count), changes)


def power(name: str, one: Growth, raised: Callable[[str, str], str] = spoken_power) -> str:
    """The fitted power with its error, or why there is none; raised : how a power is written."""
    if one.slope is None:
        return "too few for a slope" if any(one.needed.values()) else "more than all n" if one.beyond else "unknown"
    what = SHORT[name] if name == "rank" else f"({SHORT[name]})"
    return f"{raised(what, with_decimals(one.slope, 2))} ± {with_decimals(one.error or 0.0, 2)}"


def _draw(figure: go.Figure, name: str, one: Growth, top: float, d: int) -> None:
    """Points, the fitted line through their range, and hollow markers where no size is enough."""
    style = STYLES[name]
    points = [(place, n / d**2) for place, n in sorted(one.needed.items()) if n is not None]
    if one.slope is not None and one.intercept is not None:
        ends = np.array([points[0][0], points[-1][0]])
        fitted = np.exp(one.intercept) * ends**one.slope / d**2
        figure.add_scatter(
            x=trace_values(ends), y=trace_values(fitted), mode="lines", line=style.line(1.6), hoverinfo="skip",
            name=f"{style.label}, fit",
        )  # fmt: skip
    figure.add_scatter(
        x=trace_values([place for place, _ in points]), y=trace_values([n for _, n in points]), mode="markers",
        marker={"symbol": style.marker, "size": 9, "color": style.colour}, name=style.label,
        hovertemplate=f"{style.label}<br>κ²r = %{{x:.3g}}<br>n*/d² = %{{y:.3g}}<extra></extra>",
    )  # fmt: skip
    figure.add_scatter(
        x=trace_values(one.beyond), y=[top] * len(one.beyond), mode="markers", name=style.label,
        marker={"symbol": f"{style.marker}-open", "size": 10, "color": style.colour},
        hovertemplate=f"{style.label}<br>κ²r = %{{x:.3g}}: more than all n<extra></extra>",
    )  # fmt: skip


def _needed_finding(growths: Mapping[str, Growth]) -> str:
    """The fitted powers."""
    clauses = []
    for name, one in growths.items():
        count = sum(n is not None for n in one.needed.values())
        if one.slope is not None:
            clauses.append(f"like {power(name, one)} for {STYLES[name].label} over {count} targets")
        else:
            clauses.append(f"at too few targets for a slope for {STYLES[name].label}")
    return f"The samples needed grow: {join_words(clauses)}." if clauses else "No target is measured yet."


def _needed_headline(growths: Mapping[str, Growth]) -> str:
    """The powers of the two sweeps; "" without both."""
    rank, condition = growths.get("rank"), growths.get("condition")
    if rank is None or condition is None or rank.slope is None or condition.slope is None:
        return ""
    return f"Samples grow like {power('rank', rank)}, and like {power('condition', condition)}"


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
        colour, dash, marker, glyph, _ = CASES[index % len(CASES)]
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
    return Picture(figure, _shares_finding(curves, ratios, letter), table)


def _shares_finding(curves: Mapping[float, np.ndarray], ratios: Numbers, letter: str) -> str:
    """The shares at the most samples."""
    if not curves:
        return "No target is measured yet."
    ends = [f"{with_decimals(float(c.mean(axis=0)[-1]), 2)} at {letter} = {number(v)}" for v, c in curves.items()]
    return f"At n = {number(ratios[-1])} d² the share of the weakest direction is {join_words(ends)}."
