"""Plateaus and scales against the statements in the paper."""

import numpy as np
import pytest

from featdash.theory.predictions import algorithm1_scale, csq_scale, kernel_plateau, kernel_scale, sample_marks

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


def test_scales():
    assert algorithm1_scale(d=10, r=2, p=4) == 100 * 2 + 10 * 16
    assert kernel_scale(d=10, p=4) == 10_000
    assert csq_scale(d=10, p=3) == pytest.approx(31.6, abs=0.03)
    assert [tuple(mark) for mark in sample_marks(10, 4)] == [("d²", 100), ("d⁴", 10_000)]
    assert [mark.label for mark in sample_marks(10, 2)] == ["d²"]
    assert [mark.label for mark in sample_marks(3, 10)] == ["d²", "d¹⁰"]
