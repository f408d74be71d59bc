"""The picture of neuron similarity: distances, stress, stars that stand still, and layers that have no picture."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize, minimize_scalar
from scipy.spatial.distance import pdist, squareform
from sklearn.metrics.pairwise import cosine_similarity as reference_cosines

import featdash.lessons
from featdash.geometry.neurons import NeuronMap, cosine_similarity, similarity_map, star_places, stress_of

RECORDED = Path(featdash.lessons.__file__).parent
STARS = np.array([[1, 0, 0, 0], [-1, 0, 0, 0], [0, 1, 0, 0], [0, -1, 0, 0]], dtype=float)
U = STARS[::2]


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


def misfit(places: np.ndarray, wanted: np.ndarray, folded: bool) -> float:
    """Σ (δ - d)² of the neurons at `places` (p, 2), flattened, with the stars where they stand.

    wanted : the distances δ of neurons and stars, as `pdist` orders them.
    """
    placed = np.concatenate([places.reshape(-1, 2), star_places(2, folded)])
    return float(np.sum((wanted - pdist(placed)) ** 2))


@pytest.mark.parametrize("folded", [False, True])
def test_no_neuron_could_stand_much_better_with_the_stars_held(folded):
    picture = similarity_map(layer(), U, folded)
    wanted = squareform(chords(np.vstack([layer(), STARS[:: 2 if folded else 1]]), folded))
    reached = misfit(picture.points.ravel(), wanted, folded)
    start = np.random.default_rng(3).standard_normal(80)
    best = min(minimize(misfit, x0, (wanted, folded), "L-BFGS-B").fun for x0 in (picture.points.ravel(), start))
    assert best <= reached < 1.1 * best, "an optimiser without majorization finds no picture a tenth better"


@pytest.mark.parametrize("folded", [False, True])
def test_stress_is_the_least_over_all_scales(folded):
    rows = np.vstack([layer(), STARS[:: 2 if folded else 1]])
    picture = similarity_map(layer(), U, folded)
    wanted, drawn = chords(rows, folded), squareform(pdist(all_of(picture)))
    least = minimize_scalar(lambda b: np.sum((wanted - b * drawn) ** 2) / np.sum(wanted**2))
    assert picture.stress == pytest.approx(np.sqrt(least.fun), abs=1e-7)
    assert 0.1 < picture.stress < 0.6, "a random layer in four dimensions does not fit a plane"
    assert stress_of(3 * all_of(picture), wanted) == pytest.approx(picture.stress), "the scale means nothing"


def test_neurons_in_a_plane_are_drawn_without_stress():
    angles = np.random.default_rng(1).uniform(0, 2 * np.pi, 30)
    W = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles, 0 * angles]) * np.arange(1, 31)[:, None]
    picture = similarity_map(W, U, folded=False)
    assert picture.stress < 1e-7
    np.testing.assert_allclose(pdist(all_of(picture)), squareform(chords(np.vstack([W, STARS]), False)), atol=1e-7)


def test_folding_takes_a_neuron_and_its_opposite_as_one():
    W = layer()
    signs = np.where(np.arange(40) % 2, 1, -1)[:, None]
    one, other = similarity_map(W, U, folded=True), similarity_map(W * signs, U, folded=True)
    np.testing.assert_allclose(all_of(one), all_of(other), atol=1e-8)
    pair = similarity_map(np.vstack([W, -W[:1]]), U, folded=True).points
    np.testing.assert_allclose(pair[0], pair[-1], atol=1e-8)
    apart = similarity_map(np.vstack([W, -W[:1]]), U, folded=False).points
    assert np.linalg.norm(apart[0] - apart[-1]) > 0.1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("rank", [1, 2, 3, 8])
@pytest.mark.parametrize("folded", [False, True])
def test_stars_stand_still_whatever_the_layer(folded, rank, seed):
    W, turn = layer(d=9, seed=seed), np.linalg.qr(layer(9, 9, seed=7))[0]
    maps = [similarity_map(W, np.eye(9)[:rank], folded)]
    for moved in (W @ turn, W + layer(d=9, seed=5), W * [5, 5, 1, 1, 1, 1, 1, 1, 1], 0 * W):
        maps.append(similarity_map(moved, np.eye(9)[:rank], folded, maps[-1]))
    for picture in maps:
        np.testing.assert_array_equal(picture.stars, star_places(rank, folded))
    assert maps[0].stars[0] @ [1, 0] > 0.5, "u1 is to the right"


@pytest.mark.parametrize("folded", [False, True])
def test_stars_of_up_to_two_directions_are_at_their_true_distances(folded):
    for rank in (1, 2):
        stars = np.eye(4)[:rank] if folded else STARS[: 2 * rank]
        np.testing.assert_allclose(pdist(star_places(rank, folded)), squareform(chords(stars, folded)), atol=1e-12)


def test_neurons_at_a_star_are_drawn_at_it():
    W = np.concatenate([np.outer([1, 2, 3], U[0]), np.outer([1, 5], -U[0]), U[1:]])
    points = similarity_map(W, U, folded=False).points
    np.testing.assert_allclose(points, [[1, 0]] * 3 + [[-1, 0]] * 2 + [[0, 1]], atol=1e-6)


def test_a_turned_layer_gives_the_same_map():
    turn = np.linalg.qr(layer(4, 4, seed=3))[0]
    one, other = similarity_map(layer(), U, False), similarity_map(layer() @ turn, U @ turn, False)
    np.testing.assert_allclose(all_of(one), all_of(other), atol=1e-6)


@pytest.mark.parametrize("flip", [1, -1])
def test_a_previous_map_decides_on_the_reflection_that_one_pair_of_stars_leaves_open(flip):
    first = similarity_map(layer(), U[:1], folded=False)
    before = NeuronMap(first.points * [1, flip], first.stars, first.stress)
    again = similarity_map(layer(), U[:1], False, previous=before)
    np.testing.assert_allclose(again.points, before.points, atol=1e-12)


def test_dead_neurons_stand_at_the_origin_and_move_nobody():
    W = layer()
    with_dead = similarity_map(np.insert(W, 7, 0, axis=0), U, folded=False)
    without = similarity_map(W, U, folded=False)
    np.testing.assert_array_equal(with_dead.points[7], 0)
    np.testing.assert_allclose(np.delete(with_dead.points, 7, axis=0), without.points, atol=1e-9)
    assert with_dead.stress == pytest.approx(without.stress)


@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize(
    ("W", "directions"),
    [
        (np.zeros((5, 4)), np.zeros((0, 4))),
        (np.zeros((5, 4)), U),
        (np.outer([1, -2, 3, -4], [1, 2, 0, 0]), np.zeros((0, 4))),
        (np.outer([1, 2, 3, 4], [1, 2, 0, 0]), np.zeros((0, 4))),
        (layer(1), np.zeros((0, 4))),
        (layer(1), U[:1]),
        (np.array([[1.0], [-1.0], [2.0]]), np.array([[1.0]])),
    ],
)
def test_layers_without_a_plane_give_a_finite_map(W, directions, folded):
    picture = similarity_map(W, directions, folded)
    assert np.isfinite(all_of(picture)).all()
    assert 0 <= picture.stress <= 1
    again = similarity_map(W, directions, folded, previous=picture)
    np.testing.assert_allclose(all_of(again), all_of(picture), atol=1e-8)


def test_neurons_on_a_line_are_drawn_on_the_horizontal_axis():
    line = similarity_map(np.outer([1, -2, 3, -4], U[0]), U[:1], folded=False)
    np.testing.assert_allclose(line.points, [[1, 0], [-1, 0], [1, 0], [-1, 0]], atol=1e-8)
    assert line.stress < 1e-7


def test_a_previous_map_of_other_neurons_is_refused():
    before = similarity_map(layer(10), U, folded=False)
    with pytest.raises(ValueError, match="same neurons and stars as this map, got 10 neurons and 4 stars"):
        similarity_map(layer(11), U, False, previous=before)


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*/recorded/*.npz")), ids=lambda path: path.stem)
def test_the_stars_of_a_recorded_run_stand_still(path):
    with np.load(path) as kept:
        for name in (name for name in kept.files if name.rpartition("/")[2] in ("stars", "stars_folded")):
            on_its_way = "/neurons/" in name and path.stem.startswith(
                ("race", "ablation")
            )  # all on one plane, see turning
            if kept[name].shape[-1] == 2 and not on_its_way:  # the recovery's stand in space
                folded = name.endswith("_folded")
                places = star_places(len(kept[name]) // (1 if folded else 2), folded)
                np.testing.assert_allclose(kept[name], places, atol=1e-3, err_msg=name)
