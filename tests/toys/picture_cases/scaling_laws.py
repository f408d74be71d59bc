"""The pictures of `scaling_laws`."""

import math
import re

import numpy as np
import pytest
from alt_claims import NUMBER, says, value
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, numbers, positive, shares

from featdash.lessons.scaling_laws.pictures import loss as scaling
from featdash.lessons.scaling_laws.pictures.loss import STYLES as SCALING
from featdash.lessons.scaling_laws.pictures.tasks import learned_tasks, task_courses


def times_from_zero(draw):
    return np.array([0.0, 0.5, 1.0, 4.0, 30.0, 239.4, 600.0][: draw(st.integers(1, 7))])


def half_time(t, share):
    """When a share first reaches one half, by a walk along its polygon; NaN for never."""
    if share[0] >= 0.5:
        return t[0]
    for k in range(1, len(t)):
        if share[k] >= 0.5:
            return t[k - 1] + (t[k] - t[k - 1]) * (0.5 - share[k - 1]) / (share[k] - share[k - 1])
    return math.nan


@case(scaling.scaling_law)
def _(draw):
    t = times_from_zero(draw)
    names = draw(st.lists(st.sampled_from(["alone", "many"]), unique=True))
    curves = {name: scaling.Curve(t, numbers(draw, len(t), EXTREME)) for name in ["network", *names]}
    slope = st.none() | st.sampled_from((-1.0, -1.333333, -0.571, 0.0, -12.25))
    slopes = {name: draw(slope) for name in ("predicted", "network", "alone", "many")}
    picture = scaling.scaling_law(curves, slopes, theme=LOOK)
    says("At t = # the network's loss is #", picture.alt, t[-1], curves["network"].loss[-1])
    for name, style in SCALING.items():
        if slopes[name] is None:
            assert f"for {style.label}" not in picture.alt
        else:
            says(f"# for {style.label}", picture.alt, slopes[name], decimals=2)
    assert ("theory has" in picture.alt) == (slopes["predicted"] is not None)
    known = slopes["predicted"] is not None and slopes["many"] is not None
    assert bool(picture.headline) == known
    if known:
        said = [value(one) for one in re.findall(rf"(?:Slope|tasks|theory) ({NUMBER})", picture.headline)]
        expected = [slopes[name] for name in ("network", "many", "predicted") if slopes[name] is not None]
        assert said == pytest.approx(expected, abs=0.006)
    before, drawn = scaling.scaling_law(curves, {}, hidden=names, theme=LOOK).figure, picture.figure
    assert [trace.name for trace in before.data] == [SCALING["network"].label]
    assert (before.layout.xaxis, before.layout.yaxis) == (drawn.layout.xaxis, drawn.layout.yaxis)
    return picture


@case(task_courses)
def _(draw):
    t, named = times_from_zero(draw), [1, 2, 4, 8, 16, 32, 64][: draw(st.integers(1, 7))]
    share = shares(draw, len(t), len(named))
    alone = (t, shares(draw, len(t), len(named))) if draw(st.booleans()) else (np.zeros(0), np.zeros((0, len(named))))
    picture = task_courses(t, share, alone, named, theme=LOOK)
    halves = {task: half_time(t, share[:, index]) for index, task in enumerate(named)}
    for task, at in halves.items():
        if math.isnan(at):
            assert f"task {task} at no time" in picture.alt
        else:
            says(f"task {task} at t = #", picture.alt, at, decimals=1)
    known = sorted((at, task) for task, at in halves.items() if not math.isnan(at))
    if known:
        ends = list(dict.fromkeys([known[0], known[-1]]))
        assert [int(one) for one in re.findall(r"task (\d+) at", picture.headline)] == [task for _, task in ends]
    else:
        assert bool(picture.headline) == bool(t[-1])
    return picture


@case(learned_tasks)
def _(draw):
    t, count = times_from_zero(draw), draw(st.sampled_from((1, 2, 3, 64)))
    share = shares(draw, len(t), min(count, 3))[:, np.arange(count) % min(count, 3)]
    predicted = positive(draw, count) if draw(st.booleans()) else []
    picture = learned_tasks(t, share, predicted, theme=LOOK)
    done = int(sum(share[-1] >= 0.5))
    says(f"At t = #, {done or 'none'} of {count} task", picture.alt, t[-1])
    assert bool(picture.headline) == bool(t[-1])
    assert not picture.headline or f": {done} of {count} task" in picture.headline
    return picture
