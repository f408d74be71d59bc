"""Spikes and bulk: the nulls are nulls, the spikes are those of the expected Hessian and point into the subspace."""

import itertools

import numpy as np
import pytest

from featdash.geometry.spectrum import (
    NullDistribution,
    gradients_of_labels,
    permuted_labels,
    sign_flipped_labels,
    singular_values,
)
from featdash.learners.algorithm1 import first_layer_gradient, start_network
from featdash.lessons.spectrum.recipe import SpectrumSpec
from featdash.lessons.spectrum.run import residual, run
from featdash.recipes.events import Frame, Result


def test_gradients_of_labels_are_those_of_the_learner():
    rng = np.random.default_rng(0)
    X, labels = rng.standard_normal((3000, 7)), rng.standard_normal((3000, 3))
    start = start_network(40, 7, rng)
    half = start.first_half()
    found = gradients_of_labels(X, labels, half.W, half.a)
    for r in range(3):
        expected = first_layer_gradient(X, labels[:, r], start)[:20]
        np.testing.assert_allclose(found[r], expected, atol=1e-5 * np.abs(expected).max())


def test_blocks_do_not_change_the_gradients(monkeypatch):
    rng = np.random.default_rng(1)
    X, labels, W, a = (
        rng.standard_normal((500, 5)),
        rng.standard_normal((500, 2)),
        rng.standard_normal((9, 5)),
        np.ones(9),
    )
    whole = gradients_of_labels(X, labels, W, a)
    monkeypatch.setattr("featdash.geometry.spectrum.BLOCK_GATES", 70)
    np.testing.assert_allclose(gradients_of_labels(X, labels, W, a), whole, atol=1e-6)


def test_null_labels_keep_what_they_say_they_keep():
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((200, 4)), rng.standard_exponential(200)
    as_they_are = lambda _, labels: labels  # noqa: E731
    permuted = permuted_labels(X, y, as_they_are, 3, rng)
    flipped = sign_flipped_labels(X, y, as_they_are, 3, rng)
    for copy in range(3):
        np.testing.assert_array_equal(np.sort(permuted[:, copy]), np.sort(y))
        np.testing.assert_array_equal(np.abs(flipped[:, copy]), y)
        assert 60 < np.sum(flipped[:, copy] > 0) < 140  # 5.6 standard deviations of a fair coin
    assert np.linalg.matrix_rank(permuted) == np.linalg.matrix_rank(flipped) == 3


def test_null_labels_have_no_linear_part_left():
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((5000, 4)), rng.standard_normal(5000)
    for labels in (permuted_labels(X, y, residual, 4, rng), sign_flipped_labels(X, y, residual, 4, rng)):
        assert np.abs(X.T @ labels / 5000).max() < 0.005  # chance alone would leave 0.014; line 1 leaves its square


def test_the_edge_is_passed_by_noise_as_often_as_it_should_be():
    """Labels of noise that is larger where x_1 is: 60 trials against an edge of 9 copies, expected rate 1/10."""
    passed = {"flipped": 0, "permuted": 0}
    for trial in range(60):
        rng = np.random.default_rng(trial)
        X = rng.standard_normal((400, 5))
        y, W, a = rng.standard_normal(400) * (0.3 + X[:, 0] ** 2), rng.standard_normal((30, 5)), np.ones(30)
        own = singular_values(gradients_of_labels(X, residual(X, y)[:, None], W, a))[0]
        for name, labelled in (("flipped", sign_flipped_labels), ("permuted", permuted_labels)):
            null = NullDistribution(singular_values(gradients_of_labels(X, labelled(X, y, residual, 9, rng), W, a)))
            passed[name] += np.any(own > null.edge)
    assert passed["flipped"] <= 15  # mean 6, standard deviation 2.3: four of them
    assert passed["permuted"] >= 30  # the null of independence is refuted by the sizes alone, signal or none


def test_edge_of_a_null():
    null = NullDistribution(np.array([[3.0, 1.0], [2.5, 2.0]]))
    assert null.edge == 3.0


@pytest.mark.parametrize("labelled", [permuted_labels, sign_flipped_labels])
def test_no_copies_are_refused(labelled):
    with pytest.raises(ValueError, match=r"copies must be at least 1, got 0; 20 give"):
        labelled(np.ones((3, 2)), np.ones(3), residual, 0, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("target", "d", "n", "spikes"), [("rank-3", 20, 100_000, 3), ("rank-2", 15, 30_000, 2), ("figure-1", 10, 30_000, 1)]
)
def test_as_many_spikes_as_the_expected_hessian_has_rank(target, d, n, spikes):
    events = list(run(SpectrumSpec(target=target, d=d, n=n, width=200, copies=10)))
    first, *_, last = [event for event in events if isinstance(event, Frame)]
    result = events[-1]
    assert result.summary["spikes"] == result.summary["hessian_rank"] == spikes
    assert min(result.summary["share_in_subspace"][:spikes]) > 0.95
    assert max(result.summary["share_in_subspace"][spikes:]) < 0.5
    np.testing.assert_allclose(last.arrays["values"][:spikes], result.arrays["population"][:spikes], rtol=0.1)
    assert last.arrays["edge"] < first.arrays["edge"] / 5  # n^{-1/2} over two decades and a half, or more


def test_no_spikes_where_the_population_gradient_is_zero():
    *_, result = run(SpectrumSpec(target="transfer", d=10, n=20_000, width=200, copies=20))
    assert result.summary["spikes"] == 0
    assert result.summary["population"] == [0.0, 0.0, 0.0]


def test_frames_are_as_described():
    spec = SpectrumSpec(target="rank-2", d=6, n=1000, width=20, copies=3)
    events = list(run(spec))
    frames = [event for event in events if isinstance(event, Frame)]
    assert all(first.at < then.at for first, then in itertools.pairwise(frames))
    for frame in frames:
        shapes = {name: array.shape for name, array in frame.arrays.items()}
        assert shapes == {
            "values": (6,), "share": (6,), "null": (3, 6), "edge": (), "permuted_edge": (),
        }  # fmt: skip
    assert isinstance(events[-1], Result)


def test_a_layer_narrower_than_the_inputs_has_fewer_values():
    *_, last = (event for event in run(SpectrumSpec(target="figure-1", d=12, n=1000, width=8, copies=2))
                if isinstance(event, Frame))  # fmt: skip
    assert last.arrays["values"].shape == last.arrays["share"].shape == (4,)


@pytest.mark.parametrize(("values", "message"), [
    ({"copies": 0}, "copies must be a whole number from 1 to 100, got 0; raise copies"),
    ({"width": 7}, "width must be even for the symmetric start, got 7; use 8"),
    ({"d": 2}, "d must be at least 3, the number of variables of the target, got 2"),
])  # fmt: skip
def test_bad_values_are_refused_in_one_sentence(values, message):
    with pytest.raises(ValueError, match=message):
        SpectrumSpec.from_mapping(values)
