"""What the lessons «Curves» and «Phase map» promise of each «Try», on the runs of those very buttons."""

from dataclasses import replace

import pytest
from trial_runs import PARTS, Run, computed, expects, run_of

from featdash.lessons.shared.pictures.published import published_figure1
from featdash.lessons.sweep.recipe import PRESETS, SweepSpec
from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path


def shown(experiment, label):
    """The run that the button shows: the recorded one where there is one."""
    part = PARTS[experiment]
    spec = part.experiment.spec(**next(t.values for t in part.text.trials if t.label == label))
    kept = read_archive(recorded_path(experiment, spec))
    return Run(experiment, spec, kept.result) if kept else run_of(experiment, label)


def means(summary):
    return {(row["method"], row["width"], row["n"]): row["mean"] for row in summary["statistics"]}


@expects("sweep", "Figure 1, paper scale")
def test_at_paper_scale_algorithm_1_crosses_a_half_where_the_quick_preset_does():
    """Between n = 10³/√10 and 10^3.5 at m = 1000: the columns of two of the ten seeds, with the large test samples."""
    few = {"widths": (1000,), "n": (316, 3162), "methods": ("algorithm1",), "seeds": (0, 1)}
    paper = means(computed("sweep", replace(PRESETS["figure1-paper"], **few)).summary)
    quick = read_archive(recorded_path("sweep", SweepSpec())).result.summary
    for found in (paper, means(quick)):
        assert found["algorithm1", 1000, 316] > 0.5 > found["algorithm1", 1000, 3162]


@expects("sweep", "Figure 1 without preprocessing")
def test_without_preprocessing_algorithm_1_is_on_the_published_points():
    """Three seeds: their mean is within three of its standard errors, here with the published deviations, or 0.05."""
    found = means(shown("sweep", "Figure 1 without preprocessing").summary)
    for point in published_figure1():
        if point.method == "algorithm1":
            far = abs(found[point.method, point.width, point.n] - point.mean)
            assert far < max(0.05, 3 * (point.high - point.mean) / 3**0.5), point
            if point.n <= 31:
                assert found[point.method, point.width, point.n] == pytest.approx(1, abs=0.05)


@expects("sweep", "Twice the dimension: d = 20")
def test_at_twice_the_dimension_the_kernels_wait_for_400_samples():
    found = means(shown("sweep", "Twice the dimension: d = 20").summary)
    assert found["algorithm1", 300, 10_000] == pytest.approx(0.12, abs=0.01)
    assert found["ntk", 300, 10_000] == pytest.approx(0.62, abs=0.01)
    assert found["ntk", 300, 316] > 0.95 > 0.9 > found["ntk", 300, 1000]


@expects("sweep", "No curvature to follow: He₃/√6")
def test_without_curvature_algorithm_1_stalls_while_the_ntk_falls():
    run = shown("sweep", "No curvature to follow: He₃/√6")
    found = means(run.summary)
    ours, theirs = ([found[name, 300, n] for n in (3162, 10_000)] for name in ("algorithm1", "ntk"))
    assert ours == pytest.approx([0.3, 0.3], abs=0.05)
    seeds = [one["excess_risk"] for one in run.summary["points"] if one["method"] == "algorithm1" and one["n"] > 3000]
    assert 0.235 < min(seeds) < max(seeds) < 0.445
    assert theirs[1] == pytest.approx(0.48, abs=0.01)
    assert theirs[0] - theirs[1] > 0.1


def cells(label):
    return {(cell["d"], cell["n"]): cell for cell in shown("phase-map", label).summary["cells"]}


@expects("phase-map", "Two directions")
def test_two_directions_keep_the_shape_of_the_map():
    """Chance is 2/d; at the largest n both directions are found and the network wins, at each d."""
    found = cells("Two directions")
    for d in (5, 7, 10, 14, 20):
        assert found[d, 10_000]["alignment"] > 0.8
        assert found[d, 10_000]["ratio"] < 0.3
        assert found[d, 31]["alignment"] < min(0.6, 5 / d)


@expects("phase-map", "No curvature to follow: He₃/√6")
def test_without_curvature_the_alignment_is_no_more_than_that_of_noise():
    found = cells("No curvature to follow: He₃/√6")
    for d, level in ((10, 0.28), (20, 0.16)):
        assert found[d, 10_000]["alignment"] == pytest.approx(level, abs=0.006)
        assert found[d, 10_000]["alignment"] < 8 / (2 * d + 6) + 0.01
    slopes = shown("phase-map", "No curvature to follow: He₃/√6").summary["exponents"]["ntk"]["three_quarters"]
    assert slopes["slope"] == pytest.approx(3.1, abs=0.06)
    assert slopes["error"] == pytest.approx(0.2, abs=0.03)


def risks(label):
    return shown("width", label).summary["risk"]


@expects("width", "A tenth of the samples: n = 1000")
def test_with_few_samples_more_neurons_add_little():
    run = shown("width", "A tenth of the samples: n = 1000")
    found = run.summary["risk"]
    assert [found["algorithm1"][m] for m in ("100", "1000")] == pytest.approx([0.44, 0.32], abs=0.006)
    assert run.summary["match"]["neurons"] == 100
    assert found["ntk"]["1000"] == pytest.approx(0.69, abs=0.006)


@expects("width", "Twice the dimension: d = 20")
def test_turned_neurons_do_not_get_further_away_with_the_dimension():
    found = risks("Twice the dimension: d = 20")
    assert found["algorithm1"]["30"] == pytest.approx(0.40, abs=0.006)
    assert found["random_features"]["1000"] == pytest.approx(0.63, abs=0.006)
    assert found["ntk"]["1000"] == pytest.approx(0.58, abs=0.006)


@expects("width", "Nothing for the step to see: He₃/√6")
def test_neurons_that_were_not_turned_are_needed_in_number():
    found = risks("Nothing for the step to see: He₃/√6")
    assert found["algorithm1"]["30"] == pytest.approx(0.98, abs=0.006)
    assert found["algorithm1"]["1000"] == pytest.approx(0.42, abs=0.006)
    assert found["ntk"]["1000"] == pytest.approx(0.70, abs=0.006)
