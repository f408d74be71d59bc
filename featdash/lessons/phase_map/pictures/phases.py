"""The phase map: dimension against samples, where the first step has found the subspace, and where it wins."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import plotly.graph_objects as go

from featdash.figures.palette import DIVERGING, HERE, INK, PAPER
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import Numbers, number, spoken_power, to_power

MOST_PRINTED = 150  # cells whose number is printed; more would overlap
# Shares of a cell: half the width and half the height of a number, and where its middle stands, the first of these
# places that no line comes near.
HALF = (0.29, 0.13)
PLACES = ((0, -0.2), (0, 0.2), (0.18, -0.32), (-0.18, 0.32), (0, -0.32), (0, 0.32), (-0.18, -0.32), (0.18, 0.32))
CLEAR = 0.05
BESIDE = 46  # pixels of a line's name between the map and its scale
RATIOS = (0.1, 0.2, 0.5, 1, 2, 5, 10)  # ticks of the scale of ratios, which ends at the first and the last
MEASURES = {
    "alignment": "alignment of the first layer with the principal subspace",
    "ratio": "excess risk, Algorithm 1 / {rival}",
}
HOVERED = {"alignment": "alignment", "ratio": "risk ratio, Algorithm 1 / {rival}"}


class Place(NamedTuple):
    """A point on the map."""

    d: int
    n: int


def phase_map(
    dimensions: Sequence[int],
    sizes: Sequence[int],
    maps: Mapping[str, Any],
    *,
    theme: Theme,
    measure: str = "alignment",
    rival: str = "NTK",
    degree: int = 2,
    here: Place | None = None,
    height: int = 400,
) -> Picture:
    """A heatmap over log n and log d, with the lines n = d² and n = d^p across it.

    dimensions (D,), sizes (N,) : ascending; maps : "alignment", "ratio", each (D, N), nan where nothing is measured.
    measure : one of MEASURES; rival : label of the method by whose risk Algorithm 1's is divided; degree : p of the
    target; here : where the Lab's run is.
    """
    values = np.asarray(maps[measure], float)
    figure = blank(theme, height, f"Phase map: {MEASURES[measure].format(rival=rival)}")
    x, y = np.log10(sizes), np.log10(dimensions)
    figure.add_heatmap(
        x=edges(x), y=edges(y), xgap=1, ygap=1, hoverinfo="skip", coloraxis="coloraxis",
        z=[[None if math.isnan(one) else one for one in row] for row in _shade(values, measure)],
    )  # fmt: skip
    powers = sorted({2, degree})
    for power in powers:
        _line(figure, power, x, y, theme)
    for trace in _cells(dimensions, sizes, values, HOVERED[measure].format(rival=rival), measure, theme):
        if trace["mode"] == "text":
            trace |= _beside_lines(trace["x"], trace["y"], powers)
        figure.add_scatter(**trace)
    if here and _inside(here, x, y):
        figure.add_annotation(**_flag(here, theme))
    figure.update_xaxes(**_axis("samples n", sizes, x))
    figure.update_yaxes(**_axis("dimension d", dimensions, y))
    figure.update_layout(coloraxis=_scale(measure, theme), margin={"r": 20, "l": 60})
    headline = _headline(dimensions, sizes, values, measure, rival)
    alt = _finding(dimensions, sizes, values, measure, rival)
    return Picture(figure, alt, _table(dimensions, sizes, maps), headline=headline)


def edges(centres: Numbers) -> list[float]:
    """The borders of cells around ascending centres: halfway between neighbours."""
    middle = np.asarray(centres, float)
    if len(middle) == 1:
        return [middle[0] - 0.1, middle[0] + 0.1]
    half = (middle[1:] + middle[:-1]) / 2
    return [float(one) for one in (2 * middle[0] - half[0], *half, 2 * middle[-1] - half[-1])]


def _shade(values: np.ndarray, measure: str) -> np.ndarray:
    """A ratio by its logarithm, positive where Algorithm 1 is the better one; an alignment as it is."""
    return values if measure == "alignment" else -np.log10(np.maximum(values, 1e-9))


def _cells(
    dimensions: Sequence[int], sizes: Sequence[int], values: np.ndarray, quantity: str, measure: str, theme: Theme
) -> list[dict[str, Any]]:
    """The traces of the cells: invisible markers with the hover text, and d and n for a click; and the numbers."""
    grid = [(d, n, values[i, j]) for i, d in enumerate(dimensions) for j, n in enumerate(sizes)]
    cells = [cell for cell in grid if not math.isnan(cell[2])]
    words = [f"{value:.2f}" if value < 10 else number(value) for *_, value in cells]
    across, along = [round(math.log10(n), 5) for _, n, _ in cells], [math.log10(d) for d, *_ in cells]
    hover = f"d = %{{customdata[0]}}, n = %{{customdata[1]}}<br>{quantity} %{{text}}<extra></extra>"
    points = {
        "mode": "markers", "marker": {"size": 26, "opacity": 0, "symbol": "square"}, "text": words,
        "name": measure, "customdata": [[int(d), int(n)] for d, n, _ in cells], "hovertemplate": hover,
    }  # fmt: skip
    inks = [_ink(float(value), measure, theme) for *_, value in cells]
    texts = {"mode": "text", "text": words, "textfont": {"size": theme.text, "color": inks}, "hoverinfo": "skip"}
    has_numbers = values.size <= MOST_PRINTED
    place = {"x": across, "y": along}
    return [points | place, *([texts | place] if has_numbers else [])]


def _beside_lines(x: Sequence[float], y: Sequence[float], powers: Sequence[int]) -> dict[str, list[float]]:
    """Places for the numbers of cells with these middles, so that no line n = d^power crosses a number."""
    wide, high = (float(np.min(np.diff(edges(sorted(set(one)))))) if one else 1.0 for one in (x, y))
    places: dict[str, list[float]] = {"x": [], "y": []}
    for across, along in zip(x, y, strict=True):

        def room(place: tuple[float, float], across: float = across, along: float = along) -> float:
            ends = [across + (place[0] + side * HALF[0]) * wide for side in (-1, 1)]
            above = [[(end / power - along) / high - place[1] for end in ends] for power in powers]
            free = min(min(map(abs, two)) if two[0] * two[1] > 0 else 0.0 for two in above) - HALF[1]
            return min(free, CLEAR)  # beyond, the first of the places is taken

        right, up = max(PLACES, key=room)
        places["x"].append(round(across + right * wide, 5))
        places["y"].append(round(along + up * high, 5))
    return places


def _ink(value: float, measure: str, theme: Theme) -> str:
    """White or black, whichever is legible on the cell's colour."""
    if measure == "alignment":
        return (
            INK["light"] if (value > 0.45) == (theme.theme == "dark") else PAPER["light"] if value > 0.45 else theme.ink
        )
    return PAPER["light"] if abs(math.log10(max(value, 1e-9))) > 0.55 else INK["light"]


