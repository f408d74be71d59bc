"""What a question may be, and what counts as an answer to it."""

import pytest
from class_rooms import CHOICE, NUMBER, ORDER
from hypothesis import given
from hypothesis import strategies as st

from featdash.classroom.question import OPTION_BYTES, Question, parse_answer
from featdash.classroom.refusal import BadValue


@pytest.mark.parametrize(
    ("question", "value", "kept"),
    [
        (CHOICE, "NTK", "NTK"),
        (CHOICE, None, None),
        (ORDER, ["c", "a", "b"], ("c", "a", "b")),
        (ORDER, ("a", "b", "c"), ("a", "b", "c")),
        (NUMBER, 10, 10.0),
        (NUMBER, 1000.0, 1000.0),
        (NUMBER, None, None),
    ],
)
def test_an_answer_to_the_question_is_taken(question, value, kept):
    assert parse_answer(question, value) == kept
    assert type(parse_answer(question, value)) is type(kept)


@pytest.mark.parametrize(
    ("question", "value"),
    [
        *[(CHOICE, value) for value in ("ntk", "", 0, 1.5, True, ["NTK"], {"NTK": 1}, "<b>NTK</b>")],
        *[(ORDER, value) for value in ("abc", ["a", "b"], ["a", "b", "b"], ["a", "b", 3], [["a"], "b", "c"], {"a": 1})],
        *[(NUMBER, value) for value in (9.99, 1001, "20", True, float("nan"), float("inf"), 10**400, [20], {})],
    ],
)
def test_what_is_no_answer_is_refused_in_one_sentence(question, value):
    with pytest.raises(BadValue, match=r"^The answer must [^.]+( from 10 to 1000)?; [a-z ]+\.$"):
        parse_answer(question, value)


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(), st.lists))
def test_any_value_is_kept_as_an_answer_or_refused(value):
    for question in (CHOICE, ORDER, NUMBER):
        try:
            kept = parse_answer(question, value)
        except BadValue:
            continue
        assert kept is None or kept in question.options or question.low <= kept <= question.high


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({"kind": "essay"}, "kind must be one of choice, order, number"),
        ({"id": " "}, "must have an id and a prompt"),
        ({"prompt": ""}, "must have an id and a prompt"),
        ({"prompt": "x" * 2001}, "prompt must have at most 2000"),
        ({"id": "x" * 101}, "id must have at most 100"),
        ({"options": ("a",)}, "options must be 2 to 12 different"),
        ({"options": tuple("abcdefghijklm")}, "options must be 2 to 12 different"),
        ({"options": ("a", "a")}, "options must be 2 to 12 different"),
        ({"options": ("a", " ")}, "options must be 2 to 12 different"),
        ({"options": ("é" * (OPTION_BYTES // 2), "b")}, f"at most {OPTION_BYTES} bytes"),
        ({"kind": "number", "low": 1.0, "high": 1.0}, "low < high"),
        ({"kind": "number", "low": 1.0, "high": float("inf")}, "low < high"),
        ({"kind": "number", "low": 0.0, "log": True}, "low must be > 0"),
        ({"kind": "number", "unit": "x" * 41}, "unit must have at most 40"),
    ],
)
def test_what_is_no_question_is_refused(change, rule):
    about = {"id": "q", "kind": "choice", "prompt": "?", "options": ("a", "b")}
    with pytest.raises(ValueError, match=rule):
        Question(**{**about, **change})
