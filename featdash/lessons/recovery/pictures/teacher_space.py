"""A student's neurons in the plane or the space of the teacher's directions, where it stops and where it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.film import Changes, Film, times_of
from featdash.figures.palette import NEGATIVE, NOISE, POSITIVE
from featdash.figures.picture import Picture, Theme, blank
from featdash.figures.text import join_words, quote_number, trace_values, with_decimals, with_index
from featdash.lessons.recovery.frames import ShownNeurons, Students, TeacherDirections

SIGNS = {1: ("a > 0", POSITIVE, "circle"), -1: ("a < 0", NEGATIVE, "diamond"), 0: ("a = 0", NOISE, "x")}
LARGEST, SMALLEST = 30, 3  # diameters in pixels
REACH = 1.32
NAME_IN_PLANE, NAME_IN_SPACE = 1.19, 1.3  # how far out a direction is named; in space its neurons stand in front
NEURONS = "neurons"
BY_MASS = ", by mass |aᵢ|‖wᵢ‖"
HOVER_ON_THE_WAY = "neuron, %{text}<extra></extra>"
HOVER = (
    "neuron, %{text}<br>mass |a|‖w‖ = %{customdata[0]:.3g}<br>"
    "cosine %{customdata[1]:.3f} with %{customdata[2]}<extra></extra>"
)
PANELS = {"stop": "stop after Algorithm 1", "go": "go on: train both layers"}


@dataclass(frozen=True, eq=False)
class Scene:
    """A teacher and its students at one moment; lines : w and −w are one neuron, so a direction is drawn as a line."""

    teacher: TeacherDirections
    students: Students
    lines: bool


def teacher_space(scene: Scene, *, theme: Theme, flat: bool = False, step: str = "", height: int = 430) -> Picture:
    """w_i/‖w_i‖ beside the teacher's u_k, «stop» left and «go on» right; area of a neuron: its mass |a_i|‖w_i‖.

    Stars in k = 2 dimensions are drawn in the plane, k = 3 in space, or `flat` on its first two axes.
    step : the moment, for the title.
    """
    teacher, students, lines = scene.teacher, scene.students, scene.lines
    stars = teacher.stars
    solid = stars.shape[1] > 2 and not flat
    figure = blank(theme, height, _title(step))
    kind = {"type": "scene"} if solid else {"type": "xy"}
    make_subplots(
        1,
        2,
        figure=figure,
        specs=[[kind, kind]],
        subplot_titles=list(PANELS.values()),
        horizontal_spacing=0.02 if solid else 0.05,
    )
    table: dict[str, list] = {"panel": [], "mass": [], "sign": []}
    axes = [f"coordinate {index + 1}" for index in range(stars.shape[1])]
    table |= {axis: [] for axis in axes}
    for column, (name, title) in enumerate(PANELS.items(), start=1):
        neurons: ShownNeurons = getattr(students, name)
        points, mass, sign = (np.asarray(part, float) for part in (neurons.points, neurons.mass, neurons.sign))
        places = points if solid else points[:, :2]
        for trace in _reference(stars if solid else stars[:, :2], teacher.weights, lines, theme):
            figure.add_trace(trace, row=1, col=column)
        figure.add_trace(_neurons(places, neurons, _nearest_directions(stars, points, lines), theme), row=1, col=column)
        for axis, values in zip(axes, points.T, strict=True):
            table[axis] += trace_values(values)
        table["panel"] += [title] * len(points)
        table["mass"] += trace_values(mass)
        table["sign"] += [int(one) for one in sign]
    _in_space(figure, theme) if solid else _in_plane(figure)
    sides = {"l": 8, "b": 6} if solid else {"b": 3 * theme.text}  # a space has no numbers at its sides
    figure.update_layout(margin={"t": 3 * theme.text + 10, "r": 8, **sides})
    figure.update_annotations(font_size=theme.text, yshift=-2)
    headline = _headline(stars, students, lines)
    return Picture(figure, _finding(stars, students, lines), table, headline=headline)


def space_film(figure: go.Figure, students: Sequence[Students], steps: Sequence[str]) -> Film:
    """Of `teacher_space`: the neurons go their ways; how near each is to a direction is said at the end alone.

    students : at each moment; steps : the moments, for the title, which has one line while it changes.
    """
    titles = [_title(step, "") for step in steps[:-1]] + [_title(steps[-1])]
    changes: Changes = {("layout", "title", "text"): titles}
    traces = [index for index, trace in enumerate(figure.data) if trace.name == NEURONS]
    for trace, name in zip(traces, PANELS, strict=True):
        moments: list[ShownNeurons] = [getattr(one, name) for one in students]
        points, looks = np.stack([one.points for one in moments]), [_look(one.sign) for one in moments]
        axes = "xyz" if figure.data[trace].type == "scatter3d" else "xy"
        changes |= {("data", trace, axis): points[..., side] for side, axis in enumerate(axes)}
        changes[("data", trace, "marker", "size")] = np.stack([_sizes(one.mass) for one in moments])
        changes |= {("data", trace, "marker", part): [look[part] for look in looks] for part in ("color", "symbol")}
        changes[("data", trace, "text")] = [look["text"] for look in looks]
        changes[("data", trace, "hovertemplate")] = [HOVER_ON_THE_WAY] * (len(steps) - 1) + [HOVER]
    return Film(times_of(0, len(steps)), changes)


def _title(step: str, about: str = BY_MASS) -> str:
    tags = "  ".join(
        f'<span style="color:{colour}">{"●" if sign > 0 else "◆"}</span> {name}'
        for sign, (name, colour, _) in SIGNS.items()
        if sign
    )
    return f"Neurons{step}{about}   {tags}"


def _coordinates(points: np.ndarray) -> dict[str, Any]:
    """Columns as a trace calls them."""
    return {axis: trace_values(column) for axis, column in zip("xyz", points.T, strict=False)}


def _kind(points: np.ndarray) -> str:
    return "scatter3d" if points.shape[1] == 3 else "scatter"


def _nearest_directions(stars: np.ndarray, points: np.ndarray, lines: bool) -> list[tuple[float, str]]:
    """Of each neuron its cosine with the teacher direction nearest to it, and that direction's name."""
    cosines = points @ stars.T
    nearest = (np.abs(cosines) if lines else cosines).argmax(axis=1)
    return [(float(row[k]), with_index("u", int(k) + 1)) for row, k in zip(cosines, nearest, strict=True)]


