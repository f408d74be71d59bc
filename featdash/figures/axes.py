"""What stands at a picture's edges: axes whose ranges seldom move while curves grow, and names at the ends of curves.

Such labels at the right end of a picture, or of one of its panels, take the place of a legend.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.picture import METHODS, Theme, plot_height
from featdash.figures.text import Numbers, number

STOPS = [step * 10.0**power for power in range(-300, 300) for step in (1, 2, 5)]
SMALLEST, LARGEST = STOPS[2], STOPS[-3]  # what an axis can hold, with a stop to spare
SHORT = 2.5  # decades; a longer axis has ticks at powers of ten only
MOST_TICKS = 8  # of these powers
FINEST = 1e-12  # of the largest value; what is smaller, like a risk that is 0 up to rounding, stays below the axis


def value_range(values: Sequence[float | None], log: bool) -> tuple[float, float]:
    """The axis range that holds every finite value, as Plotly wants it: log10 on a log axis, of values above FINEST.

    It ends at 1, 2 or 5 times a power of ten, so that an axis over growing curves moves seldom.
    """
    finite = [value for value in values if value is not None and math.isfinite(value) and (value > 0 or not log)]
    low, high = (max(min(finite), -LARGEST), min(max(finite), LARGEST)) if finite else (0.1, 1.0)
    if not log:
        return min(0.0, low), max(high * 1.08, 1e-9)
    high = max(high, SMALLEST)
    low = min(max(low, FINEST * high, SMALLEST), high)
    top = STOPS[bisect_left(STOPS, high * 1.02)]
    bottom = STOPS[bisect_right(STOPS, low * 0.98) - 1]
    return math.log10(bottom), math.log10(top)


def value_axis(title: str, vertical: tuple[float, float], log: bool) -> dict:
    """Title, kind, range and ticks of an axis; 1, 2, 5 a decade, so that a short range has numbers."""
    axis = {"title_text": title, "type": "log" if log else "linear", "range": vertical}
    if not log:
        return axis
    low, high = vertical[0] - 1e-9, vertical[1] + 1e-9
    if high - low <= SHORT:
        ticks = [stop for stop in STOPS if low <= math.log10(stop) <= high]
        return axis | {"tickvals": ticks, "ticktext": [number(tick) for tick in ticks]}
    every = math.ceil((high - low) / MOST_TICKS)
    return axis | decades(math.ceil(low / every) * every, math.floor(high), every)


def decades(low: int, high: int, every: int = 1) -> dict:
    """Ticks at powers of ten, written in the house's numbers, level even where they are close."""
    values = [10.0**power for power in range(low, high + 1, every)]
    return {"tickvals": values, "ticktext": [number(value) for value in values], "tickangle": 0}


RISKS = {"excess": "excess risk", "holdout": "holdout risk", "train": "training risk"}
RISK_SYMBOLS = {"excess": "E (f − f*)²", "holdout": "E (f − y)²", "train": "1/n Σ (f(xᵢ) − yᵢ)²"}

ROUGH = 0.35  # opacity of what the solver has not settled
ROUGH_NOTE = "Pale, ≈: rough, beyond the solver's reach."
EM = 0.56  # mean width of a letter, in pixels of its size
PANEL_NAME = "panel"  # of the note inside a panel that says which it is, known before any run
TINY = 1e-300  # what stands for 0 on a log axis
NUMBERS = 40  # pixels of the numbers at an upright axis
USUAL = 680  # pixels across the panels of a picture, where its width is not known
MOST_BETWEEN = 0.46  # of that width, all that stands between panels; on a page PANELS in `picture_layout.js`


def converged_part(values: np.ndarray, settled: Numbers | None, rough: bool) -> np.ndarray:
    """The settled values, NaN elsewhere; with `rough` the unsettled ones and their neighbours, NaN elsewhere."""
    values = np.asarray(values, dtype=float)
    converged = np.ones(len(values), bool) if settled is None else np.asarray(settled, bool)
    unsettled = ~converged
    beside = unsettled | np.append(unsettled[1:], False) | np.append(False, unsettled[:-1])
    return np.where(beside if rough else converged, values, np.nan)


def note_rough(figure: go.Figure, theme: Theme) -> None:
    """Say under the picture what its pale curves mean; a note over them would hide the lowest, which are the best."""
    below, room = figure.layout.margin.b or figure.layout.template.layout.margin.b, theme.text + 6
    place = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top", "yshift": -below}
    font = {"size": theme.text, "color": theme.ink}
    figure.add_annotation(text=ROUGH_NOTE, showarrow=False, font=font, **place)
    figure.update_layout(margin_b=below + room)


