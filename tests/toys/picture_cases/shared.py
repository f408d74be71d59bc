"""The pictures that lessons share."""

import math
import re

import numpy as np
from alt_claims import NUMBER, quoted, reads, says, value
from hypothesis import strategies as st
from picture_case import (
    EXTREME,
    LOOK,
    case,
    errors_by_dimension,
    judge_course,
    layer,
    numbers,
    one_of,
    positive,
    signed,
    sizes,
)

from featdash.lessons.shared.frames import NeuronFrame
from featdash.lessons.shared.pictures import gradient_terms
from featdash.lessons.shared.pictures.errors import FLOOR, error_curves, short
from featdash.lessons.shared.pictures.neurons import BEFORE_AND_NOW, neuron_map


@case(error_curves)
def _(draw):
    dims = [4, 10, 30, 100][: draw(st.integers(1, 4))]
    curves = errors_by_dimension(draw, dims)
    picture = error_curves(curves, dims, theme=LOOK, title="Error")
    for name, curve in curves.items():
        found = re.search(rf"of {re.escape(short(name))} (stays flat|rises|falls) (.*?)(?:;|\.$)", picture.alt)
        assert bool(found) == (len(curve.d) > 1)
        if not found:
            continue
        first, last = (max(curve.error[index], FLOOR) for index in (0, -1))
        factor = last / first
        assert found[1] == ("stays flat" if 1 / 1.4 < factor < 1.4 else "rises" if factor > 1 else "falls")
        ends = re.match(rf"from (below )?({NUMBER}) at d = 4 to (below )?({NUMBER}) at d = ({NUMBER})", found[2])
        assert reads(ends[2], first, 4)
        assert reads(ends[4], last, 4)
        assert [bool(ends[1]), bool(ends[3])] == [first <= FLOOR, last <= FLOOR]
        assert value(ends[5]) == curve.d[-1]
        if "factor" in found[2]:
            says("by a factor of #", found[2], max(factor, 1 / factor), decimals=2)
    return picture


@case(gradient_terms.gradient_scatter)
def _(draw):
    shape = (draw(st.integers(1, 6)), draw(st.integers(1, 2)))
    x, exact, seen = (signed(draw, shape[0] * shape[1]).reshape(shape) for _ in range(3))
    picture = gradient_terms.gradient_scatter(x, exact, seen, theme=LOOK, samples=1000)
    assert ("exactly zero" in picture.alt) == (not exact.any())
    assert ("noise alone" in picture.alt) == (not exact.any() and bool(seen.any()))
    if exact.any():
        assert ("no leading term" in picture.alt) == (not x.any())
    if "correlate" in picture.alt:
        a, b = (values.ravel() - values.mean() for values in (exact, seen))
        said = value(quoted("at #, and", picture.alt)[0])
        assert abs(said - a @ b / math.sqrt((a @ a) * (b @ b))) < 0.0006
    assert ("exact gradient is zero" in picture.headline) == (not exact.any() and bool(seen.any()))
    if exact.any():
        scale = np.abs(exact).max()
        miss = np.linalg.norm((seen - exact) / scale) / np.linalg.norm(exact / scale)
        assert ("noise as large" in picture.headline) == (miss >= 1)
        if miss < 1:
            says("circles are #\N{NO-BREAK SPACE}% off", picture.headline, 100 * miss, decimals=0)
    return picture


@case(gradient_terms.error_against_samples)
def _(draw):
    n = sizes(draw)
    errors = numbers(draw, 2 * len(n)).reshape(2, len(n))
    slope = draw(st.none() | st.tuples(st.floats(-1, 1) | st.just(-0.001), st.just(-0.5)))
    absolute = draw(st.booleans())
    picture = gradient_terms.error_against_samples(n, errors, theme=LOOK, slope=slope, absolute=absolute)
    says("At n = # the", picture.alt, n[-1])
    says("population's is #", picture.alt, math.sqrt(np.mean(errors[:, -1] ** 2)), decimals=None)
    assert ("relative" in picture.alt) == (not absolute)
    if slope:
        says("slope in n is #, predicted #", picture.alt, *slope, decimals=2)
    return picture


@case(gradient_terms.error_against_dimension)
def _(draw):
    d = [10, 30, 100][: draw(st.integers(1, 3))]
    errors = numbers(draw, len(d), EXTREME)
    picture = gradient_terms.error_against_dimension(d, errors, theme=LOOK, absolute=draw(st.booleans()))
    if len(d) == 1:
        says("At d = 10 the * is #", picture.alt, errors[0])
    else:
        says("From d = # to # the", picture.alt, d[0], d[-1])
        judge_course(picture.alt, errors[0], errors[-1])
    return picture


@case(gradient_terms.term_bars)
def _(draw):
    norm = numbers(draw, draw(st.integers(1, 5)))
    noise = positive(draw, 1)[0]
    picture = gradient_terms.term_bars(norm, np.full(len(norm), 100.0), noise, noise / 2, theme=LOOK, n=1000)
    above = [k for k, size in enumerate(norm) if size > noise]
    found = re.search(r"the (terms?) k = ([\d, ]+) of the series (is|are)", picture.alt)
    assert [int(k) for k in found[2].split(",")] == above if found else not above
    assert not found or (found[1] == "terms") == (found[3] == "are") == (len(above) > 1)
    says("noise of the gradient, #", picture.alt, noise, decimals=None)
    return picture


@case(gradient_terms.series_parity)
def _(draw):
    degree = draw(st.integers(0, 5))
    energy = numbers(draw, degree + 1, (0.0, 0.0, 0.5, 1.0))
    coefficients = signed(draw, degree + 3, (0.0, 0.0, 0.4, -0.1))
    picture = gradient_terms.series_parity(coefficients, energy, theme=LOOK)
    met = sorted({j for k in range(2, degree + 1) if energy[k] > 1e-12 for j in (k, k + 2)})
    digits = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
    assert [int(one.translate(digits)) for one in re.findall("c([₀-₉]+)", picture.alt)] == met
    assert ("vanishes" in picture.alt) == all(coefficients[k] == 0 for k in met)
    return picture


@case(neuron_map)
def _(draw):
    before, now = (NeuronFrame.from_arrays(layer(draw)) for _ in range(2))
    names = one_of(draw, BEFORE_AND_NOW, ("intact", "deleted"))
    picture = neuron_map(before, now, theme=LOOK, names=names)
    start, end = (float(np.mean(panel.share)) for panel in (before, now))
    told = re.findall(rf"({NUMBER})(?: of its squared norm|» and|» and| now| in the map «deleted)", picture.alt)
    assert reads(told[0], start)
    assert reads(told[-1], end)
    if names == BEFORE_AND_NOW:
        assert ("hardly" in picture.alt) == (abs(end - start) <= 0.2)
        assert ("towards" in picture.alt) == (end - start > 0.2)
        assert ("away from" in picture.alt) == (end - start < -0.2)
    return picture
