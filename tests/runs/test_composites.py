"""Sweeps: cells shared, stopped, resumed, tried again; and gaps that do not stay for ever."""

from dataclasses import replace

import pytest
from hand_engine import DONE, HandEngine, spec, until
from toy_experiments import ToySpec, computed, executions

from featdash.recipes.events import Frame, Progress
from featdash.recipes.experiment import find_experiment
from featdash.recipes.version import run_id
from featdash.runs.execution import Flags, InlineEngine, Outcome, perform
from featdash.runs.limits import Limits
from featdash.runs.service import RunService
from featdash.runs.store import Store
from featdash.ui.stage.live import status_line

LOSS = Outcome("failed", error="it went; try again", lost=True)


def test_the_service_and_the_foreground_give_the_same_events(inline):
    events = []
    outcome = perform(find_experiment("counts"), ToySpec(steps=3), events.append, Flags(), "cpu")
    name = inline.submit("counts", ToySpec(steps=3), "a")
    assert inline.result(name).summary == outcome.result.summary
    frames = [event for event in events if isinstance(event, Frame)]
    assert [(f.stream, f.at) for f in inline.frames(name)] == [(f.stream, f.at) for f in frames]
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    assert 0 <= fractions[0] <= fractions[-1] <= 1


def test_a_sweep_shares_cells_survives_a_failed_one_and_resumes(inline, tmp_path):
    log = tmp_path / "log"
    inline.submit("count", ToySpec(steps=2, seconds=2, log=str(log)), "b")
    name = inline.submit("counts", ToySpec(steps=3, log=str(log)), "a")
    summary = inline.result(name).summary
    assert summary["totals"] == [0, None, 1, 5]
    assert ["KeyError" in error for error in summary["errors"]] == [True]
    assert executions(log) == 3  # one of them was there already
    streams = [(frame.stream, frame.at) for frame in inline.frames(name)]
    assert sorted(streams) == [
        ("cell/0/squares", 0), ("cell/1/squares", 0), ("cell/2/squares", 0), ("cell/2/squares", 1),
        ("cell/3/squares", 0), ("cell/3/squares", 1), ("cell/3/squares", 2),
    ]  # fmt: skip
    inline.submit("counts", ToySpec(steps=4, log=str(log)), "a")
    assert executions(log) == 4


def test_a_composite_keeps_no_frames_but_those_of_its_cell_streams():
    name, recipe = "counts", ToySpec(steps=3)
    for streams, kept in (None, True), (("squares", "other"), True), (("other",), False), ((), False):
        events = []
        outcome = perform(replace(find_experiment(name), cell_streams=streams), recipe, events.append, Flags(), "cpu")
        assert outcome.status == "done"
        assert any(isinstance(event, Frame) for event in events) == kept
        assert [event for event in events if isinstance(event, Progress)]


def test_a_sweep_shows_what_a_cell_in_progress_has_shown(service, engine):
    cell = service.submit("count", ToySpec(steps=2, seconds=2), "b")
    engine.emit(cell, Frame("squares", 0, {}))
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    assert service.get(sweep).status == "running"
    assert frames_of(service, sweep) == [("cell/2/squares", 0)]
    engine.emit(cell, Frame("squares", 1, {}))
    assert frames_of(service, sweep) == [("cell/2/squares", 0), ("cell/2/squares", 1)]


def test_a_sweep_weighs_its_cells_and_lets_visitors_pass(engine, tmp_path):
    service = RunService(engine, Store(tmp_path))
    sweep = service.submit("counts", ToySpec(steps=3), "a")  # cells of 1, 1, 2 and 3 s
    assert list(engine.jobs) == [run_id("count", ToySpec(steps=1, seconds=1))]
    visitor = service.submit("count", spec(9), "b")
    assert service.get(visitor).place == 1
    (first,) = engine.jobs
    engine.emit(first, Progress(0.5, "half"))
    assert service.get(sweep).fraction == pytest.approx(0.5 / 7)
    assert service.get(sweep).doing == "half (cell 1 of 4)"
    engine.end(first)
    assert list(engine.jobs) == [visitor]
    assert service.get(sweep).fraction == pytest.approx(1 / 7)
    service.close()


def test_stopping_a_sweep_keeps_what_others_want_and_what_is_finished(service, engine):
    sweep = service.submit("counts", ToySpec(steps=3), "a")
    names = [run_id("count", ToySpec(steps=size, seconds=size)) for size in (1, 2, 3)]
    engine.end(names[0])
    shared = service.submit("count", ToySpec(steps=3, seconds=3), "b")
    assert shared == names[2]
    crashing = run_id("crash", ToySpec())
    assert list(engine.jobs) == [crashing]
    assert service.stop(sweep, "a") == "stops"
    assert [service.get(name).status for name in (sweep, *names)] == ["stopped", "done", "stopped", "queued"]
    assert engine.calls == [("stop", crashing)]
    engine.end(crashing, Outcome("stopped"))
    assert service.get(shared).status == "running"
    engine.end(shared)
    service.submit("counts", ToySpec(steps=3), "a")
    assert service.get(names[0]).status == service.get(names[2]).status == "done"
    for name in (crashing, names[1]):
        engine.end(name)
    assert service.get(sweep).status == "done"


