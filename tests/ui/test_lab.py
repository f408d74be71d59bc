"""The Lab as a visitor meets it, without a browser: the real script, runs computed inline."""

import dataclasses
import hashlib
import shutil
from functools import partial
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from app_pages import (
    APP,
    command,
    commands_of,
    control,
    inline_service,
    press,
    query_of,
    run_before_hearing,
    settings_of,
    words,
)
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import RerunData
from streamlit.testing.v1 import AppTest

from featdash.figures.picture import Theme
from featdash.figures.prediction import BEGINNING, HIDDEN, Prediction
from featdash.lessons.race import panels as race_board
from featdash.lessons.race.lesson import SIZES
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.race.toolbar import Options
from featdash.lessons.shared.gaussian_race import layer_of
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.recipes.version import run_id
from featdash.runs.execution import Outcome
from featdash.runs.limits import Limits
from featdash.theory.targets import TARGETS
from featdash.ui.kit import link, navigation, shared
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.stage import chart
from featdash.ui.stage import panels as board

SMALL = {"n": "200", "width": "20", "holdout": "300", "test": "300", "steps": "100"}
BAD_POLYNOMIALS = {
    "__import__('os')": "'__import__'",
    "9**9**9": "9 ** 9",
    "z99": "'z99'",
    "z1**-1": "whole numbers",
    "(" * 150: "brackets",
    "1e999": "1e+09",
    "": "nothing",
}
SMALL_SPEC = RaceSpec(n=200, width=20, holdout=300, test=300, steps=100)


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A home with the small run."""
    home = tmp_path_factory.mktemp("kept") / "home"
    with inline_service(home):
        shared.service().submit("race", SMALL_SPEC, "another")
    return home


@pytest.fixture(autouse=True)
def _private_service(kept, tmp_path):
    """A service of its own for each test, which has the small run."""
    shutil.copytree(kept, tmp_path / "kept")
    with inline_service(tmp_path / "kept"):
        yield


def lab(**query):
    app = AppTest.from_file(APP, default_timeout=60)
    for name, value in (query or {"mode": "explore"}).items():
        app.query_params[name] = value
    return app.run()


def test_a_run_ends_on_the_page_with_its_link():
    spec, settings = dataclasses.replace(SMALL_SPEC, seed=7), {**SMALL, "seed": "7"}
    assert shared.service().find_stored("race", spec) is None
    app = press(lab(**settings), "Run race")
    assert not app.exception
    assert "Finished" in words(app)
    assert query_of(app) == {"run": run_id("race", spec), **settings}
    assert set(shared.service().result(query_of(app)["run"]).summary["methods"]) == set(spec.methods)


def test_a_link_to_a_run_alone_brings_its_settings():
    first = press(lab(**SMALL), "Run race")
    app = lab(run=query_of(first)["run"])
    assert "Finished" in words(app)
    assert app.number_input(key="race.width").value == 20
    assert query_of(app) == query_of(first)


@pytest.mark.parametrize("begins", ["before", "after"])
def test_a_setting_that_is_moved_while_the_address_of_the_one_before_is_written_stays(begins, monkeypatch):
    """Its request is on its way already, with the address before; the page is broken off where it is heard."""
    app = lab()
    control(app.toggle, "by-itself@").set_value(False)
    app.run()
    control(app.select_slider, "race.n").set_value(2000)
    moved = RerunData(urlencode(query_of(app)), widget_states=app._tree.get_widget_states())
    write, asked = navigation.write_address, []

    def ask():
        if not asked:
            asked.append(get_script_run_ctx().script_requests.request_rerun(moved))

    def write_meanwhile(query):
        steps = [ask, partial(write, query)]
        for step in steps if begins == "before" else reversed(steps):
            step()

    monkeypatch.setattr(navigation, "write_address", write_meanwhile)
    control(app.select_slider, "race.n").set_value(20_000)
    app.run()
    assert asked == [True]
    assert not app.exception
    assert settings_of(app, "race")["n"] == 2000
    assert query_of(app)["n"] == "2000"


def test_a_link_to_an_unknown_run_says_so():
    assert "no longer kept here" in words(lab(run="0123456789abcdef"))


@pytest.mark.parametrize(
    "values",
    [
        {
            "n": ("abc", "n must be a whole number"),
            "noise": ("NaN", "noise must be"),
            "d": ("10.5", "d must be a whole number"),
            "biases": ("melted", "biases must be one of"),
            "remove_linear": ("perhaps", "remove_linear must be true or false"),
            "methods": ("ntk,ntk", "must not repeat"),
            "target": ("z99", "z99"),
            "first_layer_steps": ("21", "first_layer_steps must be a whole number from 1 to 20"),
            "step_loss": ("hinge", "step_loss must be one of correlation, square_mean, square_root"),
        },
        {
            "n": ("0", "n must be a whole number from 1"),
            "target": ("z1 2", "target must have an operation before a number"),
            "width": ("21", "width must be even"),
        },
        {"n": ("1e999", "n must be"), "target": ("__import__('os')", "target")},
    ],
    ids=["of other kinds", "out of range", "hostile"],
)
def test_bad_values_in_the_link_fall_back_each_with_a_sentence(values):
    app = lab(**{name: value for name, (value, _) in values.items()})
    assert not app.exception
    assert len(app.error) == len(values)
    for name, (value, part) in values.items():
        assert sum(part in error.value for error in app.error) == 1, f"of {name} = {value} one sentence says: {part}"
        assert settings_of(app, "race")[name] == getattr(RaceSpec(), name)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("query", ["n=0&width=7&d=1&target=os.system&run=../x", "n=1e99&width=many&d=NaN"])
def test_every_bad_value_of_a_link_has_a_note_of_its_own(query):
    app = lab(**dict(parse_qsl(query)))
    assert not app.exception
    assert len(app.error) == query.count("&") + 1
    assert all("\n" not in error.value.strip() for error in app.error)
    assert commands_of(app)[1]["ready"]


@pytest.mark.usefixtures("idle")
def test_good_values_of_a_link_survive_a_bad_one():
    app = lab(n="1234", width="21")
    assert settings_of(app, "race")["n"] == 1234
    assert settings_of(app, "race")["width"] == RaceSpec().width


@pytest.mark.usefixtures("idle")
def test_settings_that_do_not_fit_together_stop_the_run_button():
    app = lab()
    app.number_input(key="race.width").set_value(21)
    app.run()
    assert any("Width m must be even" in error.value for error in app.error)
    assert not commands_of(app)[1]["ready"]
    app.number_input(key="race.width").set_value(20)
    app.number_input(key="race.d").set_value(1000)
    app.run()
    (error,) = app.error
    assert error.value == "Dimension d must be a whole number from 2 to 200, got 1000; lower Dimension d."
    assert not commands_of(app)[1]["ready"]
    assert app.number_input(key="race.d").value == 1000, "what was typed is not lost"
    app.number_input(key="race.d").set_value(12)
    app.run()
    assert not app.error
    assert commands_of(app)[1]["ready"]


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("name", TARGETS)
def test_every_target_has_its_card(name):
    app = lab(target=name, **SMALL)
    assert not app.exception
    assert not app.error
    assert "energy by degree" in words(app)
    assert TARGETS[name].story.split(".")[0] in words(app)


@pytest.mark.usefixtures("idle")
def test_own_polynomial_is_read_as_it_is_typed():
    app = lab(target="z1*z2 + He3(z3)", **SMALL)
    box = app.text_input(key="race.target.typed")
    assert box.value == "z1*z2 + He3(z3)"
    assert "$r = 3$ directions of" in words(app)
    box.set_value("He2(z1)").run()
    assert not app.error
    assert "$r = 1$ direction of" in words(app)


@pytest.mark.usefixtures("idle")
def test_products_without_a_sign_are_one_recipe_with_those_that_have_one_and_the_line_keeps_what_was_typed():
    app = lab(target="z1*z2", **SMALL)
    app.text_input(key="race.target.typed").set_value("He₂(z₁)/2 + z₁ z₂").run()
    assert not app.error
    assert "$r = 2$ directions of" in words(app)
    assert app.text_input(key="race.target.typed").value == "He₂(z₁)/2 + z₁ z₂"
    assert query_of(app)["target"] == "He₂(z₁)/2 + z₁*z₂"
    again = lab(target="He₂(z₁)/2 + z₁z₂", **SMALL)
    assert not again.error
    assert settings_of(again, "race")["target"] == "He₂(z₁)/2 + z₁*z₂"


@pytest.mark.usefixtures("idle")
def test_what_is_wrong_with_a_polynomial_stands_under_its_line_and_nowhere_else():
    app = lab(target="z1*z2", **SMALL)
    for typed, sentence in {
        "z1 2": "Your polynomial must have an operation before a number, got 'z1 2'; write z1*2 or z1^2.",
        "z1 + z9": "Your polynomial must use the variables z1 to z8, got 'z9'; rename it.",
    }.items():
        app.text_input(key="race.target.typed").set_value(typed).run()
        (alert,) = app.error
        assert alert.value == plain_text(sentence)
        kinds = [one.type for one in app.main if one.type in ("text_input", "number_input", "error")]
        assert kinds[kinds.index("text_input") + 1] == "error"
        assert app.text_input(key="race.target.typed").value == typed


@pytest.mark.usefixtures("idle")
def test_a_bad_polynomial_is_one_sentence_and_loses_nothing():
    app = lab(target="z1*z2 + He3(z3)", **SMALL)
    for typed, part in BAD_POLYNOMIALS.items():
        app.text_input(key="race.target.typed").set_value(typed).run()
        assert not app.exception
        (error,) = app.error
        assert part in error.value.replace("\\", "")  # Markdown
        assert "\n" not in error.value.strip()
        assert not commands_of(app)[1]["ready"]
        assert app.text_input(key="race.target.typed").value == typed
        app.text_input(key="race.target.typed").set_value("He2(z1)/2 + z1*z2").run()
        assert not app.error
        assert commands_of(app)[1]["ready"]
        assert settings_of(app, "race")["n"] == 200


@pytest.mark.usefixtures("idle")
def test_new_seed_changes_the_seed_alone_and_reset_keeps_it():
    app = lab(**SMALL)
    press(app, "↻ seed")
    seed = settings_of(app, "race")["seed"]
    assert seed != RaceSpec().seed
    assert settings_of(app, "race")["n"] == 200
    press(app, "Reset")
    assert settings_of(app, "race")["n"] == RaceSpec().n
    assert settings_of(app, "race")["seed"] == seed


SET = {
    "a number that no size has": (lambda app: app.number_input(key="race.width").set_value(44), {"width": 44}),
    "a size": (lambda app: app.button_group(key="race.size.choice@").set_value("full"), SIZES["full"]),
    "another target": (lambda app: app.selectbox(key="race.target.choice").set_value("rank-2"), {"target": "rank-2"}),
    "the defaults": (lambda app: click(app, "Reset"), vars(RaceSpec(seed=5))),
}


def click(app, label):
    next(button for button in app.button if button.label == label).click()


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("what", SET)
def test_run_takes_nothing_back_though_the_browser_has_not_heard_what_came_of_it(what):
    app = lab(**{name: str(value) for name, value in SIZES["quick"].items()}, target="product", seed="5")
    change, values = SET[what]
    change(app)
    run_before_hearing(app)
    assert not app.exception
    now = settings_of(app, "race")
    assert {name: now[name] for name in values} == values
    assert shared.service().get(query_of(app)["run"]).spec == RaceSpec(**now)


@pytest.mark.usefixtures("idle")
def test_a_new_seed_stays_though_run_comes_before_the_browser_has_heard_of_it():
    app = lab(**SMALL)
    click(app, "↻ seed")
    run_before_hearing(app)
    assert settings_of(app, "race")["seed"] != RaceSpec().seed


def test_a_run_too_large_is_refused_in_a_sentence(monkeypatch):
    monkeypatch.setenv("FEATDASH_MEMORY_LIMIT", "1e6")
    app = press(lab(**SMALL, seed="7"), "Run race")
    assert not app.exception
    assert any("the limit is" in error.value for error in app.error)


@pytest.mark.parametrize("name", ["stop", "pause"])
def test_a_command_is_for_the_run_that_was_asked_for_last_though_the_page_shows_the_one_before(name, monkeypatch):
    app = press(lab(**SMALL), "Run race")
    service, shown = shared.service(), query_of(app)["run"]
    newest = run_id("race", dataclasses.replace(SMALL_SPEC, width=30))
    done, commanded = service.get(shown), []
    monkeypatch.setattr(service, "get", lambda one: dataclasses.replace(done, id=one, status="running"))
    monkeypatch.setattr(service, "owns", lambda *_, **__: True)
    monkeypatch.setattr(service, name, lambda one, _: commanded.append(one) or "left")
    app.run()
    app.session_state["race.run@"] = newest  # as Run leaves it, before the page is drawn with it
    command(app, name)
    assert not app.exception
    assert commanded == [newest]


@pytest.mark.parametrize("name", ["stop", "pause"])
@pytest.mark.parametrize("ended", [True, False])
def test_a_command_that_comes_after_the_end_of_a_run_is_no_complaint(name, ended, monkeypatch):
    app = press(lab(**SMALL), "Run race")
    service = shared.service()
    done = service.get(query_of(app)["run"])
    with monkeypatch.context() as patch:
        patch.setattr(service, "get", lambda _: dataclasses.replace(done, status="running"))
        patch.setattr(service, "owns", lambda *_, alone=False: not alone)
        app.run()
        if ended:
            patch.undo()
        command(app, name)
        assert not app.exception
        said = [one.value for one in app.error]
        assert said == ([] if ended else ["You cannot pause or stop this run: others asked for it."])


def test_commands_that_come_together_are_carried_out_in_their_order_and_once(service, engine, monkeypatch):
    monkeypatch.setattr(shared, "_service", service)
    app = lab()
    app.number_input(key="race.width").set_value(30)
    command(app, "run", "stop", "run", "pause")
    assert not app.exception
    run = query_of(app)["run"]
    assert engine.calls == [("stop", run)]
    engine.end(run, Outcome("stopped"))
    assert engine.calls[1:] == [("pause", run)]
    assert service.get(run).status == "paused"
    app.run()
    command(app, "resume", "pause", "resume", "stop")
    app.run()
    assert engine.calls[2:] == [("resume", run), ("pause", run), ("resume", run), ("stop", run)]
    assert not app.error


@pytest.fixture
def computing(service, monkeypatch):
    """The Lab with its visitor's own run on the one worker, and that run's id; the engine ends runs."""
    monkeypatch.setattr(shared, "_service", service)
    app = lab(**SMALL)
    app.number_input(key="race.width").set_value(30)
    return app, run_id("race", SMALL_SPEC)


@pytest.mark.parametrize("wanted", ["by nobody else", "asked for by another", "watched by another"])
def test_run_during_ones_own_run_takes_its_place_unless_others_want_it(wanted, computing, service, engine):
    app, before = computing
    if wanted == "asked for by another":
        service.submit("race", SMALL_SPEC, "another")
    elif wanted == "watched by another":
        shared.viewer_count().watch("another", before)
    press(app, "Run race")
    assert not app.exception
    assert query_of(app)["run"] == run_id("race", dataclasses.replace(SMALL_SPEC, width=30))
    assert engine.calls == ([("stop", before)] if wanted == "by nobody else" else [])
    engine.end(before, Outcome("stopped" if engine.calls else "done", None))
    assert service.get(query_of(app)["run"]).status == "running"


def test_a_run_that_is_refused_leaves_ones_own_run_alone(computing, service, engine, monkeypatch):
    app, before = computing
    monkeypatch.setattr(service, "_limits", Limits(memory=1))
    press(app, "Run race")
    assert any("the limit is" in error.value for error in app.error)
    assert engine.calls == []
    assert service.get(before).status == "running"


def test_a_run_of_another_page_that_keeps_this_one_waiting_can_be_ended_in_one_click(service, engine, monkeypatch):
    monkeypatch.setattr(shared, "_service", service)
    app = lab()
    busy = service.submit("race", dataclasses.replace(SMALL_SPEC, width=50), visitor_of(app))
    press(app, "Run race")  # replays the recorded run
    app.number_input(key="race.width").set_value(30)
    press(app, "Run race")
    assert "is still being computed" in words(app)
    press(app, "Stop it and run this")
    assert engine.calls == [("stop", busy)]


def visitor_of(app):
    """The name of the page's visitor, who has no cookie."""
    return hashlib.sha256(app.session_state[shared.SESSION].encode()).hexdigest()[:16]


