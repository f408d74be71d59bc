"""The gauge of an alignment: a large number, and a bar from 0 to 1 with a mark at chance, beside a map or above it."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.figures.picture import Theme
from featdash.figures.text import number, with_decimals

ALIGNMENT = "alignment"  # name of the number and of the bar, for a film that moves them
GAUGE, GAUGE_HEIGHT = (24.0, 40.0), 0.6  # pixels from the map's edge, left and right; of the map's height
LOWEST = 0.05  # of the map's height: the middle of two lines that stand in the picture
OVER, OVER_ENDS = (8.0, 22.0), (0.25, 0.72)  # above the map: pixels from its edge; of its width
ABOVE = 28  # pixels from the map's edge to the words over that bar
LARGE = 2.3  # times the size of the other words


@dataclass(frozen=True)
class Alignment:
    """The share of a whole layer's squared norm inside the principal subspace, 0..1, as the race's summary has it.

    before, now : of the two layers, None where it is not measured; chance : r / d, that of random directions.
    """

    before: float | None
    now: float | None
    chance: float


def gauge_beside(alignment: Alignment, theme: Theme) -> tuple[list[dict], list[dict]]:
    """Annotations and shapes at the right of a map: the alignment as a number, below it the bar."""
    left, right = GAUGE
    beside = {"xref": "x domain", "yref": "y domain", "x": 1, "xanchor": "left", "showarrow": False}
    digits = "" if alignment.now is None else with_decimals(alignment.now, 2)
    words = (
        ("alignment", theme.text, 1.0, left, "top"),
        (f"<b>{digits}</b>", round(LARGE * theme.text), 1.0, left, "top"),
        (
            f"chance<br>{number(round(alignment.chance, 3))}",
            theme.text,
            max(GAUGE_HEIGHT * alignment.chance, LOWEST),
            right + 4,
            "middle",
        ),
    )
    notes = [
        {**beside, "text": text, "font": {"size": size}, "y": y, "xshift": shift, "yanchor": anchor, "align": "left"}
        for text, size, y, shift, anchor in words
    ]
    notes[1] |= {"yshift": -theme.text - 4, "name": ALIGNMENT}
    bar = {"type": "rect", "xref": "x domain", "yref": "y domain", "xsizemode": "pixel", "xanchor": 1}
    bar |= {"x0": left, "x1": right, "y0": 0, "line": {"width": 0}}
    shapes = [{**bar, "y1": GAUGE_HEIGHT, "fillcolor": theme.grid}]
    if alignment.now is not None:
        colour = theme.sequential[-1][1]
        shapes.append({**bar, "y1": bar_end(alignment.now, "y1"), "fillcolor": colour, "name": ALIGNMENT})
    chance = GAUGE_HEIGHT * alignment.chance
    mark = {"x0": left - 3, "x1": right + 3, "y0": chance, "y1": chance, "line": {"color": theme.ink, "width": 2}}
    shapes.append({**bar, "type": "line", **mark})
    return notes, shapes


def gauge_above(alignment: Alignment, theme: Theme) -> tuple[list[dict], list[dict]]:
    """Annotations and shapes over a map: the bar between its name and the number, in one line."""
    (low, high), (start, end) = OVER, OVER_ENDS
    digits = "" if alignment.now is None else with_decimals(alignment.now, 2)
    row = {**place_above(theme), "yanchor": "middle", "yshift": (low + high) / 2}
    size = {"size": round(LARGE * theme.text)}
    chance = start + alignment.chance * (end - start)
    notes = [
        {**row, "text": "alignment"},
        {**row, "text": f"<b>{digits}</b>", "x": 1, "xanchor": "right", "font": size, "name": ALIGNMENT},
        {**place_above(theme), "text": f"chance {number(round(alignment.chance, 3))}", "x": chance, "yshift": ABOVE}
        | {"xanchor": "left" if alignment.chance < 0.5 else "right"},
    ]
    bar = {"type": "rect", "xref": "x domain", "yref": "y domain", "ysizemode": "pixel", "yanchor": 1}
    bar |= {"x0": start, "y0": low, "y1": high, "line": {"width": 0}}
    shapes = [{**bar, "x1": end, "fillcolor": theme.grid}]
    if alignment.now is not None:
        colour = theme.sequential[-1][1]
        shapes.append({**bar, "x1": bar_end(alignment.now, "x1"), "fillcolor": colour, "name": ALIGNMENT})
    mark = {"x0": chance, "x1": chance, "y0": low - 3, "y1": high + 3, "line": {"color": theme.ink, "width": 2}}
    shapes.append({**bar, "type": "line", **mark})
    return notes, shapes


def bar_end(alignment: float, end: str) -> float:
    """Where the bar of an alignment ends: "y1" upwards beside a map, "x1" to the right above it."""
    left, right = OVER_ENDS
    return GAUGE_HEIGHT * alignment if end == "y1" else left + alignment * (right - left)


def place_above(theme: Theme) -> dict:
    """The place of short words that begin at the left end of the plot's upper edge."""
    place = {"xref": "x domain", "yref": "y domain", "x": 0, "y": 1, "xanchor": "left", "yanchor": "bottom"}
    return {**place, "showarrow": False, "font": {"size": theme.text}}