def risk_axis(risks: Sequence[str], vertical: tuple[float, float], log: bool) -> dict:
    """The axis of one risk, with its symbol, or of several."""
    title = f"{RISKS[risks[0]]}, {RISK_SYMBOLS[risks[0]]}" if len(risks) == 1 else "risk, mean squared error"
    return value_axis(title, vertical, log)


def end_labels(
    figure: go.Figure,
    labels: Sequence[tuple[float, str]],
    vertical: tuple[float, float],
    *,
    theme: Theme,
    log: bool,
    height: int,
) -> None:
    """Names level with the ends of their curves, pushed apart where two are close; the right margin widens for them.

    On a narrow stage they stand in the picture, over the ends, and the curves have the whole width.

    labels : (value, text), values as in the data; text may hold a coloured glyph (`MethodStyle.tag`).
    vertical : the range of the axis as Plotly has it, log10 on a log axis.
    height : of the picture.
    """
    room = plot_height(theme, height)
    for text, level, shift in _place(labels, vertical, log, room, 1.35 * theme.text, room + 10):
        position = {"x": 1, "xref": "paper", "xanchor": "left", "xshift": 6, "y": level, "yshift": shift}
        font = {"size": theme.text, "shadow": theme.halo}
        figure.add_annotation(text=text, showarrow=False, font=font, align="left", **position)
    figure.layout.meta = {**(figure.layout.meta or {}), "ends": True}
    lines = [line for _, text in labels for line in re.sub("<(?!br)[^>]*>", "", text).split("<br>")]
    figure.update_layout(margin_r=margin_of(max(map(len, lines), default=0), theme))


def columns(
    figure: go.Figure, count: int, names: float, titles: Sequence[str] = (), *, shared_yaxes: bool = False
) -> None:
    """Panels beside one another, each with its title above it; between two stand names, and the numbers of the second.

    names : pixels of the names at the ends of a panel's curves; on a page they keep as many, however wide the picture
    is (`picture_layout.js`).  shared_yaxes : whether the first panel alone has numbers at its upright axis.
    """
    gap = names + (0 if shared_yaxes else NUMBERS)
    between = min(gap / USUAL, MOST_BETWEEN / max(count - 1, 1))
    make_subplots(1, count, figure=figure, subplot_titles=titles, horizontal_spacing=between, shared_yaxes=shared_yaxes)
    for panel, title in enumerate(figure.layout.annotations, start=1):
        title.update(x=0.5, xref=f"x{panel if panel > 1 else ''} domain")
    figure.layout.meta = {**(figure.layout.meta or {}), "between": {"names": names, "gap": gap}}


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


def method_tags(methods: Iterable[str], rough: Collection[str] = ()) -> list[str]:
    """The names of methods behind their glyphs; those in `rough` begin with ≈."""
    return [METHODS[name].tag(f"≈ {METHODS[name].label}" if name in rough else None) for name in methods]


def name_above(figure: go.Figure, tags: Sequence[str], theme: Theme, each_line: int = 2) -> None:
    """A legend between title and picture, with so many names a line that a narrow picture has room for it."""
    lines = ["   ".join(tags[index : index + each_line]) for index in range(0, len(tags), each_line)]
    place = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "y": 1, "yanchor": "bottom", "align": "left"}
    figure.add_annotation(text="<br>".join(lines), showarrow=False, font={"size": theme.text}, **place)
    figure.update_layout(margin_t=round((2.4 + 1.3 * len(lines)) * theme.text))


def spread(places: Sequence[float], apart: float, top: float) -> list[float]:
    """Ascending places at least `apart` from one another, near the given ones and, if they fit, below `top`."""
    result: list[float] = []
    for place in places:
        result.append(max(place, result[-1] + apart) if result else place)
    limit = top
    for index in reversed(range(len(result))):
        result[index] = min(result[index], limit)
        limit = result[index] - apart
    return result


def margin_of(letters: int, theme: Theme) -> int:
    """Pixels that a label of so many letters takes."""
    return round(theme.text * EM * letters) + 12


def _place(
    labels: Sequence[tuple[float, str]],
    vertical: tuple[float, float],
    log: bool,
    room: float,
    apart: float,
    top: float,
) -> Iterator[tuple[str, float, float]]:
    """Text, place on the axis and pixels up from there of each label, ascending.

    room : pixels of the axis; top : pixels where labels must end. A value beyond the axis has its label at its end,
    since nothing is drawn beyond.
    """
    low, high = vertical
    labels = sorted(labels)
    levels = [math.log10(max(value, TINY)) if log else value for value, _ in labels]
    levels = [min(max(level, low), high) for level in levels]
    pixels = [room * (level - low) / (high - low) for level in levels]
    for (_, text), level, pixel, place in zip(labels, levels, pixels, spread(pixels, apart, top), strict=True):
        yield text, level, place - pixel
