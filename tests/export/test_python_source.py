"""Python that makes a value again, with the imports that it needs."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from taken_runs import LESSONS

from featdash.export.notebook import Source

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3).map(tuple),
)


@dataclass(frozen=True)
class Inner:
    text: str
    ends: tuple = ()


@dataclass(frozen=True)
class Outer:
    inner: Inner
    t: float = math.inf


def again(value):
    """The value from its source, in a namespace that holds its imports alone."""
    source, names = Source(), {}
    text = source.expression(value)
    exec(source.imports(), names)
    return eval(text, names)


@given(PLAIN)
def test_plain_values_come_back(value):
    assert again(value) == value


@given(st.text(), PLAIN)
def test_dataclasses_come_back_with_line_breaks_and_quotes_in_their_text(text, ends):
    assert again(Outer(Inner(text, (ends,)))) == Outer(Inner(text, (ends,)))


@pytest.mark.parametrize("name", LESSONS)
def test_the_recipe_of_every_lesson_comes_back(name):
    spec = LESSONS[name].experiment.spec()
    assert again(spec) == spec


@pytest.mark.parametrize("value", [np.float64(1.0), np.arange(3), {"a": 1}, [1]])
def test_what_is_not_plain_is_refused_in_one_sentence(value):
    with pytest.raises(ValueError, match=r"plain values only, got a \w+; make it a dataclass$"):
        Source().expression(value)
