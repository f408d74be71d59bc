"""A film, against the figures that it is made of: at each moment a browser has just what was drawn."""

import base64
import copy

import numpy as np
import plotly.graph_objects as go
import pytest

from featdash.figures.film import Film, Until, film_of, place_of

TIMES = (0.0, 0.25, 1.0)


def moment(index, extra=False, names=("a", "b")):
    figure = go.Figure(layout={"title": {"text": f"moment {index}"}, "yaxis": {"range": [0, index + 1]}})
    for name in names:
        figure.add_scatter(x=[0, 1, 2], y=[index, 2 * index, None], name=name, marker={"color": ["red", "blue", "red"]})
    if extra:
        figure.add_bar(x=[1], y=[index], name="late")
    figure.add_annotation(text=f"n = {index}", x=0, y=index)
    return figure


def shown_at(base, film, index):
    """The figure that film.js makes of it at a moment, written anew."""
    figure = copy.deepcopy(base.to_plotly_json())
    for path, values in film.changes.items():
        place = figure
        for name in path[:-1]:
            place = place[name]
        value = values[index]
        place[path[-1]] = np.asarray(value).tolist() if isinstance(values, np.ndarray) else value
    return figure


@pytest.mark.parametrize("index", range(3))
def test_the_film_of_drawn_figures_shows_each_of_them(index):
    figures = [moment(one, extra=one == 2) for one in range(3)]
    base, film = film_of(figures, TIMES)
    shown, drawn = shown_at(base, film, index), figures[index].to_plotly_json()
    visible = [trace for trace in shown["data"] if trace.get("visible") is not False]
    assert [trace["name"] for trace in visible] == [trace["name"] for trace in drawn["data"]]
    for trace, wanted in zip(visible, drawn["data"], strict=True):
        np.testing.assert_array_equal(np.array(trace["y"], float), np.array(wanted["y"], float))
        assert tuple(trace["x"]) == tuple(wanted["x"])
    assert shown["layout"]["title"]["text"] == f"moment {index}"
    assert shown["layout"]["annotations"][0]["text"] == f"n = {index}"
    assert shown["layout"]["annotations"][0]["y"] == index


def test_an_axis_holds_the_ranges_of_all_moments_and_stands_still():
    base, film = film_of([moment(one) for one in (2, 0, 1)], TIMES)
    assert tuple(base.layout.yaxis.range) == (0, 3)
    assert not any("yaxis" in path for path in film.changes)


def test_what_stands_still_is_in_no_film():
    base, film = film_of([moment(1)] * 3, TIMES)
    assert film.changes == {}
    assert base.layout.title.text == "moment 1"


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


def test_a_name_that_no_part_has_is_an_error():
    with pytest.raises(ValueError, match="missing"):
        place_of(moment(0).data, "missing")