def test_a_cell_that_a_visitor_leaves_waits_as_a_cell_again(service):
    service.submit("count", spec(0), "c")
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    cell = service.submit("count", ToySpec(steps=2, seconds=2), "b")
    other = service.submit("count", spec(1), "c")
    assert [service.get(name).place for name in (cell, other)] == [1, 2]
    assert service.stop(cell, "b") == "left"
    assert [service.get(name).place for name in (other, sweep, cell)] == [1, 2, 4]
    assert service.stop(sweep, "a") == "stops"
    assert service.get(cell).status == "stopped"


def test_a_paused_sweep_begins_no_further_cells(service, engine):
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    (first,) = engine.jobs
    assert service.pause(sweep, "a")
    engine.end(first)
    assert not engine.jobs
    assert service.get(sweep).status == "paused"
    assert service.resume(sweep, "a")
    assert len(engine.jobs) == 1


def test_a_sweep_that_waits_is_held_when_its_first_cell_begins(service, engine):
    busy = service.submit("count", ToySpec(seed=9), "b")
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    assert service.pause(sweep, "a")
    engine.end(busy)
    assert service.get(sweep).status == "paused"
    (first,) = engine.jobs
    engine.end(first)
    assert not engine.jobs


def test_a_sweep_that_nobody_resumes_ends_and_says_why(engine, store):
    service = RunService(engine, store, Limits(pause=0.01))
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    (first,) = engine.jobs
    assert service.pause(sweep, "a")
    until(lambda: service.get(sweep).status == "stopped")
    assert service.get(sweep).error == (
        "the run was paused for too long, the limit is 0.01 s; press Run to start it again"
    )
    assert engine.calls == [("stop", first)]
    service.close()


def test_a_long_sweep_runs_inline_without_deep_recursion(inline):
    name = inline.submit("tallies", ToySpec(steps=400), "a")
    assert inline.get(name).status == "done"
    assert inline.result(name).summary["totals"] == [0] * 400


def frames_of(service, name):
    return sorted((frame.stream, frame.at) for frame in service.frames(name))


@pytest.mark.parametrize("ledger", ["kept", "lost"])
def test_a_gap_is_told_and_computed_again_and_nothing_else_is(tmp_path, ledger):
    recipe = ToySpec(failures=1, log=str(tmp_path / "log"))
    service = RunService(InlineEngine(), Store(tmp_path / "home"))
    name = service.submit("falters", recipe, "a")
    for _ in range(2):
        view = service.get(name)
        assert (view.status, view.error) == (
            "done",
            "1 of 3 cells failed because the line was cut; press Run to compute it again",
        )
        assert status_line(view).endswith(f" s. {view.error}")
        summary = service.result(name).summary
        assert (summary["totals"], summary["errors"]) == ([1, None, 5], ["the line was cut; mend it"])
        service.close()
        if ledger == "lost":
            (tmp_path / "home/runs.sqlite").unlink()
        service = RunService(InlineEngine(), Store(tmp_path / "home"))
    assert computed(tmp_path / "log") == {(2, 0): 1, (1, 0): 1, (3, 0): 1}
    for _ in range(2):
        assert service.submit("falters", recipe, "a") == name
        assert (service.get(name).status, service.get(name).error) == ("done", None)
        assert service.result(name).summary == {"totals": [1, 1, 5], "errors": [], "seed": 0}
        assert computed(tmp_path / "log") == {(2, 0): 1, (1, 0): 2, (3, 0): 1}
    streams = [("cell/0/squares", at) for at in range(2)] + [("cell/1/squares", 0)]
    assert frames_of(service, name) == streams + [("cell/2/squares", at) for at in range(3)]
    service.close()


def test_a_result_with_gaps_outlives_a_second_try_that_was_stopped(service, engine):
    cells = [run_id(name, spec) for name, spec in find_experiment("counts").cells(ToySpec(steps=3))]
    sweep = service.submit("counts", ToySpec(steps=3), "a")
    for name, outcome in zip(cells, (DONE, *[Outcome("failed", error="why; remedy")] * 2, DONE), strict=True):
        engine.end(name, outcome)
    sentence = "2 of 4 cells failed, the first because why; press Run to compute them again"
    assert (service.get(sweep).status, service.get(sweep).error) == ("done", sentence)
    service.submit("counts", ToySpec(steps=3), "a")
    assert service.get(sweep).status == "running"
    engine.end(cells[1])
    assert service.stop(sweep, "a") == "stops"
    engine.end(cells[2], Outcome("stopped"))
    assert service.get(sweep).status == "stopped"
    assert service.result(sweep).summary["totals"] == [1, None, None, 1]
    service.submit("counts", ToySpec(steps=3), "a")
    assert list(engine.jobs) == [cells[2]]
    engine.end(cells[2])
    assert (service.get(sweep).status, service.get(sweep).error) == ("done", None)
    assert service.result(sweep).summary["totals"] == [1, 1, 1, 1]


