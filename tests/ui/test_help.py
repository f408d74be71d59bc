"""Every setting of every lesson has a help sentence that says more than its label."""

import dataclasses
import re

import pytest
from trial_runs import PARTS

from featdash.lessons import PAGES

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


@pytest.mark.parametrize("name", PARTS)
def test_every_control_of_a_page_has_help(visit, name):
    """Those in the column and those of the view."""
    page = next(page for page, names in PAGES.items() if name in names)
    app = visit(f"pages/{page}.py", mode="explore", part=name)
    kinds = ("toggle", "selectbox", "multiselect", "number_input", "select_slider", "slider", "text_input")
    controls = [control for kind in kinds for control in app.get(kind)]
    assert len(controls) >= 3
    assert [control.label for control in controls if not control.help] == []
