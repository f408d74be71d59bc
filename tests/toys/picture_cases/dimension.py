"""The pictures of `dimension`."""

import numpy as np
from alt_claims import says
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, case, errors_by_dimension, numbers, some

from featdash.figures.picture import METHODS
from featdash.lessons.dimension.pictures import Demand, dimension_reach, error_growth, samples_asked
from featdash.lessons.shared.pictures.errors import FLOOR, short


@case(error_growth)
def _(draw):
    dims = [4, 10, 100]
    curves = errors_by_dimension(draw, dims, least=3)
    picture = error_growth(curves, dims, theme=LOOK)
    for name, curve in curves.items():
        first, last = (max(curve.error[index], FLOOR) for index in (0, -1))
        says(f"# for {short(name)}", picture.alt, last / first, decimals=2)
    if curves:
        says("The error at d = # over that at d = #", picture.alt, 100, 4)
    return picture


def reaches(draw, dims):
    return {name: draw(st.none() | st.floats(min(dims), max(dims))) for name in some(draw, METHODS)}


def says_reaches(alt, reached, last):
    for name, d in reached.items():
        if d is not None:
            says(f"# for {short(name)}", alt, d, decimals=1)
        else:
            assert short(name) in alt.split(f"up to d = {last} for ")[1]
    assert ("below" in alt) == (None in reached.values())
    assert ("passes" in alt) == any(d is not None for d in reached.values())


@case(dimension_reach)
def _(draw):
    dims = [4, 10, 100][: draw(st.integers(1, 3))]
    reached = reaches(draw, dims)
    picture = dimension_reach(reached, dims, 0.25, theme=LOOK, lines=[(35.0, "d² = n")])
    says_reaches(picture.alt, reached, max(dims))
    return picture


@case(samples_asked)
def _(draw):
    dims = [1, 2, 20]
    asked, reached = sorted(np.maximum(numbers(draw, 3, EXTREME), 1.0)), reaches(draw, dims)
    picture = samples_asked(Demand(dims, asked), 500, 0.25, reached, theme=LOOK)
    says("asks for # sample", picture.alt, asked[-1], decimals=None)
    assert ("The run goes on" in picture.alt) == (not reached)
    if reached:
        says_reaches(picture.alt.split("With n")[1], reached, 20)
    return picture
