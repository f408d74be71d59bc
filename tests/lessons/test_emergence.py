"""Emergence: features appear within two steps where inputs have structure, and for no method where they have none."""

import json
import math
from dataclasses import fields

import numpy as np
import pytest

from featdash.lessons.emergence.frames import GradientComponents, Neurons
from featdash.lessons.emergence.recipe import EmergenceSpec
from featdash.lessons.emergence.run import run
from featdash.recipes.events import Frame, Progress, Result
from featdash.theory.fixed_features import fixed_feature_bound

SMALL = {"k": 3, "D": 20, "d": 30, "m": 20, "n": 400, "steps": 5, "batch": 20, "holdout": 100, "test": 100}
CLAIMS = {"D": 60, "d": 80, "m": 150, "n": 8000, "holdout": 2000, "test": 3000, "steps": 150}
METHODS = ("network", "random_features", "ntk", "linear")


def frames(events):
    """stream -> its frames."""
    found = {}
    for event in events:
        if isinstance(event, Frame):
            found.setdefault(event.stream, []).append(event)
    return found


@pytest.fixture(scope="module")
def claims_run():
    """The default setting at a smaller scale; at full scale it is for tests/benchmarks to tell."""
    return list(run(EmergenceSpec(**CLAIMS)))


@pytest.fixture(scope="module")
def small_run():
    return list(run(EmergenceSpec(**SMALL)))


def test_structured_inputs_are_learned_by_the_network_alone(claims_run):
    structured = claims_run[-1].summary["structured"]
    assert structured["network"]["accuracy"] >= 0.98
    assert structured["network"]["trained_accuracy"] >= 0.98
    assert all(structured[method]["accuracy"] <= 0.9 for method in ("random_features", "ntk", "linear"))
    assert structured["median_abs_cos"][2] >= 0.98


def test_the_second_step_improves_the_features_and_unlocks_the_head(claims_run):
    structured = claims_run[-1].summary["structured"]
    assert structured["signal_to_noise"][1] > structured["signal_to_noise"][0] > 10
    assert structured["head_accuracy"][1] <= 0.9
    assert structured["head_accuracy"][2] >= 0.98


def test_without_structure_nobody_does_better_than_guessing(claims_run):
    unstructured = claims_run[-1].summary["unstructured"]
    for method in METHODS:
        assert abs(unstructured[method]["accuracy"] - 0.5) <= 0.03
    assert max(unstructured["signal_to_noise"]) < 1


def test_the_gradient_on_relevant_patterns_is_the_lemmas(claims_run):
    for frame in frames(claims_run)["structured/gradient"]:
        # E T_j = βγ/σ̃ up to the dependence of σ' on φ_A, a share of order 1/√D
        np.testing.assert_allclose(frame.arrays["on"], frame.arrays["predicted"], rtol=0.1)
        assert np.abs(frame.arrays["off"]).max() < 0.1 * frame.arrays["predicted"]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_both_stars_keep_their_places_in_every_frame_of_both_courses(seed):
    found = frames(run(EmergenceSpec(**SMALL, seed=seed)))
    maps = [frame.arrays for law in ("structured", "unstructured") for frame in found[f"{law}/neurons"]]
    for ending, places in (("", [[1, 0], [-1, 0]]), ("_folded", [[1, 0]])):
        for arrays in maps:
            stars = arrays[f"stars{ending}"]
            np.testing.assert_allclose(stars / np.linalg.norm(stars[0]), places, atol=1e-6)
            np.testing.assert_allclose(stars, maps[0][f"stars{ending}"], atol=1e-6)


def test_frames_are_named_as_documented(small_run):
    found = frames(small_run)
    neurons = {field.name for field in fields(Neurons)} - {"weights"}
    gradient = {field.name for field in fields(GradientComponents)}
    training = {f"{method}/accuracy" for method in METHODS}
    for law in ("structured", "unstructured"):
        for stream, names in (("neurons", neurons), ("gradient", gradient), ("training", training)):
            assert all(set(frame.arrays) == names for frame in found[f"{law}/{stream}"])
        assert [frame.at for frame in found[f"{law}/gradient"]] == [1, 2]
        assert [frame.at for frame in found[f"{law}/neurons"]] == list(range(8))
        assert [sorted(frame.arrays) for frame in found[f"{law}/heads"]] == [
            ["linear/accuracy", "random_features/accuracy"],
            ["network/accuracy"],
            ["network/accuracy"],
            ["network/accuracy", "ntk/accuracy"],
        ]
        assert found[f"{law}/gradient"][0].arrays["off"].shape == (17,)
        assert found[f"{law}/neurons"][0].arrays["histogram"].sum() == 40


