"""Every picture's sentence is true of any numbers it is given, and whatever can be pointed at says what it is."""

import importlib
import inspect
import math
import pkgutil

import picture_cases  # noqa: F401 - its modules register the cases
import pytest
from alt_claims import heads_well, hovers, names_the_lowest, near, reads, reads_well, told_apart
from alt_claims import value as number_in
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from picture_case import CASES

from featdash import figures, lessons
from featdash.figures.picture import METHODS, Picture
from featdash.figures.text import (
    MINUS,
    count_noun,
    course,
    join_words,
    lowest,
    number,
    quote_number,
    trend,
    with_decimals,
)


def public_pictures():
    """Every public function of the drawing kit and of the lessons' pictures that returns a picture."""
    for package in (figures, lessons):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if package is lessons and "pictures" not in module.name.split("."):
                continue
            for name, function in vars(importlib.import_module(module.name)).items():
                mine = inspect.isfunction(function) and function.__module__ == module.name
                if mine and "picture" in inspect.signature(function).parameters:
                    continue  # it changes one that is drawn
                if mine and not name.startswith("_") and function.__annotations__.get("return") in ("Picture", Picture):
                    yield function


PICTURES = list(public_pictures())
LABELS = [style.label for style in METHODS.values()]
REALS = st.floats(-1e300, 1e300)


def test_every_picture_is_fed_adverse_numbers():
    missing = sorted(function.__name__ for function in set(PICTURES) - set(CASES))
    assert not missing, f"{', '.join(missing)}: a picture without a case in tests/toys/picture_cases/"
    assert len(PICTURES) > 40


@pytest.mark.parametrize("function", PICTURES, ids=lambda function: function.__name__)
@settings(
    max_examples=6,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
    phases=[Phase.generate],  # shrinking would draw a failing picture hundreds of times
)
@given(data=st.data())
def test_the_sentence_is_true_of_any_numbers(function, data):
    picture = CASES[function](data.draw)
    reads_well(picture.alt)
    heads_well(picture.headline)
    hovers(picture.figure)
    told_apart(picture.figure)


@settings(derandomize=True, database=None)
@given(REALS, st.integers(1, 5))
def test_numbers_read_as_they_are_and_never_as_zero(value, decimals):
    assert reads(quote_number(value, decimals), value, decimals)
    assert reads(number(value), value, None)
    assert (quote_number(value) == "0") == (value == 0)
    printed = with_decimals(value, decimals)
    assert abs(number_in(printed) - value) <= 0.5 * 10.0**-decimals + 1e-9 * abs(value)
    assert printed.startswith(MINUS) == (number_in(printed) < 0), "no minus sign before zeros"
    for text in (number(value), quote_number(value, decimals), printed):
        assert "-" not in text, "a minus sign, no hyphen"


@settings(derandomize=True, database=None)
@given(REALS, REALS)
def test_a_curve_goes_where_its_ends_are(first, last):
    verb = trend(first, last)
    assert (verb == "stays") == (quote_number(first) == quote_number(last))
    assert verb != "rises" or last > first
    assert verb != "falls" or last < first
    assert course(first, last).startswith(verb)


@settings(derandomize=True, database=None)
@given(st.dictionaries(st.sampled_from(LABELS), st.sampled_from((0.0, 1e-300, 0.5, 0.5001, 1e300, math.nan)) | REALS))
def test_the_lowest_is_the_lowest(values):
    names_the_lowest(f"It is so{lowest(values)}.", values)


def test_counts_and_lists_are_english():
    assert [count_noun(count, "pair", "pairs") for count in (0, 1, 2)] == ["no pairs", "one pair", "2 pairs"]
    assert [join_words(items) for items in ((), ("A",), ("A", "B"), ("A", "B", "C"))] == [
        "",
        "A",
        "A and B",
        "A, B and C",
    ]


def test_a_headline_can_fail():
    for wrong in ("It ends.", "it ends", "The loss is nan", "It says " + "more and " * 10 + "more"):
        with pytest.raises(AssertionError):
            heads_well(wrong)
    heads_well("")


@pytest.mark.parametrize(
    ("sentence", "well"),
    [
        ("The error falls from 0.2 to 0.1.", True),
        ("The error is .", False),
        ("It overshoots by -0.029.", False),
        ("The risks are: NTK ; linear.", False),
        ("The slope is -0.00.", False),
        ("The median is nan.", False),
        ("After 1 steps it is 3.", False),
        ("with 3 samples it is 3.", False),
        ("It holds 1 samples.", False),
    ],
)
def test_the_grammar_can_fail(sentence, well):
    if well:
        reads_well(sentence)
    else:
        with pytest.raises(AssertionError):
            reads_well(sentence)
    assert near(1.0, 1.0)
