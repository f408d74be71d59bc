"""What the «Try» buttons of «A scaling law» promise, checked on the runs that they show."""

import pytest
from trial_runs import PARTS, expects, run_of

from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path


def summary_of(label):
    return run_of("scaling-laws", label).summary


@expects("scaling-laws", "Faster decay: β = 1.5")
def test_faster_decay_makes_the_line_steeper():
    summary = summary_of("Faster decay: β = 1.5")  # at seeds 0, 7, 11: network -1.41, -1.50, -1.51; learned 32, 36, 35
    assert summary["slope"]["predicted"] == pytest.approx(-4 / 3)
    assert summary["slope"]["many"] == pytest.approx(-1.34, abs=0.005)
    assert -1.55 < summary["slope"]["network"] < -1.35
    assert 28 <= summary["learned"] <= 40


@expects("scaling-laws", "Degree 6: longer waits, sharper jumps")
def test_a_higher_degree_makes_jumps_sharper_and_keeps_the_slope():
    summary, usual = summary_of("Degree 6: longer waits, sharper jumps"), run_of("scaling-laws").summary
    assert summary["rise"] == pytest.approx(0.16, abs=0.005)  # 0.159, 0.158, 0.156
    assert usual["rise"] == pytest.approx(0.34, abs=0.01)  # 0.345, 0.334, 0.329
    assert summary["jumps"]["measured"]["1"] > 1.5 * usual["jumps"]["measured"]["1"]
    assert summary["slope"]["many"] == pytest.approx(-1, abs=0.02)


@expects("scaling-laws", "Too few neurons: m = 32")
def test_too_few_neurons_leave_a_floor():
    summary = summary_of("Too few neurons: m = 32")
    assert summary["learned"] == 24
    assert summary["loss"] == pytest.approx(summary["unlearned"], rel=0.01)
    assert summary["loss"] == pytest.approx(0.02, abs=0.005)


@expects("scaling-laws", "Fresh samples instead of averages")
def test_fresh_samples_learn_every_task_when_it_is_predicted():
    summary = summary_of("Fresh samples instead of averages")
    assert summary["learned"] == 16
    assert summary["ratio"]["median"] == pytest.approx(1, abs=0.05)
    assert summary["samples"] == pytest.approx(1e6, rel=0.2)


@expects("scaling-laws", "A single task")
def test_a_single_task_is_no_line():
    summary = summary_of("A single task")
    assert summary["learned"] == 1
    assert summary["loss"] < 1e-3
    assert summary["slope"]["network"] is None
    assert summary["rise"] < 0.35


def test_the_lesson_opens_on_jumps_that_add_up():
    spec = PARTS["scaling-laws"].experiment.spec()
    summary = read_archive(recorded_path("scaling-laws", spec), shipped=True).result.summary
    assert summary["learned"] >= 60
    assert summary["exponent"]["measured"] == pytest.approx(1, abs=0.05)
    assert summary["ratio"]["median"] == pytest.approx(1.08, abs=0.02)
    assert summary["slope"]["many"] == pytest.approx(-1, abs=0.02)
    assert -1.3 < summary["slope"]["network"] < -1.1
