"""The pictures of `hessian`."""

import math

import numpy as np
import pytest
from alt_claims import says, value
from hypothesis import strategies as st
from picture_case import LOOK, case, positive

from featdash.figures.text import number
from featdash.lessons.hessian import pictures as hessian
from featdash.lessons.hessian.frames import NetworkLook, TrainingFrame

BOTH = {"few": 1.5, "many": 12.0}


def network_look(draw):
    shares = [np.array([draw(st.floats(0, 0.5)) for _ in range(2)]) for _ in range(3)]
    values = np.sort([draw(st.sampled_from((-1.4, -0.05, 0.0, 0.3))) for _ in range(3)])
    loss, risk = positive(draw, 2)
    return NetworkLook(float(loss), float(risk), np.sqrt(shares[0])[None], shares[1], values, shares[2])


def training_frame(draw):
    return TrainingFrame({name: network_look(draw) for name in BOTH})


@case(hessian.feature_plane)
def _(draw):
    frame = training_frame(draw)
    picture = hessian.feature_plane(frame, 20, BOTH, theme=LOOK)
    for name, ratio in BOTH.items():
        one = frame.networks[name]
        part = picture.alt.partition(f"n/d = {number(ratio)}")[2]
        says("a share of # along u₂", part, one.share[1], decimals=2)
        says("lowest vector of the Hessian one of #", part, one.vector[1], decimals=2)
    many = frame.networks["many"]
    says("vector #, neurons #", picture.headline, many.vector[1], many.share[1], decimals=2)
    return picture


@case(hessian.share_course)
def _(draw):
    looks = [network_look(draw) for _ in range(draw(st.integers(1, 4)))]
    steps = [10 * index for index in range(len(looks))]
    picture = hessian.share_course(steps, looks, 12.0, 200, theme=LOOK)
    for word, shares in (("vector", [one.vector[1] for one in looks]), ("neurons", [one.share[1] for one in looks])):
        reached = [step for step, one in zip(steps, shares, strict=True) if one >= 0.5]
        if reached:
            assert f"the {word} at step {reached[0]}" in picture.alt
        else:
            assert f"the {word}" in picture.alt.partition("not yet")[2]
    return picture


@case(hessian.lowest_eigenvalues)
def _(draw):
    frame = training_frame(draw)
    picture = hessian.lowest_eigenvalues(frame, 20, BOTH, -1.5, theme=LOOK)
    for name, ratio in BOTH.items():
        for text in (picture.alt, picture.headline):
            says(f"# for n/d = {number(ratio)}", text, frame.networks[name].eigenvalues[0])
    axis = picture.figure.layout.xaxis
    for trace in picture.figure.data:
        assert [np.sinh(x) / 20 for x in trace.x] == pytest.approx(trace.customdata, rel=1e-4)
        assert all(axis.range[0] < x < axis.range[1] for x in trace.x)
    assert [np.sinh(x) / 20 for x in axis.tickvals] == pytest.approx([value(text) for text in axis.ticktext])
    return picture


@case(hessian.error_course)
def _(draw):
    frames = [training_frame(draw) for _ in range(draw(st.integers(1, 3)))]
    picture = hessian.error_course(range(len(frames)), frames, BOTH, 200, theme=LOOK)
    for name, ratio in BOTH.items():
        one = frames[-1].networks[name]
        for word, wanted in (("training", one.loss), ("new", one.risk)):
            says(f"# for {word}, n/d = {number(ratio)}", picture.alt, wanted, decimals=2)
    few = frames[-1].networks["few"]
    says("# on its samples, # on new ones", picture.headline, few.loss, few.risk, decimals=2)
    return picture


@case(hessian.threshold_course)
def _(draw):
    ratios, known = (1.0, 1.5, 12.0), draw(st.integers(0, 3))
    vector, neurons = np.full((2, 3, 2), math.nan)
    for table in (vector, neurons):
        table[:known] = np.reshape([draw(st.floats(0, 1)) for _ in range(2 * known)], (known, 2))
    picture = hessian.threshold_course(ratios, vector, neurons, theme=LOOK)
    assert bool(known) == bool(picture.headline)
    for word, table in (("vector, first phase", vector), ("neurons, end", neurons)):
        if known:
            middle = np.median(table[known - 1])
            says(f"that of the {word} # at n/d = #", picture.alt, middle, ratios[known - 1], decimals=2)
    return picture
