"""A picture before and after a prediction: what would answer it is hidden, then the guess stands beside the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import plotly.graph_objects as go

from featdash.figures.guesses import Guesses, draw_guesses, guesses_line
from featdash.figures.palette import Theme
from featdash.figures.picture import Picture
from featdash.figures.text import number

HIDDEN = "Hidden until you have made your guess."
KNOWN = "target"  # how the names of traces begin that are known before any run
SEE_THROUGH = ("bar", "heatmap", "histogram", "image", "scatter", "scatter3d", "scattergl")  # with an opacity


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


def predicted(picture: Picture, prediction: Prediction, theme: Theme) -> Picture:
    """The picture with what a question hides or adds; the one that is given stays as it is."""
    shown = replace(picture, figure=go.Figure(picture.figure))
    if prediction.hidden:
        shown = hide(shown)
    if prediction.guesses:
        draw_guesses(shown.figure, prediction.guesses, prediction.axis, theme)
        shown = replace(shown, alt=f"{shown.alt} {guesses_line(prediction.guesses)}")
    for value, words, dash in ((prediction.guess, "your guess", "dot"), (prediction.truth, "measured", "solid")):
        if value is not None:
            told = f"<b>{words}: {number(value)}</b>"
            draw_level(shown.figure, value, told, prediction.axis, theme, dash)
            if prediction.guesses and prediction.axis == "x":  # they stand where its words would
                shown.figure.layout.annotations[-1].update(y=0.98, yanchor="top")
    return shown


def hide(picture: Picture) -> Picture:
    """Axes, titles and the target of the picture without what was learned; the ranges of its axes stay."""
    for trace in picture.figure.data:
        if (trace.name or "").startswith(KNOWN):
            continue
        if trace.type in SEE_THROUGH:
            trace.update(opacity=0, hoverinfo="skip", hovertemplate=None)
        else:
            trace.update(visible=False)
        if trace.type == "heatmap":
            trace.update(showscale=False, texttemplate="")
    picture.figure.layout.annotations = picture.figure.layout.shapes = ()
    picture.figure.update_layout(showlegend=False, coloraxis_showscale=False)
    picture.figure.update_traces(
        marker_showscale=False, selector=lambda trace: "marker" in trace and trace.type != "bar"
    )
    return replace(picture, alt=HIDDEN, table={}, headline="")


def draw_level(figure: go.Figure, value: float, words: str, axis: str, theme: Theme, dash: str) -> None:
    """A line across the first panel at a value of its axis, and its words at the line's beginning."""
    along = "y" if axis == "x" else "x"
    scale = figure.layout[f"{axis}axis"].type
    place = math.log10(value) if scale == "log" and value > 0 else value
    line = {"color": theme.ink, "width": 2.5, "dash": dash}
    ends = {f"{along}0": 0, f"{along}1": 1, f"{axis}0": value, f"{axis}1": value}
    figure.add_shape(type="line", xref=_reference("x", along), yref=_reference("y", along), line=line, **ends)
    figure.add_annotation(
        text=words,
        showarrow=False,
        font={"size": theme.text + 1, "color": theme.ink},
        bgcolor=theme.paper,
        xref=_reference("x", along),
        yref=_reference("y", along),
        xanchor="left",
        yanchor="bottom",
        **{along: 0.02, axis: place},
    )


def _reference(axis: str, along: str) -> str:
    return f"{axis} domain" if axis == along else axis
