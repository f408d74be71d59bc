"""First-layer neurons over pixels, drawn as images."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.film import Changes, Film, times_of
from featdash.figures.palette import DIVERGING
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import join_words, number, trace_values, with_decimals

SIDE = 8  # pixels of an image
SPACE = 2  # between two images
PITCH = SIDE + SPACE
PIXEL = "%{customdata[0]}, pixel %{customdata[1]}, %{customdata[2]}<br>weight %{z:.2f} of its largest<extra></extra>"


def digit_neurons(
    rows: Mapping[str, np.ndarray], star: np.ndarray | None, *, theme: Theme, height: int = 250
) -> Picture:
    """Rows of 8×8 images, one a neuron, each divided by its largest |weight|; at the end of each row the star.

    rows : title -> weights (c, 64), the same neurons in each row; star (64,) : the direction to compare with, or None.
    """
    figure = blank(theme, height, "Neurons as 8×8 images, each scaled by its largest |weight|")
    images = {name: weights if star is None else np.vstack([weights, star]) for name, weights in rows.items()}
    for index, (name, weights) in enumerate(images.items()):
        figure.add_heatmap(
            z=[trace_values(row) for row in _strip(weights)],
            y0=PITCH * index,
            dy=1,
            colorscale=DIVERGING,
            zmin=-1,
            zmax=1,
            colorbar={"thickness": 10, "tickvals": [-1, 0, 1], "len": 1.0},
            showscale=index == 0,
            name=name,
            customdata=_pixels(len(weights), star is not None),
            hovertemplate=f"{name}, {PIXEL}",
        )
    count = max(len(weights) for weights in images.values())
    names = [str(index + 1) for index in range(count)]
    if star is not None:
        names[-1] = "☆"
    middles = [PITCH * index + (SIDE - 1) / 2 for index in range(count)]
    figure.update_xaxes(
        title_text="neuron" + ("" if star is None else "; ☆ difference of the class means"),
        tickvals=middles,
        ticktext=names,
        showgrid=False,
        showline=False,
        ticks="",
    )
    figure.update_yaxes(
        tickvals=[PITCH * index + (SIDE - 1) / 2 for index in range(len(images))],
        ticktext=list(images),
        range=[PITCH * len(images) - 0.5, -0.5],
        scaleanchor="x",
        constrain="domain",
        showgrid=False,
        showline=False,
        ticks="",
    )
    figure.update_xaxes(constrain="domain")
    figure.update_yaxes(title_text="first layer")
    return Picture(figure, _finding(rows, star), _table(rows), headline=_headline(rows))


def images_film(steps: Sequence[float], moments: Mapping[float, np.ndarray], star: np.ndarray | None) -> Film | None:
    """Of `digit_neurons`: a row appears at its step, and the last one shows the neurons at each moment from then on.

    steps : those of the rows; moments : step -> the weights (c, 64); star : as in the picture.
    """
    if len(steps) < 2 or len(moments) < 2:
        return None
    last = len(steps) - 1
    begins = [*steps[:last], min(at for at in moments if at > steps[last - 1])]
    names = [row_title(step) for step in steps[:last]]
    images = [weights if star is None else np.vstack([weights, star]) for weights in moments.values()]
    changes: Changes = {("data", row, "visible"): [at >= begins[row] for at in moments] for row in range(1, last + 1)}
    changes[("data", last, "z")] = np.stack([_strip(weights) for weights in images])
    changes[("data", last, "hovertemplate")] = [f"{row_title(at)}, {PIXEL}" for at in moments]
    changes[("layout", "yaxis", "ticktext")] = [[*names, row_title(at) if at >= begins[last] else ""] for at in moments]
    return Film(times_of(0, len(moments)), changes)


def row_title(step: float) -> str:
    """The name of the layer after so many steps."""
    return f"step {number(step)}" if step else "untrained"


def _strip(weights: np.ndarray) -> np.ndarray:
    """Images side by side, gaps as NaN, with a gap below: (10, 10 c − 2)."""
    scale = np.abs(weights).max(axis=1, keepdims=True)
    relative = np.divide(weights, scale, out=np.zeros_like(weights, dtype=float), where=scale > 0)
    images = np.pad(relative.reshape(-1, SIDE, SIDE), ((0, 0), (0, SPACE), (0, SPACE)), constant_values=np.nan)
    return np.concatenate(list(images), axis=1)[:, :-SPACE]


def _pixels(count: int, starred: bool) -> list[list[tuple[str, int, int]]]:
    """What each point of a row of images belongs to: neuron and pixel."""
    owners = [f"neuron {index + 1}" for index in range(count)]
    if starred:
        owners[-1] = "☆"
    return [[(who, row + 1, column + 1) for who in owners for column in range(PITCH)][:-SPACE] for row in range(PITCH)]


def _table(rows: Mapping[str, np.ndarray]) -> dict[str, list]:
    table: dict[str, list] = {"row": [], "neuron": [], "pixel row": [], "pixel column": [], "weight": []}
    for name, weights in rows.items():
        for neuron, image in enumerate(weights, start=1):
            table["row"] += [name] * len(image)
            table["neuron"] += [neuron] * len(image)
            table["pixel row"] += [pixel // SIDE + 1 for pixel in range(len(image))]
            table["pixel column"] += [pixel % SIDE + 1 for pixel in range(len(image))]
            table["weight"] += trace_values(image)
    return table


def _finding(rows: Mapping[str, np.ndarray], star: np.ndarray | None) -> str:
    clauses = [
        f"{with_decimals(_likeness(weights), 2)} for «{name}»" for name, weights in rows.items() if len(weights) > 1
    ]
    beside = "" if star is None else "; the star is the difference of the class means"
    if not clauses:
        return f"Each layer shows one neuron{beside}."
    return f"The mean |cosine| between two of these neurons is {join_words(clauses)}{beside}."


def _headline(rows: Mapping[str, np.ndarray]) -> str:
    """How alike the neurons are in the first row and in the last."""
    likeness = {name: _likeness(weights) for name, weights in rows.items() if len(weights) > 1}
    if not likeness:
        return ""
    when = {name: f"at {name}" if name.startswith("step") else name for name in likeness}
    clauses = [f"{with_decimals(value, 2)} {when[name]}" for name, value in likeness.items()]
    return f"Mean |cos| between two neurons: {', then '.join(dict.fromkeys((clauses[0], clauses[-1])))}"


def _likeness(weights: np.ndarray) -> float:
    """Mean |cosine| of two different rows; zero rows count as 0."""
    norms = np.linalg.norm(weights, axis=1, keepdims=True)
    unit = np.divide(weights, norms, out=np.zeros_like(weights, dtype=float), where=norms > 0)
    cosines = np.abs(unit @ unit.T)[~np.eye(len(unit), dtype=bool)]
    return float(cosines.mean())
