"""What every page of lessons owes its visitor, without a browser: the real scripts, runs computed inline."""

import functools
from dataclasses import replace
from pathlib import Path

import pytest
import streamlit
from app_pages import control, open_page, press, query_of, run_before_hearing, settings_of, words
from streamlit.testing.v1 import AppTest

from featdash.lessons import EXPERIMENTS, lessons_of
from featdash.lessons import PAGES as REGISTERED
from featdash.runs.limits import worker_count
from featdash.runs.run import Run
from featdash.ui import lesson_page
from featdash.ui.kit.announcer import DIFFER, words_of
from featdash.ui.kit.layout import browser_theme, page_title
from featdash.ui.page import below
from featdash.ui.stage.chart import FLAT
from featdash.ui.stage.panels import View

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted(f"pages/{page}.py" for page in REGISTERED)
LESSONS = [(f"pages/{page}.py", lesson) for page in REGISTERED for lesson in lessons_of(page)]
pytestmark = pytest.mark.usefixtures("visit")

# A page of two lessons, beside the Lab.
FRAME = """
import streamlit as st
pages = [st.Page(f"../../pages/{name}.py", url_path=name) for name in ("lab", "two")]
st.navigation(pages, position="top").run()
"""
TWO = """
from featdash.lessons import EXPERIMENTS
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.lesson_page import page

def lesson(name, *controls):
    return LessonText(name, "$x$", "text", "text", (Trial("One", {"seed": 1}, "Something."),), controls)

page(*(
    Lesson("Dictionary", EXPERIMENTS["emergence"], lesson("dictionary?", "k", "n", "positive_counts", "seed"), ()),
    Lesson("Digits", EXPERIMENTS["digits"], lesson("digits?", "first", "rate", "seed"), ()),
))
"""


@functools.cache
def at_rest(path):
    """The page just opened, to be read only; one for all tests that do no more."""
    return open_page(path)


@functools.cache
def opened(path, name):
    """The part of a page that is of this lesson, to be read only."""
    return open_page(path, part=name)


@pytest.fixture
def two(tmp_path):
    """A frame of the Lab and the page of two lessons."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "featdash/ui").mkdir(parents=True)
    (tmp_path / "featdash/ui/frame.py").write_text(FRAME)
    (tmp_path / "pages/two.py").write_text(TWO)
    (tmp_path / "pages/lab.py").write_text((ROOT / "pages/lab.py").read_text())
    return AppTest.from_file(str(tmp_path / "featdash/ui/frame.py"), default_timeout=60).run()


@pytest.mark.parametrize("part", [part for _, part in LESSONS], ids=lambda part: part.experiment.name)
def test_pictures_that_take_turns_are_pictures_of_the_lesson(part):
    names = {panel.short for panel in part.panels}
    assert {*part.alternatives} <= names
    assert len(part.alternatives) != 1


def inputs(app):
    kinds = (app.number_input, app.select_slider, app.slider, app.selectbox, app.multiselect, app.text_input)
    return [control for kind in kinds for control in kind]


def own(app, name):
    """The control of a setting on the page, whatever the experiment."""
    return next(control for control in inputs(app) if (control.key or "").split(".")[1:] == [name])


def some_number(app):
    """The name of a whole number among the page's settings that any value near its own suits."""
    names = [control.key.partition(".")[2] for control in app.number_input if "." in (control.key or "")]
    return next(name for name in [*("seed", "holdout", "steps"), *names] if name in names)


@pytest.mark.parametrize("path", PAGES)
def test_below_the_pictures_are_tabs_and_only_the_open_one_is_there(path):
    app = at_rest(path)
    assert not app.exception
    assert not app.error
    names = [tab.label for tab in app.tabs]
    assert [name for name in names if name != below.THEORY] == [below.READING, below.LIMITS, below.CLAIMS, below.DATA]
    reading, *others = app.tabs
    assert "$" in reading.markdown[0].value
    assert not any(len(tab.children) for tab in others)


