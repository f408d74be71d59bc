"""Direct labels: names at the right end of curves, of a picture or of one of its panels, in place of a legend."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

import plotly.graph_objects as go

from featdash.figures.palette import METHODS, Theme

EM = 0.56  # mean width of a letter, in pixels of its size
TINY = 1e-300  # what stands for 0 on a log axis


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
    room = height - 5 * theme.text - 16
    for text, level, shift in _place(labels, vertical, log, room, 1.35 * theme.text, room + 10):
        position = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": level, "yshift": shift}
        figure.add_annotation(text=text, showarrow=False, font={"size": theme.text}, align="left", **position)
    lines = [line for _, text in labels for line in re.sub("<(?!br)[^>]*>", "", text).split("<br>")]
    figure.update_layout(margin_r=margin_of(max(map(len, lines), default=0), theme))


def method_tags(methods: Iterable[str], rough: Collection[str] = ()) -> list[str]:
    """The names of methods behind their glyphs; those in `rough` say so."""
    return [METHODS[name].tag(f"≈ {METHODS[name].label}" if name in rough else None) for name in methods]


def name_above(figure: go.Figure, tags: Sequence[str], theme: Theme, each_line: int = 2) -> None:
    """Names of what is drawn between title and picture, so many a line: a legend that a narrow picture has room for."""
    lines = ["   ".join(tags[index : index + each_line]) for index in range(0, len(tags), each_line)]
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


def margin_of(letters: int, theme: Theme) -> int:
    """Pixels that a label of so many letters takes."""
    return round(theme.text * EM * letters) + 12


def panel_labels(
    figure: go.Figure,
    labels: Sequence[tuple[float, str]],
    vertical: tuple[float, float],
    *,
    panel: int,
    room: float,
    theme: Theme,
    log: bool,
) -> None:
    """Texts to the right of panel 1, 2, ..., level with their values, pushed apart where two are close.

    labels : (value, text), values as in the data; vertical : the range of the axis as Plotly has it; room : its pixels.
    The caller leaves room beside the panel, see `margin_of`.
    """
    axis = "" if panel == 1 else str(panel)
    for text, level, shift in _place(labels, vertical, log, room, 1.3 * theme.text, room + theme.text):
        across = {"x": 1, "xref": f"x{axis} domain", "xanchor": "left", "xshift": 6}
        along = {"y": level, "yref": f"y{axis}", "yanchor": "middle", "yshift": shift}
        figure.add_annotation(text=text, showarrow=False, font={"size": theme.text}, align="left", **across, **along)


def _place(
    labels: Sequence[tuple[float, str]],
    vertical: tuple[float, float],
    log: bool,
    room: float,
    apart: float,
    top: float,
) -> Iterator[tuple[str, float, float]]:
    """Text, place on the axis and pixels up from it of each label, ascending; room : pixels of the axis; top : the end.

    Beyond the axis nothing is drawn, so that labels of such values stand at its end.
    """
    low, high = vertical
    labels = sorted(labels)
    levels = [math.log10(max(value, TINY)) if log else value for value, _ in labels]
    levels = [min(max(level, low), high) for level in levels]
    wanted = [room * (level - low) / (high - low) for level in levels]
    for (_, text), level, pixel, place in zip(labels, levels, wanted, spread(wanted, apart, top), strict=True):
        yield text, level, place - pixel
