"""Kernels that learn features: the rounds against the method of a race, and the claims at three seeds."""

import numpy as np
import pytest
from trial_runs import PARTS, computed, expects, run_of

from featdash.lessons.race.run import run as run_race
from featdash.lessons.rfm.frames import MatrixFrame, RiskFrame
from featdash.lessons.rfm.recipe import RfmSpec
from featdash.lessons.rfm.run import run, share_of
from featdash.recipes.events import Frame, Progress

SMALL = {"n": 150, "d": 5, "width": 40, "holdout": 300, "test": 400, "seed": 3}
SEEDS = (0, 7, 11)


def of_seeds(**settings):
    return [computed("rfm", RfmSpec(**settings, seed=seed)).summary for seed in SEEDS]


def test_the_last_round_and_the_rivals_are_those_of_a_race():
    summary = list(run(RfmSpec(**SMALL)))[-1].summary
    raced = list(run_race(RfmSpec(**SMALL).race))[-1].summary
    risks = {name: row["excess_risk"] for name, row in raced["methods"].items()}
    assert summary["rivals"] == pytest.approx({name: risks[name] for name in ("algorithm1", "ntk")}, rel=1e-6)
    assert summary["alignment"] == pytest.approx(raced["alignment"]["after"])
    alone = RfmSpec(**SMALL).race.from_mapping(RfmSpec(**SMALL).race.to_mapping() | {"methods": ["rfm"]})
    expected = list(run_race(alone))[-1].summary["methods"]["rfm"]["excess_risk"]
    assert summary["learned"] == summary["risk"][-1] == pytest.approx(expected, rel=1e-6)


def test_the_kernel_of_the_first_round_is_fixed_and_its_matrix_comes_at_once():
    events = list(run(RfmSpec(**SMALL, rounds=3)))
    progress = [event.fraction for event in events if isinstance(event, Progress)]
    assert progress == sorted(progress)
    frames = [event for event in events if isinstance(event, Frame)]
    matrices = [MatrixFrame.from_arrays(frame.arrays) for frame in frames if frame.stream == "matrices"]
    assert [frame.stream for frame in frames][:2] == ["matrices", "risks"]
    np.testing.assert_array_equal(matrices[0].M, np.eye(5) / 5)
    assert [np.trace(one.M) for one in matrices] == pytest.approx([1] * 4)
    assert [float(one.share) for one in matrices] == pytest.approx(events[-1].summary["share"])
    risks = [RiskFrame.from_arrays(frame.arrays) for frame in frames if frame.stream == "risks"]
    assert [float(one.excess) for one in risks] == events[-1].summary["risk"]
    assert events[-1].summary["rounds"] == [0, 1, 2, 3]


def test_the_share_of_a_matrix_is_the_alignment_of_its_root():
    rng = np.random.default_rng(0)
    W, U = rng.standard_normal((7, 4)), np.linalg.qr(rng.standard_normal((4, 2)))[0].T
    assert share_of(W.T @ W, U) == pytest.approx(np.sum((W @ U.T) ** 2) / np.sum(W**2))
    assert share_of(np.eye(4), U) == pytest.approx(0.5)


def test_the_claims_hold_at_three_seeds():
    for summary in of_seeds():
        assert summary["learned"] < summary["fixed"] * 0.55
        assert summary["share"][0] == pytest.approx(0.1)
        assert 0.5 < summary["share"][1] < 0.6
        assert summary["share"][4] > 0.93
        assert summary["learned"] < summary["rivals"]["ntk"] * 0.6
        assert 0.7 < summary["learned"] / summary["rivals"]["algorithm1"] < 1


@expects("rfm", "A smooth kernel: Gaussian")
def test_a_smooth_kernel_suits_a_polynomial():
    for summary in (run_of("rfm", "A smooth kernel: Gaussian").summary, *of_seeds(kernel="gaussian")):
        assert 0.57 < summary["fixed"] < 0.63
        assert 0.055 < summary["learned"] < 0.085
        assert summary["rivals"]["algorithm1"] > 3 * summary["learned"]


@expects("rfm", "Too few samples: n = 300")
def test_with_few_samples_the_rounds_may_go_astray():
    half, astray, found = of_seeds(n=300)
    assert run_of("rfm", "Too few samples: n = 300").summary["share"] == pytest.approx(half["share"], abs=1e-3)
    assert half["share"][-1] == pytest.approx(0.45, abs=0.05)
    assert half["learned"] > 0.95
    assert astray["share"][-1] < 0.02
    assert astray["learned"] == pytest.approx(0.97, abs=0.01)
    assert (found["fixed"], found["learned"]) == pytest.approx((0.82, 0.51), abs=0.01)


@expects("rfm", "The target that one step cannot see: He₃/√6")
def test_a_cubic_is_no_obstacle_in_ten_dimensions():
    for summary in (
        run_of("rfm", "The target that one step cannot see: He₃/√6").summary,
        *of_seeds(target="transfer"),
    ):
        assert summary["fixed"] == pytest.approx(0.6, abs=0.05)
        assert 0.11 < summary["learned"] < 0.22
        assert summary["share"][-1] == pytest.approx(0.98, abs=0.006)
        assert 0.25 < summary["rivals"]["algorithm1"] < 0.47


@expects("rfm", "Twenty inputs: d = 20")
def test_in_twenty_dimensions_it_takes_longer():
    for summary in (run_of("rfm", "Twenty inputs: d = 20").summary, *of_seeds(d=20)):
        assert 0.58 < summary["share"][-1] < 0.84
        assert 0.44 < summary["learned"] < 0.66
        assert summary["risk"][-1] < summary["risk"][-2]
        assert 0.57 < summary["rivals"]["algorithm1"] < 0.74


def test_the_lesson_opens_on_a_kernel_that_learns():
    assert PARTS["rfm"].experiment.spec() == RfmSpec()
    assert run_of("rfm", "Too few samples: n = 300").spec.n == 300
