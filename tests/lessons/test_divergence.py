"""A run that lost what it had learned says so in a sentence, in its summary and on the page; no other run does."""

import pytest
from app_pages import press, words
from trial_runs import PARTS, computed

SMALL = {"d": 60, "D": 30, "n": 1000, "holdout": 300, "test": 300, "m": 40}
TINY = {"d": 8, "width": 30, "steps": 300}


def summary_of(experiment, settings):
    return computed(experiment, PARTS[experiment].experiment.spec(**settings)).summary


@pytest.mark.parametrize(
    ("experiment", "settings", "said"),
    [
        ("emergence", {**SMALL, "steps": 60, "rate": 1000.0}, "With structured inputs: The minibatch phase diverged"),
        ("digits", {"rate": 1000.0, "steps": 40, "first_output": 1000.0}, "All neurons were zero on every sample"),
        ("recovery", {**TINY, "n": 12, "eta": 1.0, "skip_stage_2": True}, "above the 0.23 of predicting 0"),
    ],
)
def test_a_run_that_lost_what_it_had_learned_says_so_with_a_remedy(experiment, settings, said):
    note = summary_of(experiment, settings)["note"]
    assert said in note
    assert "; raise" in note or "lower" in note
    assert "\n" not in note


@pytest.mark.parametrize(
    ("experiment", "settings"),
    [("emergence", {**SMALL, "steps": 60}), ("digits", {"steps": 2}), ("recovery", TINY)],
)
def test_a_run_that_did_not_has_no_note(experiment, settings):
    assert "note" not in summary_of(experiment, settings)


def test_the_page_shows_the_sentence(visit):
    app, said = visit("pages/recovery.py"), "The run ended at a loss of"
    assert said not in words(app)
    app = visit("pages/recovery.py", app, **{name: str(one) for name, one in TINY.items()}, n="12", skip_stage_2="true")
    assert said in words(press(app, "Run recovery"))
