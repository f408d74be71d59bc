"""A film as the browser is told it."""

import base64

import numpy as np
import plotly.graph_objects as go
import pytest

from featdash.figures.film import Film, Until, differences, place_of


def test_numbers_are_written_in_single_precision_and_other_values_once():
    numbers = np.array([[1.0, np.nan], [2.5, 3.0]])
    changes = {("data", 0, "y"): numbers, ("layout", "title", "text"): ["a", "a"], ("data", 1): Until(np.array([1, 9]))}
    told = Film((0, 1), changes).to_mapping()
    assert told["times"] == [0, 1]
    curve, title, until = told["changes"]
    assert curve["shape"] == [2, 2]
    np.testing.assert_array_equal(np.frombuffer(base64.b64decode(curve["numbers"]), "<f4").reshape(2, 2), numbers)
    assert (title["values"], title["which"]) == (["a"], [0, 0])
    assert until["until"] == [1, 9]


def test_what_differs_between_two_figures_is_known_on_a_narrow_stage_too():
    before, after = go.Figure(go.Scatter(x=[1], y=[2])), go.Figure(go.Scatter(x=[1], y=[3]))
    for figure, words in ((before, ""), (after, "0.99")):
        figure.add_annotation(text=words)
        figure.update_layout(meta={"narrow": {"height": 300, "annotations": [{"text": words}]}})
    apart = differences(before, after)
    assert apart[("layout", "annotations", 0, "text")] == ("", "0.99")
    assert apart[("layout", "meta", "narrow", "annotations", 0, "text")] == ("", "0.99")
    assert len(apart) == 3, "those, and the height of the point"


def test_a_name_that_no_part_has_is_an_error():
    with pytest.raises(ValueError, match="missing"):
        place_of(go.Figure().add_scatter(name="there").data, "missing")
