"""A question on the page: the guess is kept, the answer comes from the run."""

import itertools
import math
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from featdash.figures.prediction import Band, Prediction
from featdash.recipes.events import Result
from featdash.stories.story import Option, Question
from featdash.ui.story.choices import outcome_html
from featdash.ui.story.question import NOT_YET, Attempt, distance, stops_of, write_number

METHODS = {"methods": {"ntk": {"risk": 0.446}, "algorithm1": {"risk": 0.057}}}
CHOICE = Question(
    "choice",
    "How many?",
    "methods.ntk.risk",
    ("Only a few.", "There are many."),
    "For it is so.",
    options=(Option(text="few", below=0.3), Option(text="many")),
)
ORDER = Question(
    "order",
    "Who first?",
    "order methods.*.risk",
    ("First {answer}.",),
    "For it is so.",
    options=(Option(text="NTK", name="ntk"), Option(text="Algorithm 1", name="algorithm1")),
)
SAYS = ("It stops at {answer}, the other at {methods.algorithm1.risk:1}.",)
NUMBER = Question(
    "number", "Where?", "methods.ntk.risk", SAYS, "For it is so.", on="risk", low=0.03, high=1.0, log=True
)


def script(question, result):
    import streamlit as st

    from featdash.ui.story.question import Attempt

    attempt = Attempt(question, "scene")
    if attempt.answer_visible:
        attempt.draw_answer(result, plays=False)
    else:
        attempt.draw_guess()
    st.button("Show me", on_click=attempt.show, key="show")


def meet(question, result=None):
    return AppTest.from_function(script, args=(question, result or Result(METHODS, {}))).run()


def told(app):
    """The answer, in whatever colour."""
    (box,) = [*app.success, *app.info]
    return box.value


def answer_of(app):
    return app.button(key="show").click().run()


def choose(app, *texts):
    """The options one after another; the page is drawn after each."""
    for text in texts:
        next(button for button in app.button if button.label.endswith(text)).click().run()
    return app


@pytest.mark.parametrize(("guess", "mark"), [("few", "✗"), ("many", "✓"), (None, "•")])
def test_a_choice_is_told_right_or_wrong_and_no_guess_is_neither(guess, mark):
    app = meet(CHOICE)
    assert not app.success
    if guess:
        choose(app, guess)
    app = answer_of(app)
    assert told(app) == f"{mark} **There are many.** For it is so."
    assert bool(app.success) == (mark == "✓"), "a guess that is wrong does not look right"
    assert ("You said" in app.markdown[0].value) == (guess in ("few", "many"))
    assert not app.exception


def test_a_guess_counts_though_the_answer_is_asked_for_before_the_page_was_drawn_with_it():
    app = meet(NUMBER)
    app.select_slider[0].set_value(0.03)
    assert "You said: 0\\.03." in answer_of(app).markdown[0].value


def test_a_guess_stands_when_the_visitor_comes_back_to_its_scene():
    def leave_and_return(question):
        import streamlit as st

        from featdash.ui.story.question import Attempt

        if not st.toggle("elsewhere"):
            Attempt(question, "scene").draw_guess()

    def guess_of(app):
        numbers = [slider.value for slider in app.select_slider]
        return numbers or [button.label for button in app.button if button.proto.type == "primary"]

    for question in (CHOICE, ORDER, NUMBER):
        app = AppTest.from_function(leave_and_return, args=(question,)).run()
        app = (
            app.select_slider[0].set_value(0.03).run() if question is NUMBER else choose(app, question.options[0].text)
        )
        made = guess_of(app)
        app.toggle[0].set_value(True).run()
        app.toggle[0].set_value(False).run()
        assert made
        assert guess_of(app) == made
        assert not app.exception


def test_an_order_counts_when_it_is_whole_and_can_be_taken_back():
    app = choose(meet(ORDER), "NTK")
    assert told(answer_of(app)).startswith("•"), "half an order is no guess"
    app = choose(meet(ORDER), "NTK", "Algorithm 1")
    assert [button.label for button in app.button][:2] == ["1st: NTK", "2nd: Algorithm 1"]
    app = choose(app, "NTK")
    assert [button.label for button in app.button][:2] == ["NTK", "Algorithm 1"], "back to before it"
    app = answer_of(choose(app, "NTK", "Algorithm 1"))
    assert told(app) == "✗ **First Algorithm 1, then NTK.** For it is so."
    assert "You said: NTK, Algorithm 1." in app.markdown[0].value


def test_the_guess_stays_beside_the_right_option():
    assert outcome_html(CHOICE, ["few"], ["many"]).count("<li") == 2
    assert '<li class="guess">few <small>(your guess)' in outcome_html(CHOICE, ["few"], ["many"])
    assert '<li class="right">many <small>(measured)' in outcome_html(CHOICE, ["few"], ["many"])
    assert '<li class="right guess">many <small>(measured · your guess)' in outcome_html(CHOICE, ["many"], ["many"])
    both = outcome_html(ORDER, ["NTK", "Algorithm 1"], ["Algorithm 1", "NTK"])
    assert both.index("your guess") < both.index("measured")
    assert "your guess" not in outcome_html(ORDER, ["NTK"], ["Algorithm 1", "NTK"]), "half an order is no guess"