def test_what_was_refused_stands_until_the_next_command_though_the_page_is_drawn_again_by_itself(monkeypatch):
    monkeypatch.setenv("FEATDASH_MEMORY_LIMIT", "1e6")
    app = press(lab(), "Run race")  # replays the recorded run
    assert not app.error
    app.number_input(key="race.width").set_value(20)
    press(app, "Run race")
    (error,) = app.error
    assert error.value[0].isupper()
    app.run()
    assert [one.value for one in app.error] == [error.value], "as a page is when a run of its visitor ends"
    press(app, "Reset")
    press(app, "Run race")
    assert not app.error


@pytest.fixture
def on_show(monkeypatch):
    """The pictures that the page has mounted last, by their panels."""
    shown = {}

    def mount(pictures, **_):
        shown.update(pictures)
        return SimpleNamespace(ended=None)

    monkeypatch.setattr(chart, "mount", mount)
    return shown


def test_the_slider_over_lambda_moves_its_curves_without_a_refit(on_show, monkeypatch):
    """Along the axis of λ it moves a mark and no curve."""
    app = lab(**SMALL)
    before = dict(on_show)
    assert {panel.name for panel in race_board.PANELS} < set(before)
    monkeypatch.setattr(shared.service(), "submit", None)
    next(slider for slider in app.select_slider if slider.label == "λ / tuned λ").set_value(0.01).run()
    assert not app.exception
    moved = {name for name in before if on_show[name].table != before[name].table}
    assert moved == {"race-risk", "race-error", "race-profile"}


