"""The pictures of `rescue`."""

import math

import numpy as np
from alt_claims import says, says_each
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, one_of, positive, signed, sizes, some

from featdash.lessons.rescue import pictures as rescue
from featdash.lessons.rescue.pictures import HERMITE, SHORT, average_cosines, transformed_labels
from featdash.lessons.rescue.pictures import STYLES as LABELS_OF_STEP


def begun_curves(draw, count, pool):
    """Curves of some kinds of labels, each measured up to some place."""
    curves = {name: positive(draw, count, pool) for name in some(draw, LABELS_OF_STEP, least=1, most=3)}
    for curve in curves.values():
        curve[draw(st.integers(0, count)) :] = math.nan
    return curves


def last_of_each(curves, names):
    """Label -> the last number measured of a curve."""
    known = {name: [one for one in curve if math.isfinite(one)] for name, curve in curves.items()}
    return {names[name].label: values[-1] for name, values in known.items() if values}


@case(rescue.rescue_risks)
def _(draw):
    n = sizes(draw)
    risks = begun_curves(draw, len(n), EXTREME)
    picture = rescue.rescue_risks(n, risks, theme=LOOK)
    ends = last_of_each(risks, LABELS_OF_STEP)
    if ends:
        says_each(picture.alt, ends)
    everyone = [i for i in range(len(n)) if all(math.isfinite(risk[i]) for risk in risks.values())]
    assert bool(picture.headline) == bool(everyone)
    if everyone:
        says("at n = #", picture.headline, n[everyone[-1]])
        for name, risk in risks.items():
            says(f"{SHORT[name]} #", picture.headline, risk[everyone[-1]], decimals=2)
    return picture


@case(rescue.rescue_alignments)
def _(draw):
    n, chance = sizes(draw), draw(st.floats(0.005, 0.5))
    curves = begun_curves(draw, len(n), (0.0, 1e-5, 0.05, 0.5, 1.0))
    picture = rescue.rescue_alignments(n, curves, chance, theme=LOOK)
    ends = last_of_each(curves, LABELS_OF_STEP)
    if ends:
        says_each(picture.alt, ends)
    assert ("No alignment" in picture.alt) == (not ends)
    says("chance is #", picture.alt, chance)
    return picture


@case(transformed_labels)
def _(draw):
    names = some(draw, LABELS_OF_STEP, least=1, most=3)
    z, exponent = np.linspace(-3, 3, 9), draw(st.integers(1, 4))
    transformed = {name: signed(draw, 9, EXTREME[:-1]) for name in names}
    correlation = {name: draw(st.sampled_from((0.0, -1e-4, 1.0, -0.506)) | st.floats(-1, 1)) for name in names}
    picture = transformed_labels(z, transformed, correlation, exponent, theme=LOOK)
    assert f"with {HERMITE[exponent]} is" in picture.alt
    rounded = {name: 0.0 if abs(one) < 0.005 else one for name, one in correlation.items()}
    says_each(picture.alt, {LABELS_OF_STEP[name].label: one for name, one in rounded.items()}, decimals=2)
    return picture


@case(average_cosines)
def _(draw):
    d, ratio = one_of(draw, [100], [100, 400], [20, 50, 500]), [1, 3, 10, 30]
    repeats = draw(st.integers(1, 4))
    cosine = {}
    for name in some(draw, LABELS_OF_STEP, least=1, most=3):
        cosine[name] = np.array(draw(st.lists(st.floats(0, 1), min_size=4, max_size=4)))[None, None] * np.linspace(
            0.2, 1, repeats * len(d)
        ).reshape(repeats, len(d), 1)
        cosine[name][draw(st.integers(0, repeats)) :] = math.nan
    picture = average_cosines(d, ratio, cosine, theme=LOOK)
    measured = {name: table for name, table in cosine.items() if np.isfinite(table).any()}
    assert ("No average" in picture.alt) == (not measured)
    for name, table in measured.items():
        means = np.nanmean(table[np.isfinite(table).all(axis=(1, 2))], axis=0)[:, -1]
        part = picture.alt.partition(f"{LABELS_OF_STEP[name].label} ")[2].partition(";")[0]
        for size, mean in zip(d, means, strict=True):
            says(f"# at d = {size}", part, mean, decimals=2)
    return picture