def test_a_number_is_guessed_on_its_axis_and_is_neither_right_nor_wrong():
    app = meet(NUMBER)
    app.select_slider[0].set_value(0.03).run()
    app = answer_of(app)
    assert told(app) == "• **It stops at 0.45, the other at 0.06.** For it is so. Your guess was 15 times too low."
    assert "You said: 0\\.03." in app.markdown[0].value


@pytest.mark.parametrize(
    ("value", "figures", "text"),
    [
        (208.0, None, "208"),
        (208.0, 1, "200"),
        (11_938.0, 2, "12\u202f000"),
        (0.446, None, "0.45"),
        (0.1998, 2, "0.20"),
        (0.99998, 3, "1.00"),
        (-1.012, 2, "−1.0"),
        (26.9, 2, "27"),
        (1.95e-8, 1, "2·10⁻⁸"),
        (0.0, 2, "0"),
    ],
)
def test_a_number_in_an_answer_has_the_figures_that_its_story_asks_for(value, figures, text):
    assert write_number(value, figures) == text


def test_before_the_run_has_ended_there_is_no_answer():
    def empty(question):
        from featdash.ui.story.question import Attempt

        Attempt(question, "scene").draw_answer(None, plays=False)

    app = AppTest.from_function(empty, args=(NUMBER,)).run()
    assert app.info[0].value == NOT_YET
    assert not app.success


@pytest.mark.parametrize("log", [False, True])
def test_the_stops_of_a_number_reach_both_ends_without_gaps(log):
    question = Question("number", "?", "a", ("{answer}.",), "b", low=0.01, high=10.0, log=log)
    stops = stops_of(question)
    assert (stops[0], stops[-1]) == (0.01, 10.0)
    assert stops == sorted(set(stops))
    steps = [math.log(b / a) if log else b - a for a, b in itertools.pairwise(stops)]
    whole = math.log(1000) if log else 9.99
    assert max(steps) < 2 * whole / 60, "no step is twice as wide as the others"


@pytest.fixture
def state(monkeypatch):
    """What the session keeps, as a plain dictionary."""
    kept = {}
    monkeypatch.setattr("featdash.ui.story.question.st.session_state", kept)
    return kept


def test_pictures_hide_the_answer_until_it_is_asked_for(state):
    attempt, result = Attempt(NUMBER, "scene"), Result(METHODS, {})
    state["scene.guess@"] = 0.1
    assert attempt.prediction("risk", result) == Prediction(True, 0.1, None, "y", asks=True)
    assert attempt.prediction("neurons", result) == Prediction(True, None, None, "y")
    attempt.show()
    assert attempt.prediction("risk", result) == Prediction(False, 0.1, 0.446, "y")
    assert attempt.prediction("risk", None) == Prediction(False, 0.1, None, "y")
    assert attempt.prediction("neurons", result) is None


def test_a_question_hides_only_the_pictures_that_it_names(state):
    attempt = Attempt(Question("choice", "?", "a", (), "b", hide=("risk",)), "scene")
    assert state == {}
    assert attempt.prediction("risk", None).hidden
    assert attempt.prediction("neurons", None) is None


def test_a_choice_between_ranges_is_made_on_the_axis_of_its_picture(state):
    attempt = Attempt(replace(CHOICE, on="risk"), "scene")
    bands = (Band("few", None, 0.3), Band("many", 0.3, None))
    assert attempt.prediction("risk", None) == Prediction(True, bands=bands, asks=True)
    attempt.point(1)
    assert (attempt.guess, attempt.prediction("risk", None).choice) == ("many", 1)
    for nonsense in (2, -1, 0.5, True, None, "few", math.nan, math.inf, [0]):
        attempt.point(nonsense)
        assert attempt.guess == "many", nonsense
    attempt.show()
    assert attempt.prediction("risk", Result(METHODS, {})) == Prediction(False, bands=bands, choice=1)
    assert state


def test_a_number_that_was_dragged_to_goes_to_the_nearest_that_can_be_guessed(state):
    attempt = Attempt(NUMBER, "scene")
    for dragged, nearest in ((0.439, 0.44), (7.0, 1.0), (1e-9, 0.03)):
        attempt.point(dragged)
        assert attempt.guess == nearest
    for nonsense in (0.0, -1.0, math.inf, "1"):
        attempt.point(nonsense)
        assert attempt.guess == 0.03, nonsense
    assert state


def test_a_guess_made_in_the_picture_marks_its_button():
    def page(question):
        import streamlit as st

        from featdash.ui.story.question import Attempt

        attempt = Attempt(question, "scene")
        attempt.draw_guess()
        st.button("Point", on_click=attempt.point, args=(0,))

    app = choose(AppTest.from_function(page, args=(replace(CHOICE, on="risk"),)).run(), "many")
    choose(app, "Point")
    assert not app.exception
    assert [button.label for button in app.button if button.proto.type == "primary"] == ["few"]


@pytest.mark.parametrize(
    ("guess", "found", "log", "words"),
    [
        (0.9, 0.3, True, "3 times too high"),
        (0.1, 0.446, True, "4.5 times too low"),
        (0.45, 0.446, True, "within 10 %"),
        (0.25, 0.446, False, "off by 0.2"),
    ],
)
def test_it_is_said_how_far_a_guess_was_off(guess, found, log, words):
    assert words in distance(guess, found, log)
