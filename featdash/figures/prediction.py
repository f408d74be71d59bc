"""A picture before and after a prediction: what would answer it is hidden, then the guess stands beside the truth."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from featdash.figures.axes import PANEL_NAME
from featdash.figures.guesses import Guesses, draw_guesses, ends_of_axis, guesses_line, place_on
from featdash.figures.picture import Picture, Theme, plot_height
from featdash.figures.text import in_lines, number
from featdash.figures.votes import ABOVE, RIGHT, Votes, draw_votes, votes_line

HIDDEN = "Hidden until you have made your guess."
BEGINNING = "The picture at its beginning; the rest is hidden until you have made your guess."
HINT = "Click or tap<br>to guess"
UNKNOWN, UNKNOWN_SIZE = "?", 4  # what stands in place of what is hidden, in letters of the text
KNOWN = "target"  # how the names of traces begin that are known before any run
MEASURED_PART = re.compile(": |<br>")  # where the title of a panel goes on with what was measured
OFF_AXIS = {"x": ("← {}", "{} →"), "y": ("↓ {}", "↑ {}")}  # what lies before its beginning, and behind its end
SEE_THROUGH = ("bar", "heatmap", "histogram", "image", "scatter", "scatter3d", "scattergl")  # with an opacity
GUESS, VERDICT = "guess", "verdict"  # names of the marks that stand there always, and at the end of a film alone
SPACING = 1.3  # of the size of its letters, between lines of one text
LINE = 1.7  # of the size of its letters, from a line of words to the next
BAND, CHOSEN = 0.05, 0.2  # how strongly a range of the axis is tinted
WALL_LINE, UPRIGHT_LINE = 20, 24  # letters of a line of a range's words: in large letters, and up a picture
FREE = 0.85  # of an axis; a level beyond has its words on this side


@dataclass(frozen=True)
class Band:
    """A range of an axis that can be guessed, and its words; an end that is None is that of the axis."""

    text: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Prediction:
    """What a question does to a picture.

    hidden : whether the picture shows its axes alone; guess, truth : numbers on its axis "x" or "y", None for none.
    guesses : a class's guesses on that axis; votes : how a class voted on the bands.
    bands : the ranges of that axis to choose from, ascending; choice : the index of the chosen one, None for none.
    asks : whether the guess can be made in the picture.
    """

    hidden: bool = False
    guess: float | None = None
    truth: float | None = None
    axis: str = "y"
    guesses: Guesses | None = None
    bands: tuple[Band, ...] = ()
    choice: int | None = None
    asks: bool = False
    votes: Votes | None = None


def with_prediction(picture: Picture, prediction: Prediction, theme: Theme) -> Picture:
    """A copy of the picture, with what a question hides in it or adds to it."""
    result = replace(picture, figure=go.Figure(picture.figure))
    if prediction.hidden:
        result = hide(result)
    draw_bands(result.figure, prediction, theme)
    if prediction.asks:
        limits = [band.high for band in prediction.bands[:-1]]
        control = {"axis": prediction.axis, "bands": limits if prediction.bands else None}
        result.figure.layout.meta = {**(result.figure.layout.meta or {}), "guess": control}
        if not prediction.bands and prediction.guess is None:
            result.figure.add_annotation(
                text=HINT, name=GUESS, xref="x domain", yref="y domain", x=0.5, y=0.5, showarrow=False,
                font={"size": theme.text + 3, "color": theme.ink},
            )  # fmt: skip
    if prediction.hidden and not prediction.bands and not prediction.asks:
        mark_unknown(result.figure, theme)
    if prediction.votes:
        result = replace(result, alt=f"{result.alt} {votes_line(prediction.votes)}")
    if prediction.guesses:
        draw_guesses(result.figure, prediction.guesses, prediction.axis, theme)
        result = replace(result, alt=f"{result.alt} {guesses_line(prediction.guesses)}")
    for value, words, dash in ((prediction.guess, "your guess", "dot"), (prediction.truth, "measured", "solid")):
        if value is not None:
            label = f"{words}: {number(value)}"
            draw_level(result.figure, value, label, prediction.axis, theme, dash)
            name = VERDICT if words == "measured" else GUESS
            result.figure.layout.shapes[-1].name = result.figure.layout.annotations[-1].name = name
            if prediction.axis == "x":
                second = words == "measured" and prediction.guess is not None
                shift = second * LINE * theme.text  # for the two lines may be near each other
                at_foot = {"y": 0.02, "yanchor": "bottom", "yshift": shift}
                at_top = {"y": 0.98, "yanchor": "top", "yshift": -shift}  # where a class's guesses stand at the foot
                result.figure.layout.annotations[-1].update(at_top if prediction.guesses else at_foot)
    return result


def hide(picture: Picture) -> Picture:
    """The picture without what was learned: its axes with their ranges, its titles and the target stay.

    A panel's title loses what was measured: "before: stress 0.36" becomes "before".
    """
    for trace in picture.figure.data:
        if (trace.name or "").startswith(KNOWN):
            continue
        if trace.type in SEE_THROUGH:
            trace.update(opacity=0, hoverinfo="skip", hovertemplate=None)
        else:
            trace.update(visible=False)
        if trace.type == "heatmap":
            trace.update(showscale=False, texttemplate="")
    titles = [note for note in picture.figure.layout.annotations if _is_panel_title(note)]
    picture.figure.layout.annotations = [note.update(text=MEASURED_PART.split(note.text)[0]) for note in titles]
    picture.figure.layout.shapes = ()
    if (meta := picture.figure.layout.meta) and "narrow" in meta:  # its notes and shapes there take the place of these
        known = {key: value for key, value in meta["narrow"].items() if key not in ("annotations", "shapes")}
        picture.figure.layout.meta = {**meta, "narrow": known}
    picture.figure.update_layout(showlegend=False, coloraxis_showscale=False)
    picture.figure.update_traces(
        marker_showscale=False, selector=lambda trace: "marker" in trace and trace.type != "bar"
    )
    return replace(picture, alt=HIDDEN, table={}, headline="")


def mark_unknown(figure: go.Figure, theme: Theme) -> None:
    """A question mark in the middle of each panel, where the answer will be."""
    for panel in _panels(figure):
        figure.add_annotation(
            text=UNKNOWN, name=GUESS, showarrow=False, opacity=0.35,
            x=0.5, xref=f"{panel['x']} domain", y=0.5, yref=f"{panel['y']} domain",
            font={"size": UNKNOWN_SIZE * theme.text, "color": theme.ink},
        )  # fmt: skip


def _is_panel_title(note: go.layout.Annotation) -> bool:
    """Whether it stands in the middle above a panel, as the titles of subplots do, or names a panel inside."""
    above = note.xanchor == "center" and note.yanchor == "bottom" and not note.showarrow
    return bool(note.text) and (note.name == PANEL_NAME or (above and "paper" in str(note.yref)))


def draw_bands(figure: go.Figure, prediction: Prediction, theme: Theme) -> None:
    """The ranges to choose from and their words, in each panel with that axis; later the chosen one, worded once.

    Nothing is drawn if Plotly fits the axis to the data.
    """
    axis, along = prediction.axis, "y" if prediction.axis == "x" else "x"
    log = figure.layout[f"{axis}axis"].type == "log"
    ends = ends_of_axis(figure, axis)
    if ends is None:
        return
    is_open, votes = prediction.asks or prediction.hidden or prediction.votes is not None, prediction.votes
    panels = [panel for panel in _panels(figure) if _scale(figure, panel[axis]) == _scale(figure, axis)]
    worded = panels if axis == "y" and is_open and not votes else panels[:1]
    for index, band in enumerate(prediction.bands):
        is_choice = index == prediction.choice
        below = ends[0] if band.low is None else place_on(band.low, log)
        above = ends[1] if band.high is None else place_on(band.high, log)
        low, high = max(below, ends[0]), min(above, ends[1])
        if low >= high or not (is_open or is_choice):
            continue
        edges = [10.0**place if log else place for place in (low, high)]
        span = {f"{along}0": 0, f"{along}1": 1, f"{axis}0": edges[0], f"{axis}1": edges[1]}
        for panel in panels:
            figure.add_shape(
                type="rect", layer="below", name=GUESS, fillcolor=theme.ink, opacity=CHOSEN if is_choice else BAND,
                **span, line={"color": theme.paper, "width": 3},
                **{f"{axis}ref": panel[axis], f"{along}ref": f"{panel[along]} domain"},
            )  # fmt: skip
        mark = votes is not None and votes.options[index] == votes.right
        place = low + (ABOVE if votes and axis == "y" else 0.5) * (high - low)
        letters = WALL_LINE if theme.large else UPRIGHT_LINE
        text = in_lines(band.text, letters) if theme.large or axis == "x" or len(worded) > 1 else band.text
        guess = f"<b>your guess:<br>{text}</b>"  # on two lines: a picture of the strip is narrow
        words = f"<b>{RIGHT if mark else index + 1}</b>  {text}" if is_open else guess
        if votes:
            draw_votes(figure, votes, index, (low, high), axis, theme)
        anchors = {"textangle": -90, "yanchor": "top", "xanchor": "center", "x": place, "y": 0.97, "yref": "paper"}
        if axis == "y":
            anchors = {"xanchor": "left", "x": 0.03} | _level_words(figure, words, place, (low, high), ends, theme)
        for panel in worded:
            across = {} if axis == "x" else {"xref": f"{panel['x']} domain", "yref": panel["y"]}
            figure.add_annotation(
                text=words, name=GUESS, showarrow=False, align="left",
                font={"size": theme.text + 1, "color": theme.ink, "shadow": theme.halo}, **anchors, **across,
            )  # fmt: skip


def _panels(figure: go.Figure) -> list[dict[str, str]]:
    """The two axes of each panel, by Plotly's names: {"x": "x2", "y": "y2"}."""
    axes = zip(figure.select_xaxes(), figure.select_yaxes(), strict=False)
    return [{one.plotly_name[0]: one.plotly_name.replace("axis", "") for one in panel} for panel in axes]


