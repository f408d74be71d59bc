"""The pictures of `more_steps`."""

import math

import numpy as np
from alt_claims import says
from hypothesis import strategies as st
from picture_case import LOOK, case, one_of, positive

from featdash.lessons.more_steps.frames import LayerFrame as SteppedFrame
from featdash.lessons.more_steps.pictures import NAMES as STEP_LOSSES
from featdash.lessons.more_steps.pictures import STEPS as STEP_COUNTS
from featdash.lessons.more_steps.pictures import alignment_course, neuron_dial
from featdash.lessons.more_steps.pictures import needed_samples as steps_and_samples
from featdash.lessons.more_steps.pictures import risk_course as risk_by_steps


def stepped_frame(draw):
    m = draw(st.integers(1, 5))
    share, aligned = [draw(st.floats(0, 1)) for _ in range(m)], {name: draw(st.floats(0, 1)) for name in STEP_LOSSES}
    return SteppedFrame(
        np.array(share), np.linspace(0, 3, m), np.resize([1, -1], m), aligned, dict.fromkeys(aligned, 0.0)
    )


@case(neuron_dial)
def _(draw):
    frame, steps = stepped_frame(draw), draw(st.integers(0, 8))
    picture = neuron_dial(frame, steps, theme=LOOK)
    says(
        "alignment of the layer with the hidden direction is #", picture.alt, frame.alignment["correlation"], decimals=2
    )
    assert f"After {steps} step{'' if steps == 1 else 's'} " in picture.alt
    return picture


@case(alignment_course)
def _(draw):
    frames = [stepped_frame(draw) for _ in range(draw(st.integers(1, 4)))]
    losses = one_of(draw, ("correlation",), tuple(STEP_LOSSES))
    picture = alignment_course(range(len(frames)), frames, losses, 8, theme=LOOK)
    count, last = len(frames) - 1, frames[-1].alignment
    if len(losses) == 1:
        says("the alignment is #", picture.alt, last["correlation"], decimals=2)
        says(f"# after {count} step{'' if count == 1 else 's'}", picture.headline, last["correlation"], decimals=2)
        if count > 1:
            says("# after 1 step,", picture.headline, frames[1].alignment["correlation"], decimals=2)
    else:
        assert picture.headline.startswith(f"Alignment at step {count}: ")
        for name in losses:
            says(f"# for {STEP_LOSSES[name]}", picture.alt, last[name], decimals=2)
            says(f"# ({STEP_LOSSES[name]})", picture.headline, last[name], decimals=2)
    return picture


@case(steps_and_samples)
def _(draw):
    d = one_of(draw, [25, 50], [25, 50, 100, 200])
    shape = (len(STEP_COUNTS), len(d), 2)
    samples = np.array([draw(st.sampled_from((math.nan, 25.0, 600.0, 40_000.0))) for _ in range(math.prod(shape))])
    known = draw(st.booleans())
    slopes = {steps: (draw(st.sampled_from((math.nan, 0.97, 1.5, 2.06))), 0.05) for steps in STEP_COUNTS if known}
    picture = steps_and_samples(d, samples.reshape(shape), slopes, theme=LOOK)
    found = {steps: slope for steps, (slope, _) in slopes.items() if slope > 0}
    for steps, slope in found.items():
        says(f"# for {steps} step", picture.alt, slope, decimals=2)
    assert bool(found) == bool(picture.headline)
    if not found and np.isfinite(samples).any():
        says("lie from # to #", picture.alt, np.nanmin(samples), np.nanmax(samples))
    return picture


@case(risk_by_steps)
def _(draw):
    known, steps = draw(st.integers(0, 3)), (1, 2, 8)
    risk = np.full((2, 3, 2), math.nan)
    risk[:, :known] = positive(draw, 4 * known).reshape(2, known, 2)
    picture = risk_by_steps(steps, risk, {10: 1000, 50: 3000}, theme=LOOK)
    assert bool(known) == bool(picture.headline)
    for row, d in enumerate((10, 50)):
        if known:
            means = risk[row].mean(axis=1)
            says(f"at d = {d} it is # after", picture.alt, means[0], decimals=2)
            says(f"d = {d}: # → #", picture.headline, means[0], means[known - 1], decimals=2)
    return picture
