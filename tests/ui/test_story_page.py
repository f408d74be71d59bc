"""A story on its page without a browser: its place, its way to Explore, and lectures that come by a link."""

import re
from dataclasses import replace

import pytest
from app_pages import come_to_rest, open_page, press, query_of, settings_of, told_by, words

from featdash.figures.prediction import Prediction
from featdash.lessons import lessons_of
from featdash.stories.lecture import MOST, WORDS, link_of
from featdash.stories.story import Scene
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.stage.panels import Panel
from featdash.ui.story import own_lecture as own_lecture_of
from featdash.ui.story.lecture import GONE, WAIT
from featdash.ui.story.scene_panels import panels_of
from featdash.ui.story.storybook import stories_of

pytestmark = pytest.mark.usefixtures("visit")


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ({"story": "melted"}, "story must be one of race, got 'melted'"),
        ({"story": "hidden_layers", "scene": "3"}, "«Hidden layers in order» is no longer here"),
        ({"story": "race", "scene": "99"}, "scene must be a whole number from 1 to 8, got '99'"),
        ({"story": "race", "scene": "-1"}, "scene must be a whole number from 1 to 8, got '-1'"),
    ],
)
def test_a_place_that_is_none_is_one_sentence_and_the_first_scene(query, told):
    app = open_page("pages/lab.py", **query)
    assert not app.exception
    assert told in app.error[0].value
    assert "1 of 8" in words(app)


SWEEP, WIDTH, EXPLORE = {"story": "sweep", "scene": "7"}, {"story": "width", "scene": "6"}, {"mode": "explore"}


@pytest.mark.parametrize(("before", "now"), [(SWEEP, WIDTH), (WIDTH, SWEEP), (WIDTH, EXPLORE), (EXPLORE, WIDTH)])
def test_a_browser_that_has_not_heard_of_what_is_on_show_leads_nobody_back_to_what_was_there_before(before, now):
    app = open_page("pages/sample_complexity.py", **before)
    known = told_by(app)
    shown = words(open_page("pages/sample_complexity.py", app, **now))
    for _ in range(2):
        app._run(known)
        assert not app.exception
        assert words(app) == shown


def chosen_part(app):
    (choice,) = [one for one in app.selectbox if one.label == "Part of the page"]
    return choice.value


@pytest.mark.parametrize(("before", "now"), [("lemma", "ablation"), ("ablation", "lemma")])
def test_a_browser_that_has_not_heard_of_the_part_on_show_leads_nobody_back_to_the_one_before(before, now):
    app = open_page("pages/one_step.py", part=before, mode="explore")
    known = told_by(app)
    open_page("pages/one_step.py", app, part=now, mode="explore")
    for _ in range(2):
        app._run(known)
        assert not app.exception
        assert chosen_part(app) == now


@pytest.mark.parametrize("part", ["lemma", "ablation", "degenerate"])
def test_explore_opens_the_part_that_the_story_is_of(part):
    app = press(open_page("pages/one_step.py", story=part, scene="1"), "Open in Explore")
    assert not app.exception
    assert chosen_part(app) == part
    assert f"{part}.seed" in app.session_state


def test_the_settings_of_a_scene_go_along_to_explore():
    app = press(open_page("pages/lab.py", story="race", scene="7"), "Open in Explore")
    assert (settings_of(app, "race")["target"], settings_of(app, "race")["d"]) == ("transfer", 40)
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


TWO = [Scene("A", WORDS, "race", ("risk",)), Scene("B", WORDS, "lemma", ("scatter",))]


def test_a_lecture_of_a_link_is_played_under_that_link_whatever_the_session_knows():
    link = link_of(TWO)
    app = open_page("pages/lecture.py", kept=link)
    assert not app.exception
    assert "The lecture of this link" in words(app)
    next(button for button in app.button if button.key == "lecture.open.kept").click().run()
    press(app, "Next")
    press(app, "Present")
    place = query_of(app)
    assert place == {"story": "kept", "scene": "2", "kept": link, "present": "1"}
    anew = open_page("pages/lecture.py", **place)  # as after a reload, and after a restart of the server
    assert not anew.exception
    assert "**B**" in words(anew)
    assert "2 of 2" in words(anew)


