"""Every setting of every lesson has a help sentence that says more than its label; a page's controls have theirs too,
see test_pages.py."""

import dataclasses
import re

import pytest
from trial_runs import PARTS

FIELDS = [
    pytest.param(field.metadata["label"], field.metadata["about"], id=f"{name}-{field.name}")
    for name, part in PARTS.items()
    for field in dataclasses.fields(part.experiment.spec)
]


def words(text):
    return {word.lower().removesuffix("s") for word in re.findall(r"\w+", text)}


@pytest.mark.parametrize(("label", "about"), FIELDS)
def test_the_help_of_a_setting_is_a_sentence_that_says_more_than_its_label(label, about):
    assert about.endswith((".", "..."))
    assert len(re.findall(r"\w+", about)) >= 4
    assert words(about) - words(label)