def test_a_strength_set_by_hand_is_no_fair_race():
    app = lab(**SMALL)
    assert "λ tuned alike ✓" in words(app)
    next(slider for slider in app.select_slider if slider.label == "λ / tuned λ").set_value(0.01).run()
    assert "λ set by hand ✗" in words(app)
    assert "tuned alike" not in words(app)


def test_a_trial_with_a_recorded_run_shows_it_at_once(monkeypatch):
    app = lab()
    monkeypatch.setattr(shared.service(), "submit", None)
    press(app, "A target without curvature: He₃/√6")
    assert not app.exception
    assert "Recorded run" in words(app)
    assert (settings_of(app, "race")["target"], settings_of(app, "race")["d"]) == ("transfer", 40)
    assert "one step follows noise alone" in words(app)


@pytest.mark.parametrize(
    ("methods", "told"),
    [
        (("ntk",), "No race: NTK runs alone."),
        (("random_features", "ntk"), "Same data ✓ same width ✓ λ tuned alike ✓"),
        (("algorithm1", "ntk"), "only Algorithm 1 removes the linear part"),
    ],
)
def test_the_remark_speaks_of_those_who_race(methods, told):
    line = race_board.fairness(RaceSpec(methods=methods))
    assert told in line
    assert ("Algorithm 1" in line) == ("algorithm1" in methods)