def test_a_lecture_of_a_link_says_which_scene_is_no_longer_there():
    link = link_of([*TWO, Scene("Melted", WORDS, "race", ("risk",), story="race")])
    for place in ({}, {"story": "kept", "scene": "1"}):
        app = open_page("pages/lecture.py", kept=link, **place)
        assert not app.exception
        assert [one.value for one in app.error] == ["A scene of this lecture is no longer there: «Melted»."]
    assert "1 of 2" in words(app)


def test_a_lecture_of_a_link_takes_nothing_from_ones_own():
    app = own_lecture("A", "B")
    open_page("pages/lecture.py", app, kept=link_of(TWO[1:]))
    assert order(app) == ["A", "B"]
    press(app, "Put it into your lecture")
    assert order(app) == ["A", "B", "B"]
    assert not app.exception


@pytest.mark.parametrize("place", [{"story": "kept", "scene": "2", "present": "1"}, {"sheet": "kept"}])
def test_a_lecture_that_is_gone_is_one_sentence_and_no_other_is_shown(place):
    app = open_page("pages/lecture.py", **place)
    assert [one.value for one in app.info] == [WAIT]
    app.session_state[own_lecture_of.SYNCED] = True  # the browser has said what it has
    assert [one.value for one in app.run().info] == [GONE]
    assert not app.exception
    assert "must be one of" not in words(app)
    assert press(app, "All lectures").title is not None
    assert "Nothing is kept yet" in words(app)


def test_a_link_that_cannot_be_read_shows_no_other_lecture():
    app = own_lecture("A")
    open_page("pages/lecture.py", app, story="kept", scene="1", kept="melted")
    assert ["the lecture of this link cannot be read" in one.value for one in app.info] == [True]
    assert "**A**" not in words(app)


def test_what_the_browser_has_stored_comes_before_what_was_kept_meanwhile():
    app = open_page("pages/lab.py")
    press(app, "Keep this")
    (kept,) = app.session_state[own_lecture_of.SCENES]
    assert kept.words == WORDS
    stored = own_lecture_of.merge(TWO, (kept, TWO[1]), is_answer=True)
    assert [scene.title for scene in stored] == ["A", "B", kept.title]
    assert own_lecture_of.merge(TWO, (kept,), is_answer=False) == tuple(TWO), "another tab has the last word"


def test_a_lecture_takes_no_more_scenes_than_its_link_may_hold():
    app = own_lecture(*map(str, range(MOST)))
    open_page("pages/lecture.py", app, kept=link_of(TWO))
    press(app, "Put it into your lecture")
    assert len(app.session_state[own_lecture_of.SCENES]) == MOST


def test_a_scene_kept_from_ones_own_lecture_is_a_scene_of_that_and_of_no_story():
    app = own_lecture("A")
    next(button for button in app.button if button.key == "lecture.open.kept").click().run()
    app.session_state[own_lecture_of.SCENES] = ()
    press(app, "Keep this")
    assert [scene.story for scene in app.session_state[own_lecture_of.SCENES]] == [""]


HOSTILE = "![x](http://host/p.png) [y](http://host) $z$"


@pytest.mark.parametrize("place", [{}, {"story": "kept"}, {"story": "kept", "present": "1"}, {"sheet": "kept"}])
def test_a_title_from_a_link_is_plain_text(place):
    app = open_page("pages/lecture.py", kept=link_of([Scene(HOSTILE, WORDS, "race", ("risk",))]), **place)
    press(app, "Put it into your lecture") if not place else None
    assert not app.exception
    assert HOSTILE not in words(app)
    assert plain_text(HOSTILE) in words(app)


