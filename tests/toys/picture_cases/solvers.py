"""The pictures of `solvers`."""

import re

from alt_claims import NUMBER, quoted, says, value
from hypothesis import strategies as st
from picture_case import LOOK, case, positive, sizes, some

from featdash.lessons.solvers import pictures as solver_cost


@case(solver_cost.solver_times)
def _(draw):
    n = sizes(draw, start=700)
    seconds = {name: positive(draw, len(n)) for name in some(draw, solver_cost.SOLVERS, most=2)}
    busy = draw(st.booleans())
    slopes = {"direct": 3, "richardson": 2}
    picture = solver_cost.solver_times(solver_cost.Timings(n, seconds), slopes, theme=LOOK, last=10**6, busy=busy)
    for name, times in seconds.items():
        (text,) = quoted(f"# s for {solver_cost.SOLVERS[name].label}", picture.alt)
        assert abs(value(text) / times[-1] - 1) < 0.06
        (text,) = quoted({"direct": "direct # s", "richardson": "Richardson step # s"}[name], picture.headline)
        assert abs(value(text) / times[-1] - 1) < 0.06
    assert ("disturbed" in picture.headline) == (busy and bool(seconds))
    assert bool(picture.headline) == bool(seconds)
    assert ("disturbed" in picture.alt) == (busy and bool(seconds))
    return picture


@case(solver_cost.solver_reach)
def _(draw):
    n = sizes(draw, start=700)
    seconds = {name: positive(draw, len(n)) for name in some(draw, solver_cost.SOLVERS, most=2)}
    lines = {}
    for name in seconds if draw(st.booleans()) else ():
        low, high = sorted(positive(draw, 2, (1e-6, 0.5, 59.0, 61.0, 1e5, 3e7, 1e12)))
        lines[name] = solver_cost.Line(3, high, low, high)
    picture = solver_cost.solver_reach(solver_cost.Timings(n, seconds), lines, theme=LOOK)
    assert ("disturbed" in picture.alt) == (not lines)
    units = {"s": 1, "minutes": 60, "hours": 3600, "days": 86_400, "years": 31_557_600}
    for name, line in lines.items():
        label = re.escape(solver_cost.SOLVERS[name].label)
        low, high, unit = re.search(rf"(?:is|and) ({NUMBER})(?:–({NUMBER}))? (\w+) for {label}", picture.alt).groups()
        for text, true in ((low, line.low), (high or low, line.high)):
            assert abs(value(text) * units[unit] / true - 1) < 0.51  # one digit: 1.5 reads 1 or 2
    return picture


@case(solver_cost.residual_curve)
def _(draw):
    count = draw(st.integers(1, 5))
    residual = positive(draw, count)
    picture = solver_cost.residual_curve(range(1, count + 1), residual, 700, theme=LOOK)
    says("After # step", picture.alt, count)
    says("relative residual is #", picture.alt, residual[-1], decimals=4)
    return picture