def test_events_are_in_order_and_finite(small_run):
    assert isinstance(small_run[-1], Result)
    fractions = [event.fraction for event in small_run if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1
    for series in frames(small_run).values():
        assert [frame.at for frame in series] == sorted({frame.at for frame in series})
        assert all(np.all(np.isfinite(array)) for frame in series for array in frame.arrays.values())
    json.dumps(small_run[-1].summary, allow_nan=False)


def test_the_unstructured_side_does_not_know_the_sliders_strength(small_run):
    moved = list(run(EmergenceSpec(**SMALL, structure=0.3)))
    assert moved[-1].summary["unstructured"] == small_run[-1].summary["unstructured"]
    assert moved[-1].summary["structured"] != small_run[-1].summary["structured"]


def test_dead_neurons_are_counted_and_nothing_is_nan():
    huge = EmergenceSpec(**SMALL | {"first_output": 1e3, "n": 4000, "k": 5})
    *events, result = run(huge)
    dead = result.summary["structured"]["dead"]
    last = frames(events)["structured/neurons"][2]
    assert dead[2] == last.arrays["dead_count"] == np.sum(last.arrays["star"] == 0) > 0
    assert np.all(np.isfinite(last.arrays["points"]))
    json.dumps(result.summary, allow_nan=False)


@pytest.mark.parametrize(
    ("values", "part"),
    [
        ({"k": 4}, "k must be odd with parity labels, got 4"),
        ({"k": 15, "D": 10}, "k must be below D = 10, got 15; lower k"),
        ({"d": 50}, "D must be at most d = 50, got 100; lower D"),
        ({"labels": "counts", "positive_counts": []}, "positive_counts must have 1"),
        ({"labels": "counts", "positive_counts": [7]}, "from 1 to k = 5, got 7; remove it"),
        ({"labels": "counts", "positive_counts": [1]}, "(γ > 0), got P = [1]"),
    ],
)
def test_a_bad_recipe_is_refused_in_one_sentence(values, part):
    with pytest.raises(ValueError, match="; ") as refused:
        EmergenceSpec.from_mapping(values)
    assert part in str(refused.value)


def test_one_class_data_are_refused():
    lonely = {"k": 10, "labels": "counts", "positive_counts": list(range(1, 11)), "structure": 0.0, "n": 10}
    with pytest.raises(ValueError, match=r"must hold both classes, got only y = \+1; raise n"):
        list(run(EmergenceSpec(**SMALL | lonely)))


def test_the_bound_is_the_theorems_and_vacuous_for_many_features():
    assert fixed_feature_bound(0.5, 5, 100, 0.0) == 0.5
    assert fixed_feature_bound(0.5, 5, 512, 1.0) == pytest.approx(0)
    assert fixed_feature_bound(0.25, 8, 8, 16.0) == pytest.approx(0.25 * 0.75)
    bounds = fixed_feature_bound(0.5, 5, np.array([10, 1000]), 1.0)
    assert bounds[0] > 0 > bounds[1]
    assert math.isclose(bounds[0], 0.5 * (1 - math.sqrt(20) / 32))


def test_measured_losses_come_with_the_norms_of_features_in_the_unit_box(claims_run):
    arrays = claims_run[-1].arrays
    for method, size in (("random_features", 300), ("ntk", 300 * 62), ("linear", 60)):
        norms, losses = arrays[f"structured/{method}/norm"], arrays[f"structured/{method}/hinge"]
        assert arrays[f"structured/{method}/size"] == size
        assert norms.shape == losses.shape
        assert np.all(np.diff(norms) < 0)  # λ grows
        assert losses[-1] > 0.98  # the zero predictor's hinge loss is 1
