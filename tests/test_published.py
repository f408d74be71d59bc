"""The published points are those of the file, and the file says where they come from."""

import math

from featdash.experiments.published import published_figure1, published_source
from featdash.experiments.sweep import SweepSpec, cells


def test_the_points_are_complete_and_consistent():
    points = published_figure1()
    assert len(points) == 3 * (11 + 9)
    for point in points:
        assert 0 < point.low < point.mean < point.high
        assert math.isclose(point.high - point.mean, point.mean - point.low, abs_tol=2e-3)


def test_the_source_is_told():
    source = published_source()
    assert source.startswith("Published points of Figure 1 in Damian, Lee, Soltanolkotabi, COLT 2022")
    assert "#" not in source


def test_every_published_point_has_its_counterpart_in_the_paper_preset():
    grid = {(c.width, c.method, n) for _, c in cells(SweepSpec(preset="figure1-paper")) for n in c.n}
    assert {(point.width, point.method, point.n) for point in published_figure1()} == grid


def test_the_published_plateaus_are_the_energies_above_the_fitted_degrees():
    """Half of the target's energy is of degree 4; kernels with n < d² fit nothing, with d² < n < d⁴ that half stays."""
    means = {(point.width, point.method, point.n): point.mean for point in published_figure1()}
    for method in ("random_features", "ntk"):
        assert math.isclose(means[1000, method, 31], 1, abs_tol=0.01)
        assert math.isclose(means[1000, method, 10_000], 0.5, abs_tol=0.05)
    assert means[1000, "algorithm1", 10_000] < 0.1