def _line(figure: go.Figure, power: int, x: np.ndarray, y: np.ndarray, theme: Theme) -> None:
    """The line n = d^power, as far as it crosses the map, with its name at the upper end."""
    left, right, bottom, top = edges(x)[0], edges(x)[-1], edges(y)[0], edges(y)[-1]
    low, high = max(bottom, left / power), min(top, right / power)
    if low >= high:
        return
    name = f"n = {to_power('d', power)}"
    for colour, width, dash in ((theme.paper, 3, "solid"), (theme.ink, 1.5, "dash")):
        figure.add_scatter(
            x=[power * low, power * high], y=[low, high], mode="lines", hoverinfo="skip", name=name, opacity=0.75,
            line={"color": colour, "width": width, "dash": dash},
        )  # fmt: skip
    at_top = high == top
    figure.add_annotation(
        x=power * high, y=high, text=name, showarrow=False, font={"size": theme.text},
        xanchor="center" if at_top else "left", yanchor="bottom" if at_top else "middle", xshift=0 if at_top else 4,
    )  # fmt: skip


def _inside(here: Place, x: np.ndarray, y: np.ndarray) -> bool:
    across, along = edges(x), edges(y)
    return across[0] <= math.log10(here.n) <= across[-1] and along[0] <= math.log10(here.d) <= along[-1]


def _flag(here: Place, theme: Theme) -> dict[str, Any]:
    """A flag above the Lab's place: it leaves the number in the cell legible."""
    return {
        "text": "<b>★ you are here</b>", "x": math.log10(here.n), "y": math.log10(here.d), "standoff": 9, "ax": 0,
        "ay": -2.4 * theme.text, "arrowhead": 2, "arrowwidth": 2, "arrowcolor": HERE, "bgcolor": HERE,
        "borderpad": 2, "font": {"size": theme.text, "color": INK["light"]},
    }  # fmt: skip


