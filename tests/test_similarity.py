"""The picture of neuron similarity: distances, stress, orientation, and layers that have no picture."""

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import pdist, squareform
from sklearn.manifold import ClassicalMDS
from sklearn.metrics.pairwise import cosine_similarity as reference_cosines

from featdash.geometry.similarity import NeuronMap, cosine_similarity, similarity_map, stress_of

STARS = np.array([[1, 0, 0, 0], [-1, 0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0]], dtype=float)


def layer(p: int = 40, d: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((p, d))


def all_of(picture: NeuronMap) -> np.ndarray:
    return np.concatenate([picture.points, picture.stars])


def chords(rows: np.ndarray, folded: bool) -> np.ndarray:
    cosines = reference_cosines(rows)
    chord = np.sqrt(np.maximum(2 - 2 * (np.abs(cosines) if folded else cosines), 0))
    np.fill_diagonal(chord, 0)
    return (chord + chord.T) / 2


def test_cosines_agree_with_scikit_learn_and_are_zero_with_dead_rows():
    W = np.vstack([layer(), np.zeros(4), 1e-200 * np.ones(4)])
    cosines = cosine_similarity(W)
    np.testing.assert_allclose(cosines[:41, :41], reference_cosines(W[:41]), atol=1e-12)
    np.testing.assert_array_equal(cosines[40], 0)
    assert cosines[41, 41] == pytest.approx(1)
    assert np.abs(cosines).max() <= 1


@pytest.mark.parametrize("folded", [False, True])
def test_map_is_classical_scaling_of_the_chords(folded):
    W = layer()
    picture = all_of(similarity_map(W, STARS, folded))
    expected = ClassicalMDS(metric="precomputed").fit_transform(chords(np.vstack([W, STARS]), folded))
    np.testing.assert_allclose(pdist(picture), pdist(expected), atol=1e-8)


@pytest.mark.parametrize("folded", [False, True])
def test_stress_is_the_least_over_all_scales(folded):
    rows = np.vstack([layer(), STARS])
    picture = similarity_map(layer(), STARS, folded)
    wanted, drawn = chords(rows, folded), squareform(pdist(all_of(picture)))
    least = minimize_scalar(lambda b: np.sum((wanted - b * drawn) ** 2) / np.sum(wanted**2))
    assert picture.stress == pytest.approx(np.sqrt(least.fun), abs=1e-7)
    assert 0.1 < picture.stress < 0.6, "a random layer in four dimensions does not fit a plane"
    assert stress_of(3 * all_of(picture), wanted) == pytest.approx(picture.stress), "the scale means nothing"


def test_neurons_in_a_plane_are_drawn_without_stress():
    angles = np.random.default_rng(1).uniform(0, 2 * np.pi, 30)
    W = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles, 0 * angles]) * np.arange(1, 31)[:, None]
    picture = similarity_map(W, STARS, folded=False)
    assert picture.stress < 1e-7
    np.testing.assert_allclose(pdist(all_of(picture)), squareform(chords(np.vstack([W, STARS]), False)), atol=1e-7)


def test_folding_takes_a_neuron_and_its_opposite_as_one():
    W = layer()
    signs = np.where(np.arange(40) % 2, 1, -1)[:, None]
    one, other = similarity_map(W, STARS[::2], folded=True), similarity_map(W * signs, STARS[::2], folded=True)
    np.testing.assert_allclose(all_of(one), all_of(other), atol=1e-8)
    pair = similarity_map(np.vstack([W, -W[:1]]), STARS[::2], folded=True).points
    np.testing.assert_allclose(pair[0], pair[-1], atol=1e-8)
    apart = similarity_map(np.vstack([W, -W[:1]]), STARS, folded=False).points
    assert np.linalg.norm(apart[0] - apart[-1]) > 0.1


@pytest.mark.parametrize("seed", range(6))
def test_first_map_has_the_first_star_on_the_right_and_the_next_one_up(seed):
    picture = similarity_map(layer(seed=seed) * [3, 3, 0.1, 0.1], STARS, folded=False)
    assert picture.stars[0, 0] > 0.5
    assert abs(picture.stars[0, 1]) < 1e-12
    assert picture.stars[1:][np.abs(picture.stars[1:, 1]) > 1e-6][0, 1] > 0


