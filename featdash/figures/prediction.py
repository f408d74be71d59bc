"""A picture before and after a prediction: what would answer it is hidden, then the guess stands beside the truth."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from featdash.figures.guesses import Guesses, draw_guesses, ends_of_axis, guesses_line, place_on
from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number

HIDDEN = "Hidden until you have made your guess."
KNOWN = "target"  # how the names of traces begin that are known before any run
MEASURED_PART = re.compile(": |<br>")  # where the title of a panel goes on with what was measured
OFF_AXIS = {"x": ("← {}", "{} →"), "y": ("↓ {}", "↑ {}")}  # what lies before its beginning, and behind its end
SEE_THROUGH = ("bar", "heatmap", "histogram", "image", "scatter", "scatter3d", "scattergl")  # with an opacity
GUESS, VERDICT = "guess", "verdict"  # names of the marks that stand there always, and at the end of a film alone
LINE = 1.7  # of the size of its letters, from a line of words to the next
FREE = 0.85  # of an axis; a level beyond has its words on this side


@dataclass(frozen=True)
class Prediction:
    """What a question does to a picture.

    hidden : whether the picture shows its axes alone; guess, truth : numbers on its axis "x" or "y", None for none.
    guesses : those of a class, on that axis.
    """

    hidden: bool = False
    guess: float | None = None
    truth: float | None = None
    axis: str = "y"
    guesses: Guesses | None = None


def with_prediction(picture: Picture, prediction: Prediction, theme: Theme) -> Picture:
    """The picture with what a question hides or adds; the one that is given stays as it is."""
    shown = replace(picture, figure=go.Figure(picture.figure))
    if prediction.hidden:
        shown = hide(shown)
    if prediction.guesses:
        draw_guesses(shown.figure, prediction.guesses, prediction.axis, theme)
        shown = replace(shown, alt=f"{shown.alt} {guesses_line(prediction.guesses)}")
    for value, words, dash in ((prediction.guess, "your guess", "dot"), (prediction.truth, "measured", "solid")):
        if value is not None:
            told = f"{words}: {number(value)}"
            draw_level(shown.figure, value, told, prediction.axis, theme, dash)
            name = VERDICT if words == "measured" else GUESS
            shown.figure.layout.shapes[-1].name = shown.figure.layout.annotations[-1].name = name
            if prediction.axis == "x":
                second = words == "measured" and prediction.guess is not None
                shift = second * LINE * theme.text  # for the two lines may be near each other
                at_foot = {"y": 0.02, "yanchor": "bottom", "yshift": shift}
                at_top = {"y": 0.98, "yanchor": "top", "yshift": -shift}  # where a class's guesses stand at the foot
                shown.figure.layout.annotations[-1].update(at_top if prediction.guesses else at_foot)
    return shown


def hide(picture: Picture) -> Picture:
    """Axes, titles and the target of the picture without what was learned; the ranges of its axes stay.

    The titles of its panels keep what they name, and lose what was measured: "before" of "before: stress 0.36".
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
    picture.figure.update_layout(showlegend=False, coloraxis_showscale=False)
    picture.figure.update_traces(
        marker_showscale=False, selector=lambda trace: "marker" in trace and trace.type != "bar"
    )
    return replace(picture, alt=HIDDEN, table={}, headline="")


def _is_panel_title(note: go.layout.Annotation) -> bool:
    """Whether it stands in the middle above a panel, as the titles of subplots do."""
    above = note.xanchor == "center" and note.yanchor == "bottom" and not note.showarrow
    return bool(note.text) and above and "paper" in str(note.yref)


def draw_level(figure: go.Figure, value: float, words: str, axis: str, theme: Theme, dash: str) -> None:
    """A line across the first panel at a value of its axis, and its words at the line's beginning.

    A value off the axis stands at the end where it lies beyond, and an arrow says so.
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
        font={"size": theme.text + 1, "color": theme.ink},
        bgcolor=theme.paper,
        xref=_reference("x", along),
        yref=_reference("y", along),
        **anchors,
        **{along: 0.02, axis: place},
    )


def _reference(axis: str, along: str) -> str:
    return f"{axis} domain" if axis == along else axis
