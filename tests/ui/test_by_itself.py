"""A changed setting that runs by itself, and the run before, pale under it: the real pages, computed inline."""

import dataclasses

import pytest
from app_pages import clear_comparison, commands_of, control, open_page, press, query_of, stages_of, words

from featdash.lessons.race.lesson import SIZES
from featdash.lessons.race.recipe import RaceSpec, cost
from featdash.recipes.version import run_id
from featdash.runs.execution import Outcome
from featdash.ui.kit import shared
from featdash.ui.page import by_itself

pytestmark = pytest.mark.usefixtures("visit")
SMALL = {"n": "200", "width": "20", "holdout": "300", "test": "300", "steps": "100"}
SPEC = RaceSpec(n=200, width=20, holdout=300, test=300, steps=100)
DIFFER = "New settings: press Run race"


def lab(app=None, **query):
    return open_page("pages/lab.py", app, **query)


def set_noise(app, value):
    app.number_input(key="race.noise").set_value(value)
    return app.run()


def charts_of(app):
    return next(told for told in stages_of(app) if "race-risk" in told["names"])


def heights_of(told, curves):
    """What the curves of those names have in the picture of the risk."""
    data = told["panels"]["race-risk"]["picture"]["figure"]["data"]
    known = {one.get("name"): one.get("y") for one in reversed(data)}  # a curve comes before the mark at its end
    return [known[one["name"]] for one in curves]


def test_a_changed_setting_runs_and_the_run_before_stays_pale_until_it_is_cleared():
    app = lab(**SMALL)
    second = run_id("race", dataclasses.replace(SPEC, noise=0.5))
    assert charts_of(app)["before"] == {}, "nothing to compare a link's run with"
    at_first = charts_of(app)
    set_noise(app, 0.5)
    assert not app.exception
    assert query_of(app)["run"] == second
    assert "Finished" in words(app)
    assert DIFFER not in words(app)
    assert "Pale: before, noise = 1.0" in words(app)
    told = charts_of(app)
    assert (told["subject"], told["timeline"]["follows"]) == (second, True)
    assert {"race-risk", "race-profile"} <= set(told["before"])
    pale = told["before"]["race-risk"]["picture"]["figure"]["data"]
    assert heights_of(at_first, pale) == [one["y"] for one in pale] != heights_of(told, pale)
    assert len(pale) == 3, "a curve a method, and nothing else of the picture"
    clear_comparison(app)
    assert charts_of(app)["before"] == {}
    assert query_of(app)["run"] == second


def test_what_takes_longer_waits_for_run_and_says_how_long():
    app = lab()
    set_noise(app, 0.7)
    assert f"{DIFFER} (about 5 s)" in words(app)
    assert "run" not in query_of(app)
    assert cost(RaceSpec(noise=0.7)).seconds / by_itself.RESERVE > by_itself.SHORT


def test_nothing_runs_by_itself_where_the_switch_is_off_nor_on_a_wall():
    app = lab(**SMALL)
    app.toggle(key=by_itself.SWITCH).set_value(False)
    set_noise(app, 0.6)
    assert f"{DIFFER}." in words(app)
    assert shared.service().get(run_id("race", dataclasses.replace(SPEC, noise=0.6))) is None
    app = lab(present="1", **SMALL)
    set_noise(app, 0.8)
    assert shared.service().get(run_id("race", dataclasses.replace(SPEC, noise=0.8))) is None


def test_the_quick_size_is_one_click_and_short_at_every_n_up_to_its_own():
    app = lab()
    assert control(app.button_group, "race.size.choice@").value == "full"
    app = lab(app, **{name: str(value) for name, value in SIZES["quick"].items()} | {"n": "200"})
    assert control(app.button_group, "race.size.choice@").value == "quick"
    quick = RaceSpec(**SIZES["quick"])
    for n in (1, 300, 1000, 1024, 2000, 3000):
        assert cost(dataclasses.replace(quick, n=n)).seconds / by_itself.RESERVE <= by_itself.SHORT
    assert commands_of(app)[1]["ready"]


def test_a_scene_runs_a_moved_setting_by_itself():
    app = press(open_page("pages/lab.py", story="race", scene="6"), "Show me")
    next(one for one in app.number_input if one.key.endswith("race.noise")).set_value(0.5)
    app.run()
    assert not app.exception
    assert shared.service().get(run_id("race", RaceSpec(**SIZES["quick"] | {"n": 100, "noise": 0.5}))).status == "done"
    assert DIFFER not in words(app)
    assert "Pale: before, noise = 1.0" in words(app)
    assert "race-risk" in charts_of(app)["before"], "also in the picture that the question is about"


@pytest.mark.usefixtures("idle")
def test_who_goes_back_to_a_run_that_was_ended_for_another_has_it_computed(service, engine, monkeypatch):
    monkeypatch.setattr(by_itself, "arrived_by_history", lambda: False)
    app, run = lab(**SMALL), run_id("race", SPEC)
    assert service.get(run).active
    engine.end(run, Outcome("stopped"))
    app.run()
    assert service.get(run).status == "stopped", "nothing starts when a page is drawn"
    monkeypatch.setattr(by_itself, "arrived_by_history", lambda: True)
    app.run()
    assert service.get(run).active
    assert not app.exception
