"""Lemma 1 on samples: the error falls as n^{-1/2}, the rest of the series as d^{-1/2} of its leading term."""

import itertools
import json

import numpy as np
import pytest

from featdash.learners.algorithm1 import start_network
from featdash.lessons.lemma.recipe import LemmaSpec
from featdash.lessons.lemma.run import ExactGradients, dimension_error, fit_slope, run
from featdash.recipes.events import Frame, Progress, Result
from featdash.tasks.streams import stream
from featdash.theory.target import resolve_target

SMALL = {"n": 20_000, "width": 100, "repeats": 3}


@pytest.mark.parametrize(("target", "order"), [("figure-1", -0.5), ("rank-3", -0.5), ("He4(z1)/sqrt(24)", -1.5)])
def test_measured_slopes_are_the_predicted_ones(target, order):
    *_, result = run(LemmaSpec(target=target, width=100))
    slopes = result.summary["slopes"]
    assert slopes["samples"]["predicted"] == -0.5
    assert slopes["dimensions"]["predicted"] == order
    for slope in slopes.values():
        assert abs(slope["measured"] - slope["predicted"]) < 0.15
        assert slope["to"] >= 10 * slope["from"] * 0.99


def test_an_odd_target_has_noise_and_nothing_else():
    *_, result = run(LemmaSpec(target="transfer", **SMALL))
    assert result.summary["population_is_zero"]
    assert result.summary["norms"]["population"] == result.summary["norms"]["leading"] == 0
    assert result.summary["errors"]["empirical_from_leading"] is None
    assert set(result.summary["slopes"]) == {"samples"}
    assert not any(term["above_noise"] for term in result.summary["terms"])


def test_the_closed_form_of_a_quadratic_target():
    """He2/√2: beyond the leading term there is -2 a c_4 P_2(v) w, so its ratio² is E v⁴/4 / E v² = 3/(4(d + 2))."""
    target = resolve_target("quadratic", 10)
    for d in (10, 100, 1000):
        found = dimension_error(target, d, seed=0)
        assert found == pytest.approx(np.sqrt(3 / (4 * (d + 2))), rel=0.06)  # 2 % of Monte Carlo error, three of them


def test_gaps_and_scatter_are_distances_and_components():
    target = resolve_target("rank-2", 8)
    half = start_network(60, 8, stream(0, "algorithm1", "start")).first_half()
    exact = ExactGradients(target, half.W, half.a)
    empirical = exact.population + np.random.default_rng(0).standard_normal(exact.population.shape)
    gaps, (leading, _, seen) = exact.gaps(empirical), exact.scatter(empirical)
    apart = empirical - exact.population
    assert gaps["population"] == pytest.approx(np.linalg.norm(apart) / np.sqrt(30))
    assert gaps["inside"] == pytest.approx(np.linalg.norm(apart[:, :2]) / np.sqrt(30))  # u_1, u_2 are the first axes
    np.testing.assert_allclose(seen, empirical[:, :2], rtol=1e-6)
    np.testing.assert_allclose(leading, exact.leading[:, :2], rtol=1e-6)


def test_more_samples_are_needed_for_a_smaller_term():
    *_, result = run(LemmaSpec(**SMALL))
    terms = result.summary["terms"]
    for term in terms:
        assert (term["norm"] == 0) == (term["samples_needed"] is None)
        if term["norm"]:
            assert term["above_noise"] == (term["samples_needed"] < SMALL["n"])
    noise = result.summary["norms"]["noise"]
    assert terms[1]["samples_needed"] == pytest.approx(SMALL["n"] * (noise / terms[1]["norm"]) ** 2)


def test_frames_are_as_described():
    events = list(run(LemmaSpec(target="rank-2", d=7, n=2000, width=20, repeats=2)))
    assert isinstance(events[-1], Result)
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    frames = [event for event in events if isinstance(event, Frame)]
    for name in ("dimensions", "gradients"):
        mine = [frame for frame in frames if frame.stream == name]
        assert all(first.at < then.at for first, then in itertools.pairwise(mine))
        for k, frame in enumerate(mine, start=1):
            assert len(frame.arrays["error"]) == k
    assert {key: value.shape for key, value in mine[0].arrays.items()} == {
        "leading": (10, 2), "population": (10, 2), "empirical": (10, 2), "n": (1,), "error": (1,),
    }  # fmt: skip
    arrays = events[-1].arrays
    np.testing.assert_allclose(arrays["samples/error"][0], mine[-1].arrays["error"])
    json.dumps(events[-1].summary, allow_nan=False)


def test_fitted_slope_of_a_power_law_is_its_exponent():
    x = np.geomspace(10, 10_000, 13)
    slope = fit_slope(x, 7 * x**-0.8 * (1 + (x < 900)), -0.5)
    assert slope.measured == pytest.approx(-0.8, abs=1e-12)  # what lies before the last decade does not count
    assert slope.decade == pytest.approx((1000, 10_000))
    np.testing.assert_allclose(np.diff(np.log(slope.guide)) / np.diff(np.log(x)), -0.5)


@pytest.mark.parametrize(("values", "message"), [
    ({"n": 10}, "n must be a whole number from 1000 to 400000, got 10; raise n"),
    ({"width": 401}, "width must be even for the symmetric start, got 401; use 402"),
    ({"target": "sin(z1)"}, "target must use only the names"),
    ({"repeats": 1.5}, "repeats must be a whole number from 1 to 20, got 1.5; round it to 1"),
])  # fmt: skip
def test_bad_values_are_refused_in_one_sentence(values, message):
    with pytest.raises(ValueError, match=message):
        LemmaSpec.from_mapping(values)