def test_each_tab_has_what_it_says_once_it_is_opened():
    app, lesson = open_page("pages/lab.py"), lessons_of("lab")[0]
    told = {
        below.LIMITS: "That",
        below.THEORY: "Exponents are theorems",
        below.CLAIMS: lesson.text.source,
        below.DATA: "the papers behind the lesson",
    }
    for name, sentence in told.items():
        app.session_state["race.below@"] = name
        app.run()
        assert not app.exception
        assert sentence.lower() in words(app).lower(), name
        assert [tab.label for tab in app.tabs if len(tab.children)][:1] == [name]


@pytest.mark.parametrize("path", PAGES)
def test_first_paint_shows_a_recorded_run(path):
    assert "Recorded run" in words(at_rest(path))


@pytest.mark.parametrize(("path", "lesson"), LESSONS, ids=lambda value: getattr(value, "label", None))
def test_every_lesson_opens_with_its_question_and_its_recorded_run(path, lesson):
    app = opened(path, lesson.experiment.name)
    assert not app.exception
    assert not app.error
    assert "Recorded run" in words(app)
    assert lesson.text.question in words(app)


@pytest.mark.parametrize(("path", "lesson"), LESSONS, ids=lambda value: getattr(value, "label", None))
def test_every_control_explains_itself(path, lesson):
    """Those in the column and those of the view."""
    app = opened(path, lesson.experiment.name)
    controls = [*inputs(app), *app.toggle]
    assert len(controls) >= 3
    assert [control.label for control in controls if not control.help] == []
    assert len(app.button) >= 3


@pytest.mark.parametrize("path", PAGES)
def test_no_two_settings_share_a_label(path):
    labels = [control.label for control in [*inputs(at_rest(path)), *at_rest(path).toggle]]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize("path", PAGES)
def test_suggestions_stand_in_the_first_screen(path):
    app = at_rest(path)
    labels = [button.label for button in app.button]
    suggested = [button.label for button in app.button if "suggestions@" in (button.key or "")]
    assert suggested
    assert [labels.count(label) for label in suggested] == [1] * len(suggested)


@pytest.mark.parametrize("path", PAGES)
def test_a_bad_value_in_the_link_is_one_sentence(path):
    name = some_number(at_rest(path))
    app = open_page(path, **{name: "melted"})
    assert not app.exception
    assert len(app.error) == 1
    assert f"{name} must be a" in app.error[0].value


@pytest.mark.usefixtures("idle")
def test_settings_stay_on_every_page_when_a_visitor_leaves_and_comes_back():
    app, names = None, {}
    for path in PAGES:
        app = open_page(path, app)
        names[path] = some_number(app)
        own(app, names[path]).set_value(4321).run()
    assert len(names) > 1
    for path, name in names.items():
        open_page(path, app)
        assert own(app, name).value == 4321
        assert query_of(app)[name] == "4321"


@pytest.mark.parametrize(("path", "lesson"), LESSONS, ids=lambda value: getattr(value, "label", None))
def test_a_run_that_has_just_ended_is_drawn_with_the_wish_from_while_it_was_live(path, lesson, monkeypatch):
    """Until the whole page is drawn anew, the live part has what the toolbar said before."""
    drawn = []

    def stage(view, part, *_):
        options = part.toolbar(replace(view, status="running", finished=None)) if part.toolbar else None
        shown = View(view, options, browser_theme())
        drawn[:] = [view.experiment for panel in lesson.panels if panel.render(shown)]  # the others of a turn too

    monkeypatch.setattr(lesson_page, "stage", stage)
    name = lesson.experiment.name
    app = open_page(path, part=name)
    assert not app.exception
    assert drawn == [name] * len(lesson.panels)


