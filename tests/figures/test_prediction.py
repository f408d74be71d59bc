"""A picture hides what would answer a question, and shows guess and truth after it."""

import math

import plotly.graph_objects as go
import pytest
from plotly.subplots import make_subplots

from featdash.figures.axes import PANEL_NAME
from featdash.figures.picture import Picture, Theme
from featdash.figures.prediction import HIDDEN, UNKNOWN, Band, Prediction, with_prediction
from featdash.figures.votes import Votes

SECRET = "NTK 0.446"


def picture():
    figure = go.Figure(
        [
            go.Scatter(x=[1, 2], y=[1, 4], name="target f*"),
            go.Scatter(x=[1, 2], y=[1, 2], name="NTK", hovertemplate=SECRET),
            go.Heatmap(z=[[0.1, 0.2]], texttemplate="%{z}"),
            go.Contour(z=[[0.1, 0.2], [0.3, 0.4]]),
        ]
    )
    figure.add_annotation(text=SECRET, x=1, y=1)
    figure.add_hline(y=0.446)
    figure.update_yaxes(type="log")
    return Picture(figure, SECRET, {"NTK": [0.446]}, headline=SECRET)


def test_a_hidden_picture_gives_nothing_away_and_the_given_one_stays_whole():
    given = picture()
    narrow = {"height": 300, "annotations": [{"text": SECRET}], "shapes": [{"y0": 0.446}]}
    given.figure.update_layout(meta={"narrow": narrow})
    shown = with_prediction(given, Prediction(hidden=True), Theme("light"))
    assert (shown.alt, shown.headline, shown.table) == (HIDDEN, "", {})
    target, learned, heat, contour = shown.figure.data
    assert target.opacity is None, "the target is known before any run"
    assert (learned.opacity, learned.hoverinfo, learned.hovertemplate) == (0, "skip", None)
    assert (heat.opacity, heat.showscale, heat.texttemplate) == (0, False, "")
    assert contour.visible is False
    assert [note.text for note in shown.figure.layout.annotations] == [UNKNOWN]
    assert len(shown.figure.layout.shapes) == 0
    assert shown.figure.layout.meta["narrow"] == {"height": 300}, "nor where the stage is narrow"
    assert SECRET not in shown.figure.to_json()
    assert given.figure.data[1].opacity is None
    assert given.alt == SECRET


@pytest.mark.parametrize("axis", ["x", "y"])
def test_guess_and_truth_stand_on_the_axis_that_was_asked_about(axis):
    shown = with_prediction(picture(), Prediction(guess=0.1, truth=0.446, axis=axis), Theme("dark"))
    guess, truth = shown.figure.layout.shapes[-2:]
    assert [guess[f"{axis}0"], guess[f"{axis}1"], truth[f"{axis}0"]] == [0.1, 0.1, 0.446]
    assert (guess.line.dash, truth.line.dash) == ("dot", "solid")
    first, second = shown.figure.layout.annotations[-2:]
    assert (first.text, second.text) == ("<b>your guess: 0.1</b>", "<b>measured: 0.446</b>")
    place = math.log10(0.1) if axis == "y" else 0.1  # Plotly's annotations stand on a log axis by their logarithm
    assert first[axis] == pytest.approx(place)
    assert first.font.shadow == Theme("dark").halo, "legible where a curve runs through it"


def test_a_picture_that_is_asked_nothing_is_the_same():
    given = picture()
    assert with_prediction(given, Prediction(), Theme("light")) == given


def panels():
    titles = ["before: stress 0.36", "training<br>|cos| 0.9", "width m = 1\u202f000", ""]
    figure = make_subplots(1, 4, subplot_titles=titles)
    for column in range(1, 5):
        figure.add_scatter(x=[1, 2], y=[0.36, 0.9], row=1, col=column)
    figure.add_annotation(text="NTK 0.9", x=1, xref="paper", xanchor="left", y=0.9, showarrow=False)
    figure.add_annotation(text="0.36", x=1, y=0.36, showarrow=False, yanchor="bottom")
    figure.add_annotation(text="d = 60", name=PANEL_NAME, x=1, xref="x4 domain", y=1, yref="y4 domain", showarrow=False)
    return Picture(figure, "", {})


def test_a_hidden_picture_names_its_panels_and_tells_no_number_of_them():
    given = panels()
    shown = with_prediction(given, Prediction(hidden=True), Theme())
    words = [note.text for note in shown.figure.layout.annotations]
    assert words == ["before", "training", "width m = 1\u202f000", "d = 60", *[UNKNOWN] * 4], (
        "a width is a setting, known before any run"
    )
    assert given.figure.layout.annotations[0].text == "before: stress 0.36"


@pytest.mark.parametrize(("guess", "end"), [(50.0, 10.0), (0.01, 0.1)])
@pytest.mark.parametrize(("axis", "arrows"), [("y", "↓↑"), ("x", "←→")])
@pytest.mark.parametrize("kind", ["log", "linear"])
def test_a_guess_off_the_axis_stands_at_its_edge_with_its_number(guess, end, axis, arrows, kind):
    given = picture()
    ends = (0.1, 10.0) if kind == "linear" else (-1.0, 1.0)
    given.figure.update_layout({f"{axis}axis": {"type": kind, "range": ends}})
    shown = with_prediction(given, Prediction(guess=guess, axis=axis), Theme())
    line, note = shown.figure.layout.shapes[-1], shown.figure.layout.annotations[-1]
    assert line[f"{axis}0"] == line[f"{axis}1"] == pytest.approx(end)
    assert note[axis] == pytest.approx(end if kind == "linear" else math.log10(end))
    assert f"your guess: {guess:g}" in note.text
    assert [arrow for arrow in arrows if arrow in note.text] == [arrows[guess > end]]