def _neurons(points: np.ndarray, neurons: ShownNeurons, directions: Sequence[tuple[float, str]], theme: Theme) -> dict:
    """All neurons of a student in one trace, so that each keeps its place in a film when its sign changes."""
    edge = {"color": theme.paper, "width": 0 if points.shape[1] == 3 else 0.5}
    look = _look(neurons.sign)
    marker = {"size": trace_values(_sizes(neurons.mass)), "color": look["color"], "symbol": look["symbol"]}
    masses = trace_values(neurons.mass)
    return _coordinates(points) | {
        "type": _kind(points),
        "mode": "markers",
        "marker": marker | {"opacity": 0.7, "line": edge},
        "name": NEURONS,
        "text": look["text"],
        "customdata": [(mass, *direction) for mass, direction in zip(masses, directions, strict=True)],
        "hovertemplate": HOVER,
    }


def _sizes(mass: np.ndarray) -> np.ndarray:
    """Diameters, relative to the heaviest neuron; one without mass is a dot."""
    scale = np.sqrt(mass / mass.max()) if mass.max() > 0 else np.zeros(len(mass))
    return np.maximum(LARGEST * scale, SMALLEST)


def _look(signs: np.ndarray) -> dict[str, list[str]]:
    """Name, colour and symbol of each neuron by the sign of its head weight."""
    looks = [SIGNS[sign] for sign in signs.tolist()]
    return {part: [look[index] for look in looks] for index, part in enumerate(("text", "color", "symbol"))}


