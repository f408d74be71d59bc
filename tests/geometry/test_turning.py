"""Neurons on one plane, against classical scaling as NumPy writes it, and against what must not happen on the way."""

import numpy as np
import pytest

from featdash.geometry.neurons import alignment
from featdash.geometry.turning import map_arrays, turning_maps
from featdash.tasks.streams import stream


def way(d=10, r=1, p=60, seed=0):
    """Layers (1 - s) W0 + s W1, where W1 lies mostly along the directions."""
    draw = stream(seed, "turning")
    U = np.linalg.qr(draw.standard_normal((d, r)))[0].T
    start = draw.standard_normal((p, d)) / np.sqrt(d)
    end = draw.standard_normal((p, r)) @ U + 0.15 * draw.standard_normal((p, d))
    return [(1 - s) * start + s * end for s in np.linspace(0, 1, 25)], U


def classical(rows):
    """Coordinates by the text book: eigenvectors of the doubly centred matrix of squared distances."""
    squares = np.sum((rows[:, None] - rows[None]) ** 2, axis=-1)
    J = np.eye(len(rows)) - 1 / len(rows)
    values, vectors = np.linalg.eigh(-J @ squares @ J / 2)
    return vectors[:, -2:] * np.sqrt(values[-2:])


def gaps(points):
    return np.linalg.norm(points[:, None] - points[None], axis=-1)


@pytest.mark.parametrize("r", [1, 2, 3])
def test_the_ends_are_those_of_classical_scaling_of_both_layers_and_the_stars(r):
    layers, U = way(r=r)
    maps = turning_maps(layers, U, folded=False)
    units = [W / np.linalg.norm(W, axis=1, keepdims=True) for W in (layers[0], layers[-1])]
    wanted = classical(np.concatenate([*units, np.stack([U, -U], axis=1).reshape(-1, U.shape[1])]))
    drawn = np.concatenate([maps[0].points, maps[-1].points, maps[0].stars])
    np.testing.assert_allclose(gaps(drawn), gaps(wanted), atol=1e-9)


@pytest.mark.parametrize("folded", [False, True])
def test_a_neuron_moves_little_from_moment_to_moment_and_the_stars_stand_still(folded):
    layers, U = way()
    maps = turning_maps(layers, U, folded)
    steps = np.linalg.norm(np.diff([one.points for one in maps], axis=0), axis=-1)
    assert steps.max() < 2 / 3, "a third of the map"
    assert all(np.array_equal(one.stars, maps[0].stars) for one in maps)
    assert all(0 <= one.stress <= 1 for one in maps)


def test_a_place_depends_on_the_direction_alone_and_folded_not_on_its_sign():
    layers, U = way()
    signs = np.where(np.arange(len(layers[0])) % 2, -1, 1)[:, None]
    plain, folded = (turning_maps(layers, U, one) for one in (False, True))
    longer = turning_maps([3.0 * W for W in layers], U, folded=False)
    turned = turning_maps([signs * W for W in layers], U, folded=True)
    np.testing.assert_allclose(longer[12].points, plain[12].points, atol=1e-9)
    np.testing.assert_allclose(turned[12].points, folded[12].points, atol=1e-9)


def test_u1_is_at_the_right_and_its_opposite_at_the_left():
    layers, U = way()
    (right, left) = turning_maps(layers, U, folded=False)[0].stars
    assert right[0] > 0.9
    np.testing.assert_allclose(right, -left, atol=1e-6)


def test_the_alignment_grows_all_the_way_where_the_end_is_aligned():
    layers, U = way()
    values = [alignment(W, U) for W in layers]
    assert values == sorted(values)


def test_a_layer_without_neurons_that_point_anywhere_is_drawn():
    layers = [np.zeros((4, 3)), np.ones((4, 3))]
    maps = turning_maps(layers, np.eye(3)[:1], folded=False)
    assert all(np.all(np.isfinite(one.points)) for one in maps)
    assert set(map_arrays(maps[0], folded=True)) == {"points_folded", "stars_folded", "stress_folded"}
