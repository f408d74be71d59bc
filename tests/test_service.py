"""The service: one run a recipe, fair queues, owners, composites, restarts. No second process is needed to tell."""

import errno
import sqlite3
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from toy_experiments import ToySpec, executions

from featdash.experiments import find_experiment
from featdash.experiments.events import Frame, Progress, Result
from featdash.experiments.spec import run_id, spec_digest
from featdash.runs import live, shelf
from featdash.runs.engine import InlineEngine
from featdash.runs.environment import open_service
from featdash.runs.execution import Flags, Outcome, perform
from featdash.runs.limits import Limits, QueueFull, TooLarge
from featdash.runs.recording import record
from featdash.runs.service import RunService
from featdash.runs.store import Store
from featdash.runs.waiting import Waiting, in_order

DONE = Outcome("done", Result({"total": 1}))


class HandEngine:
    """Starts jobs and leaves them to the test, which ends them by hand."""

    def __init__(self, slots: int = 1):
        self.places, self.jobs, self.calls = slots, {}, []

    def start(self, job, on_event, on_end):
        self.jobs[job.key.split("-")[0]] = (job, on_event, on_end)

    def emit(self, name, *events):
        for event in events:
            self.jobs[name][1](event)

    def end(self, name, outcome=DONE):
        self.jobs.pop(name)[2](outcome)

    def stop(self, job):
        self.calls.append(("stop", job.key.split("-")[0]))

    def pause(self, job, pause):
        self.calls.append(("pause" if pause else "resume", job.key.split("-")[0]))

    def kill(self, job):
        self.calls.append(("kill", job.key.split("-")[0]))

    def slots(self):
        return self.places

    def describe(self):
        return "by hand"

    def close(self):
        pass


@pytest.fixture
def inline(tmp_path):
    service = RunService(InlineEngine(), Store(tmp_path / "home"))
    yield service
    service.close()


@pytest.fixture
def engine():
    return HandEngine()


@pytest.fixture
def service(engine, tmp_path):
    service = RunService(engine, Store(tmp_path / "home"))
    yield service
    service.close()


def meanwhile(action):
    """Let another thread act now, unless a lock keeps it out until later; returns what to join and its answers."""
    answers = []

    def act():
        try:
            answers.append(action())
        except ValueError as error:
            answers.append(error)

    thread = threading.Thread(target=act)
    thread.start()
    thread.join(0.2)
    return thread, answers


def until(ready):
    """Wait for what another thread will do within moments."""
    for _ in range(1000):
        if ready():
            return
        time.sleep(0.01)
    raise TimeoutError("it did not happen within ten seconds")


def spec(seed: int, **settings) -> ToySpec:
    return ToySpec(seed=seed, **settings)


def test_a_run_gives_its_frames_and_result(inline):
    name = inline.submit("count", ToySpec(steps=4), "a")
    view = inline.look(name)
    assert (view.id, view.status, view.fraction, view.error) == (run_id("count", ToySpec(steps=4)), "done", 1.0, None)
    assert [frame.at for frame in inline.frames(name)] == [0, 1, 2, 3]
    assert [int(frame.arrays["square"]) for frame in inline.frames(name, "squares")] == [0, 1, 4, 9]
    assert inline.frames(name, "other") == ()
    assert inline.result(name).summary["total"] == 14
    np.testing.assert_array_equal(inline.result(name).arrays["squares"], [0, 1, 4, 9])


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


def test_equal_recipes_compute_once_also_after_a_restart(tmp_path):
    log = tmp_path / "log"
    for _ in range(2):
        service = RunService(InlineEngine(), Store(tmp_path / "home"))
        names = {service.submit("count", ToySpec(log=str(log)), session) for session in "abc"}
        assert len(names) == 1
        assert service.result(names.pop()).summary["total"] == 5
        service.close()
    assert executions(log) == 1


