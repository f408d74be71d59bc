"""Two digits: a clean split, the law's normalisation, and neurons in two clusters."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from featdash.lessons.emergence.digits_run import run
from featdash.lessons.emergence.neurons import two_clusters
from featdash.lessons.emergence.recipe import DigitsSpec
from featdash.recipes.events import Frame, Result
from featdash.tasks.digits import load_pair


def test_the_parts_are_all_images_of_the_two_digits_once():
    pair = load_pair(3, 8, np.random.default_rng(0))
    pixels, digits = load_digits(return_X_y=True)
    for digit, label in ((3, -1), (8, 1)):
        mine = np.concatenate([part.X[part.y == label] for part in (pair.train, pair.holdout, pair.test)])
        wanted = pixels[digits == digit]
        restored = np.round(mine * pair.sigma + pair.mean)
        np.testing.assert_array_equal(restored[np.lexsort(restored.T)], wanted[np.lexsort(wanted.T)])


def test_training_images_have_mean_zero_and_unit_energy():
    train = load_pair(0, 1, np.random.default_rng(0)).train
    np.testing.assert_allclose(train.X.mean(axis=0), 0, atol=1e-15)
    assert np.mean(np.sum(train.X**2, axis=1)) == pytest.approx(1)


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="digits must differ, got 4 twice; choose"):
        DigitsSpec(first=4, second=4)


def test_clusters_are_told_from_the_neurons_alone():
    direction, rng = np.array([3.0, 4.0, 0.0]), np.random.default_rng(0)
    opposite = two_clusters(np.outer([1, 2, -1, -5, 0], direction))
    assert sorted(opposite.sizes) == [2, 2]
    assert (opposite.within, opposite.between) == pytest.approx((1, -1))
    spread = two_clusters(rng.standard_normal((400, 60)))
    assert abs(spread.within) < 0.1
    assert abs(spread.between) < 0.1
    assert two_clusters(np.zeros((3, 2))).sizes == (0, 0)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_zeros_against_ones_form_two_clusters_and_are_told_apart(seed):
    events = list(run(DigitsSpec(seed=seed, steps=60)))
    assert isinstance(events[-1], Result)
    summary = events[-1].summary
    assert summary["network"]["accuracy"] >= 0.99
    assert summary["network"]["trained_accuracy"] >= 0.99
    assert summary["clusters"]["sizes"] == [50, 50]
    assert summary["clusters"]["within"][0] < 0.1  # the untrained null: no clusters
    assert summary["clusters"]["within"][2] > 0.99
    assert summary["clusters"]["between"][2] < -0.99
    images = [event.arrays["weights"] for event in events if isinstance(event, Frame) and event.stream == "neurons"]
    assert images[0].shape == (12, 64)
