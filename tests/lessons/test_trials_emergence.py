"""What the lessons of the page «Emergence» promise of each «Try», on the runs of those very buttons."""

import numpy as np
import pytest
from trial_runs import computed, expects, run_of

FIXED = ("random_features", "ntk", "linear")


@expects("emergence", "A large first step")
def test_a_large_first_step_leaves_no_jump():
    head = run_of("emergence", "A large first step").summary["structured"]["head_accuracy"]
    assert head[1] > 0.995
    assert head[2] - head[1] < 0.005


@expects("emergence", "Weak structure: strength 0.3")
def test_weak_structure_starts_near_the_linear_model():
    course = run_of("emergence", "Weak structure: strength 0.3").summary["structured"]
    assert course["head_accuracy"][1:3] == pytest.approx([0.72, 0.97], abs=0.01)
    assert course["linear"]["accuracy"] == pytest.approx(0.70, abs=0.01)
    assert max(course[name]["accuracy"] for name in FIXED) < 0.7


@expects("emergence", "Labels by majority: counts 4 and 5")
def test_counted_labels_need_no_structure():
    summary = run_of("emergence", "Labels by majority: counts 4 and 5").summary
    assert min(course["network"]["accuracy"] for course in summary.values()) > 0.99


def over_seeds(label, seeds):
    spec = run_of("digits", label).spec
    runs = [computed("digits", type(spec)(first=spec.first, second=spec.second, seed=seed)) for seed in seeds]
    return {name: np.array([run.summary[name]["accuracy"] for run in runs]) for name in ("network", *FIXED)}


@expects("digits", "3 against 8: one direction is not enough")
def test_on_3_against_8_one_direction_loses_to_linear_and_ntk():
    found = over_seeds("3 against 8: one direction is not enough", range(10))
    for name, mean in (("network", 0.958), ("linear", 0.981), ("ntk", 0.990), ("random_features", 0.970)):
        assert found[name].mean() == pytest.approx(mean, abs=0.003)
    lost = {name: int(np.sum(found["network"] < found[name] - 1e-9)) for name in FIXED}
    won = int(np.sum(found["network"] > found["random_features"] + 1e-9))
    assert (lost["linear"], lost["ntk"], lost["random_features"], won) == (8, 9, 5, 3)


@expects("digits", "4 against 9")
def test_on_4_against_9_one_direction_is_nearly_enough():
    found = over_seeds("4 against 9", range(8))
    assert found["network"][0] == 1.0
    assert found["network"].mean() == pytest.approx(0.99, abs=0.004)
    assert found["linear"].mean() == pytest.approx(1.00, abs=0.004)


def test_the_head_after_step_1_is_the_linear_model():
    """The lesson: 0.84 is the linear model's; step 2 switches the non-linearity on, directions stay."""
    course = run_of("emergence").summary["structured"]
    assert course["head_accuracy"][1] == pytest.approx(0.84, abs=0.005)
    assert course["head_accuracy"][1] == pytest.approx(course["linear"]["accuracy"], abs=0.005)
    assert course["head_accuracy"][2] > 0.995
    assert course["median_abs_cos"][1:3] == pytest.approx([0.996, 0.998], abs=1e-3)


def mixture(label):
    return run_of("mixture", label).summary["accuracy"]


@expects("mixture", "Structure of second order kept: matched covariance")
def test_the_covariance_is_a_part_of_the_structure():
    matched, white = (mixture(label) for label in ("Structure of second order kept: matched covariance", ""))
    assert matched["gaussian"]["1500"] == pytest.approx(0.76, abs=0.006)
    assert white["gaussian"]["1500"] == pytest.approx(0.66, abs=0.006)
    assert matched["digits"]["1500"] - matched["gaussian"]["1500"] > 0.15


@expects("mixture", "The paper's width: 9 neurons")
def test_nine_neurons_are_slower_and_easier_to_copy():
    found = mixture("The paper's width: 9 neurons")
    assert [found[kind]["100"] for kind in ("digits", "gaussian")] == pytest.approx([0.92, 0.57], abs=0.006)
    assert [found[kind]["1500"] for kind in ("digits", "gaussian")] == pytest.approx([0.96, 0.72], abs=0.006)


@expects("mixture", "A wide student: 100 neurons")
def test_more_neurons_do_not_close_the_gap():
    found = mixture("A wide student: 100 neurons")
    assert [found[kind]["1500"] for kind in ("digits", "gaussian")] == pytest.approx([0.98, 0.68], abs=0.006)
