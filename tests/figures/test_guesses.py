"""A class's guesses stand on the picture's own axis, both rounds, whatever was guessed."""

import math

import plotly.graph_objects as go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from featdash.figures.guessed_number import guessed_number
from featdash.figures.guesses import BINS, DEPTH, FULL, PALE, Guesses, bin_counts, draw_guesses, ends_of, guesses_line
from featdash.figures.picture import Picture, Theme
from featdash.figures.prediction import Prediction, with_prediction
from featdash.figures.votes import RIGHT, Votes, votes_picture

LOOK = Theme("light")


def figure(kind="log", ends=(-2.0, 0.0)):
    drawn = go.Figure(go.Scatter(x=[1, 2], y=[0.1, 0.5]))
    drawn.update_yaxes(type=kind, range=ends)
    drawn.update_xaxes(type=kind, range=ends)
    return drawn


def guesses(*rounds, low=0.01, high=1.0, unsure=None):
    return Guesses(tuple(map(tuple, rounds)), unsure or (0,) * len(rounds), low, high, True)


def drawn(values, axis="y", kind="log", ends=(-2.0, 0.0)):
    picture = figure(kind, ends)
    draw_guesses(picture, values, axis, LOOK)
    return picture


def lengths(picture, opacity, axis="y"):
    along = "x" if axis == "y" else "y"
    bars = [shape for shape in picture.layout.shapes if shape.opacity == opacity]
    return [bar[f"{along}1"] - bar[f"{along}0"] for bar in bars]


@pytest.mark.parametrize("axis", ["x", "y"])
@pytest.mark.parametrize("kind", ["log", "linear"])
def test_a_guess_stands_where_its_value_is_on_the_axis(axis, kind):
    ends = (-2.0, 0.0) if kind == "log" else (0.0, 1.0)
    (bar,) = drawn(guesses([0.446]), axis, kind, ends).layout.shapes
    assert bar[f"{axis}0"] <= 0.446 <= bar[f"{axis}1"]
    assert bar[f"{axis}ref"] == axis
    place = (lambda value: math.log10(value)) if kind == "log" else float
    assert place(bar[f"{axis}1"]) - place(bar[f"{axis}0"]) == pytest.approx((ends[1] - ends[0]) / BINS)


def test_the_first_round_is_pale_and_the_last_one_full_and_slimmer():
    picture = drawn(guesses([0.1, 0.1, 0.5], [0.5, 0.5, 0.5]))
    assert sorted({shape.opacity for shape in picture.layout.shapes}) == [PALE, FULL]
    assert sum(lengths(picture, PALE)) == pytest.approx(DEPTH * 3 / 5)
    assert sum(lengths(picture, FULL)) == pytest.approx(DEPTH * 3 / 5)
    pale, full = (next(one for one in picture.layout.shapes if one.opacity == kind) for kind in (PALE, FULL))
    assert math.log10(full.y1 / full.y0) < math.log10(pale.y1 / pale.y0)


def test_a_single_round_is_full():
    assert {shape.opacity for shape in drawn(guesses([0.1, 0.3])).layout.shapes} == {FULL}


def test_all_the_same_value_is_one_bar_of_full_length():
    (length,) = lengths(drawn(guesses([0.3] * 40)), FULL)
    assert length == pytest.approx(DEPTH)


def test_one_guess_alone_is_no_wall():
    (length,) = lengths(drawn(guesses([0.3])), FULL)
    assert length < DEPTH / 4


@pytest.mark.parametrize("rounds", [[()], [(), ()], [(), (0.3,)], [(0.3,), ()]])
def test_rounds_that_nobody_or_one_phone_answered_are_drawn_as_they_are(rounds):
    picture = drawn(guesses(*rounds))
    assert len(picture.layout.shapes) == sum(map(len, rounds))
    assert guesses_line(guesses(*rounds)).startswith(f"The class made {'one guess' if rounds[-1] else 'no guesses'}")


