"""Pictures at the stops of sliders: told by differences, and whole again when these are applied."""

import copy
import json

from hypothesis import given
from hypothesis import strategies as st

from featdash.export.slider import FilePicture, changes, content, describe

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats(allow_nan=False, allow_infinity=False) | st.text("ab"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
    max_leaves=12,
)
TREES = st.dictionaries(st.text("abc", max_size=2), VALUES, max_size=4)


def applied(rest, found):
    """As the script of the file does it."""
    whole = copy.deepcopy(rest)
    for path, *value in found:
        place = whole
        for key in path[:-1]:
            place = place[key]
        if value:
            place[path[-1]] = value[0]
        else:
            del place[path[-1]]
    return whole


@given(TREES, TREES)
def test_changes_lead_from_one_picture_to_the_other(old, new):
    found = json.loads(json.dumps(list(changes(old, new))))
    assert json.dumps(applied(old, found), sort_keys=True) == json.dumps(new, sort_keys=True)


@given(TREES)
def test_what_is_equal_needs_no_change(tree):
    assert list(changes(tree, copy.deepcopy(tree))) == []


def picture(height, alt="A line."):
    figure = {"data": [{"type": "scatter", "x": [0, 1], "y": [0, height]}], "layout": {"height": 100}}
    return content({"figure": figure, "alt": alt}, {"y": [0, height, None, "text"]})


def test_a_stop_that_moves_nothing_is_not_kept():
    shown = FilePicture("line", picture(1.0), {(0, 1): picture(1.0), (1, 0): picture(2.0), (1, 1): picture(1.0, "So.")})
    kept = describe(shown)
    assert set(kept["at_stops"]) == {"1,0", "1,1"}
    assert kept["at_stops"]["1,1"] == [[["alt"], "So."]]
    assert applied(kept["rest"], kept["at_stops"]["1,0"]) == picture(2.0)


def test_a_table_has_six_digits_and_keeps_what_is_no_number():
    assert picture(1 / 3)["table"] == {"y": [0, 0.333333, None, "text"]}