def _scale(figure: go.Figure, name: str) -> tuple:
    """Range and kind of the axis of that name."""
    axis = figure.layout[f"{name[0]}axis{name[1:]}"]
    return axis.range, axis.type


def _level_words(
    figure: go.Figure, words: str, place: float, span: tuple[float, float], ends: tuple[float, float], theme: Theme
) -> dict:
    """Where words stand upward: at their place in the span, but inside the ends of the axis where that is too low."""
    height = plot_height(theme, figure.layout.height or 0) * (span[1] - span[0]) / (ends[1] - ends[0])
    if SPACING * (theme.text + 1) * len(words.split("<br>")) > height:
        if span[0] == ends[0]:
            return {"y": span[0], "yanchor": "bottom"}
        if span[1] == ends[1]:
            return {"y": span[1], "yanchor": "top"}
    return {"y": place, "yanchor": "middle"}


def draw_level(figure: go.Figure, value: float, words: str, axis: str, theme: Theme, dash: str) -> None:
    """A line across the first panel at a value of its axis, with its words at the line's beginning.

    A value beyond the axis stands at the end of the axis, with an arrow.
    """
    along = "y" if axis == "x" else "x"
    log = figure.layout[f"{axis}axis"].type == "log"
    place, level = place_on(value, log), value
    ends = ends_of_axis(figure, axis)
    if ends and not ends[0] <= place <= ends[1]:
        before, behind = OFF_AXIS[axis]
        words = (before if place < ends[0] else behind).format(words)
        place = min(max(place, ends[0]), ends[1])
        level = 10.0**place if log else place
    if math.isinf(place):  # zero on a log axis whose ends are not known
        return
    line = {"color": theme.ink, "width": 2.5, "dash": dash}
    span = {f"{along}0": 0, f"{along}1": 1, f"{axis}0": level, f"{axis}1": level}
    figure.add_shape(type="line", xref=_reference("x", along), yref=_reference("y", along), line=line, **span)
    near_end = ends is not None and place > ends[0] + FREE * (ends[1] - ends[0])  # no room behind it for its words
    anchors = {"xanchor": "right" if near_end and axis == "x" else "left"}
    anchors |= {"yanchor": "top" if near_end and axis == "y" else "bottom"}
    figure.add_annotation(
        text=f"<b>{words}</b>",
        showarrow=False,
        align="left",
        font={"size": theme.text + 1, "color": theme.ink, "shadow": theme.halo},
        xref=_reference("x", along),
        yref=_reference("y", along),
        **anchors,
        **{along: 0.02, axis: place},
    )


def _reference(axis: str, along: str) -> str:
    return f"{axis} domain" if axis == along else axis
