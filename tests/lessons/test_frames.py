"""A frame or a result holds the arrays that its dataclass names, and nothing else."""

import pytest

from featdash.lessons import EXPERIMENTS
from featdash.lessons.ablation.frames import AblationArrays, VariantFrame
from featdash.lessons.degenerate.frames import FailureTable
from featdash.lessons.emergence.frames import AccuracyFrame, InputFrame
from featdash.lessons.hessian.frames import ThresholdFrame, TrainingFrame
from featdash.lessons.lemma.frames import GradientFrame, LemmaArrays
from featdash.lessons.more_steps.frames import CountFrame
from featdash.lessons.more_steps.frames import LayerFrame as SteppedFrame
from featdash.lessons.more_steps.frames import RiskFrame as RiskAfterSteps
from featdash.lessons.repetition.frames import EffectiveLabels, OverlapFrame
from featdash.lessons.rescue.frames import CosineTable, LabelCurves, RescueTable
from featdash.lessons.rfm.frames import MatrixFrame, RiskFrame
from featdash.lessons.shared.frames import LayerFrame, LossCurve, NeuronFrame, RaceArrays
from featdash.lessons.spectrum.frames import SpectrumFrame
from featdash.lessons.structure.frames import CaseFrame
from featdash.recipes.events import Frame, flatten, nest
from featdash.runs.codec import roundtrip

pytestmark = pytest.mark.usefixtures("small_heads")
RACE = {"d": 5, "n": 300, "width": 20, "holdout": 200, "test": 200, "steps": 100}
CASES = {
    "race": (RACE, {"neurons": LayerFrame}, RaceArrays),
    "ablation": (RACE, {"neurons": NeuronFrame, "layers": VariantFrame}, AblationArrays),
    "degenerate": (
        {"dims": [5], "sizes": [100], "width": 20, "holdout": 100, "test": 100},
        {"cells": FailureTable},
        None,
    ),
    "lemma": ({"d": 5, "n": 1000, "width": 20, "repeats": 2}, {"gradients": GradientFrame}, LemmaArrays),
    "rescue": (
        {"d": 5, "n": 200, "width": 20, "holdout": 100, "test": 100, "dims": [10], "repeats": 1},
        {"labels": LabelCurves, "cells": RescueTable, "cosines": CosineTable},
        None,
    ),
    "repetition": (
        {"dims": [8, 16], "time": 10, "runs": 4},
        {"labels": EffectiveLabels, "overlaps": OverlapFrame, "squares": OverlapFrame},
        None,
    ),
    "more-steps": (
        {"d": 10, "n": 50, "neurons": 10, "dims": [10, 12], "repeats": 1},
        {"layer": SteppedFrame, "counts": CountFrame, "risks": RiskAfterSteps},
        None,
    ),
    "hessian": ({"d": 10, "steps": 10}, {"training": TrainingFrame, "threshold": ThresholdFrame}, None),
    "rfm": (
        {"n": 60, "d": 4, "rounds": 2, "width": 20, "holdout": 50, "test": 50},
        {"matrices": MatrixFrame, "risks": RiskFrame},
        None,
    ),
    "mixture": ({"steps": 10, "runs": 2}, {"inputs": InputFrame, "accuracies": AccuracyFrame}, None),
    "structure": (
        {"ranks": [1, 2, 3], "ratios": [1, 2, 3], "d": 10, "width": 10, "repeats": 2},
        {"cases": CaseFrame},
        None,
    ),
    "spectrum": ({"d": 5, "n": 1000, "width": 20, "copies": 2}, {"spectrum": SpectrumFrame}, None),
}


@pytest.mark.parametrize("name", CASES)
def test_frames_hold_what_their_dataclass_names_and_nothing_else(name):
    settings, streams, arrays = CASES[name]
    experiment = EXPERIMENTS[name]
    *frames, result = [
        event
        for event in map(roundtrip, experiment.run(experiment.recipe(settings), "cpu"))
        if hasattr(event, "arrays")
    ]
    seen = {frame.stream for frame in frames if isinstance(frame, Frame)}
    assert streams.keys() <= seen
    for frame in frames:
        if frame.stream in streams:
            assert streams[frame.stream].from_arrays(frame.arrays).to_arrays().keys() == frame.arrays.keys()
        if frame.stream == "heads":
            assert flatten(nest(LossCurve, frame.arrays)).keys() == frame.arrays.keys()
    if arrays is not None:
        assert arrays.from_arrays(result.arrays).to_arrays().keys() == result.arrays.keys()


def test_an_ablation_records_no_map_and_no_risk_that_its_page_does_not_show():
    experiment = EXPERIMENTS["ablation"]
    frames = [event for event in experiment.run(experiment.recipe(RACE), "cpu") if isinstance(event, Frame)]
    assert not [name for frame in frames for name in frame.arrays if name.endswith(("folded", "train", "holdout"))]