def own_lecture(*titles):
    """The page Lecture with a lecture of these scenes."""
    scenes = [Scene(title, WORDS, "race", ("risk",)) for title in titles]
    app = open_page("pages/lecture.py", kept=link_of(scenes))
    press(app, "Put it into your lecture")
    return open_page("pages/lecture.py", app)


def order(app):
    return re.findall(r"^\d+\. ([A-Z])$", words(app), re.M)


def buttons(app, label):
    return [button for button in app.button if button.label == label]


def test_ones_own_lecture_is_put_into_order():
    app = own_lecture("A", "B", "C")
    assert [one.disabled for one in buttons(app, "↑ Earlier")] == [True, False, False]
    assert [one.disabled for one in buttons(app, "↓ Later")] == [False, False, True]
    buttons(app, "↓ Later")[0].click().run()
    assert order(app) == ["B", "A", "C"]
    buttons(app, "↑ Earlier")[2].click().run()
    assert order(app) == ["B", "C", "A"]
    buttons(app, "✕ Remove")[1].click().run()
    assert order(app) == ["B", "A"]
    assert not app.exception


def test_a_scene_is_removed_alone_though_its_button_is_pressed_twice():
    app = own_lecture("A", "B", "C")
    remove = buttons(app, "✕ Remove")[0]
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
    kept = app.session_state[own_lecture_of.SCENES]
    assert [scene.settings["width"] for scene in kept] == [44]
    assert "Width m must be" in app.error[0].value


def test_a_kept_run_nobody_wrote_words_for_shows_its_headline_on_a_wall():
    link = link_of([Scene("A", WORDS, "race", ("risk",))])
    app = open_page("pages/lecture.py", story="kept", scene="1", present="1", kept=link)
    assert not app.exception
    told = [one.value for one in app.markdown]
    band = told[told.index("**A**") + 1]
    assert re.match(r"Algorithm 1 ends at 0\.\d+", band), "the finding of the run, above the picture elsewhere"


@pytest.mark.parametrize("place", [{}, {"present": "1"}], ids=["page", "wall"])
def test_the_answer_comes_when_the_pictures_have_come_to_rest(place):
    app = press(open_page("pages/lab.py", story="race", scene="4", **place), "Show me")
    assert not app.exception
    asked, answer = "What is the alignment after the single step?", "0.93"
    assert asked in words(app)
    assert answer not in words(app)
    assert answer in words(come_to_rest(app, "race"))


def test_a_hidden_picture_is_drawn_where_it_leads_or_takes_the_guess_and_no_other_is_empty():
    parts = {part.experiment.name: part for part in lessons_of("lab")}
    scenes = stories_of(parts)["race"].scenes

    def shown(scene):
        return [panel.short for panel in panels_of(parts["race"], scene, lambda _: Prediction(hidden=True))]

    beside = replace(scenes[5], show=("neurons", "risk"))  # the question is about the second picture
    elsewhere = replace(beside, question=replace(beside.question, on=""))
    assert shown(elsewhere) == ["neurons"], "the empty loss chart would stand beside it"
    assert shown(beside) == ["neurons", "risk"], "it takes the guess"
    assert shown(scenes[2]) == ["risk"]


def test_what_a_class_has_answered_stands_beside_the_picture_that_leads():
    parts = {part.experiment.name: part for part in lessons_of("lab")}
    scene = stories_of(parts)["race"].scenes[5]
    answers = Panel("class-answers", lambda _: None)
    shown = panels_of(parts["race"], scene, lambda _: None, [answers])
    assert [panel.short for panel in shown] == ["risk", "answers", "neurons"]


def test_a_sheet_that_there_is_not_is_one_sentence():
    app = open_page("pages/lecture.py", sheet="melted")
    assert "sheet must be one of race" in app.error[0].value
    assert "Goal" in words(open_page("pages/lecture.py", sheet="race"))
