"""No «Try» without a test of its sentence: the tests stand in test_trials_*.py, a file a page."""

import importlib
import json
from pathlib import Path

import pytest
from trial_runs import CHECKS, KEEP, PARTS, SUMMARIES

from featdash.recipes.version import run_id

TRIALS = [(name, trial.label) for name, part in PARTS.items() for trial in part.text.trials]


@pytest.fixture(scope="module", autouse=True)
def _all_checks():
    for path in Path(__file__).parent.glob("test_trials_*.py"):
        importlib.import_module(path.stem)


@pytest.mark.parametrize(("experiment", "label"), TRIALS)
def test_a_test_computes_what_the_trial_promises(experiment, label):
    known = (experiment, label) in CHECKS
    assert known, f"no test in tests/lessons/test_trials_*.py is marked @expects({experiment!r}, {label!r})"


def test_no_test_speaks_of_a_trial_that_is_gone():
    assert set(CHECKS) <= set(TRIALS)


def test_every_kept_summary_is_of_the_present_code():
    """The others are read no more, and their runs are computed in each session."""
    dead = []
    for path in SUMMARIES.glob("*.json"):
        name, _, key = path.stem.rpartition("-")
        spec = PARTS[name].experiment.recipe(json.loads(path.read_text())["spec"])
        dead += [path.name] if run_id(name, spec) != key else []
    assert dead == [], f"{KEEP}=1 python -m pytest -n 0 tests/lessons computes them anew and removes the old ones"