def test_a_cell_that_lost_its_worker_begins_anew_and_nothing_of_it_counts_twice(service, engine):
    sweep = service.submit("counts", ToySpec(steps=3), "a")  # cells of 1, 1, 2 and 3 s
    first, second = (run_id(*one) for one in find_experiment("counts").cells(ToySpec(steps=3))[:2])
    engine.emit(first, Frame("squares", 0, {}), Progress(0.5, "half"))
    lost = engine.jobs[first]
    engine.end(first, LOSS)
    assert list(engine.jobs) == [first]
    assert [(view.status, view.fraction) for view in map(service.get, (sweep, first))] == [("running", 0.0)] * 2
    assert frames_of(service, sweep) == frames_of(service, first) == []
    lost[1](Frame("squares", 1, {}))  # a message that was late
    lost[2](DONE)
    assert service.get(first).status == "running"
    engine.emit(first, Frame("squares", 0, {}), Progress(0.2, "a fifth"))
    assert service.get(sweep).fraction == pytest.approx(0.2 / 7)
    assert frames_of(service, sweep) == [("cell/0/squares", 0)]
    engine.end(first)
    assert list(engine.jobs) == [second]
    assert service.get(sweep).fraction == pytest.approx(1 / 7)


def test_a_cell_that_loses_two_workers_is_a_gap_with_the_reason(service, engine):
    sweep = service.submit("counts", ToySpec(steps=1), "a")
    cells = [run_id(*one) for one in find_experiment("counts").cells(ToySpec(steps=1))]
    for outcome in (LOSS, LOSS):
        engine.end(cells[0], outcome)
    assert (service.get(cells[0]).status, service.get(cells[0]).error) == ("failed", LOSS.error)
    engine.end(cells[1])
    assert service.get(sweep).error == "1 of 2 cells failed because it went; press Run to compute it again"


def test_only_cells_that_somebody_waits_for_are_tried_again(service, engine):
    single = service.submit("count", spec(0), "a")
    engine.end(single, LOSS)
    assert (service.get(single).status, engine.jobs) == ("failed", {})
    sweep = service.submit("counts", ToySpec(steps=1), "a")
    (cell,) = engine.jobs
    assert service.stop(sweep, "a") == "stops"
    engine.end(cell, LOSS)
    assert (service.get(cell).status, engine.jobs) == ("failed", {})


def test_a_stopped_sweep_still_shows_its_frames(tmp_path):
    engine = HandEngine(slots=30)
    service = RunService(engine, Store(tmp_path))
    sweep = service.submit("tallies", ToySpec(steps=40), "a")
    cells = list(engine.jobs)
    assert len(cells) == 30
    for name in cells:
        engine.emit(name, Frame("squares", 0, {}))
    assert service.stop(sweep, "a") == "stops"
    for name in cells:
        engine.end(name, Outcome("stopped"))
    assert len(service.frames(sweep)) == 30
    service.close()


class Interrupted(InlineEngine):
    """Computes so many jobs and leaves the next one undone."""

    def __init__(self, count):
        super().__init__()
        self.count, self.left = count, []

    def start(self, job, on_event, on_end):
        self.count -= 1
        super().start(job, on_event, on_end) if self.count >= 0 else self.left.append(on_end)


@pytest.mark.parametrize("interruption", ["cancel", "restart"])
def test_an_interrupted_sweep_computes_no_finished_cell_twice(tmp_path, interruption):
    recipe, log = ToySpec(steps=6, log=str(tmp_path / "log")), tmp_path / "log"
    engine = Interrupted(3)
    service = RunService(engine, Store(tmp_path / "home"))
    sweep = service.submit("tallies", recipe, "a")
    assert service.get(sweep).status == "running"
    finished = {name: service.get(name).finished for name in cell_ids(recipe) if service.get(name).status == "done"}
    assert len(finished) == 3
    if interruption == "cancel":
        assert service.stop(sweep, "a") == "stops"
        engine.left.pop()(Outcome("stopped"))
        assert service.get(sweep).status == "stopped"
    service.close()
    service = RunService(InlineEngine(), Store(tmp_path / "home"))
    if interruption == "cancel":
        service.submit("tallies", recipe, "a")
    assert service.get(sweep).status == "done"
    assert {name: service.get(name).finished for name in finished} == finished
    assert computed(log) == {(1, seed): 1 for seed in range(6)}
    service.close()


def cell_ids(recipe):
    return [run_id(name, cell) for name, cell in find_experiment("tallies").cells(recipe)]


def test_a_second_try_that_a_restart_interrupts_goes_on(tmp_path):
    recipe = ToySpec(failures=1, log=str(tmp_path / "log"))
    service = RunService(InlineEngine(), Store(tmp_path / "home"))
    name = service.submit("falters", recipe, "a")
    service.close()
    service = RunService(HandEngine(), Store(tmp_path / "home"))
    service.submit("falters", recipe, "a")
    assert service.get(name).status == "running"
    service.close()
    service = RunService(InlineEngine(), Store(tmp_path / "home"))
    assert (service.get(name).status, service.get(name).error) == ("done", None)
    assert computed(tmp_path / "log")[1, 0] == 2
    service.close()
