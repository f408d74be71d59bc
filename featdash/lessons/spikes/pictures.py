"""The singular values of the first layer after a step, and the directions of those that leave the bulk."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, value_axis, value_range
from featdash.figures.film import Changes, Film, place_of, times_of
from featdash.figures.palette import CASES, NOISE, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import count_noun, number, quote_number, trace_values, with_decimals, with_index
from featdash.lessons.spikes.frames import MARGIN, DirectionFrame, FeatureFrame

VERTICAL = (0.0, 1.06)
TOGETHER, SINGLE = MethodStyle("all neurons", *SUBJECT), MethodStyle("one neuron", *CASES[1])


def second_direction(
    sizes: Sequence[int], rows: Sequence[DirectionFrame], d: int, *, theme: Theme, height: int = 400
) -> Picture:
    """|Cosine| with v₋ against n: of the second singular vector, and the median over single neurons; sizes (k,)."""
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
    cosines = f"{with_decimals(last.together, 2)} for all neurons together and {with_decimals(last.single, 2)} for one"
    alt = f"With n = {number(sizes[-1])} the cosine with the second direction is {cosines} in the median."
    headline = f"With n = {number(sizes[-1])}: all neurons {with_decimals(last.together, 2)}, "
    return Picture(figure, alt, table, f"{headline}one neuron {with_decimals(last.single, 2)}")


BINS = 60
ALL, SPIKES, EDGE = "all", "spikes", "edge"  # names of the bars, of the marks, and of the line with its words
PER_CENT = round(100 * (MARGIN - 1))
LOOKS = (("solid", "circle"), ("8px,4px", "diamond"), ("2px,3px", "square"))


def hermite(degree: int) -> str:
    """He₂(z)."""
    return f"{with_index('He', degree)}(z)"


def power(alpha: float) -> str:
    """The size of the step, for a title."""
    return f"a step of n<sup>{number(alpha)}</sup>"


def feature_spectrum(
    frame: FeatureFrame, alpha: float, frames: Sequence[FeatureFrame], *, theme: Theme, height: int = 400
) -> Picture:
    """The histogram of the values, and each spike with the name of the polynomial that its vector is nearest to.

    The line is where spikes begin, MARGIN over the edge; bins end there, so that a bar beyond it is spikes alone.
    frames : of all step sizes, this one among them; the axes hold all of them, and so stand still.
    """
    figure = blank(theme, height, _spectrum_title(alpha))
    top = _reach(frames)
    bars = _bars(frame, top)
    hover = "singular values near %{x:.3g}<br>count %{y}<extra></extra>"
    figure.add_bar(**bars, marker_color=NOISE, name=ALL, hovertemplate=hover)
    edge = MARGIN * frame.edge
    figure.add_vline(x=edge, line={"color": theme.ink, "dash": "dash", "width": 1.5}, name=EDGE)
    words = {"text": f"edge of the bulk + {PER_CENT} %", "showarrow": False, "font": {"size": theme.text}}
    figure.add_annotation(y=1, yref="y domain", yanchor="top", name=EDGE, **words, **_beside_edge(edge, top))
    figure.add_scatter(
        **_marks(frame, top), mode="markers+text", name=SPIKES, textfont={"size": theme.text, "shadow": theme.halo},
        y=[2.0 * 2**index for index in range(len(frame.correlation))],  # the names of two that are near do not meet
        marker={"symbol": "triangle-down", "size": 12, "color": SUBJECT.colour},
        hovertemplate="spike at %{x:.3g}<br>nearest polynomial, correlation %{text}<extra></extra>",
    )  # fmt: skip
    highest = max(count for one in frames for count in _bars(one, top)["y"])
    figure.update_xaxes(title_text="singular value σ", range=[0, top])
    figure.update_yaxes(**value_axis("how many (log scale)", (-0.3, math.log10(highest) + 0.35), True))
    table = {"singular value": trace_values(frame.values[:300])}
    return Picture(figure, _finding(frame, alpha), table, _headline(frame, alpha))


def spectrum_film(figure: go.Figure, frames: Sequence[FeatureFrame], alphas: Sequence[float]) -> Film:
    """Of `feature_spectrum`, for all step sizes: spikes leave the bulk one after the other.

    A bar stays until the next step size, since it counts; the marks of the spikes and the edge go on evenly.
    """
    top = _reach(frames)
    bars, marks = [_bars(frame, top) for frame in frames], [_marks(frame, top) for frame in frames]
    edges = np.array([MARGIN * frame.edge for frame in frames])
    words = [_beside_edge(edge, top) for edge in edges]
    bar, mark = (("data", place_of(figure.data, name)) for name in (ALL, SPIKES))
    line = ("layout", "shapes", place_of(figure.layout.shapes, EDGE))
    note = ("layout", "annotations", place_of(figure.layout.annotations, EDGE))
    changes: Changes = {("layout", "title", "text"): [_spectrum_title(alpha) for alpha in alphas]}
    changes |= {(*bar, part): [one[part] for one in bars] for part in ("x", "y", "width")}
    changes |= {(*mark, part): [one[part] for one in marks] for part in ("text", "textposition")}
    changes[(*mark, "x")] = np.array([one["x"] for one in marks], float)
    changes |= {(*line, "x0"): edges, (*line, "x1"): edges, (*note, "x"): edges}
    changes |= {(*note, part): [one[part] for one in words] for part in ("xanchor", "xshift")}
    return Film(times_of(0, len(frames)), changes)


def _spectrum_title(alpha: float) -> str:
    return f"Singular values of the features after {power(alpha)}"


def _reach(frames: Sequence[FeatureFrame]) -> float:
    """Where the axis of singular values ends."""
    return 1.1 * max(max(float(frame.values[0]), frame.edge, 1e-12) for frame in frames)


def _bars(frame: FeatureFrame, top: float) -> dict[str, Any]:
    """Middles, heights and width of the bins that are not empty; top : the end of the axis."""
    ends = bins(frame.edge * MARGIN, top)
    counts = np.histogram(-frame.values, -ends[::-1])[0][::-1]  # a bin holds its upper end: no spike is at the limit
    middles, nonempty = (ends[1:] + ends[:-1]) / 2, counts > 0
    return {"x": trace_values(middles[nonempty]), "y": trace_values(counts[nonempty]), "width": float(ends[1])}


def bins(limit: float, top: float) -> np.ndarray:
    """Ends of about BINS equal bins from 0 to top or just beyond; one is at the limit, if that is not in the first."""
    below = round(BINS * (limit / top))
    width = limit / below if below else top / BINS
    ends = width * np.arange(math.ceil(top / width) + 1)
    ends[below] = limit if below else 0.0  # to the last digit
    return ends


def _beside_edge(edge: float, top: float) -> dict[str, Any]:
    """Where the words of the edge stand: on the side where there is room."""
    side, shift = ("left", 4) if edge < 0.6 * top else ("right", -4)
    return {"x": edge, "xanchor": side, "xshift": shift}


def _marks(frame: FeatureFrame, top: float) -> dict[str, Any]:
    """Places and names of the spikes whose vectors are known, with gaps up to the number of these vectors.

    A name stands on the side where there is room; top : the end of the axis.
    """
    places, texts = [], []
    for index, row in enumerate(frame.correlation):
        best, spikes = int(row.argmax()), index < frame.spikes
        places.append(float(frame.values[index]) if spikes else np.nan)
        texts.append(f"{hermite(best + 1)}: {with_decimals(row[best], 2)}" if spikes else "")
    sides = ["top left" if place > top / 2 else "top right" for place in places]
    return {"x": trace_values(places), "text": texts, "textposition": sides}


def _finding(frame: FeatureFrame, alpha: float) -> str:
    lie = count_noun(frame.spikes, "singular value lies", "singular values lie")
    sentence = (
        f"After a step of n to the power {number(alpha)}, {lie} beyond the edge of the bulk, {number(frame.edge)}"
    )
    first = with_decimals(frame.correlation[0, 0], 2)
    return f"{sentence}; the first left singular vector has a correlation of {first} with {hermite(1)}."


def _headline(frame: FeatureFrame, alpha: float) -> str:
    leave = count_noun(frame.spikes, "spike leaves", "spikes leave")
    return f"With α = {number(alpha)}, {leave} the bulk"


def spike_course(
    alphas: Sequence[float], frames: Sequence[FeatureFrame], *, theme: Theme, at: float | None = None, height: int = 400
) -> Picture:
    """The three largest singular values over the edge, against α; at : the α looked at, marked if before the last."""
    figure = blank(theme, height, "The three largest singular values, by α")
    ratios = np.array([frame.values[: len(LOOKS)].astype(float) / (frame.edge or 1.0) for frame in frames])
    labels: list[tuple[float, str]] = [(MARGIN, f"┄ edge + {PER_CENT} %")]
    table: dict[str, list] = {"α": trace_values(alphas), "spikes": [frame.spikes for frame in frames]}
    for k, ((dash, marker), values) in enumerate(zip(LOOKS, ratios.T, strict=False)):
        name = f"{with_index('σ', k + 1)} / edge"
        colour = SUBJECT.colour if values[-1] > MARGIN else NOISE
        figure.add_scatter(
            x=trace_values(alphas), y=trace_values(values), mode="lines+markers", name=name,
            line={"color": colour, "dash": dash, "width": 2}, marker={"symbol": marker, "size": 8, "color": colour},
            hovertemplate=f"{name}<br>α = %{{x}}<br>ratio %{{y:.3g}}<extra></extra>",
        )  # fmt: skip
        labels.append((float(values[-1]), with_index("σ", k + 1)))
        table[name] = trace_values(values)
    figure.add_hline(y=MARGIN, line=theme.theory("dash"))
    if at is not None and at < alphas[-1]:
        figure.add_vline(x=at, line=theme.theory("dot"))
    vertical = value_range([*ratios.ravel(), MARGIN], True)
    figure.update_xaxes(title_text="α, for a step of n<sup>α</sup>", range=[-0.02, 0.52])
    figure.update_yaxes(**value_axis("σ, in units of the edge (log scale)", vertical, True))
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    return Picture(figure, _course_finding(alphas, frames), table, _course_headline(alphas, frames))


def since(alphas: Sequence[float], frames: Sequence[FeatureFrame], least: int) -> float | None:
    """The α from which on there are at least so many spikes; None if there are fewer at the last."""
    below = [index for index, frame in enumerate(frames) if frame.spikes < least]
    first = below[-1] + 1 if below else 0
    return alphas[first] if first < len(alphas) else None


def _course_finding(alphas: Sequence[float], frames: Sequence[FeatureFrame]) -> str:
    clauses = []
    for least, word in ((1, "one spike"), (2, "two")):
        alpha = since(alphas, frames, least)
        clauses.append(f"{word} from α = {number(alpha)} on" if alpha is not None else f"not yet {word} for good")
    last = count_noun(frames[-1].spikes, "spike", "spikes")
    return (
        f"There {'is' if frames[-1].spikes == 1 else 'are'} {last} at α = {number(alphas[-1])}; {', '.join(clauses)}."
    )


def _course_headline(alphas: Sequence[float], frames: Sequence[FeatureFrame]) -> str:
    one, two = (since(alphas, frames, least) for least in (1, 2))
    if one is None:
        return f"No spike at α = {number(alphas[-1])}" if not frames[-1].spikes else ""
    return f"One spike from α = {number(one)} on" + (f", two from {number(two)} on" if two is not None else "")


def correlations(frame: FeatureFrame, alpha: float, *, theme: Theme, height: int = 240) -> Picture:
    """|Correlation| of the leading left singular vectors with the polynomials of z, a cell each."""
    figure = blank(theme, height, _vectors_title(alpha))
    rows, columns = frame.correlation.shape
    names = [f"vector {index + 1}" for index in range(rows)]
    figure.add_heatmap(
        z=[trace_values(row) for row in frame.correlation[::-1]], y=names[::-1],
        x=[hermite(degree + 1) for degree in range(columns)],
        zmin=0, zmax=1, colorscale=theme.sequential, showscale=False, name="correlation",
        text=_words_of_cells(frame), texttemplate="%{text}",
        hovertemplate="%{y} with %{x}<br>correlation %{z:.3f}<extra></extra>",
    )  # fmt: skip
    figure.update_xaxes(title_text="polynomial of z; cells: correlation")
    table: dict[str, list] = {"vector": [name for name in names for _ in range(columns)]}
    table["polynomial"] = [hermite(degree + 1) for _ in names for degree in range(columns)]
    table["correlation"] = trace_values(frame.correlation)
    clauses = [
        f"vector {index + 1} is nearest to {hermite(int(row.argmax()) + 1)}, with {quote_number(row.max(), 2)}"
        for index, row in enumerate(frame.correlation)
    ]
    return Picture(figure, f"By correlation {', '.join(clauses)}.", table)


def correlations_film(figure: go.Figure, frames: Sequence[FeatureFrame], alphas: Sequence[float]) -> Film:
    """Of `correlations`, for all step sizes."""
    cells = ("data", place_of(figure.data, "correlation"))
    changes: Changes = {
        ("layout", "title", "text"): [_vectors_title(alpha) for alpha in alphas],
        (*cells, "z"): np.stack([frame.correlation[::-1] for frame in frames]),
        (*cells, "text"): [_words_of_cells(frame) for frame in frames],
    }
    return Film(times_of(0, len(frames)), changes)


def _vectors_title(alpha: float) -> str:
    return f"Singular vectors and polynomials, {power(alpha)}"


def _words_of_cells(frame: FeatureFrame) -> list[list[str]]:
    """The number in each cell; the first vector is the highest row."""
    return [[with_decimals(one, 2) for one in row] for row in frame.correlation[::-1]]