def test_settings_and_the_watched_run_stay_beside_another_page(two):
    app = open_page("pages/lab.py", two, n="200", width="20", holdout="300", test="300", steps="100")
    press(app, "Run race")
    watched = query_of(app)
    open_page("pages/two.py", app)
    assert own(app, "k").value == 5
    assert "run" not in query_of(app)
    own(app, "k").set_value(7).run()
    open_page("pages/lab.py", app)
    assert own(app, "width").value == 20
    assert query_of(app) == watched
    assert "Finished" in words(app)
    open_page("pages/two.py", app)
    assert own(app, "k").value == 7


@pytest.mark.usefixtures("idle")
def test_a_link_names_the_part_and_its_settings(two):
    app = open_page("pages/two.py", two, part="digits", rate="2.5")
    assert not app.exception
    assert "digits?" in words(app)
    assert own(app, "rate").value == 2.5
    assert query_of(app) == {"part": "digits", "rate": "2.5"}


@pytest.mark.usefixtures("idle")
def test_each_part_keeps_its_own_settings(two):
    app = open_page("pages/two.py", two, part="digits", rate="2.5")
    app.selectbox(key="emergence.part@").set_value("emergence").run()
    assert not app.exception
    assert "dictionary?" in words(app)
    assert query_of(app) == {"mode": "explore"}, "it has a story, and this is none"
    own(app, "k").set_value(7).run()
    app.selectbox(key="emergence.part@").set_value("digits").run()
    assert query_of(app) == {"part": "digits", "rate": "2.5"}
    app.selectbox(key="emergence.part@").set_value("emergence").run()
    assert query_of(app) == {"k": "7"}


def test_an_unknown_part_is_the_first_with_a_sentence(two):
    app = open_page("pages/two.py", two, part="melted")
    assert not app.exception
    assert "dictionary?" in words(app)
    (error,) = app.error
    assert error.value.startswith("part must be one of emergence, digits, got")
    assert "melted" in error.value


def test_a_part_that_was_removed_is_the_first_and_one_sentence_says_what_is_no_longer_there(two):
    app = open_page("pages/two.py", two, part="hidden-layers")
    assert not app.exception
    assert "dictionary?" in words(app)
    (error,) = app.error
    assert error.value.startswith("The lesson «Hidden layers in order» is no longer here")
    assert "must be" not in error.value


def test_a_link_may_name_a_preset_and_lay_settings_over_it():
    small = {"n": "10,100", "widths": "10", "seeds": "0", "holdout": "500", "test": "500"}
    app = open_page("pages/sample_complexity.py", preset="figure1-unprocessed", **small)
    assert not app.exception
    assert app.selectbox(key="sweep.preset.choice@").value == "custom"
    values = {name: settings_of(app, "sweep")[name] for name in ("step_rule", "biases", "widths")}
    assert values == {"step_rule": "fixed", "biases": "kept", "widths": (10,)}
    open_page("pages/sample_complexity.py", app, preset="figure1-unprocessed")
    assert control(app.selectbox, "sweep.preset.choice@").value == "figure1-unprocessed"
    open_page("pages/sample_complexity.py", app, preset="figure9")
    assert not app.exception
    assert "preset must be one of custom, figure1-quick" in words(app)


def test_a_preset_that_is_chosen_fills_the_settings():
    app = open_page("pages/sample_complexity.py", n="20,100", widths="10", seeds="5", holdout="200", test="200")
    assert app.session_state["sweep.preset.choice@"] == "custom"
    app.selectbox(key="sweep.preset.choice@").set_value("figure1-quick").run()
    assert not app.exception
    assert control(app.text_input, "sweep.seeds.typed@").value == "0, 1, 2"
    assert settings_of(app, "sweep")["seeds"] == (0, 1, 2)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("kind", ["a preset", "a list"])