def _axis(title: str, ticks: Sequence[int], at: np.ndarray) -> dict[str, Any]:
    across = edges(at)
    texts = [number(tick) for tick in ticks]
    place = {"tickvals": [round(float(one), 5) for one in at], "ticktext": texts, "range": [across[0], across[-1]]}
    return {"title_text": f"{title} (log scale)", "showgrid": False, "showline": False, **place}


def _scale(measure: str, theme: Theme) -> dict[str, Any]:
    bar = {"thickness": 12, "len": 1.0, "x": 1.0, "xpad": BESIDE, "tickfont": {"size": theme.text}}
    if measure == "alignment":
        bar |= {"tickvals": [0, 0.5, 1]}
        return {"colorscale": theme.sequential, "cmin": 0, "cmax": 1, "colorbar": bar}
    bar |= {"tickvals": [-math.log10(one) for one in RATIOS], "ticktext": [f"{one:g}" for one in RATIOS]}
    return {"colorscale": DIVERGING, "cmin": -1, "cmax": 1, "colorbar": bar}


def _finding(dimensions: Sequence[int], sizes: Sequence[int], values: np.ndarray, measure: str, rival: str) -> str:
    """The exponent at which the map turns: the mean of log_d n over the rows where it turns for good."""
    if np.isnan(values).all():
        return "No cell of the phase map has been measured yet."
    hits = values > 0.5 if measure == "alignment" else values < 1
    rows = [_turn(sizes, row_hits, is_measured) for row_hits, is_measured in zip(hits, ~np.isnan(values), strict=True)]
    turns = [math.log(n) / math.log(d) for d, n in zip(dimensions, rows, strict=True) if n is not None]
    event = "the alignment passes ½" if measure == "alignment" else f"Algorithm 1 falls below the {rival}"
    if not turns:
        return f"In no row of the phase map is there an n from which on {event}."
    share = f"In {len(turns)} of {len(rows)} rows" if len(rows) > 1 else "In the row"
    mean = spoken_power("d", f"{np.mean(turns):.1f}")
    return f"{share} of the phase map {event} near n = {mean}{', on average' * (len(turns) > 1)}."


def _headline(dimensions: Sequence[int], sizes: Sequence[int], values: np.ndarray, measure: str, rival: str) -> str:
    """From which n on the event holds, in the first and in the last row where it begins to hold."""
    is_measured = ~np.isnan(values)
    event = "The alignment is above ½" if measure == "alignment" else f"Algorithm 1 beats the {rival}"
    hits = values > 0.5 if measure == "alignment" else values < 1
    rows = [_turn(sizes, row, mask) for row, mask in zip(hits, is_measured, strict=True)]
    turns = [f"n = {number(n)} at d = {number(d)}" for d, n in zip(dimensions, rows, strict=True) if n is not None]
    if turns:
        return f"{event} from {turns[0]}{f', from {turns[-1]}' if len(turns) > 1 else ''}"
    if not is_measured.any() or (all_hit := hits[is_measured].all()) != hits[is_measured].any():
        return ""
    return f"{event} in {'every' if all_hit else 'no'} cell of the map"


def _turn(sizes: Sequence[int], hits: np.ndarray, is_measured: np.ndarray) -> int | None:
    """The n from which on all measured cells of a row hit; None if all of them hit, or the last does not."""
    row = [(n, hit) for n, hit, counts in zip(sizes, hits, is_measured, strict=True) if counts]
    misses = [index for index, (_, hit) in enumerate(row) if not hit]
    return int(row[misses[-1] + 1][0]) if misses and misses[-1] + 1 < len(row) else None


def _table(dimensions: Sequence[int], sizes: Sequence[int], maps: Mapping[str, Any]) -> dict[str, list]:
    table: dict[str, list] = {"d": [], "n": []} | {name: [] for name in maps}
    for i, d in enumerate(dimensions):
        for j, n in enumerate(sizes):
            table["d"].append(int(d))
            table["n"].append(int(n))
            for name, values in maps.items():
                value = float(values[i, j])
                table[name].append(None if math.isnan(value) else float(f"{value:.6g}"))
    return table