def test_many_threads_with_one_recipe_share_one_run(service, engine):
    with ThreadPoolExecutor(8) as threads:
        names = set(threads.map(lambda session: service.submit("count", spec(1), str(session)), range(40)))
    assert len(names) == 1
    assert service.counts().active == len(engine.jobs) == 1


@pytest.mark.parametrize(
    ("experiment", "sentence"),
    [
        ("refuse", "steps must be even, got 3; add one"),
        (
            "crash",
            "the run broke off with KeyError: 'no such thing on cpu'; change a setting, or report it with its link",
        ),
    ],
)
def test_a_failure_is_one_sentence_and_the_next_submit_tries_again(inline, tmp_path, experiment, sentence):
    recipe = ToySpec(log=str(tmp_path / "log"))
    name = inline.submit(experiment, recipe, "a")
    assert (inline.look(name).status, inline.look(name).error) == ("failed", sentence)
    assert inline.result(name) is None
    assert inline.submit(experiment, recipe, "a") == name
    assert executions(tmp_path / "log") == 2


def test_a_failed_run_still_shows_its_frames(inline):
    name = inline.submit("crash", ToySpec(), "a")
    assert [frame.stream for frame in inline.frames(name)] == ["squares"]


def test_an_experiment_that_forgets_its_result_has_failed(inline):
    assert "without a Result" in inline.look(inline.submit("forget", ToySpec(), "a")).error


def test_unknown_names_are_refused_and_unknown_ids_are_nothing(inline):
    with pytest.raises(ValueError, match="experiment must be one of"):
        inline.submit("nothing", ToySpec(), "a")
    for name in ("0" * 16, "", "../x", "race-" + "0" * 16):
        assert inline.look(name) is None
        assert inline.frames(name) == ()
        assert inline.result(name) is None
        assert inline.stop(name) == "not yours"
        assert not inline.pause(name)


def test_too_large_a_run_is_refused_with_numbers_and_remedy(tmp_path):
    service = RunService(InlineEngine(), Store(tmp_path), Limits(memory=1e9, seconds=100))
    with pytest.raises(TooLarge, match=r"^count needs 2.1 GB of memory, the limit is 1 GB; lower steps to 1$"):
        service.submit("count", ToySpec(memory=2.1e9), "a")
    with pytest.raises(TooLarge, match=r"^count needs about 250 s, the limit is 100 s; lower steps to 1$"):
        service.submit("count", ToySpec(seconds=250), "a")
    service.close()


def test_queue_caps_by_session_and_in_all(engine, tmp_path):
    service = RunService(engine, Store(tmp_path), Limits(session_queue=2, queue=3))
    running = service.submit("count", spec(0), "a")
    waiting = [service.submit("count", spec(seed), "a") for seed in (1, 2)]
    with pytest.raises(QueueFull, match=r"^you have 2 runs in the queue, the limit is 2; "):
        service.submit("count", spec(3), "a")
    service.submit("count", spec(3), "b")
    with pytest.raises(QueueFull, match=r"^the queue holds 3 runs, the limit is 3; "):
        service.submit("count", spec(4), "c")
    assert service.submit("count", spec(1), "c") == waiting[0]  # joining takes no room
    engine.end(running)
    service.submit("count", spec(4), "c")
    service.close()


def test_places_in_the_queue_are_told_and_kept_up_to_date(service, engine):
    names = [service.submit("count", spec(seed), session) for seed, session in enumerate("aaab")]
    places = [service.look(name).place for name in names]
    assert places == [None, 2, 3, 1]  # b has had no turn yet
    assert service.look(names[1]).queue_length == 3
    versions = [service.look(name).version for name in names]
    engine.end(names[0])
    assert [service.look(name).status for name in names] == ["done", "queued", "queued", "running"]
    assert [service.look(name).place for name in names] == [None, 1, 2, None]
    assert all(service.look(name).version > version for name, version in zip(names, versions, strict=True))


