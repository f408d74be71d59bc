"""The network, its activation and its symmetric start."""

import numpy as np
import pytest
import torch

from featdash.learners.network import RELU, Network, draw_network, forward


def test_derivative_of_the_activation_matches_finite_differences():
    z = torch.linspace(-3, 3, 62, dtype=torch.float64)  # steps clear of the kink at 0
    h = 1e-6
    difference = (RELU.value(z + h) - RELU.value(z - h)) / (2 * h)
    assert torch.allclose(RELU.derivative(z), difference, atol=1e-9)


@pytest.mark.parametrize("biases", [False, True])
def test_symmetric_start_is_zero_everywhere(biases):
    rng = np.random.default_rng(0)
    network = draw_network(20, 5, rng, biases=biases)
    assert network.mirrored
    assert np.abs(forward(network, 3 * rng.standard_normal((50, 5)))).max() < 1e-14


def test_start_has_the_laws_of_the_paper():
    d, width = 8, 20_000
    network = draw_network(width, d, np.random.default_rng(1), biases=True)
    half = network.first_half()
    entries, five_errors = len(half.W) * d, 5 * np.sqrt(2)
    assert np.mean(half.W**2) * d == pytest.approx(1, abs=five_errors / np.sqrt(entries))
    assert np.mean(half.b**2) == pytest.approx(1, abs=five_errors / np.sqrt(len(half.b)))
    assert set(half.a) == {-1.0, 1.0}
    assert abs(half.a.mean()) < 5 / np.sqrt(len(half.a))


def test_biases_change_no_other_draw():
    with_biases, without = (draw_network(6, 3, np.random.default_rng(2), biases=biases) for biases in (True, False))
    assert np.array_equal(with_biases.W, without.W)
    assert np.array_equal(with_biases.a, without.a)
    assert not without.b.any()


def test_forward_is_the_formula():
    network = Network(np.array([2.0, -1.0]), np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([0.5, 0.0]))
    assert forward(network, np.array([[1.0, 3.0], [-1.0, 2.0]])) == pytest.approx([2 * 1.5 - 3, -2.0])


@pytest.mark.parametrize("width", [0, 3, -2, 2.0, True, "8"])
def test_width_that_cannot_be_mirrored_is_refused(width):
    with pytest.raises(ValueError, match="width must be an even whole number >= 2, got"):
        draw_network(width, 3, np.random.default_rng(0))


def test_a_moved_network_is_not_mirrored():
    network = draw_network(4, 3, np.random.default_rng(0))
    assert not Network(network.a, -network.W * network.a[:, None], network.b).mirrored