def test_the_remark_says_who_has_no_neurons():
    line = race_board.fairness(RaceSpec(n=1000, methods=("algorithm1", "ntk", "rfm")))
    assert "Algorithm 1 1\u202f000" in line or "Algorithm 1 1000" in line
    assert "RFM has no neurons but its own kernel of all n = 1" in line
    assert "RFM" not in race_board.fairness(RaceSpec())
    assert "distinct" not in race_board.fairness(RaceSpec(methods=("algorithm1", "rfm")))


def test_the_remark_counts_distinct_neurons_where_they_differ():
    """500 are the distinct ones of a mirrored network of 1000; all of a stepped layer differ."""
    counted = "mirrored baselines have 500 distinct neurons, Algorithm 1 1\u202f000"
    assert counted in race_board.fairness(RaceSpec())
    assert "distinct" not in race_board.fairness(RaceSpec(distinct="all"))
    assert "distinct" not in race_board.fairness(RaceSpec(methods=("random_features", "ntk")))
    spec = RaceSpec(n=50, width=60, remove_linear=False)
    network = layer_of("algorithm1", spec, task_of(spec.target, spec, 0).sample(50, "train"), "cpu").network
    assert len(np.unique(np.column_stack([network.W, network.b]).round(12), axis=0)) == 60