def test_sessions_take_turns_and_visitors_come_before_sweeps():
    queue = [Waiting("s1", "a", True, 0), Waiting("a1", "a", False, 1), Waiting("a2", "a", False, 2)]
    queue += [Waiting("b1", "b", False, 3), Waiting("c1", "c", False, 4), Waiting("b2", "b", False, 5)]
    order = [one.run_id for one in in_order(queue, {"b": 1})]
    assert order == ["a1", "c1", "b1", "a2", "b2", "s1"]


def test_a_shared_run_stops_with_its_last_owner_only(service, engine):
    name = service.submit("count", spec(0), "lecturer")
    service.submit("count", spec(0), "student")
    assert [service.owns(name, session) for session in ("lecturer", "student", "passer-by")] == [True, True, False]
    assert service.stop(name, "passer-by") == "not yours"
    assert service.stop(name, "student") == "left"
    assert engine.calls == []
    assert service.stop(name, "student") == "not yours"
    assert service.stop(name, "lecturer") == service.stop(name, "lecturer") == "stops"
    assert engine.calls == [("stop", name)]
    assert service.look(name).status == "running"
    engine.end(name, Outcome("stopped"))
    assert (service.look(name).status, service.look(name).error) == ("stopped", None)


def test_a_queued_run_stops_at_once_and_the_operator_may_stop_any(service, engine):
    first, second, third = (service.submit("count", spec(seed), "a") for seed in range(3))
    assert service.stop(second) == "stops"
    assert service.look(second).status == "stopped"
    assert engine.calls == []
    engine.end(first)
    assert service.look(third).status == "running"


def test_a_deaf_run_is_killed_after_the_courtesy(service, engine, monkeypatch):
    monkeypatch.setattr("featdash.runs.schedule.COURTESY", 0.01)
    name = service.submit("count", spec(0), "a")
    service.stop(name)
    until(lambda: len(engine.calls) == 2)
    assert engine.calls == [("stop", name), ("kill", name)]


def test_a_queued_run_that_is_being_stopped_is_neither_begun_nor_joined(engine, tmp_path):
    armed, others = [], []

    def clock():
        if armed:
            armed.clear()
            engine.places = 2
            others.append(meanwhile(service._schedule.pump))
            others.append(meanwhile(lambda: service._schedule.join(queued, "b")))
        return 100.0

    service = RunService(engine, Store(tmp_path), clock=clock)
    running, queued = (service.submit("count", spec(seed), "a") for seed in range(2))
    armed.append(True)
    assert service.stop(queued, "a") == "stops"
    for thread, _ in others:
        thread.join()
    assert others[1][1] == [False]
    assert list(engine.jobs) == [running]
    assert service.look(queued).status == "stopped"
    service.close()


def test_the_engine_hears_pause_and_resume_in_the_order_in_which_they_were_said(service, engine, monkeypatch):
    others = []

    def pause(_, pause):
        if pause:
            others.append(meanwhile(lambda: service.resume(name, "a")))
        engine.calls.append("pause" if pause else "resume")

    monkeypatch.setattr(engine, "pause", pause)
    name = service.submit("count", spec(0), "a")
    assert service.pause(name, "a")
    others[0][0].join()
    assert others[0][1] == [True]
    assert engine.calls == ["pause", "resume"]
    assert service.look(name).status == "running"


def test_two_threads_do_not_slip_into_the_last_place_of_the_queue(engine, tmp_path):
    others = []

    class Slow(Limits):
        def check_queue(self, of_session, of_all):
            if of_all == 0 and engine.jobs and not others:
                others.append(meanwhile(lambda: service.submit("count", spec(2), "b")))
            super().check_queue(of_session, of_all)

    service = RunService(engine, Store(tmp_path), Slow(queue=1))
    service.submit("count", spec(0), "a")
    service.submit("count", spec(1), "a")
    others[0][0].join()
    assert isinstance(others[0][1][0], QueueFull)
    assert service.counts().queued == 1
    service.close()


