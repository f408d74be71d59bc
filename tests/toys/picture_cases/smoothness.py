"""The pictures of `smoothness`."""

import numpy as np
from alt_claims import quoted, says, value
from hypothesis import strategies as st
from picture_case import LOOK, MODEST, case, numbers, one_of, positive, signed, sizes, some

from featdash.lessons.smoothness import pictures as jump
from featdash.lessons.smoothness.frames import FixedCurves


@case(jump.jump_fit)
def _(draw):
    x, flat = np.linspace(-1, 1, 9), draw(st.booleans())
    functions = {name: np.full(9, 0.5) if flat else signed(draw, 9) for name in ("truth", "kernel", "network")}
    truth, network = functions["truth"], functions["network"]
    fixed = FixedCurves(x, truth, x[::2], truth[::2], functions["kernel"])
    picture = jump.jump_fit(jump.Fits(fixed, network, "rbf"), theme=LOOK, window=one_of(draw, 1.0, 0.25))
    for name, label in (("kernel", "Gaussian kernel"), ("network", "network")):
        says(f"# for {label}", picture.alt, np.mean((functions[name] - truth) ** 2), decimals=4)
        (text,) = quoted(f"{label} #", picture.headline)
        assert abs(value(text) - np.mean((functions[name] - truth) ** 2)) <= 0.06 * abs(value(text))
    return picture


@case(jump.near_and_elsewhere)
def _(draw):
    fits = {}
    for name in some(draw, jump.STYLES):
        near_it, elsewhere = numbers(draw, 2)
        rise = draw(st.none() | st.sampled_from(MODEST))
        fits[name] = {"near": near_it, "elsewhere": elsewhere, "overshoot": signed(draw, 1)[0], "rise": rise}
    picture = jump.near_and_elsewhere(fits, 0.1, theme=LOOK)
    for part, (name, fit) in zip(picture.alt.split("; the "), fits.items(), strict=False):
        assert jump.short(name) in part
        if fit["overshoot"] > 0:
            says("overshoots by #", part, fit["overshoot"])
        elif fit["overshoot"] < 0:
            says("stays # below", part, -fit["overshoot"])
        assert ("just the height" in part) == (fit["overshoot"] == 0)
        assert ("rises" in part) == (fit["rise"] is not None)
        if fit["rise"] is not None:
            says("rises over a width of #", part, fit["rise"], decimals=4)
    return picture


@case(jump.error_rates)
def _(draw):
    targets, n = {"heaviside": jump.Target("jump", -0.5), "smooth": jump.Target("smooth")}, sizes(draw)
    rates = {
        target: jump.RateCurves(n, {name: positive(draw, len(n)) for name in some(draw, jump.STYLES, least=1, most=3)})
        for target in some(draw, targets, most=2)
    }
    slopes = st.floats(-2, 1) | st.sampled_from((0.0, -0.001))
    known = draw(st.booleans())
    exponents = (
        {target: {name: draw(slopes) for name in found.errors} for target, found in rates.items()} if known else None
    )
    picture = jump.error_rates(rates, n, exponents, theme=LOOK, targets=targets)
    for target, found in (exponents or {}).items():
        for name, slope in found.items():
            says(f"# for {jump.short(name)} on the {targets[target].word} target", picture.alt, slope, decimals=2)
    return picture
