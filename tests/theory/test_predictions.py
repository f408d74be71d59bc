"""Plateaus and scales against the statements in the paper."""

import numpy as np
import pytest

from featdash.theory.predictions import csq_scale, kernel_plateau, kernel_scale, sample_marks, width_plateau

FIGURE_1 = [0, 0, 0.5, 0, 0.5]


@pytest.mark.parametrize(
    ("n", "plateau"),
    [(1, 1), (10, 1), (99, 1), (100, 1), (101, 0.5), (1000, 0.5), (10_000, 0.5), (10_001, 0), (10**6, 0)],
)
def test_figure_1_plateaus_at_one_then_one_half_then_nothing(n, plateau):
    assert kernel_plateau(FIGURE_1, d=10, n=n) == plateau


def test_plateau_is_the_energy_of_the_degrees_not_yet_learned():
    energy = np.array([32.0, 16.0, 8.0, 4.0, 2.0])
    between = [kernel_plateau(energy, 10, round(10 ** (k + 0.5))) for k in range(5)]
    assert between == [30, 14, 6, 2, 0]


def test_plateau_never_rises_with_samples():
    plateaus = [kernel_plateau([1, 1, 1, 1], 5, n) for n in range(1, 700)]
    assert all(np.diff(plateaus) <= 0)


@pytest.mark.parametrize(
    ("neurons", "random_features", "tangent"),
    [(5, 1, 1), (11, 1, 0.5), (101, 0.5, 0.5), (1001, 0.5, 0), (10_001, 0, 0)],
)
def test_neurons_fit_a_degree_and_tangent_features_one_more(neurons, random_features, tangent):
    """Figure 1's target at d = 10 with samples beyond count; with n = 10⁴ no width goes below one half."""
    assert width_plateau(FIGURE_1, 10, 10**9, neurons, False) == random_features
    assert width_plateau(FIGURE_1, 10, 10**9, neurons, True) == tangent
    assert width_plateau(FIGURE_1, 10, 10_000, neurons, True) == max(tangent, 0.5)
    assert width_plateau(FIGURE_1, 10, 50, neurons, False) == 1


def test_scales():
    assert kernel_scale(d=10, p=4) == 10_000
    assert csq_scale(d=10, p=3) == pytest.approx(31.6, abs=0.03)
    assert [tuple(mark) for mark in sample_marks(10, 4)] == [("d²", 100), ("d⁴", 10_000)]
    assert [mark.label for mark in sample_marks(10, 2)] == ["d²"]
    assert [mark.label for mark in sample_marks(3, 10)] == ["d²", "d¹⁰"]
