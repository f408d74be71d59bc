"""The films of the race's pictures: the neurons move with the step's fraction s, then all else with the steps t."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.film import Changes, Film, Until, place_of, times_of
from featdash.figures.growth import shifts_apart
from featdash.figures.picture import METHODS
from featdash.figures.text import thin_out, with_decimals
from featdash.lessons.race.pictures.error_left import TOTAL, part_names, totals
from featdash.lessons.race.pictures.learned import angles
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.shared.frames import LayerFrame, NeuronFrame
from featdash.lessons.shared.pictures.alignment_gauge import ALIGNMENT, bar_end
from featdash.lessons.shared.pictures.neurons import NOW

HEAD_MOMENTS = 40  # of the head's descent, evenly spaced in log t, and its limit
END_NUMBER = re.compile(r" (?:≈ )?[−\d.]+(?: at t = .*)?$")  # at the end of a curve's name: the number that it ends at


def head_stops(spec: RaceSpec) -> list[float]:
    """The t of the moments of the second phase: 1 to the last step, and infinity."""
    return [*np.geomspace(1, max(spec.steps, 2), HEAD_MOMENTS - 1).tolist(), math.inf]


def step_film(figure: go.Figure, layers: Sequence[NeuronFrame], folded: bool) -> Film:
    """The film of a map of neurons: places, shares and the alignment, as the step is taken."""
    trace = place_of(figure.data, NOW)
    points = np.stack([layer.map(folded).points for layer in layers])
    changes: Changes = {
        ("data", trace, "x"): points[..., 0],
        ("data", trace, "y"): points[..., 1],
        ("data", trace, "marker", "color"): np.stack([layer.share for layer in layers]),
    }
    alignments = np.array([layer.alignment for layer in layers], dtype=float)
    narrow = figure.layout.meta["narrow"]
    for path, part, end in ((("layout",), figure.layout, "y1"), (("layout", "meta", "narrow"), narrow, "x1")):
        note, shape = place_of(part["annotations"], ALIGNMENT), place_of(part["shapes"], ALIGNMENT)
        changes[(*path, "annotations", note, "text")] = [f"<b>{with_decimals(value, 2)}</b>" for value in alignments]
        changes[(*path, "shapes", shape, end)] = np.array([bar_end(value, end) for value in alignments])
    return Film(times_of(0, len(layers)), changes)


def heatmap_film(layers: Sequence[LayerFrame]) -> Film:
    """The film of the alignment heatmap."""
    headings = [f"now: {angles(layer.angles)}" for layer in layers]
    overlaps = np.stack([layer.overlap for layer in layers])
    changes: Changes = {("data", 1, "z"): overlaps, ("layout", "annotations", 1, "text"): headings}
    return Film(times_of(0, len(layers)), changes)


def loss_film(
    figure: go.Figure, stops: Sequence[float], levels: Mapping[str, np.ndarray], log: bool, follow: bool
) -> Film:
    """The film of the loss curves: each is drawn as far as t; its name has no number until the end.

    levels : method -> its risk at each stop; follow : whether there is one curve a method, so that its name follows it.
    """
    reach = np.minimum(stops, max(stop for stop in stops if math.isfinite(stop)))
    changes: Changes = {}
    for index, trace in enumerate(figure.data):
        if trace.mode == "lines+markers":
            changes[("data", index)] = Until(reach)
        else:  # the limit, and the ring at it
            changes[("data", index, "visible")] = [False] * (len(stops) - 1) + [True]
    layout = figure.layout.to_plotly_json()
    low, high = layout["yaxis"]["range"]
    names: dict[int, np.ndarray] = {}  # note -> where its name belongs on the axis at each stop
    for index, note in enumerate(layout["annotations"]):
        if note.get("xanchor") != "left" or note.get("x") != 1:
            continue
        method = next((name for name in levels if METHODS[name].label in note["text"]), None)
        if method is None:  # what is known beforehand
            names[index] = np.full(len(stops), note["y"])
            continue
        level = np.log10(levels[method]) if log else levels[method]
        names[index] = level.clip(low, high)
        text = END_NUMBER.sub("", note["text"])
        changes[("layout", "annotations", index, "text")] = [text] * (len(stops) - 1) + [note["text"]]
        if follow:
            changes[("layout", "annotations", index, "y")] = level
    if follow and names:
        shifts = shifts_apart(np.stack(list(names.values())), layout, "y", layout["annotations"][next(iter(names))])
        for index, shift in zip(names, shifts, strict=True):
            shift[-1] = layout["annotations"][index].get("yshift") or 0
            changes[("layout", "annotations", index, "yshift")] = shift
    return Film(times_of(1, len(stops)), changes)


def profile_film(figure: go.Figure, z: np.ndarray, functions: Mapping[str, np.ndarray], count: int) -> Film:
    """The film of the learned functions, which bend towards the target; functions : method -> (stops, 41)."""
    changes: Changes = {}
    for method, values in functions.items():
        changes[("data", _trace_of(figure, method), "y")] = np.stack([thin_out(z, row)[1] for row in values])
    return Film(times_of(1, count), changes)


def error_film(figure: go.Figure, parts: Mapping[str, np.ndarray], energy: np.ndarray) -> Film:
    """The film of the error bars; parts : method -> (stops, p + 2). The first bar, of answering 0, stands still."""
    heights = np.stack(list(parts.values()), axis=1)  # (stops, methods, p + 2)
    still = np.broadcast_to(np.append(energy, 0.0), (len(heights), 1, len(energy) + 1))
    bars = np.concatenate([still, heights], axis=1)
    risks, places = bars.sum(axis=-1), {trace.name: index for index, trace in enumerate(figure.data)}
    changes: Changes = {
        ("data", places[name], "y"): bars[..., column]
        for column, name in enumerate(part_names(energy))
        if name in places
    }
    changes |= {("data", places[TOTAL], "y"): risks, ("data", places[TOTAL], "text"): [totals(row) for row in risks]}
    return Film(times_of(1, len(bars)), changes)


def _trace_of(figure: go.Figure, method: str) -> int:
    """The index of the method's own trace, whose name may end with «(rough)»."""
    label = METHODS[method].label
    return next(i for i, one in enumerate(figure.data) if (one.name or "").startswith(label))
