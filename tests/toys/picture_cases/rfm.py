"""The pictures of `rfm`."""

import re

import numpy as np
from alt_claims import NUMBER, reads, says
from hypothesis import strategies as st
from picture_case import LOOK, case, one_of, positive, some

from featdash.figures.picture import METHODS
from featdash.lessons.rfm.frames import MatrixFrame
from featdash.lessons.rfm.pictures import matrix_map, risk_by_round, share_by_round


@case(risk_by_round)
def _(draw):
    risks = list(positive(draw, draw(st.integers(0, 4))))
    rivals = {name: float(positive(draw, 1)[0]) for name in some(draw, ("algorithm1", "ntk"))}
    picture = risk_by_round(risks, rivals, 6, theme=LOOK)
    if not risks:
        assert picture.alt == "No round is measured yet."
        assert not picture.headline
        return picture
    for name, value_ in rivals.items():
        says(f"{METHODS[name].label} has #", picture.alt, value_)
    if len(risks) > 1:
        says("risk # → #", picture.headline, risks[0], risks[-1], decimals=2)
        assert f"Re-weighted {len(risks) - 1}×" in picture.headline
    spoken = re.findall(NUMBER, picture.alt)
    assert reads(spoken[0], risks[0], 3)
    return picture


@case(share_by_round)
def _(draw):
    shares = [draw(st.floats(0, 1)) for _ in range(draw(st.integers(1, 4)))]
    alignment = one_of(draw, None, 0.25)
    picture = share_by_round(shares, 5, (1, 10), theme=LOOK, alignment=alignment)
    says("chance is #", picture.alt, 0.1)
    assert reads(re.findall(NUMBER, picture.alt)[0], shares[0], 3)
    assert ("Algorithm 1's first layer has 0.25." in picture.alt) == (alignment is not None)
    return picture


@case(matrix_map)
def _(draw):
    d, at = draw(st.integers(2, 18)), draw(st.integers(0, 3))
    roots = np.array([[draw(st.floats(-1, 1)) for _ in range(d)] for _ in range(2)])
    M = roots.T @ roots + np.eye(d) * one_of(draw, 0.01, 1.0)
    M = np.eye(d) / d if one_of(draw, True, False) else M / np.trace(M)
    share = float(M[0, 0])
    picture = matrix_map(MatrixFrame(M, share), np.eye(d)[:1], at, theme=LOOK)
    says("have a share of # of M", picture.alt, share)
    assert picture.alt.startswith(f"In round {at} ")
    if "weigh alike" in picture.alt:
        assert np.ptp(np.diag(M)) < 1e-5
    else:
        says("the largest diagonal entry is that of x", picture.alt)
        says(", #; the hidden", picture.alt, np.diag(M).max())
    return picture
