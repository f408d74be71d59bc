"""What every lesson owes its visitor: each panel of its recorded run draws a picture that says what it shows."""

import functools

import pytest
from app_pages import inline_service
from picture_contract import check_picture
from streamlit.testing.v1 import AppTest

from featdash.figures.picture import Theme
from featdash.lessons import PAGES, lessons_of
from featdash.runs.recording import recorded_path

THEMES = (Theme("light"), Theme("dark"))
LESSONS = {lesson.experiment.name: lesson for page in PAGES for lesson in lessons_of(page)}
PANELS = [(name, panel.name) for name, lesson in LESSONS.items() for panel in lesson.panels]


@pytest.fixture(scope="module", autouse=True)
def _private_service(tmp_path_factory):
    with inline_service(tmp_path_factory.mktemp("home")):
        yield


def drawn(name, looks):
    """A page's script: the toolbar as it stands at first, and what it makes of the recorded run."""
    import streamlit as st

    from featdash.lessons import PAGES, lessons_of
    from featdash.ui.kit.shared import service
    from featdash.ui.stage.panels import View

    (lesson,) = (one for page in PAGES for one in lessons_of(page) if one.experiment.name == name)
    view = service().get(service().find_recorded(name, lesson.experiment.spec()))
    options = lesson.toolbar(view) if lesson.toolbar else None
    for theme in looks:
        st.session_state[str(theme)] = {panel.name: panel.draw(View(view, options, theme)) for panel in lesson.panels}


@functools.cache
def pictures(name):
    """Look -> panel -> picture, of the recorded run of the lesson's defaults."""
    app = AppTest.from_function(drawn, args=(name, THEMES), default_timeout=60).run()
    assert not app.exception, app.exception
    return {theme: app.session_state[str(theme)] for theme in THEMES}


@pytest.mark.parametrize("theme", THEMES, ids=str)
@pytest.mark.parametrize(("name", "panel"), PANELS)
def test_every_panel_of_the_recorded_run_says_what_it_shows(name, panel, theme):
    recorded = recorded_path(name, LESSONS[name].experiment.spec())
    assert recorded.is_file(), f"no recorded run of {name}: python -m featdash record {name}"
    picture = pictures(name)[theme][panel]
    assert picture is not None
    check_picture(picture, theme)


def test_no_two_lessons_have_a_panel_of_one_name():
    names = [panel for _, panel in PANELS]
    assert len(set(names)) == len(names)
