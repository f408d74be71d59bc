"""A film along an axis, against the figure that it is made of: what lies beyond the place is not there yet."""

import numpy as np
import plotly.graph_objects as go
import pytest

from featdash.figures.film import Until
from featdash.figures.growth import END_NUMBER, growing_film
from featdash.figures.picture import Theme, blank

X = [1.0, 10.0, 100.0]
TIMES = (0.0, 0.5, 1.0)


@pytest.fixture
def figure():
    drawn = blank(Theme(), 300, "Title")
    drawn.add_scatter(x=X, y=[4.0, 2.0, 1.0], mode="lines+markers", name="curve")
    drawn.add_scatter(x=[*X, *X[::-1]], y=[5.0, 3.0, 2.0, 0.5, 1.0, 3.0], fill="toself", mode="lines", name="band")
    drawn.add_scatter(x=[1, 100], y=[4, 1], mode="lines", name="curve, fit")
    drawn.add_scatter(x=X, y=[3.0, 3.0, 3.0], mode="lines", name="predicted")
    drawn.add_bar(x=X, y=[1.0, 2.0, 3.0], name="bars")
    drawn.add_scatter(x=[100.0, 1.0, 10.0], y=[7.0, 8.0, 9.0], mode="markers", name="points")
    drawn.update_yaxes(range=[0, 10])
    place = {"x": 1, "xref": "paper", "xanchor": "left", "y": 1.0, "showarrow": False}
    drawn.add_annotation(text="<b>curve</b> 1.0", **place)
    return drawn


def test_what_lies_beyond_the_place_is_not_there_yet(figure):
    film = growing_film(figure, TIMES, still=("predicted",))
    assert film.times == TIMES
    assert isinstance(film.changes["data", 0], Until)
    np.testing.assert_allclose(film.changes["data", 0].places, X)
    np.testing.assert_array_equal(film.changes["data", 4, "y"], [[1, 0, 0], [1, 2, 0], [1, 2, 3]])
    np.testing.assert_array_equal(film.changes["data", 5, "y"], [[np.nan, 8, np.nan], [np.nan, 8, 9], [7, 8, 9]])
    assert film.changes["data", 2, "visible"] == [False, False, True], "a fit comes at the end"
    assert not any(path[:2] == ("data", 3) for path in film.changes), "a prediction stands still"


def test_a_band_grows_as_its_curve_does_and_any_other_area_stands_still(figure):
    np.testing.assert_allclose(growing_film(figure, TIMES).changes["data", 1].places, X)
    figure.data[1].x = [1.0, 100.0, 10.0, 10.0, 100.0, 1.0]
    assert ("data", 1) not in growing_film(figure, TIMES).changes


def test_a_name_goes_with_its_curve_and_has_its_number_at_the_end(figure):
    changes = growing_film(figure, TIMES).changes
    np.testing.assert_array_equal(changes["layout", "annotations", 0, "y"], [4, 2, 1])
    assert changes["layout", "annotations", 0, "text"] == ["<b>curve</b>", "<b>curve</b>", "<b>curve</b> 1.0"]


def test_the_name_of_what_stands_still_gives_way_to_one_that_comes_by(figure):
    place = {"x": 1, "xref": "paper", "xanchor": "left", "showarrow": False}
    for height in (2.0, 8.0):
        figure.add_annotation(text="predicted 2", y=height, **place)
    changes = growing_film(figure, TIMES, still=("predicted",)).changes
    curve, near, far = (changes["layout", "annotations", index, "yshift"] for index in range(3))
    assert abs(near[1] - curve[1]) > 12, "at the second moment the curve is just there"
    assert not np.any(far)
    assert ("layout", "annotations", 1, "y") not in changes
    assert ("layout", "annotations", 1, "text") not in changes


@pytest.mark.parametrize(
    ("text", "name"),
    [("NTK 0.446", "NTK"), ("N = 100", "N = 100"), ("go on 1.9·10⁻⁸", "go on"), ("nearest ≥ 0.999", "nearest")],
)
def test_a_names_number_is_what_was_measured(text, name):
    assert END_NUMBER.sub("", text) == name


def test_the_cells_of_a_map_fill_column_by_column_whether_their_middles_or_their_edges_are_given():
    z = np.arange(6.0).reshape(2, 3)
    for x in ([0, 1, 2], [-0.5, 0.5, 1.5, 2.5]):
        figure = go.Figure(blank(Theme(), 300, "Title")).add_heatmap(x=x, z=z)
        figure.add_scatter(x=[0.1, 0.9, 2.1], y=[5.0, 5.0, 5.0], mode="text", text=["a", "b", "c"])
        figure.add_scatter(x=[0.1, 0.9, 2.1], y=[5.0, 5.0, 5.0], mode="markers")
        changes = growing_film(figure, TIMES).changes
        for trace in (1, 2):  # what stands in a cell comes with it, wherever in the cell it stands
            np.testing.assert_array_equal(np.isfinite(changes["data", trace, "y"]), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
        if len(x) == 3:  # middles: whole cells appear
            shown = changes["data", 0, "z"]
            np.testing.assert_array_equal(np.isfinite(shown).all(axis=1), [[1, 0, 0], [1, 1, 0], [1, 1, 1]])
            np.testing.assert_array_equal(shown[-1], z)
        else:  # edges: the cells grow with their edge, as a curve does
            np.testing.assert_array_equal(changes["data", 0].places, [0.5, 1.5, 2.5])


def test_panels_of_one_range_share_their_places_and_others_have_their_own():
    figure = blank(Theme(), 300, "Title")
    for name, x in (("x", X), ("x2", X[:2]), ("x3", [5.0, 6.0])):
        figure.add_scatter(x=x, y=x, mode="lines+markers", xaxis=name)
    figure.update_layout(xaxis={"range": [0, 100]}, xaxis2={"range": [0, 100]}, xaxis3={"range": [0, 10]})
    changes = growing_film(figure, TIMES).changes
    places = [changes["data", index].places.tolist() for index in range(3)]
    assert places == [X, X, [5.0, 5.5, 6.0]]


def test_a_picture_without_measured_places_has_no_film():
    assert growing_film(blank(Theme(), 300, "Title").add_scatter(x=X, y=X, mode="lines"), TIMES) is None


def test_a_moment_may_stand_elsewhere_than_at_a_measured_place_and_elsewhere_on_each_curve():
    figure = blank(Theme(), 300, "Title")
    for name, x in (("a", X), ("b", [2.0, 20.0, 200.0])):
        figure.add_scatter(x=x, y=x, mode="lines+markers", name=name)
    asked = growing_film(figure, TIMES, places=[1.0, 50.0, 200.0]).changes
    assert [asked["data", index].places.tolist() for index in range(2)] == [[1, 50, 200]] * 2
    own = growing_film(figure, TIMES, each=True).changes
    assert [own["data", index].places.tolist() for index in range(2)] == [X, [2, 20, 200]]
