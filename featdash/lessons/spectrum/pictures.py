"""Spike and bulk: singular values of the first-layer gradient, and the edge of what noise makes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.axes import decades, end_labels, name_above, value_axis, value_range
from featdash.figures.film import Changes, Film, times_of
from featdash.figures.palette import NOISE, SUBJECT
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import count_noun, number, trace_values, with_decimals, with_index
from featdash.lessons.spectrum.frames import SpectrumFrame

TITLE = "Singular values of the gradient, n = {}"
BINS_A_DECADE = 14
LEVEL = 0.78  # of the panel: the names of the edges stand between the spikes and the bulk
STEP = 0.3  # of the panel, from the first name to the second
ROOM = 0.5  # of the axis: where both edges are beyond it, their names stand to their left
KEY = ("─ edge", "⋯ shuffled", "╌ infinitely many samples")
EDGES = ("solid: random signs<br>+ part outside", "dotted:<br>shuffled labels")


def spike_and_bulk(
    spectrum: SpectrumFrame, *, theme: Theme, samples: float, reach: tuple[float, float], height: int = 400
) -> Picture:
    """Above, each singular value with its share inside the principal subspace; below, the histogram of the bulk.

    reach : smallest and largest value of the axis, the same for all n so that the bulk is seen to retreat.
    """
    values, share, edge, permuted_edge = spectrum.values, spectrum.share, spectrum.edge, spectrum.permuted_edge
    title = blank(theme, height, TITLE.format(number(samples)))
    figure = make_subplots(2, 1, figure=title, shared_xaxes=True, vertical_spacing=0.05)
    outside = values <= edge
    kinds = (
        ("beyond the edge", ~outside, SUBJECT.colour, "circle"),
        ("inside the bulk", outside, NOISE, "circle-open"),
    )
    for name, mask, colour, symbol in kinds:
        marker = {"color": colour, "size": 9, "symbol": symbol, "line": {"width": 1.5, "color": colour}}
        hover = f"{name}<br>singular value %{{x:.3g}}<br>share in the subspace %{{y:.3f}}<extra></extra>"
        points = {
            "x": trace_values(np.where(mask, values, np.nan)),  # a point keeps its place in both, for the film
            "y": trace_values(share),
            "marker": marker,
            "hovertemplate": hover,
        }
        points["name"] = name
        figure.add_scatter(**points, mode="markers", cliponaxis=False, row=1, col=1)
    middles, counts, widths = _histogram(spectrum.null, reach)
    bars = {"x": trace_values(middles), "y": trace_values(counts), "width": trace_values(widths), "marker_color": NOISE}
    hover = "bulk<br>singular values near %{x:.3g}: %{y:.2f} a copy<extra></extra>"
    figure.add_bar(**bars, name="bulk", hovertemplate=hover, row=2, col=1)
    figure.add_vline(x=edge, line={"color": theme.ink, "dash": "solid", "width": 1.5})
    figure.add_vline(x=permuted_edge, line={"color": theme.ink, "dash": "dot", "width": 1.5})
    place, side = _beside(edge, permuted_edge, reach)
    for row, text in enumerate(EDGES):
        note = {"text": text, "showarrow": False, "font": {"size": theme.text}, "xanchor": side, "yanchor": "top"}
        shift, level = _shift(side), LEVEL - row * STEP
        figure.add_annotation(x=np.log10(place), y=level, xref="x", yref="y domain", xshift=shift, **note)
    figure.update_yaxes(title_text="share in the subspace", range=[-0.06, 1.08], row=1, col=1)
    figure.update_yaxes(title_text="count", rangemode="tozero", row=2, col=1)
    across = value_axis("singular value σ", (np.log10(reach[0]), np.log10(reach[1])), True)
    figure.update_xaxes(**across | {"title_text": None}, row=1, col=1)
    figure.update_xaxes(**across, row=2, col=1)
    table = {"singular value": trace_values(values), "share in the subspace": trace_values(share)}
    return Picture(figure, _finding(spectrum, samples), table, _headline(samples, spectrum.beyond(edge)))


def _beside(edge: float, permuted_edge: float, reach: tuple[float, float]) -> tuple[float, str]:
    """(place, anchor) of both edges' names: right of the lines, or left of them where there is no room."""
    inner, outer = sorted((edge, permuted_edge))
    low, high = np.log10(reach)
    return (inner, "right") if np.log10(inner) > low + ROOM * (high - low) else (outer, "left")


