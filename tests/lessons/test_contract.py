"""What every lesson owes its visitor: each panel of its recorded run draws a picture that says what it shows."""

import pytest
from app_pages import inline_service
from picture_contract import check_picture
from taken_runs import LESSONS, drawn

from featdash.figures.picture import Theme
from featdash.runs.recording import recorded_path

PANELS = [(name, panel.name) for name, lesson in LESSONS.items() for panel in lesson.panels]


@pytest.fixture(scope="module", autouse=True)
def _private_service(tmp_path_factory):
    with inline_service(tmp_path_factory.mktemp("home")):
        yield


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("name", "panel"), PANELS)
def test_every_panel_of_the_recorded_run_says_what_it_shows(name, panel, theme):
    recorded = recorded_path(name, LESSONS[name].experiment.spec())
    assert recorded.is_file(), f"no recorded run of {name}: python -m featdash record {name}"
    assert panel in drawn(name, theme)
    check_picture(drawn(name, theme)[panel], Theme(theme))


def test_no_two_lessons_have_a_panel_of_one_name():
    names = [panel for _, panel in PANELS]
    assert len(set(names)) == len(names)
