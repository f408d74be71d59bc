"""Direct labels: names at the right edge of a picture, level with their curves, in place of a legend."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Sequence

import plotly.graph_objects as go

from featdash.figures.palette import METHODS, Theme


def end_labels(
    figure: go.Figure,
    labels: Sequence[tuple[float, str]],
    vertical: tuple[float, float],
    *,
    theme: Theme,
    log: bool,
    height: int,
) -> None:
    """Names level with the ends of their curves, pushed apart where two are close; the right margin makes room.

    labels : (value, text), values as in the data; text may hold a coloured glyph (`MethodStyle.tag`).
    vertical : the range of the axis as Plotly has it, log10 on a log axis.
    height : of the picture.
    """
    labels = sorted(labels)
    room = height - 5 * theme.text - 16
    levels = [math.log10(max(value, 1e-300)) if log else value for value, _ in labels]
    levels = [min(max(level, vertical[0]), vertical[1]) for level in levels]  # beyond the axis nothing is drawn
    wanted = [room * (level - vertical[0]) / (vertical[1] - vertical[0]) for level in levels]
    placed = spread(wanted, theme.text * 1.35, room + 10)
    for (_, text), level, pixel, place in zip(labels, levels, wanted, placed, strict=True):
        position = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": level, "yshift": place - pixel}
        figure.add_annotation(text=text, showarrow=False, font={"size": theme.text}, align="left", **position)
    lines = [line for _, text in labels for line in re.sub("<(?!br)[^>]*>", "", text).split("<br>")]
    figure.update_layout(margin_r=round(theme.text * 0.56 * max(map(len, lines), default=0)) + 12)


def method_tags(methods: Iterable[str], rough: Collection[str] = ()) -> list[str]:
    """The names of methods behind their glyphs; those in `rough` say so."""
    return [METHODS[name].tag(f"≈ {METHODS[name].label}" if name in rough else None) for name in methods]


def name_above(figure: go.Figure, tags: Sequence[str], theme: Theme) -> None:
    """Names of what is drawn between title and picture, two a line: a legend that a narrow picture has room for."""
    lines = ["   ".join(tags[index : index + 2]) for index in range(0, len(tags), 2)]
    place = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "align": "left"}
    figure.add_annotation(text="<br>".join(lines), showarrow=False, font={"size": theme.text}, **place)
    figure.update_layout(margin_t=round((2.4 + 1.3 * len(lines)) * theme.text))


def spread(wanted: Sequence[float], apart: float, top: float) -> list[float]:
    """Ascending places at least `apart` from one another, near the wanted ones and, if they fit, below `top`."""
    placed: list[float] = []
    for place in wanted:
        placed.append(max(place, placed[-1] + apart) if placed else place)
    limit = top
    for index in reversed(range(len(placed))):
        placed[index] = min(placed[index], limit)
        limit = placed[index] - apart
    return placed