def _reference(stars: np.ndarray, weights: np.ndarray, lines: bool, theme: Theme) -> list[dict]:
    """The unit circle or three great circles, and a labelled ray (or line) for each teacher direction."""
    traces = [
        _coordinates(circle)
        | {"type": _kind(stars), "mode": "lines", "line": {"color": theme.grid, "width": 2}, "hoverinfo": "skip"}
        for circle in _circles(stars.shape[1])
    ]
    for index, (star, weight) in enumerate(zip(stars, weights, strict=True)):
        ray = np.stack([-star if lines else 0 * star, star])
        name = f"{'+' if weight > 0 else '−'}{with_index('u', index + 1)}"
        traces.append(
            _coordinates(ray)
            | {
                "type": _kind(stars),
                "mode": "lines",
                "hoverinfo": "skip",
                "line": {"color": theme.ink, "width": 3 if stars.shape[1] == 3 else 1.5},
            }
        )
        traces.append(
            _coordinates((NAME_IN_SPACE if len(star) == 3 else NAME_IN_PLANE) * star[None])
            | {
                "type": _kind(stars),
                "mode": "text",
                "text": [name],
                "hoverinfo": "skip",
                "textfont": {"size": theme.text + 2, "color": theme.ink},
            }
        )
    return traces


def _circles(dimension: int) -> list[np.ndarray]:
    turn = np.linspace(0, 2 * np.pi, 61)
    circle = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    if dimension == 2:
        return [circle]
    return [np.insert(circle, axis, 0.0, axis=1) for axis in range(3)]


def _in_plane(figure: go.Figure) -> None:
    figure.update_xaxes(range=[-REACH, REACH], dtick=0.5, constrain="domain", title_text="along u₁")
    figure.update_yaxes(range=[-REACH, REACH], dtick=0.5, constrain="domain")
    figure.update_yaxes(title_text="across u₁", row=1, col=1)
    figure.update_yaxes(showticklabels=False, row=1, col=2)
    for column, axis in ((1, "x"), (2, "x2")):
        figure.update_yaxes(scaleanchor=axis, scaleratio=1, row=1, col=column)


def _in_space(figure: go.Figure, theme: Theme) -> None:
    axis = {
        "range": [-REACH, REACH],
        "showticklabels": False,
        "dtick": 1,
        "gridcolor": theme.grid,
        "showbackground": False,
        "zeroline": False,
        "showspikes": False,
        "title": {"text": ""},  # the teacher's directions name the space; titles would fall off its corners
    }
    axes = {f"{name}axis": axis for name in "xyz"}
    eye = {"x": 0.98, "y": 0.98, "z": 0.66}
    figure.update_scenes(**axes, aspectmode="cube", camera={"eye": eye}, dragmode="orbit", uirevision="kept")


def _finding(stars: np.ndarray, students: Students, lines: bool) -> str:
    stop, going = (_mean_cosine(stars, neurons, lines) for neurons in (students.stop, students.go))
    ends = {"where the student stops after Algorithm 1": stop, "where it goes on": going}
    clauses = [f"{'not defined' if value is None else quote_number(value)} {where}" for where, value in ends.items()]
    massless = "; neurons without mass have none" if None in ends.values() else ""
    return f"Weighted by mass, a neuron's cosine to its nearest teacher direction is {' and '.join(clauses)}{massless}."


def _headline(stars: np.ndarray, students: Students, lines: bool) -> str:
    means = {"stopping": _mean_cosine(stars, students.stop, lines), "going on": _mean_cosine(stars, students.go, lines)}
    clauses = [f"{with_decimals(value, 2)} {name}" for name, value in means.items() if value is not None]
    return f"Mean cosine to the nearest of the teacher's directions: {join_words(clauses)}" if clauses else ""


def _mean_cosine(stars: np.ndarray, neurons: ShownNeurons, lines: bool) -> float | None:
    """Over the neurons on show, None where none has mass.

    As in the timeline, up to neurons that are not drawn and dimensions beyond three.
    """
    cosines = np.asarray(neurons.points, float) @ stars.T
    mass = np.asarray(neurons.mass, float)
    best = (np.abs(cosines) if lines else cosines).max(axis=1)
    return float(mass @ best / mass.sum()) if mass.sum() > 0 else None
