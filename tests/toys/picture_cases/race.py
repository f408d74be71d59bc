"""The pictures of `race`."""

import math
import re

import numpy as np
from alt_claims import names_the_lowest, near, says, says_each
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, MODEST, case, layer, numbers, one_of, positive, signed, some

from featdash.figures.picture import METHODS
from featdash.learners.methods import RACING
from featdash.lessons.race.pictures import error_left as pieces
from featdash.lessons.race.pictures.learned import alignment_heatmap, lam_curve, profile
from featdash.lessons.race.pictures.risk import loss_curves
from featdash.lessons.shared.frames import LayerFrame, LossCurve


@case(alignment_heatmap)
def _(draw):
    before, now = (LayerFrame.from_arrays(layer(draw)) for _ in range(2))
    picture = alignment_heatmap(before, now, theme=LOOK)
    says("is #° before training and #° now.", picture.alt, before.angles[-1], now.angles[-1], decimals=1)
    return picture


@case(pieces.error_left)
def _(draw):
    count = draw(st.integers(1, 5))
    energy = numbers(draw, count, MODEST)
    left = {name: numbers(draw, count + 1, MODEST) for name in some(draw, RACING)}
    picture = pieces.error_left(energy, left, theme=LOOK)
    if not left:
        says("excess risk is #", picture.alt, energy.sum())
        assert picture.headline == ""
        return picture
    names = [*(f"of degree {k}" for k in range(count)), "beside the target"]
    for name, parts in left.items():
        says(f"# for {METHODS[name].label},", picture.alt, parts.sum())
        largest = re.search(rf"for {re.escape(METHODS[name].label)}, the largest part of it (.*?)[;.]", picture.alt)[1]
        assert near(parts[names.index(largest)], parts.max())
        lacks = [k for k in range(count) if energy[k] > 0 and parts[k] > energy[k] / 2]
        if "smallest" in picture.headline:
            continue
        said = next(one for one in picture.headline.split("; ") if METHODS[name].label.lower() in one.lower())
        assert [int(k) for k in re.findall(r"\d+", said.split("lack")[1])] == lacks
    if "smallest" in picture.headline:
        best = next(name for name in left if METHODS[name].label.lower() in picture.headline.split(" has")[0].lower())
        assert near(left[best].sum(), min(parts.sum() for parts in left.values()))
    return picture


@case(profile)
def _(draw):
    z, truth = np.linspace(-3, 3, 7), signed(draw, 7)
    learned = {name: signed(draw, 7) for name in some(draw, METHODS)}
    picture = profile(z, truth, learned, theme=LOOK)
    gaps = {METHODS[name].label: math.sqrt(np.mean((f - truth)[1:6] ** 2)) for name, f in learned.items()}
    says_each(picture.alt, gaps, decimals=None)
    return picture


@case(lam_curve)
def _(draw):
    lams = np.geomspace(1e-6, 10, 5)
    risks = {name: positive(draw, 5, EXTREME) for name in some(draw, METHODS)}
    tuned = {name: draw(st.sampled_from(list(lams))) for name in risks}
    picture = lam_curve(lams, risks, tuned, theme=LOOK)
    says_each(picture.alt, {METHODS[name].label: lam for name, lam in tuned.items()}, decimals=None)
    return picture


@case(loss_curves)
def _(draw):
    heads = {}
    same = draw(st.integers(1, 4))
    for name in some(draw, METHODS):
        t = [1.0, 10.0, 100.0, 1000.0][: one_of(draw, same, same, 2)]
        curve = positive(draw, len(t), EXTREME)
        settled = np.resize([True, draw(st.booleans())], len(t))
        heads[name] = LossCurve(np.array(t), excess=curve, train=curve, holdout=curve, settled=settled)
    limits = {name: {"excess": positive(draw, 1, EXTREME)[0]} for name in heads} if draw(st.booleans()) else None
    at = one_of(draw, None, 1.0, math.inf)
    picture = loss_curves(heads, theme=LOOK, limits=limits, at=at, last=1e4)
    values = {}
    for name, curve in heads.items():
        view = limits[name]["excess"] if limits else curve.excess[-1]
        values[METHODS[name].label] = curve.excess[0] if at == 1.0 else view
    says_each(picture.alt, values, decimals=None)
    names_the_lowest(picture.alt, values)
    if heads:
        reached = {curve.t[-1] for curve in heads.values()}
        if at == 1.0:
            assert picture.alt.startswith("After 1 head step the")
        elif limits:
            assert "converged" in picture.alt
        elif len(reached) == 1:
            says("After # head step", picture.alt, *reached)
        else:
            assert "last step so far of each" in picture.alt
    return picture