def test_run_takes_no_preset_and_no_list_back_though_the_browser_has_not_heard_what_came_of_it(kind):
    app = open_page("pages/sample_complexity.py", preset="figure1-quick")
    if kind == "a list":
        app.selectbox(key="sweep.preset.choice@").set_value("figure1-unprocessed")
        run_before_hearing(app)
        assert control(app.selectbox, "sweep.preset.choice@").value == "figure1-unprocessed"
        assert settings_of(app, "sweep")["seeds"] == EXPERIMENTS["sweep"].presets["figure1-unprocessed"].seeds
    else:
        app.number_input(key="sweep.d").set_value(11)
        run_before_hearing(app)
        assert control(app.selectbox, "sweep.preset.choice@").value == "custom"
        assert settings_of(app, "sweep")["d"] == 11
    assert not app.exception


def test_a_list_of_numbers_is_typed_as_a_line(two):
    app = open_page("pages/two.py", two)
    box = app.text_input(key="emergence.positive_counts.typed@")
    assert box.value == "1, 3, 5"
    box.set_value("2, 4").run()
    assert settings_of(app, "emergence")["positive_counts"] == (2, 4)
    assert query_of(app) == {"positive_counts": "2,4"}
    app.text_input(key="emergence.positive_counts.typed@").set_value("two").run()
    assert not app.exception
    assert any("Label set P must be numbers separated by commas" in error.value for error in app.error)


@pytest.mark.usefixtures("idle")
def test_a_list_of_numbers_from_a_link_is_kept_however_long_it_is():
    seeds = [*range(2**31 - 100, 2**31)]
    app = open_page("pages/sample_complexity.py", n="10", widths="2", seeds=",".join(map(str, seeds)), holdout="200")
    app.number_input(key="sweep.d").set_value(11).run()  # the browser tells what each control holds
    assert not app.exception
    assert settings_of(app, "sweep")["seeds"] == tuple(seeds)


def drawn():
    from featdash.lessons import EXPERIMENTS
    from featdash.ui.kit.form import Form

    for experiment in EXPERIMENTS.values():
        form = Form(experiment)
        for field in form.fields:
            form.control(field)


def slid():
    from featdash.lessons import EXPERIMENTS
    from featdash.recipes.spec import Number
    from featdash.ui.kit.form import Form

    for experiment in EXPERIMENTS.values():
        form = Form(experiment)
        for field, about in form.fields.items():
            if isinstance(about.metadata["rule"], Number):
                form.slider(field)


def drawn_at_times():
    import streamlit as st

    from featdash.lessons import EXPERIMENTS
    from featdash.runs.run import Run
    from featdash.ui.kit import toolbar
    from featdash.ui.kit.form import Form

    if (scene := st.session_state.pop("scene", None)) is not None:
        toolbar.settle("race", scene)
    if not st.session_state.get("away"):
        Form(EXPERIMENTS["race"]).control("d")
        run = Run("0" * 16, "race", EXPERIMENTS["race"].spec(), "done", 0.0)
        toolbar.switch(run, "log", "Log risk", True, help="Axis.")
        toolbar.choice(run, "look", "Look", ("near", "far"), help="From where.")
        toolbar.slider(run, "at", "At", (1, 2, 3), 3, help="The moment.")


def test_settings_and_view_stand_while_a_page_without_them_is_on_show():
    app = AppTest.from_function(drawn_at_times).run()
    app.number_input(key="race.d").set_value(9)
    app.toggle(key="race.view.log").set_value(False)
    app.button_group(key="race.view.look").set_value("far")
    app.select_slider(key="race.view.at").set_value(2)
    app.run()
    for away in (True, True, False):
        app.session_state["away"] = away
        app.run()
        assert not app.exception
    assert app.number_input(key="race.d").value == 9
    assert app.toggle(key="race.view.log").value is False
    assert app.button_group(key="race.view.look").value == "far"
    assert app.select_slider(key="race.view.at").value == 2


