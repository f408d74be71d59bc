"""What the «Try» buttons of «Transform the label» promise, checked on the runs that they show."""

import pytest
from trial_runs import PARTS, expects, run_of

from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path


def risks(label):
    return {name: row["excess_risk"] for name, row in run_of("rescue", label).summary["variants"].items()}


@expects("rescue", "Label noise 1")
def test_with_noise_the_rescue_is_weaker():
    found = risks("Label noise 1")  # at seeds 0, 7, 11: threshold 0.20, 0.37, 0.29, plain 0.86, 0.89, 0.79
    assert 0.15 < found["sign_threshold"] < 0.4
    assert found["conditional_mean"] < 0.1
    assert found["none"] > 0.75


@expects("rescue", "A threshold at the humps: τ = 0.82")
def test_a_threshold_between_two_signs_sees_nothing():
    variants = run_of("rescue", "A threshold at the humps: τ = 0.82").summary["variants"]
    seen = variants["sign_threshold"]  # at seeds 0, 7, 11: 1.02, 0.97, 0.94
    assert seen["correlation"] == pytest.approx(0, abs=0.005)
    assert seen["excess_risk"] > 0.9 > variants["none"]["excess_risk"]
    assert variants["conditional_mean"]["excess_risk"] == pytest.approx(0.01, abs=0.005)


@expects("rescue", "An even target: He₄/√24")
def test_an_even_target_is_rescued_in_part():
    summary = run_of("rescue", "An even target: He₄/√24").summary
    assert summary["exponents"] == {"information": 4, "generative": 2}
    aligned = {name: row["alignment"] for name, row in summary["variants"].items()}
    assert aligned == pytest.approx({"none": 0.2, "sign_threshold": 0.4, "conditional_mean": 0.7}, abs=0.05)
    found = risks("An even target: He₄/√24")
    assert found["none"] > 0.7 > found["sign_threshold"]
    assert found["conditional_mean"] < 0.4


@expects("rescue", "A softmax head: ρ = 2")
def test_a_softmax_head_sees_the_cubic():
    run = run_of("rescue", "A softmax head: ρ = 2")
    found = risks("A softmax head: ρ = 2")  # at seeds 0, 7, 11: 0.06, 0.06, 0.04
    assert found["softmax"] < 0.1
    assert found["none"] > 0.5
    assert found["sign_threshold"] == pytest.approx(0.02, abs=0.005)
    rows = [row for row in run.summary["cosines"] if (row["transform"], row["ratio"]) == ("softmax", 10)]
    assert {row["d"] for row in rows} == {100, 400}
    assert all(row["cosine"] == pytest.approx(0.63, abs=0.03) for row in rows)


def test_the_lesson_opens_on_a_rescue():
    spec = PARTS["rescue"].experiment.spec()
    summary = read_archive(recorded_path("rescue", spec), shipped=True).result.summary
    rows = summary["variants"]
    assert rows["none"]["excess_risk"] > 0.5
    assert rows["sign_threshold"]["excess_risk"] == pytest.approx(0.02, abs=0.005)
    assert rows["none"]["alignment"] < 0.2
    assert rows["sign_threshold"]["alignment"] > 0.95
    assert summary["exponents"] == {"information": 3, "generative": 1}
    for name in ("sign_threshold", "conditional_mean"):
        for ratio in (1, 3, 10, 30):
            few, many = (
                row["cosine"] for row in summary["cosines"] if (row["transform"], row["ratio"]) == (name, ratio)
            )
            assert few == pytest.approx(many, abs=0.05)
    plain = {(row["d"], row["ratio"]): row["cosine"] for row in summary["cosines"] if row["transform"] == "none"}
    assert all(plain[400, ratio] < plain[100, ratio] for ratio in (1, 3, 10, 30))