def test_a_turned_layer_gives_the_same_first_map():
    turn = np.linalg.qr(layer(4, 4, seed=3))[0]
    one, other = similarity_map(layer(), STARS, False), similarity_map(layer() @ turn, STARS @ turn, False)
    np.testing.assert_allclose(all_of(one), all_of(other), atol=1e-8)


def test_next_map_is_turned_onto_the_previous_without_scaling():
    before = similarity_map(layer(), STARS, folded=False)
    moved = layer() + 0.3 * layer(seed=5)
    free, kept = similarity_map(moved, STARS, False), similarity_map(moved, STARS, False, previous=before)
    np.testing.assert_allclose(pdist(all_of(kept)), pdist(all_of(free)), atol=1e-9)
    apart = np.sum((all_of(kept) - all_of(before)) ** 2)
    for angle in np.linspace(0, 2 * np.pi, 721):
        c, s = np.cos(angle), np.sin(angle)
        for turn in (np.array([[c, s], [-s, c]]), np.array([[c, s], [s, -c]])):
            assert apart <= np.sum((all_of(kept) @ turn - all_of(before)) ** 2) + 1e-9


@pytest.mark.parametrize("turn", [np.array([[0.6, 0.8], [-0.8, 0.6]]), np.array([[0.6, 0.8], [0.8, -0.6]])])
def test_a_previous_map_is_followed_through_rotations_and_reflections(turn):
    first = similarity_map(layer(), STARS, folded=False)
    before = NeuronMap(first.points @ turn, first.stars @ turn, first.stress)
    again = similarity_map(layer(), STARS, False, previous=before)
    np.testing.assert_allclose(all_of(again), all_of(before), atol=1e-8)


def test_dead_neurons_stand_at_the_origin_and_move_nobody():
    W = layer()
    with_dead = similarity_map(np.insert(W, 7, 0, axis=0), STARS, folded=False)
    without = similarity_map(W, STARS, folded=False)
    np.testing.assert_array_equal(with_dead.points[7], 0)
    np.testing.assert_allclose(np.delete(with_dead.points, 7, axis=0), without.points, atol=1e-9)
    assert with_dead.stress == pytest.approx(without.stress)


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize(
    ("W", "stars"),
    [
        (np.zeros((5, 4)), np.zeros((0, 4))),
        (np.zeros((5, 4)), STARS),
        (np.outer([1, -2, 3, -4], [1, 2, 0, 0]), np.zeros((0, 4))),
        (np.outer([1, 2, 3, 4], [1, 2, 0, 0]), np.zeros((0, 4))),
        (layer(1), np.zeros((0, 4))),
        (layer(1), STARS[:1]),
        (np.array([[1.0], [-1.0], [2.0]]), np.array([[1.0], [-1.0]])),
    ],
)
def test_layers_without_a_plane_give_a_finite_map(W, stars, folded):
    picture = similarity_map(W, stars, folded)
    assert np.isfinite(all_of(picture)).all()
    assert 0 <= picture.stress <= 1
    again = similarity_map(W, stars, folded, previous=picture)
    np.testing.assert_allclose(all_of(again), all_of(picture), atol=1e-8)


def test_neurons_on_a_line_are_drawn_on_the_horizontal_axis():
    line = similarity_map(np.outer([1, -2, 3, -4], STARS[0]), STARS[:2], folded=False)
    np.testing.assert_allclose(line.points, [[1, 0], [-1, 0], [1, 0], [-1, 0]], atol=1e-8)
    assert line.stress < 1e-7


def test_a_previous_map_of_other_neurons_is_refused():
    before = similarity_map(layer(10), STARS, folded=False)
    with pytest.raises(ValueError, match="same neurons and stars as this map, got 10 neurons and 4 stars"):
        similarity_map(layer(11), STARS, False, previous=before)
