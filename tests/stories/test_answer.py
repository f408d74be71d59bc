"""Answers are read from a run's summary."""

import pytest

from featdash.stories.answer import is_right, sentence_of, truth
from featdash.stories.story import Option, Question

SUMMARY = {
    "methods": {
        "algorithm1": {"excess_risk": 0.06, "lam": 0.1},
        "random_features": {"excess_risk": 0.5, "lam": None},
        "ntk": {"excess_risk": 0.44, "lam": 2.0},
    },
    "risks": [0.9, 0.1],
    "done": True,
}
NAMES = (Option("NTK", "ntk"), Option("A1", "algorithm1"), Option("RF", "random_features"))
RANGES = (Option("near 0", below=0.2), Option("about a half", below=0.7), Option("near 1"))


def ask(kind, answer, options=(), says=()):
    return Question(kind, "?", answer, says, "Because.", options)


def said(question):
    return sentence_of(question, SUMMARY, lambda value, figures: f"<{value:g}, {figures}>")


@pytest.mark.parametrize(("path", "value"), [("methods.ntk.excess_risk", 0.44), ("risks.1", 0.1)])
def test_a_path_leads_to_a_number(path, value):
    question = ask("number", path)
    assert truth(question, SUMMARY) == value
    assert is_right(question, 3.0, SUMMARY) is None


def test_the_lowest_the_highest_and_the_order():
    assert truth(ask("choice", "lowest methods.*.excess_risk", NAMES), SUMMARY) == ("A1",)
    assert truth(ask("choice", "highest methods.*.excess_risk", NAMES), SUMMARY) == ("RF",)
    order = ask("order", "order methods.*.excess_risk", NAMES)
    assert truth(order, SUMMARY) == ("A1", "NTK", "RF")
    assert is_right(order, ["A1", "NTK", "RF"], SUMMARY)
    assert not is_right(order, ["NTK", "A1", "RF"], SUMMARY)


def test_those_that_are_no_option_are_left_out():
    two = (Option("NTK", "ntk"), Option("RF", "random_features"))
    assert truth(ask("choice", "lowest methods.*.excess_risk", two), SUMMARY) == ("NTK",)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "near 0"), (0.2, "about a half"), (0.44, "about a half"), (0.7, "near 1"), (9.0, "near 1")],
)
def test_a_range_is_chosen_by_the_number(value, text):
    question = ask("choice", "risk", RANGES)
    assert truth(question, {"risk": value}) == (text,)
    assert is_right(question, text, {"risk": value})


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("methods.svm.excess_risk", "got 'methods.svm.excess_risk' where 'svm' is not; known here are algorithm1"),
        ("methods.random_features.lam", "must lead to a finite number, got None"),
        ("done", "must lead to a finite number, got True"),
        ("risks.2", "where '2' is not"),
        ("methods", "must lead to a finite number"),
    ],
)
def test_a_place_that_is_not_there_is_a_sentence(answer, said):
    with pytest.raises(ValueError, match="answer must") as caught:
        truth(ask("number", answer), SUMMARY)
    assert said in str(caught.value)


def test_an_option_that_no_method_is_named_after_is_a_sentence():
    with pytest.raises(ValueError, match="got 'svm'; known are algorithm1"):
        truth(ask("choice", "lowest methods.*.excess_risk", (*NAMES, Option("SVM", "svm"))), SUMMARY)


def test_the_answer_is_the_sentence_of_the_option_that_is_right():
    says = ("Hardly any.", "About a half, {answer:1}.", "All.")
    assert said(ask("choice", "methods.ntk.excess_risk", RANGES, says)) == "About a half, <0.44, 1>."
    says = ("The NTK.", "Algorithm 1, with {methods.algorithm1.excess_risk}.", "Random features.")
    assert said(ask("choice", "lowest methods.*.excess_risk", NAMES, says)) == "Algorithm 1, with <0.06, None>."
    assert said(ask("order", "order methods.*.excess_risk", NAMES, ("{answer}.",))) == "A1, then NTK, then RF."
    formula = "It is {answer} for $\\mathbb{E} f^2$."
    assert said(ask("number", "risks.1", says=(formula,))) == "It is <0.1, None> for $\\mathbb{E} f^2$."


@pytest.mark.parametrize(
    ("sentence", "rule"),
    [
        ("{methods.svm.excess_risk}.", "got 'methods.svm.excess_risk' where 'svm' is not"),
        ("{answer}.", "a place must be one number, got '{answer}' for 'lowest methods"),
        ("{risks.1:0}.", "figures must be 1 to 6, got '{risks.1:0}'"),
        ("{done}.", "must lead to a finite number, got True"),
    ],
)
def test_a_place_of_a_sentence_that_has_no_number_is_one_sentence(sentence, rule):
    with pytest.raises(ValueError, match="must") as caught:
        said(ask("choice", "lowest methods.*.excess_risk", NAMES, (sentence,) * 3))
    assert rule in str(caught.value)
