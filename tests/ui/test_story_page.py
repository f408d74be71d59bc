"""A story on its page without a browser: its place, its way to Explore, and lectures that come by a link."""

import re

import pytest
from app_pages import open_page, query_of, words

from featdash.stories.lecture import WORDS, link_of
from featdash.stories.story import Scene

pytestmark = pytest.mark.usefixtures("visit")


def press(app, label):
    next(button for button in app.button if button.label == label).click()
    return app.run()


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"story": "melted"}, "story must be one of race, got 'melted'"),
        ({"story": "race", "scene": "99"}, "scene must be a whole number from 1 to 8, got '99'"),
        ({"story": "race", "scene": "-1"}, "scene must be a whole number from 1 to 8, got '-1'"),
    ],
)
def test_a_place_that_is_none_is_one_sentence_and_the_first_scene(query, told):
    app = open_page("pages/lab.py", **query)
    assert not app.exception
    assert told in app.error[0].value
    assert "1 of 8" in words(app)


@pytest.mark.parametrize("part", ["lemma", "ablation", "degenerate"])
def test_explore_opens_the_part_that_the_story_is_of(part):
    app = press(open_page("pages/one_step.py", story=part, scene="1"), "Open in Explore")
    assert not app.exception
    assert app.button_group(key="lemma.part@").value == part
    assert f"{part}.seed" in app.session_state


def test_the_settings_of_a_scene_go_along_to_explore():
    app = press(open_page("pages/lab.py", story="race", scene="7"), "Open in Explore")
    assert (app.session_state["race.target"], app.session_state["race.d"]) == ("transfer", 40)
    assert "Recorded run" in words(app)


@pytest.mark.parametrize(
    ("scene", "told"),
    [
        (Scene("A", WORDS, "melted", ("risk",)), "lesson must be one of race"),
        (Scene("A", WORDS, "race", ("melted",)), "show must name pictures of the lesson"),
        (Scene("A", WORDS, "race", ("risk",), {"n": -1}), "n must be a whole number"),
    ],
)
def test_a_lecture_of_a_link_that_cannot_be_played_is_one_sentence(scene, told):
    app = open_page("pages/lecture.py", kept=link_of([scene]))
    assert not app.exception
    assert told in app.error[0].value
    assert "Nothing is kept yet" in words(app)


def test_a_lecture_of_a_link_is_kept_and_played():
    link = link_of([Scene("A", WORDS, "race", ("risk",)), Scene("B", WORDS, "lemma", ("scatter",))])
    app = open_page("pages/lecture.py", kept=link)
    assert not app.exception
    assert "1. A" in words(app)
    open_page("pages/lecture.py", app, story="kept", scene="2")
    assert not app.exception
    assert "2 of 2" in words(app)
    assert query_of(app) == {"story": "kept", "scene": "2"}


def own_lecture(*titles):
    """The page Lecture with a lecture of these scenes."""
    return open_page("pages/lecture.py", kept=link_of([Scene(title, WORDS, "race", ("risk",)) for title in titles]))


def order(app):
    return re.findall(r"^\d+\. ([A-Z])$", words(app), re.M)


def buttons(app, label):
    return [button for button in app.button if button.label == label]


def test_ones_own_lecture_is_put_into_order():
    app = own_lecture("A", "B", "C")
    assert [one.disabled for one in buttons(app, "↑")] == [True, False, False]
    assert [one.disabled for one in buttons(app, "↓")] == [False, False, True]
    buttons(app, "↓")[0].click().run()
    assert order(app) == ["B", "A", "C"]
    buttons(app, "↑")[2].click().run()
    assert order(app) == ["B", "C", "A"]
    buttons(app, "✕")[1].click().run()
    assert order(app) == ["B", "A"]
    assert not app.exception


def test_a_scene_is_removed_alone_though_its_button_is_pressed_twice():
    app = own_lecture("A", "B", "C")
    remove = buttons(app, "✕")[0]
    remove.click().run()
    remove.click().run()  # the press that comes before the page without the scene
    assert order(app) == ["B", "C"]
    assert not app.exception


def test_what_is_kept_in_explore_has_the_settings_that_were_just_set():
    app = open_page("pages/lab.py")
    app.number_input(key="race.width").set_value(44)
    press(app, "Keep this")  # before the page was drawn with it
    press(app, "Keep this")
    app.number_input(key="race.width").set_value(0)
    press(app, "Keep this")
    kept = app.session_state["lecture.kept@"]
    assert [scene.settings["width"] for scene in kept] == [44]
    assert "Width m must be" in app.error[0].value


def test_a_kept_run_nobody_wrote_words_for_shows_its_headline_on_a_wall():
    app = open_page("pages/lecture.py", kept=link_of([Scene("A", WORDS, "race", ("risk",))]))
    open_page("pages/lecture.py", app, story="kept", scene="1", present="1")
    assert not app.exception
    told = [one.value for one in app.markdown]
    band = told[told.index("**A**") + 1]
    assert re.match(r"Algorithm 1 ends at 0\.\d+", band), "the finding of the run, above the picture elsewhere"


def test_a_sheet_that_there_is_not_is_one_sentence():
    app = open_page("pages/lecture.py", sheet="melted")
    assert "sheet must be one of race" in app.error[0].value
    assert "Goal" in words(open_page("pages/lecture.py", sheet="race"))