def _histogram(null: np.ndarray, reach: tuple[float, float]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bins even on the log axis: their middles, singular values a copy, and widths."""
    low, high = np.log10(reach)
    edges = np.logspace(low, high, max(round((high - low) * BINS_A_DECADE), 2) + 1)
    counts = np.histogram(null, edges)[0] / len(null)
    return np.sqrt(edges[1:] * edges[:-1]), counts, np.diff(edges)


def bulk_film(
    figure: go.Figure, spectra: Sequence[SpectrumFrame], samples: Sequence[float], reach: tuple[float, float]
) -> Film:
    """Of `spike_and_bulk`: the bulk retreats and the spikes stay, as samples come in."""
    values, edges = np.stack([one.values for one in spectra]), np.array([one.edge for one in spectra])
    permuted_edges, beyond = np.array([one.permuted_edge for one in spectra]), values > edges[:, None]
    changes: Changes = {("layout", "title", "text"): [TITLE.format(number(n)) for n in samples]}
    for index, mask in enumerate((beyond, ~beyond)):
        changes[("data", index, "x")] = np.where(mask, values, np.nan)
        changes[("data", index, "y")] = np.stack([one.share for one in spectra])
    changes[("data", 2, "y")] = np.stack([_histogram(one.null, reach)[1] for one in spectra])
    for index in range(len(figure.layout.shapes)):  # both edges, each in both panels
        line = edges if index < len(figure.layout.shapes) // 2 else permuted_edges
        changes |= {("layout", "shapes", index, end): line for end in ("x0", "x1")}
    sides = [_beside(*pair, reach) for pair in zip(edges.tolist(), permuted_edges.tolist(), strict=True)]
    for index in range(len(EDGES)):
        note = ("layout", "annotations", index)
        changes[(*note, "x")] = np.log10([place for place, _ in sides])
        changes[(*note, "xanchor")] = [side for _, side in sides]
        changes[(*note, "xshift")] = [_shift(side) for _, side in sides]
    return Film(times_of(0, len(samples)), changes)


def _shift(side: str) -> int:
    """Pixels from an edge to the names."""
    return 4 if side == "left" else -4


def _finding(spectrum: SpectrumFrame, samples: float) -> str:
    spikes, beyond_permuted = (spectrum.beyond(limit) for limit in (spectrum.edge, spectrum.permuted_edge))
    start = (
        f"With {number(samples)} samples {_count_words(spikes)} beyond the edge of the bulk, {number(spectrum.edge)}"
    )
    inside = ""
    if spikes:
        lowest = spectrum.share[spectrum.values > spectrum.edge].min()
        least = with_decimals(np.floor(1000 * lowest) / 1000, 3)  # a bound from below is rounded down
        inside = f", with at least {least} of {'each' if spikes > 1 else 'it'} inside the subspace"
    lie = "one lies" if beyond_permuted == 1 else f"{beyond_permuted or 'none'} {'lie' if beyond_permuted else 'lies'}"
    return f"{start}{inside}; {lie} beyond that of shuffled labels, {number(spectrum.permuted_edge)}."


def spectrum_course(
    n: Sequence[float],
    values: np.ndarray,
    edge: Sequence[float],
    permuted_edge: Sequence[float],
    *,
    theme: Theme,
    rank: int,
    population: Sequence[float] = (),
    at: float | None = None,
    last: float | None = None,
    height: int = 400,
) -> Picture:
    """Singular values against n, log-log: which leave the bulk, and when.

    values (S, d), descending in each row; edge, permuted_edge (S,); population (d,) : those of infinitely many samples,
    whose lines have the names; while they are not known, the ends of the curves have them.
    rank : of the expected Hessian, how many are expected to leave; at : the n looked at; last : where the axis ends.
    """
    figure = blank(theme, height, "Singular values as samples come in")
    shown = values[:, : rank + 3]
    labels: list[tuple[float, str]] = []
    for k, course in enumerate(shown.T):
        colour, width = (SUBJECT.colour, 2.2) if k < rank else (NOISE, 1.2)
        marker = {"size": 5, "symbol": "circle" if k < rank else "circle-open"}
        style = {"line": {"color": colour, "width": width}, "marker": marker, "mode": "lines+markers"}
        figure.add_scatter(x=trace_values(n), y=trace_values(course), **style, **_hover(with_index("σ", k + 1)))
        if k < rank:
            level = float(population[k] if len(population) else course[-1])
            labels.append((level, with_index("σ", k + 1)))
    for name, course, dash in (("edge", edge, "solid"), ("edge of shuffled labels", permuted_edge, "dot")):
        line = {"color": theme.ink, "dash": dash, "width": 1.5}
        figure.add_scatter(x=trace_values(n), y=trace_values(course), mode="lines", line=line, **_hover(name))
    for level in list(population)[:rank]:
        figure.add_hline(y=float(level), line=theme.theory("dash"))
    if at is not None:
        figure.add_vline(x=at, line=theme.theory("dot"))
    vertical = value_range([*shown.ravel(), *edge, *permuted_edge], True)
    figure.update_yaxes(**value_axis("singular value σₖ", vertical, True))
    across = value_range([float(n[0]), last or float(n[-1])], True)
    figure.update_xaxes(title_text="samples n", type="log", range=across, **decades(0, 7))
    end_labels(figure, labels, vertical, theme=theme, log=True, height=height)
    name_above(figure, KEY[: 3 if rank and len(population) else 2], theme, each_line=3)
    table = {"n": trace_values(n), "edge": trace_values(edge), "shuffled edge": trace_values(permuted_edge)}
    table |= {with_index("σ", k + 1): trace_values(course) for k, course in enumerate(shown.T)}
    return Picture(figure, _course_finding(n, values, np.asarray(edge), rank), table)


def _hover(name: str) -> dict[str, str]:
    """A curve's name, and what it says under the pointer."""
    return {"name": name, "hovertemplate": f"{name}<br>n = %{{x:,.0f}}<br>singular value %{{y:.3g}}<extra></extra>"}


def _course_finding(n: Sequence[float], values: np.ndarray, edge: np.ndarray, rank: int) -> str:
    out = np.sum(values > edge[:, None], axis=1)
    late = np.flatnonzero(out < rank)  # out from the n after the last one where they are not
    since = late[-1] + 1 if len(late) else 0
    when = f"out from n = {number(n[since])} on" if since < len(n) else "not out at the largest n so far"
    clause = f"the {rank} that E∇²f* has rank for are {when}"
    if rank == 1:
        clause = f"the one that E∇²f* has rank for is {when}"
    if not rank:
        clause = "E∇²f* = 0 lets none be expected there"
    return f"At n = {number(n[-1])} {_count_words(int(out[-1]))} beyond the edge; {clause}."


def _headline(samples: float, out: int) -> str:
    stand = count_noun(out, "direction stands", "directions stand")
    return f"With n = {number(samples)}, {stand} out of the noise"


def _count_words(values: int) -> str:
    return count_noun(values, "singular value lies", "singular values lie")
