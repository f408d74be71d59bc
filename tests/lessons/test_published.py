"""The published points are those of the file, and the file says where they come from."""

import math

import numpy as np

from featdash.lessons import EXPERIMENTS
from featdash.lessons.shared.pictures import published
from featdash.lessons.shared.pictures.published import published_figure1, published_figure2
from featdash.lessons.sweep.recipe import PRESETS as SWEEPS
from featdash.lessons.transfer.recipe import PRESETS as TRANSFERS
from featdash.lessons.transfer.run import run
from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path

UNPROCESSED = TRANSFERS["figure2-unprocessed"]


def source_of(file):
    """Where the points come from, as the file itself says."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return " ".join(line.removeprefix("#").strip() for line in lines if line.startswith("#"))


def test_the_points_are_complete_and_consistent():
    points = published_figure1()
    assert len(points) == 3 * (11 + 9)
    for point in points:
        assert 0 < point.low < point.mean < point.high
        assert math.isclose(point.high - point.mean, point.mean - point.low, abs_tol=2e-3)


def test_the_source_is_told():
    source = source_of(published.FIGURE1)
    assert source.startswith("Published points of Figure 1 in Damian, Lee, Soltanolkotabi, COLT 2022")
    assert "#" not in source


def test_every_published_point_has_its_counterpart_in_the_paper_preset():
    grid = {(c.width, c.method, n) for _, c in EXPERIMENTS["sweep"].cells(SWEEPS["figure1-paper"]) for n in c.n}
    assert {(point.width, point.method, point.n) for point in published_figure1()} == grid


def test_the_published_plateaus_are_the_energies_above_the_fitted_degrees():
    """Half of the target's energy is of degree 4; kernels with n < d² fit nothing, with d² < n < d⁴ that half stays."""
    means = {(point.width, point.method, point.n): point.mean for point in published_figure1()}
    for method in ("random_features", "ntk"):
        assert math.isclose(means[1000, method, 31], 1, abs_tol=0.01)
        assert math.isclose(means[1000, method, 10_000], 0.5, abs_tol=0.05)
    assert means[1000, "algorithm1", 10_000] < 0.1


def recorded():
    return read_archive(recorded_path("transfer", UNPROCESSED)).result.summary


def test_figure_2_is_complete_and_its_source_told():
    theirs = {(point.n, point.N): point.mean for point in published_figure2()}
    assert set(theirs) == {(n, N) for n in UNPROCESSED.n for N in UNPROCESSED.N}
    assert all(0 < mean < 1 for mean in theirs.values())
    assert source_of(published.FIGURE2).startswith("Published points of Figure 2 (transfer) in Damian")


def test_without_preprocessing_figure_2_is_met_within_the_error_of_ten_seeds():
    """z = (ours − published)/√(2 std²/10), over n = 10² … 10⁵ and published risks below 0.97: rms z near 1."""
    ours = {(row["n"], row["N"]): row for row in recorded()["statistics"]}
    z, far = [], []
    for point in published_figure2():
        row = ours[point.n, point.N]
        assert row["seeds"] == 10
        far.append(abs(row["mean"] - point.mean))
        if 100 <= point.n <= 10**5 and point.mean < 0.97:
            z.append((row["mean"] - point.mean) / math.sqrt(2 * row["std"] ** 2 / 10))
    assert len(z) == 22
    assert math.sqrt(np.mean(np.square(z))) <= 1.2
    assert max(far) <= 0.11


def test_the_recorded_figure_2_is_what_the_code_computes():
    """One of its cells anew, at n = 1000; single precision leaves six digits."""
    index, cell = next(
        (i, one) for i, (_, one) in enumerate(EXPERIMENTS["transfer"].cells(UNPROCESSED)) if one.n == 1000
    )
    *_, result = run(cell)
    kept = [p for p in recorded()["points"] if (p["n"], p["seed"]) == (1000, cell.seed)]
    assert index < len(UNPROCESSED.n)
    np.testing.assert_allclose(
        [p["excess_risk"] for p in result.summary["points"]], [p["excess_risk"] for p in kept], rtol=1e-3
    )