def test_a_scene_shows_what_it_names_and_the_rest_as_it_is_by_default():
    app = AppTest.from_function(drawn_at_times).run()
    app.toggle(key="race.view.log").set_value(False)
    app.select_slider(key="race.view.at").set_value(2)
    app.run()
    app.session_state["scene"] = {"look": "far"}
    app.run()
    assert not app.exception
    assert [app.toggle[0].value, app.button_group[0].value, app.select_slider[0].value] == [True, "far", 3]


@pytest.mark.parametrize("script", [drawn, slid], ids=["control", "slider"])
def test_every_field_of_every_experiment_can_be_set(script):
    app = AppTest.from_function(script, default_timeout=60).run().run()  # the second time, of what the controls hold
    assert not app.exception
    for name, experiment in EXPERIMENTS.items():
        spec = experiment.spec()
        assert experiment.spec.from_mapping(settings_of(app, name)) == spec


def test_an_environment_that_makes_no_sense_is_told_on_the_page(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setenv("FEATDASH_WORKERS", "many")
        patch.setenv("FEATDASH_ENGINE", "dask")
        app = open_page("pages/lab.py")
    assert not app.exception
    assert [error.value for error in app.error] == [
        f"FEATDASH_WORKERS must be a number above 0, got 'many'; set it to {worker_count({})} or unset it."
    ]


def h1_of(app):
    return [block.value for block in app.markdown if block.value.startswith("# ")]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_one_h1_with_its_name(path):
    (heading,) = h1_of(at_rest(path))
    assert heading.startswith(f"# {page_title(Path(path).stem)}: ")


def test_the_titles_of_tabs_differ_page_by_page_and_a_storys_is_its_own(monkeypatch):
    titles = []
    monkeypatch.setattr(streamlit, "set_page_config", lambda page_title, **_: titles.append(page_title))
    ends = {}
    for path in sorted(ROOT.glob("pages/*.py")):
        query = {"part": "none"} if path.stem == "home" else {"mode": "explore"}
        assert len(h1_of(open_page(f"pages/{path.name}", **query))) == 1
        ends[path.stem] = titles[-1]
    assert ends.pop("home") == ends["lab"], "an address at the root that asks for something is the Lab's"
    assert len(set(ends.values())) == len(ends)
    open_page("pages/one_step.py", story="spectrum", scene="1")
    assert titles[-1] == "How many directions does the gradient show? · FeatDash"


def test_a_storys_h1_is_its_title_and_pages_without_a_stage_have_one_too():
    app = open_page("pages/lab.py", story="race", scene="2")
    title = "# What can one gradient step learn that fixed kernels cannot?"
    assert h1_of(app) == [title]
    for path in ("lecture", "class", "claims"):
        assert len(h1_of(open_page(f"pages/{path}.py", app))) == 1
    assert h1_of(open_page("pages/lecture.py", sheet="race")) == [title]
    assert h1_of(open_page("pages/lecture.py", story="kept")) == ["# Lectures"]


def test_the_line_of_state_says_no_fraction_and_no_time():
    run = Run("run", "race", None, "running", fraction=0.2, doing="training the heads")
    said = {words_of(replace(run, fraction=fraction), differ=False, watched=True) for fraction in (0.2, 0.5, 0.9)}
    assert said == {"The run is in progress."}
    done, failed = replace(run, status="done"), replace(run, status="failed", error="no memory")
    assert words_of(done, differ=True, watched=True) == f"The run has finished. {DIFFER}"
    assert words_of(done, differ=True, watched=False) == DIFFER
    assert words_of(done, differ=False, watched=False) == "", "a recorded run has not finished just now"
    assert words_of(failed, differ=False, watched=False) == "The run failed: no memory."
    assert words_of(None, differ=False, watched=False) == ""


def test_without_webgl_space_is_drawn_on_a_plane_in_a_story_too():
    app = open_page("pages/recovery.py", story="recovery", scene="1")
    assert not app.session_state["recovery.options@"].flat
    app.session_state[FLAT] = True  # what a browser says that has no WebGL
    assert app.run().session_state["recovery.options@"].flat