def test_rules_are_offered_in_words():
    app = lab()
    for name in ("step_rule", "biases", "distinct"):
        box = next(control for control in app.selectbox if control.key == f"race.{name}")
        assert not {"rms", "redrawn", "kept", "half", "all"} & set(box.options)


def test_downloads_name_their_picture():
    app = press(lab(**SMALL), "Run race")
    rendered = race_board.PANELS[0].render(board.View(shared.service().get(query_of(app)["run"]), Options(), Theme()))
    assert chart.title(rendered) == "Neurons by cosine similarity (MDS)"


@pytest.mark.usefixtures("idle")
def test_the_risk_of_learning_nothing_is_told_where_it_is_not_one():
    assert "nothing learned" not in words(lab(target="product", **SMALL))
    assert "nothing learned = $E f^{*2}$ = 4" in words(lab(target="2*z1*z2", **SMALL))


@pytest.mark.usefixtures("idle")
def test_a_direction_that_is_only_linear_is_not_called_seen():
    assert "all but the linear part" in words(lab(target="z1**2 + z2", **SMALL))


def test_addresses_are_read_back_as_they_were_written():
    spec = RaceSpec(n=123, noise=0.5, methods=("ntk", "algorithm1"), biases="kept", fresh_data=True, target="z1*z2")
    query = {name: link.format_value(value) for name, value in spec.to_mapping().items()}
    assert link.spec_from_query(RaceSpec(), query) == (spec, [])
    assert dataclasses.asdict(spec) != dataclasses.asdict(RaceSpec())


