"""Powers of d: exact on exact powers, what is beyond the map is left out, and the error that of a textbook line."""

import math

import numpy as np
import pytest
from scipy.stats import linregress

from featdash.lessons.phase_map.recipe import PhaseMapSpec
from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path
from featdash.theory.exponents import crossing, growth, growths

SIZES, DIMENSIONS = (10, 100, 1000, 10_000), (5, 7, 10, 14, 20)


def risks(needed):
    """Falling lines in log n that cross ½ at the given n."""
    return np.array([[0.5 - 0.1 * math.log(n / n_star) for n in SIZES] for n_star in needed])


@pytest.mark.parametrize("power", [1, 2, 3])
def test_an_exact_power_is_found_without_error(power):
    found = growth(DIMENSIONS, SIZES, risks([d**power for d in DIMENSIONS]), 0.5, False)
    inside = [d for d in DIMENSIONS if 10 <= d**power < 10_000]
    assert [d for d, n in found.needed.items() if n is not None] == inside
    if len(inside) >= 3:
        assert found.slope == pytest.approx(power)
        assert found.error == pytest.approx(0, abs=1e-9)
    assert found.beyond == ()
    rising = growth(DIMENSIONS, SIZES, 1 - risks([d**power for d in DIMENSIONS]), 0.5, True)
    assert rising.needed == pytest.approx(found.needed)


def test_slope_and_error_are_those_of_linear_regression():
    needed = [40, 130, 150, 900, 700]
    found = growth(DIMENSIONS, SIZES, risks(needed), 0.5, False)
    line = linregress(np.log(DIMENSIONS), np.log(needed))
    assert (found.slope, found.error, found.intercept) == pytest.approx((line.slope, line.stderr, line.intercept))


def test_what_is_beyond_the_map_has_no_number():
    found = growth(DIMENSIONS, SIZES, risks([20, 100, 1e6, 1e7, math.nan]), 0.5, False)
    assert found.beyond == (10, 14)
    assert found.needed[20] is None
    assert found.slope is None
    assert found.summary() == {
        "needed": {"5": pytest.approx(20), "7": pytest.approx(100), "10": None, "14": None, "20": None},
        "beyond": [10, 14],
        "slope": None,
        "error": None,
    }


def test_a_crossing_counts_from_where_it_lasts():
    assert crossing(SIZES, np.array([-1, 1, -1, 1])) == pytest.approx(10**3.5)
    assert crossing(SIZES, np.array([-1, np.nan, np.nan, 1])) == pytest.approx(10**2.5)
    assert crossing(SIZES, np.array([1, 1, 1, 1])) is None
    assert crossing(SIZES, np.array([-1, 1, 1, -1])) is None
    assert crossing(SIZES, np.array([-1, -1, -1, 3])) == pytest.approx(10**3.25)


def test_the_recorded_map_has_the_powers_of_its_arrays():
    spec = PhaseMapSpec()
    result = read_archive(recorded_path("phase-map", spec), shipped=True).result
    found = growths(spec.dimensions, spec.n, result.arrays, 1.0)
    for name, by in result.summary["exponents"].items():
        for level, one in by.items():
            assert one["slope"] == pytest.approx(found[name][level].slope)
    cells = {(cell["d"], cell["n"]): cell for cell in result.summary["cells"]}
    for d, n in found["algorithm1"]["quarter"].needed.items():
        if n is not None:
            after = [cells[d, size]["algorithm1"] for size in spec.n if size > n]
            assert max(after) < 0.25 < max(cells[d, size]["algorithm1"] for size in spec.n if size < n)
