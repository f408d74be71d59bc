"""The numbers in the words of the stories are those of the recorded runs."""

import pytest

from featdash.recipes.registry import find_experiment
from featdash.runs.archive import read_archive
from featdash.runs.recording import recorded_path
from featdash.stories.answer import number_at

WEAK, TWICE = (
    {"structure": 0.3},
    {"d": 20, "widths": [300], "n": [100, 316, 1000, 3162, 10_000, 31_622], "seeds": [0, 7, 11]},
)
UNSEEN = {"target": "transfer", "d": 20, "seeds": [0, 7, 11]}
FREE = {"weight_decay": False}
ALL, GAP, NONE, LOOSE = "x1+x1x2+x1x2x3", "x1+x1x2x3", "x1x2x3", "x1+x2+x3+x1x2x3"
STAIR = {"targets": [ALL], "dims": [80], "repeats": 1}
EVEN = {"target": "He4(z1)/sqrt(24)", "threshold": 1.25, "repeats": 4}
CUBIC = {"target": "transfer", "dimensions": [5, 7, 10, 14, 20], "seeds": [0, 7, 11]}
SAMPLES = {"tasks": 16, "d": 32, "width": 256, "batch": 256}
TOLD = [  # experiment, settings, place in the summary, the number in the words, how far it may be off
    ("sweep", {}, "statistics.18.mean", 0.15, 0.005),
    ("sweep", {}, "statistics.17.mean", 0.37, 0.005),
    ("sweep", {}, "statistics.37.mean", 0.7, 0.05),
    ("sweep", {}, "statistics.39.mean", 0.46, 0.005),
    ("sweep", TWICE, "statistics.4.mean", 0.125, 0.005),
    ("sweep", TWICE, "statistics.10.mean", 0.62, 0.005),
    ("width", {}, "risk.ntk.1000", 0.46, 0.005),
    ("width", {}, "risk.algorithm1.1000", 0.065, 0.0005),
    ("width", {}, "alignment.30", 0.93, 0.005),
    ("width", {}, "weights.ntk.1000", 6000, 0),
    ("width", {"n": 1000}, "alignment.1000", 0.72, 0.005),
    ("width", {"n": 1000}, "risk.random_features.1000", 0.69, 0.005),
    ("width", UNSEEN, "alignment.1000", 0.16, 0.005),
    ("width", UNSEEN, "risk.algorithm1.1000", 0.42, 0.005),
    ("width", UNSEEN, "risk.ntk.1000", 0.70, 0.006),
    ("phase-map", {}, "exponents.alignment.half.slope", 1.9, 0.05),
    ("phase-map", {}, "exponents.alignment.half.error", 0.3, 0.05),
    ("phase-map", {}, "exponents.algorithm1.quarter.error", 0.1, 0.05),
    ("phase-map", {}, "exponents.ntk.three_quarters.slope", 1.6, 0.05),
    ("phase-map", {}, "exponents.ntk.three_quarters.error", 0.2, 0.05),
    ("phase-map", {}, "cells.26.alignment", 0.48, 0.005),
    ("phase-map", {}, "cells.75.alignment", 0.50, 0.005),
    ("phase-map", {}, "cells.54.alignment", 0.84, 0.005),
    ("phase-map", CUBIC, "cells.54.alignment", 0.16, 0.005),
    ("transfer-bench", {}, "statistics.8.mean", 0.16, 0.005),
    ("transfer", {}, "statistics.44.mean", 0.03, 0.005),
    ("transfer", {}, "statistics.49.mean", 0.5, 0.1),
    ("transfer", {}, "statistics.51.mean", 0.1, 0.01),
    ("emergence", {}, "structured.head_accuracy.1", 0.84, 0.005),
    ("emergence", {}, "structured.median_abs_cos.0", 0.03, 0.005),
    ("emergence", WEAK, "structured.linear.accuracy", 0.70, 0.005),
    ("mixture", {}, "accuracy.digits.100", 0.96, 0.005),
    ("mixture", {}, "accuracy.gaussian.1500", 0.66, 0.005),
    ("mixture", {}, "accuracy.mixture.1500", 0.82, 0.005),
    ("mixture", {}, "accuracy.alone.1500", 0.97, 0.005),
    ("mixture", {}, "majority.gaussian", 0.23, 0.005),
    ("mixture", {}, "teacher", 0.97, 0.005),
    ("recovery", {}, "stages.0.mass_weighted_cosine", 0.32, 0.005),
    ("recovery", {}, "stages.2.mass_weighted_cosine", 0.87, 0.005),
    ("recovery", {}, "stages.2.cancelling", 142, 0),
    ("recovery", {}, "target_variance", 0.23, 0.005),
    ("recovery", {}, "stop.loss", 0.003, 0.0005),
    ("rescue", {}, "variants.none.excess_risk", 0.6, 0.05),
    ("rescue", {}, "variants.sign_threshold.correlation", 0.5, 0.05),
    ("rescue", {}, "variants.conditional_mean.correlation", 0.8, 0.05),
    ("rescue", {}, "cosines.10.cosine", 0.84, 0.005),
    ("rescue", {"noise": 1.0}, "variants.sign_threshold.correlation", -0.13, 0.005),
    ("rescue", EVEN, "variants.none.alignment", 0.2, 0.05),
    ("rescue", EVEN, "variants.sign_threshold.alignment", 0.4, 0.05),
    ("rescue", EVEN, "variants.conditional_mean.alignment", 0.7, 0.05),
    ("repetition", {"dims": [64]}, "overlap.once.64", 0.15, 0.005),
    ("repetition", {"dims": [64]}, "overlap.twice.64", 0.75, 0.005),
    ("repetition", {}, "overlap.twice.256", 0.72, 0.005),
    ("repetition", {}, "drift.twice", -0.042, 0.0005),
    ("repetition", {"rho": 1.0}, "overlap.twice.64", 0.23, 0.005),
    ("recovery", FREE, "stages.3.loss", 3e-6, 0.5e-6),
    ("recovery", FREE, "stages.3.mass_weighted_cosine", 0.89, 0.005),
    ("staircase", STAIR, f"steps.{ALL}.80", 340, 0),
    ("staircase", {}, f"steps.{ALL}.80", 340, 0),
    ("staircase", {}, f"steps.{GAP}.80", 860, 0),
    ("staircase", {}, f"steps.{NONE}.80", 1870, 0),
    ("staircase", {}, f"growth.{ALL}", 1.4, 0.05),
    ("staircase", {}, f"growth.{NONE}", 2.9, 0.05),
    ("staircase", {"targets": [LOOSE, NONE]}, f"steps.{LOOSE}.80", 250, 0),
    ("staircase", {"biases": "drawn"}, f"steps.{NONE}.80", 800, 0),
    ("rfm", {}, "fixed", 0.72, 0.005),
    ("rfm", {}, "learned", 0.30, 0.005),
    ("rfm", {}, "rivals.ntk", 0.68, 0.005),
    ("rfm", {}, "rivals.algorithm1", 0.32, 0.005),
    ("rfm", {}, "share.1", 0.51, 0.005),
    ("rfm", {"n": 300}, "fixed", 0.98, 0.005),
    ("rfm", {"n": 300}, "share.4", 0.43, 0.005),
    ("scaling-laws", {"tasks": 1}, "jumps.measured.1", 3.7, 0.05),
    ("scaling-laws", {}, "jumps.measured.1", 3.7, 0.05),
    ("scaling-laws", {}, "ratio.median", 1.08, 0.005),
    ("scaling-laws", {}, "slope.network", -1.14, 0.005),
    ("scaling-laws", {}, "slope.many", -1.01, 0.005),
    ("scaling-laws", {}, "rise", 0.35, 0.01),
    ("scaling-laws", {"beta": 1.5}, "slope.many", -1.34, 0.005),
    ("scaling-laws", {"beta": 1.5}, "slope.network", -1.41, 0.005),
    ("scaling-laws", {"degree": 6}, "rise", 0.16, 0.005),
    ("scaling-laws", {"degree": 6}, "slope.many", -1.01, 0.005),
    ("scaling-laws", {"width": 32}, "learned", 24, 0),
    ("scaling-laws", {"width": 32}, "loss", 0.024, 0.0005),
    ("scaling-laws", SAMPLES, "ratio.median", 0.96, 0.005),
    ("hidden-layers", {}, "share", 0.98, 0.005),
    ("hidden-layers", {}, "errors.one", 0.20, 0.005),
    ("hidden-layers", {}, "errors.products", 0.31, 0.005),
    ("hidden-layers", {}, "errors.random", 0.84, 0.005),
    ("hidden-layers", {}, "linear", 0.26, 0.005),
    ("hidden-layers", {}, "correlation.two", 0.98, 0.005),
    ("hidden-layers", {}, "correlation.second", 0.92, 0.005),
    ("hidden-layers", {"n": 1000}, "errors.one", 0.71, 0.005),
    ("hidden-layers", {"n": 1000}, "share", 0.65, 0.005),
    ("own-data", {}, "methods.linear.risk", 1.0, 0.05),
    ("own-data", {"dataset": "diabetes"}, "methods.linear.risk", 0.52, 0.005),
    ("own-data", {"dataset": "wine"}, "clear_pairs", 3, 0),
    ("spikes", {}, "first.10", 1.0, 0.01),
    ("spikes", {}, "second.10", 0.97, 0.005),
    ("spikes", {}, "overlap", 0.75, 0.005),
    ("spikes", {"remove_linear": True}, "overlap", 0.35, 0.005),
    ("spikes", {}, "directions.together_from", 1778, 0),
    ("spikes", {}, "directions.single_at_square", 0.26, 0.005),
]


@pytest.mark.parametrize(("experiment", "settings", "place", "told", "off"), TOLD)
def test_a_number_in_the_words_is_that_of_the_run(experiment, settings, place, told, off):
    spec = find_experiment(experiment).recipe(settings)
    summary = read_archive(recorded_path(experiment, spec), shipped=True).result.summary
    assert number_at(summary, place.split("."), place) == pytest.approx(told, abs=off)
