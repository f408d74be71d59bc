"""What the lessons «Figure» and «Bench» of Transfer promise of each «Try», on the runs of those very buttons."""

import math
from dataclasses import replace

import pytest
from trial_runs import PARTS, computed, expects, run_of

from featdash.lessons.transfer.recipe import PRESETS, TransferSpec
from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path


def risks(summary, method="transfer"):
    return {(row["n"], row["N"]): row["mean"] for row in summary["statistics"] if row["method"] == method}


@expects("transfer", "Figure 2, paper scale")
def test_a_million_pretraining_samples_go_on_lowering_the_risk():
    """0.027, 0.022, 0.015 at N = 10⁴ are means of ten seeds; two of them stand for all, ± 0.006 a seed."""
    few = {"n": (10**4, 10**5, 10**6), "N": (10**4,), "seeds": (0, 1)}
    found = risks(computed("transfer", replace(PRESETS["figure2-paper"], **few)).summary)
    for n, promised in ((10**4, 0.027), (10**5, 0.022), (10**6, 0.015)):
        assert found[n, 10**4] == pytest.approx(promised, abs=0.008)


@expects("transfer", "Figure 2 without preprocessing")
def test_without_preprocessing_each_published_point_is_within_a_tenth():
    from featdash.lessons.shared.pictures.published import published_figure2

    trial = next(t for t in PARTS["transfer"].text.trials if t.label == "Figure 2 without preprocessing")
    spec = TransferSpec(**trial.values)
    found = risks(read_archive(recorded_path("transfer", spec)).result.summary)
    assert max(abs(found[point.n, point.N] - point.mean) for point in published_figure2()) < 0.11


@expects("transfer", "No fresh data")
def test_stale_inputs_move_no_risk_by_more_than_a_little():
    """At most 0.04 from N = 1000 on; below that more."""
    run = run_of("transfer", "No fresh data")
    stale = risks(run.summary)
    fresh = risks(computed("transfer", TransferSpec(n=run.spec.n, seeds=run.spec.seeds)).summary)
    moved = {N: max(abs(stale[n, N] - fresh[n, N]) for n in run.spec.n) for N in run.spec.N}
    assert max(moved[N] for N in run.spec.N if N >= 1000) < 0.045
    assert moved[316] > 0.045


@expects("transfer", "Pretraining without curvature, d = 30")
def test_a_cubic_alone_teaches_little_at_d_30():
    run = run_of("transfer", "Pretraining without curvature, d = 30")
    found = risks(run.summary)
    curved = risks(computed("transfer", TransferSpec(d=30, n=run.spec.n, seeds=run.spec.seeds, N=(10**4,))).summary)
    for n, alone, both in ((100, 0.98, 0.96), (1000, 0.69, 0.33), (10_000, 0.54, 0.09)):
        assert found[n, 10**4] == pytest.approx(alone, abs=0.01)
        assert curved[n, 10**4] == pytest.approx(both, abs=0.01)


@expects("transfer-bench", "Too few pretraining samples")
def test_with_thirty_samples_luck_decides_whether_the_layer_finds_the_direction():
    run = run_of("transfer-bench", "Too few pretraining samples")
    found = risks(run.summary)
    assert min(found[30, N] for N in run.spec.N if N <= 1000) > 0.97
    assert found[30, 10**4] == pytest.approx(0.90, abs=0.01)
    for seed, promised in ((1, 0.25), (2, 0.30)):
        other = computed("transfer-bench", type(run.spec)(n=30, seed=seed))
        assert risks(other.summary)[30, 10**4] == pytest.approx(promised, abs=0.01)


@expects("transfer-bench", "From Figure 1's target to a sextic")
def test_the_frozen_layer_beats_scratch_on_a_sextic():
    label, names = "From Figure 1's target to a sextic", ("transfer", "algorithm1")
    first = run_of("transfer-bench", label)
    for seed, frozen, scratch, zero in ((0, 0.24, 0.64, 0.75), (7, 0.33, 0.54, 0.70), (11, 0.14, 0.51, 0.58)):
        given = {"pretraining": first.spec.pretraining, "target": first.spec.target, "seed": seed}
        summary = first.summary if seed == 0 else computed("transfer-bench", type(first.spec)(**given)).summary
        ours, theirs = (risks(summary, name) for name in names)
        assert ours[first.spec.n, 10**4] == pytest.approx(frozen, abs=0.01)
        assert theirs[None, 10**4] == pytest.approx(scratch, abs=0.01)
        assert ours[first.spec.n, 1] == pytest.approx(zero, abs=0.01)  # one sample: the zero predictor


def test_most_of_the_gain_has_come_at_d4():
    """The lesson's own numbers, of the recorded default: 0.86, 0.22, 0.07, 0.03, 0.02 at N = 10⁴."""
    summary = read_archive(recorded_path("transfer", TransferSpec())).result.summary
    found = [risks(summary)[10**k, 10**4] for k in range(6)]
    assert found[0] > 0.97
    assert found[1:] == pytest.approx([0.86, 0.22, 0.07, 0.03, 0.02], abs=0.006)
    assert math.isclose(found[3] - found[4], 0.046, abs_tol=0.01)
