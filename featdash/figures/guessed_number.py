"""A class's guesses of a number, in a picture of their own: no picture of the scene has an axis for them."""

from __future__ import annotations

from featdash.figures.guesses import Guesses, draw_guesses, guesses_line, place_on
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.prediction import draw_level
from featdash.figures.text import number

HEIGHT = 260
DEPTH = 0.75  # the share of the picture that the longest bar takes


def guessed_number(guesses: Guesses, truth: float | None, title: str, theme: Theme) -> Picture:
    """The guesses on an axis of their own; truth : None before it is known."""
    figure = blank(theme, HEIGHT, title)
    ends = (place_on(guesses.low, guesses.log), place_on(guesses.high, guesses.log))
    figure.update_xaxes(type="log" if guesses.log else "linear", range=ends)
    figure.update_yaxes(visible=False, range=(0, 1))
    figure.add_scatter(x=[guesses.low, guesses.high], y=[0, 0], mode="markers", opacity=0, hoverinfo="skip")
    draw_guesses(figure, guesses, "x", theme, DEPTH)
    sentence = guesses_line(guesses) + (f" Measured: {number(truth)}." if truth is not None else "")
    table = {f"round {index + 1}": sorted(values) for index, values in enumerate(guesses.rounds)}
    longest = max(map(len, table.values()))
    columns = {name: [*values, *[None] * (longest - len(values))] for name, values in table.items()}
    if truth is not None:
        draw_level(figure, truth, f"measured: {number(truth)}", "x", theme, "solid")
        figure.layout.annotations[-1].update(y=0.98, yanchor="top")  # above the bars
    return Picture(figure, sentence, columns)