def test_a_link_holds_the_view_as_well():
    app = press(lab(**SMALL), "Run race")
    app.button_group(key="race.view.risk").set_value("train").run()
    next(one for one in app.toggle if one.key == "race.view.fold").set_value(True).run()
    app.session_state["takeaway@"] = True
    app.run()
    told = next(block.value for block in app.code if "view.risk" in block.value)
    query = dict(parse_qsl(told.partition("?")[2]))
    assert {name: query[name] for name in ("view.risk", "view.fold", "run")} == {
        "view.risk": "train",
        "view.fold": "True",
        "run": run_id("race", SMALL_SPEC),
    }
    again = lab(**query)
    assert not again.exception
    assert (again.session_state["race.view@"]["risk"], again.session_state["race.view@"]["fold"]) == ("train", True)
    assert not any(name.startswith("view.") for name in query_of(again)), "the address bar has the settings alone"


def test_what_a_question_hides_shows_its_start_without_a_finding_and_one_to_guess_in_its_axes_alone():
    app = press(lab(**SMALL), "Run race")
    view = board.View(shared.service().get(query_of(app)["run"]), Options(), Theme())
    neurons = race_board.PANELS[0]

    def draw(view):
        return dataclasses.replace(neurons.draw(view), headline="found")

    def hidden(asks):
        return dataclasses.replace(neurons, draw=draw, prediction=Prediction(hidden=True, asks=asks)).render(view)

    assert [chart.headline(hidden(asks)) for asks in (False, True)] == ["", ""]
    assert hidden(asks=False).alt == BEGINNING, "the untrained layer is known"
    assert hidden(asks=True).alt == HIDDEN


@pytest.mark.usefixtures("idle")
def test_a_polynomial_typed_into_the_list_of_targets_is_the_target():
    app = lab(**SMALL)
    box = app.selectbox(key="race.target.choice")
    assert box.proto.accept_new_options
    box.options = [*box.options, "z1 z2"]  # as the browser adds what is typed
    box.set_value("z1 z2").run()
    assert not app.exception
    assert app.text_input(key="race.target.typed").value == settings_of(app, "race")["target"] == "z1 z2"
    assert "hides in $r = 2$ directions" in words(app)
