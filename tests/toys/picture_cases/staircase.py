"""The pictures of `staircase`."""

import math
import re

import numpy as np
from alt_claims import NUMBER, value
from hypothesis import strategies as st
from picture_case import LOOK, case, numbers, positive

from featdash.figures.text import number
from featdash.lessons.staircase.pictures.coefficients import Learned, coefficients
from featdash.lessons.staircase.pictures.counts import step_counts
from featdash.lessons.staircase.pictures.loss import loss_courses
from featdash.lessons.staircase.pictures.style import TARGETS as STAIRS


def spoken_step(at):
    """How a sentence names a step, or none."""
    return "no step" if at is None else f"step {number(at)}"


def for_good(steps, values):
    """The first step from which on all values are above ½, by a walk from the end."""
    found = None
    for step, one in zip(reversed(steps), reversed(list(values)), strict=True):
        if not one > 0.5:
            break
        found = step
    return found


@case(coefficients)
def _(draw):
    names = draw(st.lists(st.sampled_from(list(STAIRS)), unique=True, min_size=1, max_size=4))
    steps = [0, 10, 20, 500, 2000][: draw(st.integers(1, 5))]
    learned, told = {}, []
    for name in names:
        own = {one: np.array([draw(st.floats(-0.5, 1.5)) for _ in steps]) for one in name.split("+")}
        if draw(st.booleans()):
            own = {one: np.where(np.arange(len(steps)) > 2, np.nan, values) for one, values in own.items()}
        learned[name] = Learned(own, numbers(draw, 2 * len(steps), (0.0, -0.3, 0.2)).reshape(2, -1))
        told += [for_good(steps, values) for values in own.values()]
    picture = coefficients(steps, learned, 80, theme=LOOK, log=draw(st.booleans()))
    assert re.findall(r"no step|step [\d\u202f]+", picture.alt) == [spoken_step(at) for at in told]
    first = [for_good(steps, values) for values in learned[names[0]].own.values()]
    came = sorted(at for at in first if at is not None)[:3]
    assert [value(one) for one in re.findall(rf"at step ({NUMBER})", picture.headline)] == came
    assert came or not steps[-1] or "no monomial is half learned" in picture.headline
    return picture


@case(loss_courses)
def _(draw):
    names = draw(st.lists(st.sampled_from(list(STAIRS)), unique=True, min_size=1, max_size=4))
    steps = [0, 10, 20, 500, 2000][: draw(st.integers(1, 5))]
    losses = {name: positive(draw, len(steps)) for name in names}
    if draw(st.booleans()):
        losses[names[0]] = np.where(np.arange(len(steps)) > 1, np.nan, losses[names[0]])
    picture = loss_courses(steps, losses, 0.3, 80, theme=LOOK, log=draw(st.booleans()))
    below = [next((at for at, one in zip(steps, losses[name], strict=True) if one < 0.3), None) for name in names]
    told = re.findall(r"no step|step [\d\u202f]+", picture.alt.partition(" is below ")[2])
    assert told == [spoken_step(at) for at in below]
    done = sorted(at for at in below if at is not None)
    spoken = [value(one) for one in re.findall(rf"at step ({NUMBER})", picture.headline)]
    if not done:
        assert not steps[-1] or "nothing is learned yet" in picture.headline
    elif len(done) < len(names):
        assert spoken == done[:1]
        missing = len(names) - len(done)
        assert f"{'one is' if missing == 1 else f'{missing} are'} not learned" in picture.headline
    else:
        assert spoken == [done[0], done[-1]][: len(names)]
    return picture


@case(step_counts)
def _(draw):
    dims = [20, 40, 80][: draw(st.integers(1, 3))]
    names = draw(st.lists(st.sampled_from(list(STAIRS)), unique=True, min_size=1, max_size=4))
    pool = st.sampled_from((10.0, 340.0, 345.0, 6000.0, math.inf))
    counts = {name: [np.sort(draw(st.lists(pool, max_size=3 if d == dims[-1] else 2))) for d in dims] for name in names}
    picture = step_counts(dims, counts, 6000, theme=LOOK)
    medians = {name: {d: float(np.median(row)) for d, row in zip(dims, rows, strict=True) if len(row)}
               for name, rows in counts.items()}  # fmt: skip
    shown = {name: row for name, row in medians.items() if row}
    for name, row in shown.items():
        last = row[max(row)]
        when = f"takes {number(last)} steps" if last < math.inf else f"is not learned in {number(6000)} steps"
        assert f"{STAIRS[name].label} {when} at d = {max(row)}" in picture.alt
    assert bool(shown) == ("No network" not in picture.alt)
    seen = sorted({d for row in shown.values() for d in row})
    grown = [
        row[seen[-1]] / row[seen[0]]
        for row in shown.values()
        if len(seen) > 1 and max(row.get(seen[0], math.inf), row.get(seen[-1], math.inf)) < math.inf
    ]
    assert bool(grown) == bool(picture.headline)
    spoken = [value(one) for one in re.findall(rf"by ({NUMBER}) on", picture.headline)]
    if grown:
        assert abs(spoken[-1] / max(grown) - 1) < 0.06
        assert len(spoken) == 1 or abs(spoken[0] / min(grown) - 1) < 0.06
    return picture