@pytest.mark.parametrize("experiment", ["opaque", "opaques"])
def test_a_result_that_cannot_be_kept_fails_its_run_and_frees_its_worker(inline, experiment):
    view = inline.look(inline.submit(experiment, ToySpec(), "a"))
    rule = "a summary must hold plain numbers, strings, lists and dicts, got object"
    assert (view.status, view.error) == ("failed", rule)
    assert inline.look(inline.submit("count", spec(1), "a")).status == "done"


def test_whatever_goes_wrong_in_keeping_a_run_frees_its_worker(service, engine, monkeypatch):
    first, second = (service.submit("count", spec(seed), "a") for seed in range(2))
    monkeypatch.setattr("featdash.runs.store.write_archive", lambda *_: {}["no such place"])
    engine.end(first)
    view = service.look(first)
    assert view.status == "failed"
    assert "KeyError: 'no such place'" in view.error
    assert service.result(first) is None
    assert service.look(second).status == "running"


def test_an_engine_that_cannot_start_one_run_starts_the_next(service, engine, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(engine, "start", lambda *_: {}["no such engine"])
        name = service.submit("count", spec(0), "a")
        assert (service.look(name).status, "no such engine" in service.look(name).error) == ("failed", True)
    assert service.look(service.submit("count", spec(1), "a")).status == "running"


def test_the_end_of_a_run_is_told_once_its_archive_is_readable(inline, tmp_path, monkeypatch):
    told = []
    publish = shelf.Shelf.publish

    def watch(self, run, *rest):
        told.append((run.status, (tmp_path / "home/archives" / f"{run.id}.npz").exists()))
        publish(self, run, *rest)

    monkeypatch.setattr(shelf.Shelf, "publish", watch)
    inline.submit("count", ToySpec(), "a")
    assert told[-1] == ("done", True)
    assert ("running", False) in told


def test_a_locked_ledger_holds_nobody_up_and_loses_nothing(service, engine, tmp_path):
    names = [service.submit("count", spec(seed), "a") for seed in range(3)]
    service._store.ledger.flush()
    with sqlite3.connect(tmp_path / "home/runs.sqlite", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        engine.emit(names[0], Frame("squares", 0, {}))
        engine.end(names[0])
        service.stop(names[2], "a")
        assert len(service.frames(names[0])) == 1
        assert [service.look(name).status for name in names] == ["done", "running", "stopped"]
        rows = dict(other.execute("SELECT id, status FROM runs"))
        assert [rows[name] for name in names] == ["running", "queued", "queued"]
        other.execute("COMMIT")
        service._store.ledger.flush()
        rows = dict(other.execute("SELECT id, status FROM runs"))
        assert [rows[name] for name in names] == ["done", "running", "stopped"]
    other.close()


def test_a_run_shown_anew_is_not_covered_by_what_the_ledger_knew_of_it(service, engine):
    name = service.submit("count", spec(0), "a")
    engine.end(name, Outcome("failed", error="why"))
    service._shelf._views.clear()
    find = service._store.find

    def find_slowly(run_id):
        row = find(run_id)
        service._store.find = find
        service.submit("count", spec(0), "a")
        return row

    service._store.find = find_slowly
    assert service.look(name).status == "running"
    assert service.look(name).status == "running"


def test_a_run_submitted_while_it_stops_begins_anew(service, engine):
    name = service.submit("count", spec(0), "a")
    service.stop(name, "a")
    old = engine.jobs[name]
    assert service.submit("count", spec(0), "b") == name
    assert service.look(name).status == "queued"
    old[1](Progress(0.9, "late"))
    assert service.look(name).fraction == 0
    old[2](Outcome("stopped"))
    assert service.look(name).status == "running"
    engine.end(name)
    assert service.look(name).status == "done"


def test_pause_and_resume_belong_to_owners_and_stop_the_clock(engine, tmp_path):
    now = [100.0]
    service = RunService(engine, Store(tmp_path), clock=lambda: now[0])
    name = service.submit("count", spec(0), "a")
    engine.emit(name, Progress(0.0, "begin"))
    now[0] += 4
    assert not service.pause(name, "b")
    assert service.pause(name, "a")
    assert service.look(name).status == "paused"
    now[0] += 1000
    assert not service.pause(name, "a")
    assert service.resume(name, "a")
    now[0] += 4
    engine.emit(name, Progress(0.5, "half"))
    view = service.look(name)
    assert (view.status, view.seconds, view.seconds_left) == ("running", 8.0, 8.0)
    assert engine.calls == [("pause", name), ("resume", name)]
    engine.end(name)
    assert service.look(name).seconds == 8.0
    service.close()


def test_a_shared_run_is_not_paused_and_a_paused_run_that_is_shared_goes_on(service, engine):
    name = service.submit("count", spec(0), "a")
    assert service.pause(name, "a")
    service.submit("count", spec(0), "a")  # the same visitor
    assert service.look(name).status == "paused"
    service.submit("count", spec(0), "b")
    assert service.look(name).status == "running"
    assert not service.pause(name, "a")
    assert not service.pause(name, "b")
    assert service.stop(name, "a") == "left"
    assert service.pause(name, "b")
    assert engine.calls == [("pause", name), ("resume", name), ("pause", name)]


def test_a_run_waits_in_the_turn_of_its_oldest_owner_left(engine, tmp_path):
    service = RunService(engine, Store(tmp_path), Limits(session_queue=1))
    service.submit("count", spec(0), "c")
    shared = service.submit("count", spec(1), "a")
    service.submit("count", spec(1), "b")
    with pytest.raises(QueueFull):
        service.submit("count", spec(2), "a")
    service.submit("count", spec(2), "b")
    assert service.stop(shared, "a") == "left"
    service.submit("count", spec(3), "a")
    with pytest.raises(QueueFull, match="you have 2 runs in the queue"):
        service.submit("count", spec(4), "b")
    service.close()


def test_a_cell_that_a_visitor_leaves_waits_as_a_cell_again(service):
    service.submit("count", spec(0), "c")
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    cell = service.submit("count", ToySpec(steps=2, seconds=2), "b")
    other = service.submit("count", spec(1), "c")
    assert [service.look(name).place for name in (cell, other)] == [1, 2]
    assert service.stop(cell, "b") == "left"
    assert [service.look(name).place for name in (other, sweep, cell)] == [1, 2, 4]
    assert service.stop(sweep, "a") == "stops"
    assert service.look(cell).status == "stopped"


def test_owners_survive_a_restart(tmp_path):
    service = RunService(HandEngine(), Store(tmp_path))
    name = service.submit("count", spec(0), "a")
    for session in "bc":
        service.submit("count", spec(0), session)
    service.stop(name, "a")
    service.close()
    service = RunService(HandEngine(), Store(tmp_path))
    assert [service.owns(name, session) for session in "abc"] == [False, True, True]
    assert [service.stop(name, session) for session in "abc"] == ["not yours", "left", "stops"]
    service.close()


def test_a_sweep_that_nobody_resumes_ends_and_says_why(service, engine, monkeypatch):
    monkeypatch.setattr("featdash.runs.schedule.PAUSE_LIMIT", 0.01)
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    (first,) = engine.jobs
    assert service.pause(sweep, "a")
    until(lambda: service.look(sweep).status == "stopped")
    assert service.look(sweep).error == (
        "the run was paused for too long, the limit is 0.01 s; press Run to start it again"
    )
    assert engine.calls == [("stop", first)]


def test_a_run_far_beyond_the_time_limit_is_stopped_and_says_why(engine, tmp_path):
    now = [100.0]
    service = RunService(engine, Store(tmp_path), Limits(seconds=0.01), clock=lambda: now[0])
    name = service.submit("count", spec(0, seconds=0.01), "a")
    engine.emit(name, Progress(0.1, "begin"))
    now[0] += 0.05
    until(lambda: engine.calls)
    assert engine.calls == [("stop", name)]
    engine.end(name, Outcome("stopped"))
    rule = "a run must end within 0.04 s of computing, this one did not"
    assert (service.look(name).status, service.look(name).error) == ("stopped", f"{rule}; lower steps to 1")
    service.close()


def test_progress_never_falls_and_versions_always_rise(service, engine):
    name = service.submit("count", spec(0), "a")
    seen = [service.look(name)]
    for fraction in (0.2, 0.1, 0.7, 3.0):
        engine.emit(name, Progress(fraction, str(fraction)))
        seen.append(service.look(name))
    assert [view.fraction for view in seen] == [0, 0.2, 0.2, 0.7, 1.0]
    assert [view.version for view in seen] == sorted({view.version for view in seen})


def test_frames_in_memory_are_bounded_and_keep_both_ends(service, engine, monkeypatch):
    monkeypatch.setattr(live, "FRAME_BYTES", 10 * 800)
    name = service.submit("count", spec(0), "a")
    for step in range(100):
        engine.emit(name, Frame("big", step, {"x": np.zeros(100)}), Frame("small", step, {}))
    at = [frame.at for frame in service.frames(name, "big")]
    assert (at[0], at[-1], len(at) <= 10, at == sorted(at)) == (0, 99, True, True)
    assert [frame.at for frame in service.frames(name, "small")] == list(range(100))
    assert "left out" in service.look(name).note


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


def test_a_sweep_weighs_its_cells_and_lets_visitors_pass(engine, tmp_path):
    service = RunService(engine, Store(tmp_path))
    sweep = service.submit("counts", ToySpec(steps=3), "a")  # cells of 1, 1, 2 and 3 s
    assert list(engine.jobs) == [run_id("count", ToySpec(steps=1, seconds=1))]
    visitor = service.submit("count", spec(9), "b")
    assert service.look(visitor).place == 1
    (first,) = engine.jobs
    engine.emit(first, Progress(0.5, "half"))
    assert service.look(sweep).fraction == pytest.approx(0.5 / 7)
    assert service.look(sweep).doing == "half (cell 1 of 4)"
    engine.end(first)
    assert list(engine.jobs) == [visitor]
    assert service.look(sweep).fraction == pytest.approx(1 / 7)
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
    assert [service.look(name).status for name in (sweep, *names)] == ["stopped", "done", "stopped", "queued"]
    assert engine.calls == [("stop", crashing)]
    engine.end(crashing, Outcome("stopped"))
    assert service.look(shared).status == "running"
    engine.end(shared)
    service.submit("counts", ToySpec(steps=3), "a")
    assert service.look(names[0]).status == service.look(names[2]).status == "done"
    for name in (crashing, names[1]):
        engine.end(name)
    assert service.look(sweep).status == "done"


def test_a_paused_sweep_begins_no_further_cells(service, engine):
    sweep = service.submit("counts", ToySpec(steps=2), "a")
    (first,) = engine.jobs
    assert service.pause(sweep, "a")
    engine.end(first)
    assert not engine.jobs
    assert service.look(sweep).status == "paused"
    assert service.resume(sweep, "a")
    assert len(engine.jobs) == 1


def test_a_long_sweep_runs_inline_without_deep_recursion(inline):
    name = inline.submit("counts", ToySpec(steps=125), "a")
    assert inline.look(name).status == "done"
    assert len(inline.result(name).summary["totals"]) == 126


def test_a_restart_queues_unfinished_runs_again(tmp_path):
    first = HandEngine()
    service = RunService(first, Store(tmp_path))
    running, queued = (service.submit("count", spec(seed), "a") for seed in (0, 1))
    sweep = service.submit("counts", ToySpec(steps=2), "b")
    service.close()
    service = RunService(InlineEngine(), Store(tmp_path))
    assert [service.look(name).status for name in (running, queued, sweep)] == ["done"] * 3
    service.close()


def test_a_run_that_takes_the_server_down_is_not_tried_for_ever(tmp_path):
    for _ in range(4):
        service = RunService(HandEngine(), Store(tmp_path))
        name = service.submit("count", spec(0), "a")
        assert service.look(name).status == "running"
        service.close()
    service = RunService(HandEngine(), Store(tmp_path))
    assert service.look(name).status == "failed"
    assert "the server went away 3 times" in service.look(name).error
    service.close()


def test_two_servers_on_one_store_leave_each_other_alone(tmp_path):
    engines = HandEngine(), HandEngine()
    services = [RunService(engine, Store(tmp_path)) for engine in engines]
    name = services[0].submit("count", spec(0), "a")
    services[0]._store.ledger.flush()
    assert services[1].look(name).status == "running"
    third = RunService(HandEngine(), Store(tmp_path))
    assert third.counts().active == 0
    engines[0].end(name)
    services[0]._store.ledger.flush()
    assert [service.look(name).status for service in services] == ["done", "done"]
    assert services[1].result(name).summary == {"total": 1}
    for service in (*services, third):
        service.close()


def test_a_damaged_archive_is_computed_again(tmp_path):
    log = tmp_path / "log"
    for _ in range(2):
        service = RunService(InlineEngine(), Store(tmp_path / "home"))
        name = service.submit("count", ToySpec(log=str(log)), "a")
        assert service.result(name).summary["total"] == 5
        service.close()
        path = tmp_path / "home/archives" / f"{name}.npz"
        path.write_bytes(path.read_bytes()[:200])
    assert executions(log) == 2


def test_a_full_disk_costs_a_note_not_the_run(inline, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("featdash.runs.store.write_archive", full)
    name = inline.submit("count", ToySpec(), "a")
    view = inline.look(name)
    assert (view.status, view.error) == ("done", None)
    assert "No space left on device" in view.note
    assert inline.result(name).summary["total"] == 5
    assert len(inline.frames(name)) == 3


def test_recorded_runs_are_shown_without_computing(tmp_path):
    recipe = ToySpec(log=str(tmp_path / "log"))
    record("count", recipe, tmp_path / "recorded" / f"count-{spec_digest('count', recipe)}.npz")
    service = RunService(HandEngine(), Store(tmp_path / "home", recorded=tmp_path / "recorded"))
    name = service.recorded("count", recipe)
    view = service.look(name)
    assert (view.status, view.recorded, view.spec) == ("done", True, recipe)
    assert service.result(name).summary["total"] == 5
    assert len(service.frames(name)) == 3
    assert executions(tmp_path / "log") == 1
    service.close()


def test_views_and_remains_do_not_grow_without_bound(inline, monkeypatch):
    monkeypatch.setattr(shelf, "VIEWS", 5)
    monkeypatch.setattr(shelf, "REMAINS", 2)
    names = [inline.submit("crash", spec(seed), "a") for seed in range(10)]
    assert len(inline._shelf._views) == 5
    assert [len(inline.frames(name)) for name in names[-3:]] == [0, 1, 1]
    assert inline.look(names[0]).status == "failed"  # from the ledger


@pytest.mark.parametrize(
    ("variable", "value"),
    [("FEATDASH_ENGINE", "ray"), ("FEATDASH_MEMORY_LIMIT", "much"), ("FEATDASH_CACHE_BYTES", "-1")],
)
def test_a_senseless_variable_is_one_sentence(tmp_path, variable, value):
    with pytest.raises(ValueError, match=rf"^{variable} must be .*, got '{value}'; "):
        open_service({"FEATDASH_HOME": str(tmp_path), variable: value})


def test_a_home_that_cannot_be_written_is_replaced(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    service = open_service({"FEATDASH_HOME": str(tmp_path / "file/home"), "FEATDASH_ENGINE": "inline"})
    assert service.look(service.submit("count", ToySpec(), "a")).status == "done"
    assert "FEATDASH_HOME must be a folder that can be written" in caplog.text
    service.close()
