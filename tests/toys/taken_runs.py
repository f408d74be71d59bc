"""The recorded run of each lesson as a visitor takes it away who has touched nothing."""

from __future__ import annotations

import functools
import sys

from streamlit.testing.v1 import AppTest

from featdash.export.document import Words
from featdash.figures.picture import Theme
from featdash.lessons import PAGES, lessons_of
from featdash.ui.kit.shared import service
from featdash.ui.page.taken_run import TakenRun
from featdash.ui.stage.panels import View, pictures

LESSONS = {lesson.experiment.name: lesson for page in PAGES for lesson in lessons_of(page)}
LINK = "http://localhost:8501/lab?n=100&target=z1"


def _toolbar(name):
    """A page's script: the toolbar of the lesson's recorded run as it stands at first."""
    import streamlit as st
    from taken_runs import LESSONS, recorded

    lesson = LESSONS[name]
    st.session_state["options"] = lesson.toolbar(recorded(name)) if lesson.toolbar else None


def recorded(name):
    """The run that the lesson's page shows before any click."""
    return service().get(service().find_recorded(name, LESSONS[name].experiment.spec()))


@functools.cache
def options(name):
    main = sys.modules["__main__"]
    try:
        app = AppTest.from_function(_toolbar, args=(name,), default_timeout=60).run()
    finally:
        sys.modules["__main__"] = main  # the script took its place, and a process that is spawned would run it
    assert not app.exception, app.exception
    return app.session_state["options"]


def taken(name, theme="light"):
    """The run as the page would hand it over."""
    lesson, text = LESSONS[name], LESSONS[name].text
    words = Words(text.question, text.formula, text.reading, text.source, text.papers)
    view = View(recorded(name), options(name), Theme(theme))
    return TakenRun(view, lesson, words)


@functools.cache
def drawn(name, theme="light"):
    """Panel -> picture of that run; to be read only."""
    run = taken(name, theme)
    return pictures(run.lesson.panels, run.view)
