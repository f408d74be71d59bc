"""What a page says of settings that break a rule: a sentence with the page's own names, and how a list is written."""

import dataclasses

import pytest

from featdash.lessons import EXPERIMENTS
from featdash.lessons.smoothness.lesson import SPOKEN
from featdash.lessons.smoothness.run import SPOKEN as SHAPES
from featdash.ui.kit.form import complaint

SAID = [
    ("race", {"d": 1000}, "Dimension d must be a whole number from 2 to 200, got 1000; lower Dimension d."),
    ("race", {"width": 21}, "Width m must be even for the symmetric start, got 21; use 22."),
    ("dimension", {"dims": "a"}, "Dimensions d must be numbers separated by commas, got 'a'; write them as 10, 20."),
    ("sweep", {"widths": [21]}, "Each of Widths m must be even for the symmetric start, got 21; use 22."),
    (
        "emergence",
        {"k": 15, "D": 10},
        "Relevant k must be below Patterns D = 10, got 15; lower Relevant k, or raise Patterns D.",
    ),
    (
        "recovery",
        {"r": 8, "d": 4},
        "Directions r must be from 1 to Dimension d = 4, got 8; use fewer teacher directions or raise Dimension d.",
    ),
]


def said(name, **changes):
    spec = EXPERIMENTS[name].spec
    fields = dataclasses.fields(spec)
    values = {field.name: field.default for field in fields} | changes
    return complaint(spec, values, {field.name: field.metadata["label"] for field in fields})


@pytest.mark.parametrize(("name", "changes", "sentence"), SAID)
def test_a_broken_rule_is_a_sentence_with_the_labels_of_the_page(name, changes, sentence):
    assert said(name, **changes) == sentence


def test_a_range_that_cannot_be_read_is_shown_how_it_is_written():
    assert said("sweep", seeds="[7,8]").endswith("write them as 10, 20, as 0..9 or as 10^0..5 by 1/2.")
    assert said("sweep", seeds="0..3") == ""


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_defaults_break_no_rule(name):
    assert said(name) == ""


def test_progress_and_pages_call_functions_alike():
    assert SPOKEN == SHAPES
