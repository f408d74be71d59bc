"""What the «Try» buttons of «Rank and condition» promise, checked on the runs that they show."""

import pytest
from trial_runs import PARTS, Run, expects

from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path


def shown(label=None):
    """The summary of the recorded run that the button shows, of the default without one."""
    part = PARTS["structure"]
    spec = part.experiment.spec(**next((t.values for t in part.text.trials if t.label == label), {}))
    return Run("structure", spec, read_archive(recorded_path("structure", spec), shipped=True).result).summary


def in_squares(summary, rank, d=50):
    return summary["rank"]["needed"][str(rank)] / d**2


@expects("structure", "Half the dimension: d = 25")
def test_in_a_smaller_dimension_many_directions_cost_more():
    summary = shown("Half the dimension: d = 25")  # rank 8 at seeds 0, 7, 11: 17.8, 19.8, 17.6; times 20.5, 24.2, 22.3
    assert in_squares(summary, 1, 25) == pytest.approx(in_squares(shown(), 1), abs=0.15)
    assert 17.5 <= in_squares(summary, 8, 25) <= 20.5
    assert in_squares(shown(), 8) == pytest.approx(10, abs=0.5)
    assert 20 <= summary["rank"]["times"] <= 24.5


@expects("structure", "Labels with noise: ς = 1")
def test_noise_of_the_targets_size_doubles_the_samples():
    summary = shown("Labels with noise: ς = 1")
    assert in_squares(summary, 8) == pytest.approx(20, abs=0.5)  # 19.7, 19.7, 19.9
    for rank in (1, 2, 3, 4, 6, 8):
        assert in_squares(summary, rank) / in_squares(shown(), rank) == pytest.approx(2, rel=0.15)
    assert summary["condition"]["beyond"] == [4]


@expects("structure", "A tenth of the neurons: m = 10")
def test_few_neurons_see_as_much_each_and_less_together():
    summary = shown("A tenth of the neurons: m = 10")
    assert 9.5 <= in_squares(summary, 8) <= 11  # 10.3, 9.6, 10.9
    assert 6900 <= summary["together"]["last"] <= 20_500  # 13562, 6924, 20322
    assert 2100 <= shown()["together"]["last"] <= 3450  # 2830, 3449, 2179


def test_the_lesson_opens_on_powers_a_little_above_1():
    summary = shown()
    assert 1.1 < summary["rank"]["slope"] < 1.25  # 1.12, 1.17, 1.24
    assert 1.1 < summary["condition"]["slope"] < 1.25  # 1.18, 1.14, 1.22
    assert summary["rank"]["beyond"] == summary["condition"]["beyond"] == []
    assert summary["share"]["strongest"] > 0.5 > 5 * summary["share"]["weakest"]