def test_what_lies_beyond_the_axis_is_counted_at_its_ends_and_moves_nothing():
    picture = drawn(guesses([0.001, 0.001, 5.0, 0.1], low=1e-9, high=100))
    assert len(picture.layout.shapes) == 1
    assert [one.text for one in picture.layout.annotations] == ["<b>↓ 2</b>", "<b>↑ 1</b>"]
    assert picture.layout.yaxis.range == (-2.0, 0.0)


def test_a_picture_without_a_range_takes_that_of_the_question():
    bare = go.Figure(layout={"yaxis": {"type": "log"}})
    assert ends_of(bare, guesses([0.1]), "y") == (-2.0, 0.0)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.lists(st.integers(-4000, 4000).map(lambda thousandths: thousandths / 1000)), st.booleans())
def test_no_guess_is_lost_or_counted_twice(values, log):
    counts = bin_counts(values, (-2.0, 0.0), log)
    inside = [value for value in values if (0.01 <= value <= 1 if log else -2 <= value <= 0)]
    assert sum(counts) == len(inside)


def test_guesses_are_told_beside_the_finding_and_the_curves_keep_their_places():
    given_picture = Picture(figure(), "It ends at 0.446.", {})
    asked = Prediction(False, None, 0.446, "y", guesses([0.1], [0.4, 0.5, 0.5], unsure=(2, 1)))
    shown = with_prediction(given_picture, asked, LOOK)
    assert shown.alt == (
        "It ends at 0.446. The class made 3 guesses, half of them up to 0.5 (0.1 before talking), one was not sure."
    )
    assert not given_picture.figure.layout.shapes
    assert shown.figure.data[0].y == given_picture.figure.data[0].y
    assert shown.figure.layout.shapes[-1].line.dash == "solid", "the truth is drawn over the guesses"


def test_votes_are_counted_by_option_and_the_right_one_is_marked_by_more_than_colour():
    votes = Votes(("few", "many"), ((3, 1), (1, 4)), (2, 0), "many")
    picture = votes_picture(votes, "What the class said", LOOK)
    first, last = picture.figure.data
    assert list(first.y) == ["few", f"<b>{RIGHT}many</b>", "not sure"]
    assert (list(first.x), list(last.x)) == ([3, 1, 2], [1, 4, 0])
    assert (first.marker.opacity, last.marker.opacity) == (PALE, FULL)
    told = "«few» 1, «many» 4, «not sure» 0; right is «many», which 1 chose before talking"
    assert picture.alt == f"The class gave 5 answers: {told}."
    assert picture.table["round 1"] == [3, 1, 2]


def test_votes_of_nobody_and_without_an_answer_are_bars_of_nothing():
    picture = votes_picture(Votes(("A", "B"), ((0, 0),), (0,)), "What the class said", LOOK)
    assert list(picture.figure.data[0].x) == [0, 0, 0]
    assert picture.figure.layout.xaxis.range[1] > 0
    assert picture.alt == "The class gave no answers."
    assert RIGHT not in str(picture.figure.data[0].y)


def test_the_truth_is_told_above_the_bars_that_stand_on_its_axis():
    asked = Prediction(False, None, 0.446, "x", guesses([0.4, 0.5]))
    shown = with_prediction(Picture(figure(), "It ends.", {}), asked, LOOK)
    told = shown.figure.layout.annotations[-1]
    assert (told.text, told.yanchor) == ("<b>measured: 0.446</b>", "top")
    assert told.y > DEPTH


def test_a_number_without_a_picture_has_an_axis_of_its_own_with_the_truth_on_it():
    before = guessed_number(guesses([0.1, 0.3]), None, "What the class said", LOOK)
    after = guessed_number(guesses([0.1, 0.3]), 0.446, "What the class said", LOOK)
    assert before.figure.layout.xaxis.range == after.figure.layout.xaxis.range == (-2.0, 0.0)
    assert len(after.figure.layout.shapes) == len(before.figure.layout.shapes) + 1
    assert (after.figure.layout.shapes[-1].x0, after.figure.layout.shapes[-1].line.dash) == (0.446, "solid")
    assert after.table == {"round 1": [0.1, 0.3]}
