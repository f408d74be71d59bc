"""The pictures of `structure`."""

import re

import numpy as np
from alt_claims import value
from hypothesis import strategies as st
from picture_case import LOOK, case, one_of, shares, some

from featdash.lessons.structure.frames import growth_of
from featdash.lessons.structure.pictures import STYLES as SWEEPS
from featdash.lessons.structure.pictures import samples_of_structure, share_courses
from featdash.lessons.structure.recipe import Case


@case(share_courses)
def _(draw):
    letter, ratios = one_of(draw, "r", "λ₁/λᵣ"), np.array([0.0625, 1.0, 32.0])
    places = sorted(some(draw, (1.0, 2.0, 3.5, 8.0)))
    curves = {place: shares(draw, draw(st.integers(1, 3)), 3) for place in places}
    picture = share_courses(curves, ratios, letter, theme=LOOK)
    assert bool(curves) == ("No target" not in picture.alt)
    for place, values in curves.items():
        found = re.search(rf"(\d\.\d\d) at {letter} = {re.escape(f'{place:g}')}\b(?!\.\d)", picture.alt)
        assert abs(float(found[1]) - values[:, -1].mean()) < 0.0051
    return picture


@case(samples_of_structure)
def _(draw):
    sizes, found = [10, 100, 1000], {}
    sweeps = {"rank": [Case(r, 1.0) for r in (1, 2, 4, 8)], "condition": [Case(2, ratio) for ratio in (1.0, 2.0, 4.0)]}
    for name, cases in sweeps.items():
        if draw(st.booleans()):
            found[name] = growth_of(cases, dict(zip(cases, shares(draw, len(cases), 3), strict=True)), sizes)
    picture = samples_of_structure(found, one_of(draw, None, 1.57), (10, 1000), (0.5, 8.5), 10, theme=LOOK)
    assert bool(found) == ("No target" not in picture.alt)
    for name, one in found.items():
        known = {x: n for x, n in one.needed.items() if n is not None}
        if len(known) > 2:
            slope = np.polyfit(np.log(list(known)), np.log(list(known.values())), 1)[0]
            told = rf"to the power ([−0-9.]+) ± [0-9.]+ for {SWEEPS[name].label} over {len(known)}"
            (text,) = re.findall(told, picture.alt)
            assert abs(value(text) - slope) < 0.006
        else:
            assert f"too few targets for a slope for {SWEEPS[name].label}" in picture.alt
    both = len(found) == 2 and all(one.slope is not None for one in found.values())
    assert bool(picture.headline) == both
    for one in found.values() if both else ():
        assert f"{abs(one.slope):.2f} ± {one.error:.2f}" in picture.headline
    return picture