def test_words_at_upright_lines_stand_one_above_the_other_however_near():
    shown = with_prediction(picture(), Prediction(guess=1.0, truth=1.01, axis="x"), Theme())
    guess, truth = shown.figure.layout.annotations[-2:]
    assert (guess.y, guess.yanchor) == (truth.y, truth.yanchor)
    assert truth.yshift - (guess.yshift or 0) > Theme().text + 1


BANDS = (Band("few", None, 0.1), Band("some", 0.1, 1.0), Band("many", 1.0, None))


@pytest.mark.parametrize("axis", ["x", "y"])
def test_ranges_to_choose_from_tile_the_axis_and_only_the_chosen_one_stays(axis):
    given = picture()
    given.figure.update_layout({f"{axis}axis": {"type": "log", "range": [-2, 1]}})
    asked = with_prediction(given, Prediction(True, axis=axis, bands=BANDS, choice=1, asks=True), Theme("light"))
    shapes = asked.figure.layout.shapes
    assert set(places_of_ranges(asked)) == {("x domain", "y") if axis == "y" else ("x", "y domain")}
    assert [end for one in shapes for end in (one[f"{axis}0"], one[f"{axis}1"])] == (
        pytest.approx([0.01, 0.1, 0.1, 1, 1, 10])
    )
    assert shapes[1].opacity > shapes[0].opacity == shapes[2].opacity
    assert asked.figure.layout.meta["guess"] == {"axis": axis, "bands": [0.1, 1.0]}
    assert [one.text[-4:] for one in asked.figure.layout.annotations] == [" few", "some", "many"]
    shown = with_prediction(given, Prediction(axis=axis, bands=BANDS, choice=1), Theme("light"))
    (kept,) = [one for one in shown.figure.layout.shapes if one.name == "guess"]
    assert (kept[f"{axis}0"], kept[f"{axis}1"]) == pytest.approx((0.1, 1))
    assert shown.figure.layout.meta is None, "nothing more is asked"


@pytest.mark.parametrize("axis", ["x", "y"])
def test_what_a_class_chose_stands_on_the_ranges_of_the_axis(axis):
    given = picture()
    given.figure.update_layout({f"{axis}axis": {"type": "log", "range": [-2, 1]}})
    votes = Votes(tuple(band.text for band in BANDS), ((6, 3, 1), (2, 8, 0)), (0, 1), right=BANDS[1].text)
    shown = with_prediction(given, Prediction(axis=axis, bands=BANDS, votes=votes), Theme("light"))
    bars = [one for one in shown.figure.layout.shapes if one.name == "votes"]
    along = "y" if axis == "x" else "x"
    lengths = [abs(bar[f"{along}1"] - bar[f"{along}0"]) for bar in bars]
    counts = [6, 2, 3, 8, 1, 0]  # both rounds of each range
    assert lengths == pytest.approx([max(lengths) * count / 8 for count in counts])
    ranges = [(0.01, 0.1), (0.1, 1), (1, 10)]
    for index, bar in enumerate(bars):
        low, high = ranges[index // 2]
        assert low < bar[f"{axis}0"] < bar[f"{axis}1"] < high
    words = [note.text for note in shown.figure.layout.annotations if note.name in ("guess", "votes")]
    assert [word for word in words if word.startswith("<b>✓")] == [f"<b>✓ </b>  {BANDS[1].text}"]
    assert {"<b>2</b>", "<b>8</b>", "<b>0</b>"} <= set(words)
    assert "The class gave 11 answers: «few» 2, «some» 8, «many» 0, «not sure» 1; right is «some»" in shown.alt


def places_of_ranges(shown):
    """The axes that each range is drawn on, horizontal and vertical."""
    return [(one.xref, one.yref) for one in shown.figure.layout.shapes if one.name == "guess"]


def test_each_panel_of_the_axis_that_is_asked_about_has_its_ranges_and_their_words():
    given = panels()
    given.figure.update_yaxes(range=[0, 2])
    given.figure.layout.yaxis4.range = [0, 9]
    asked = with_prediction(given, Prediction(True, bands=BANDS, asks=True), Theme())
    notes = [note for note in asked.figure.layout.annotations if note.name == "guess"]
    assert {note.xref for note in notes} == {"x domain", "x2 domain", "x3 domain"}
    assert [(note.text[-4:], note.yref) for note in notes[:3]] == [(" few", "y"), (" few", "y2"), (" few", "y3")]
    assert places_of_ranges(asked) == 3 * [("x domain", "y"), ("x2 domain", "y2"), ("x3 domain", "y3")]
    chosen = with_prediction(given, Prediction(bands=BANDS, choice=1), Theme())
    assert places_of_ranges(chosen) == [("x domain", "y"), ("x2 domain", "y2"), ("x3 domain", "y3")]
    assert [note.text for note in chosen.figure.layout.annotations if note.name == "guess"] == [
        "<b>your guess:<br>some</b>"
    ]


def test_words_of_a_low_range_at_the_end_of_its_axis_stay_inside():
    given = picture()
    given.figure.update_layout(height=300, yaxis={"type": "linear", "range": [0, 1.04]})
    bands = (Band("low", None, 0.02), Band("wide", 0.02, 1.0), Band("high", 1.0, None))
    asked = with_prediction(given, Prediction(True, bands=bands, asks=True), Theme())
    places = [(note.y, note.yanchor) for note in asked.figure.layout.annotations]
    assert places == [(0, "bottom"), (pytest.approx(0.51), "middle"), (1.04, "top")]


def test_a_picture_without_a_fixed_axis_gets_no_ranges():
    assert not with_prediction(picture(), Prediction(True, bands=BANDS, asks=True), Theme("light")).figure.layout.shapes
