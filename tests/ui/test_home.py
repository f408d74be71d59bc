"""Home, the ends of stories, and the page for teachers: the course from one place to the next."""

import re

import pytest
from app_pages import APP, open_page, press, words
from streamlit.testing.v1 import AppTest

from featdash.stories.course import NEEDS, ORDER
from featdash.ui.kit import shared
from featdash.ui.story import course_end, for_teachers, progress, storybook
from featdash.ui.story.progress import Progress
from featdash.ui.story.story_choice import Place

pytestmark = pytest.mark.usefixtures("visit")
LAST = len(storybook.library().stories["lemma"].scenes)


def home(**query):
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def home_again(app):
    app.switch_page("../../pages/home.py")
    app.query_params.clear()
    return app.run()


def lines(app):
    """The map's line of each story, by its name."""
    rows = re.findall(r"^\d+\. .*$", words(app), re.MULTILINE)
    return {re.search(r"story=(\w+)", row)[1]: row for row in rows}


def test_home_maps_the_course_in_its_order_with_what_each_story_needs():
    app = home()
    assert not app.exception
    rows = lines(app)
    assert tuple(rows) == ORDER
    for number, (name, row) in enumerate(rows.items(), 1):
        story = storybook.library().stories[name]
        assert row.startswith(f"{number}. ")
        assert f"{story.minutes} min" in row
        assert [int(one) - 1 for one in re.findall(r"\d+", row.partition("after")[2])] == [
            ORDER.index(one) for one in NEEDS[name]
        ]
    assert not re.search(r"0\.\d", words(app)), "what the course asks for is not said before the film has shown it"
    assert [button.label for button in app.button][:2] == ["Start the course", "Open the Lab"]


@pytest.mark.parametrize("query", [{"mode": "explore"}, {"story": "race", "scene": "2"}, {"n": "2000"}])
def test_an_address_at_the_root_that_asks_for_something_is_the_labs(query, service, monkeypatch):
    monkeypatch.setattr(shared, "_service", service)  # which carries out no run
    app = home(**query)
    assert not app.exception
    assert lines(app) == {}
    assert any(button.key == "mode@" for button in app.get("button_group"))


def test_the_end_of_a_story_says_what_was_learned_recalls_two_questions_and_leads_on():
    app = open_page("pages/one_step.py", story="lemma", scene=str(LAST))
    story = storybook.library().stories["lemma"]
    assert story.learned in words(app)
    assert words(app).count("**Do you remember?**") == course_end.RECALLED
    following = storybook.library().stories[ORDER[ORDER.index("lemma") + 1]]
    assert f"Next story: {following.title}" in [button.label for button in app.button]
    first = next(group for group in app.button_group if group.key.startswith("recall.lemma."))
    before = len([*app.success, *app.info])
    first.set_value(first.options[0])
    app.run()
    assert len([*app.success, *app.info]) == before + 1
    assert app.session_state[progress.PROGRESS].finished == {"lemma"}


def test_no_answer_to_a_question_that_comes_once_more_stands_in_the_picture_beside_it():
    race = storybook.library().stories["race"]
    again = course_end.scenes_to_recall(Place("race", race, len(race.scenes)))
    assert [number for number, _ in again] == [6, 7], "the others are in the pictures of the last scene"


def test_what_was_answered_and_finished_is_on_home_until_it_is_forgotten():
    app = press(open_page("pages/lab.py", story="race", scene="1"), "Show me")
    open_page("pages/one_step.py", app, story="lemma", scene=str(LAST))
    home_again(app)
    assert "1 of 5 answered" in lines(app)["race"]
    assert "✓ done" in lines(app)["lemma"]
    title = storybook.library().stories[ORDER[ORDER.index("lemma") + 1]].title
    assert app.button[0].label == f"Go on: {title.rstrip('?')}", "the one after the story that is done"
    open_page("pages/lab.py", app, story="race", scene="4")
    home_again(app)
    assert re.fullmatch(r"Go on: .*, scene 4", app.button[0].label)
    assert "scene=4" in lines(app)["race"]
    assert "you are at scene 4 of 8" in lines(app)["race"]
    app.switch_page("../../pages/lab.py")
    app.query_params.clear()
    app.run()
    assert "4 of 8" in words(app), "an address without a scene leads back as well"
    home_again(app)
    press(app, "Forget my answers")
    assert "answered" not in lines(app)["race"]
    assert "✓" not in lines(app)["lemma"]
    assert app.session_state[progress.PROGRESS] == Progress()
    assert app.button[0].label == "Start the course"
    open_page("pages/lab.py", app, story="race", scene="1")
    assert "Show me" in [button.label for button in app.button], "the question is asked again"


def test_the_page_for_teachers_names_each_story_and_only_lectures_that_there_are():
    app = open_page("pages/for_teachers.py")
    assert not app.exception
    missing = set(ORDER) - set(for_teachers.NAMED.findall(for_teachers.WORDS))
    assert not missing, f"{', '.join(missing)}: no row of a table in featdash/ui/story/for_teachers.md has {{its name}}"
    lectures = set(re.findall(r"\(lecture\?story=([\w-]+)", for_teachers.WORDS))
    assert lectures
    assert lectures <= set(storybook.library().stories)
    assert for_teachers.NAMED.search(words(app)) is None
