"""The service: one run a recipe, each end one sentence, and what outlives a server. No second process is needed."""

import errno
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from hand_engine import HandEngine, spec
from toy_experiments import ToySpec, executions

from featdash.recipes.events import Frame, Progress
from featdash.recipes.spec import spec_digest
from featdash.recipes.version import run_id
from featdash.runs import run
from featdash.runs.execution import InlineEngine, Outcome
from featdash.runs.limits import Limits, TooLarge
from featdash.runs.recording import record
from featdash.runs.service import RunService, open_service
from featdash.runs.store import Store


def test_a_run_gives_its_frames_and_result(inline):
    name = inline.submit("count", ToySpec(steps=4), "a")
    view = inline.get(name)
    assert (view.id, view.status, view.fraction, view.error) == (run_id("count", ToySpec(steps=4)), "done", 1.0, None)
    assert [frame.at for frame in inline.frames(name)] == [0, 1, 2, 3]
    assert [int(frame.arrays["square"]) for frame in inline.frames(name, "squares")] == [0, 1, 4, 9]
    assert inline.frames(name, "other") == ()
    assert inline.result(name).summary["total"] == 14
    np.testing.assert_array_equal(inline.result(name).arrays["squares"], [0, 1, 4, 9])


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
    assert list(engine.jobs) == list(names)


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
    assert (inline.get(name).status, inline.get(name).error) == ("failed", sentence)
    assert inline.result(name) is None
    assert inline.submit(experiment, recipe, "a") == name
    assert executions(tmp_path / "log") == 2


def test_a_failed_run_still_shows_its_frames(inline):
    name = inline.submit("crash", ToySpec(), "a")
    assert [frame.stream for frame in inline.frames(name)] == ["squares"]


def test_an_experiment_that_forgets_its_result_has_failed(inline):
    assert "without a Result" in inline.get(inline.submit("forget", ToySpec(), "a")).error


def test_unknown_names_are_refused_and_unknown_ids_are_nothing(inline):
    with pytest.raises(ValueError, match="experiment must be one of"):
        inline.submit("nothing", ToySpec(), "a")
    for name in ("0" * 16, "", "../x", "race-" + "0" * 16):
        assert inline.get(name) is None
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


@pytest.mark.parametrize("experiment", ["opaque", "opaques"])
def test_a_result_that_cannot_be_kept_fails_its_run_and_frees_its_worker(inline, experiment):
    view = inline.get(inline.submit(experiment, ToySpec(), "a"))
    rule = "a summary must hold plain numbers, strings, lists and dicts, got object"
    assert (view.status, view.error) == ("failed", rule)
    assert inline.get(inline.submit("count", spec(1), "a")).status == "done"


def test_whatever_goes_wrong_in_keeping_a_run_frees_its_worker(service, engine, monkeypatch):
    first, second = (service.submit("count", spec(seed), "a") for seed in range(2))
    monkeypatch.setattr("featdash.runs.store.write_archive", lambda *_: {}["no such place"])
    engine.end(first)
    view = service.get(first)
    assert view.status == "failed"
    assert "KeyError: 'no such place'" in view.error
    assert service.result(first) is None
    assert service.get(second).status == "running"


def test_an_engine_that_cannot_start_one_run_starts_the_next(service, engine, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(engine, "start", lambda *_: {}["no such engine"])
        name = service.submit("count", spec(0), "a")
        assert (service.get(name).status, "no such engine" in service.get(name).error) == ("failed", True)
    assert service.get(service.submit("count", spec(1), "a")).status == "running"


def test_the_end_of_a_run_is_told_once_its_archive_is_readable(inline, store, tmp_path, monkeypatch):
    told, put = [], store.put

    def watch(run):
        told.append((run.status, (tmp_path / "home/archives" / f"{run.id}.npz").exists()))
        put(run)

    monkeypatch.setattr(store, "put", watch)
    inline.submit("count", ToySpec(), "a")
    assert told[-1] == ("done", True)
    assert ("running", False) in told


def test_a_locked_history_holds_nobody_up_and_loses_nothing(service, engine, store, tmp_path):
    names = [service.submit("count", spec(seed), "a") for seed in range(3)]
    store.history.flush()
    with sqlite3.connect(tmp_path / "home/runs.sqlite", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        engine.emit(names[0], Frame("squares", 0, {}))
        engine.end(names[0])
        service.stop(names[2], "a")
        assert len(service.frames(names[0])) == 1
        assert [service.get(name).status for name in names] == ["done", "running", "stopped"]
        rows = dict(other.execute("SELECT id, status FROM runs"))
        assert [rows[name] for name in names] == ["running", "queued", "queued"]
        other.execute("COMMIT")
        store.history.flush()
        rows = dict(other.execute("SELECT id, status FROM runs"))
        assert [rows[name] for name in names] == ["done", "running", "stopped"]
    other.close()


def test_a_run_shown_anew_is_not_covered_by_what_the_history_knew_of_it(engine, tmp_path):
    store = Store(tmp_path, snapshots=1)
    service = RunService(engine, store)
    name, later = (service.submit("count", spec(seed), "a") for seed in range(2))
    for one in (name, later):  # the snapshot of the second takes the place of the first
        engine.end(one, Outcome("failed", error="why"))
    find, asked = store.find, []

    def find_slowly(run_id):
        run = find(run_id)
        store.find = find
        asked.append(service.submit("count", spec(0), "a"))
        return run

    store.find = find_slowly
    assert service.get(name).status == "running"
    assert service.get(name).status == "running"
    assert asked == [name]
    service.close()


def test_progress_never_falls(service, engine):
    name = service.submit("count", spec(0), "a")
    seen = [service.get(name)]
    for fraction in (0.2, 0.1, 0.7, 3.0):
        engine.emit(name, Progress(fraction, str(fraction)))
        seen.append(service.get(name))
    assert [view.fraction for view in seen] == [0, 0.2, 0.2, 0.7, 1.0]


def test_frames_in_memory_are_bounded_and_keep_both_ends(service, engine, monkeypatch):
    monkeypatch.setattr(run, "FRAME_BYTES", 10 * 800)
    name = service.submit("count", spec(0), "a")
    for step in range(100):
        engine.emit(name, Frame("big", step, {"x": np.zeros(100)}), Frame("small", step, {}))
    at = [frame.at for frame in service.frames(name, "big")]
    assert (at[0], at[-1], len(at) <= 10, at == sorted(at)) == (0, 99, True, True)
    assert [frame.at for frame in service.frames(name, "small")] == list(range(100))
    assert "left out" in service.get(name).note


def test_a_restart_queues_unfinished_runs_again(tmp_path):
    first = HandEngine()
    service = RunService(first, Store(tmp_path))
    running, queued = (service.submit("count", spec(seed), "a") for seed in (0, 1))
    sweep = service.submit("counts", ToySpec(steps=2), "b")
    service.close()
    service = RunService(InlineEngine(), Store(tmp_path))
    assert [service.get(name).status for name in (running, queued, sweep)] == ["done"] * 3
    service.close()


def test_a_run_that_takes_the_server_down_is_not_tried_for_ever(tmp_path):
    for _ in range(4):
        service = RunService(HandEngine(), Store(tmp_path))
        name = service.submit("count", spec(0), "a")
        assert service.get(name).status == "running"
        service.close()
    service = RunService(HandEngine(), Store(tmp_path))
    assert service.get(name).status == "failed"
    assert "the server went away 3 times" in service.get(name).error
    service.close()


def test_two_servers_on_one_store_leave_each_other_alone(tmp_path):
    engines = HandEngine(), HandEngine()
    stores = Store(tmp_path), Store(tmp_path)
    services = [RunService(engine, store) for engine, store in zip(engines, stores, strict=True)]
    name = services[0].submit("count", spec(0), "a")
    stores[0].history.flush()
    assert services[1].get(name).status == "running"
    third = RunService(HandEngine(), Store(tmp_path))
    assert third.frames(name) == ()
    engines[0].end(name)
    stores[0].history.flush()
    assert [service.get(name).status for service in services] == ["done", "done"]
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
    view = inline.get(name)
    assert (view.status, view.error) == ("done", None)
    assert "No space left on device" in view.note
    assert inline.result(name).summary["total"] == 5
    assert len(inline.frames(name)) == 3


def test_recorded_runs_are_shown_without_computing(tmp_path):
    recipe = ToySpec(log=str(tmp_path / "log"))
    record("count", recipe, tmp_path / "recorded" / f"count-{spec_digest('count', recipe)}.npz")
    service = RunService(HandEngine(), Store(tmp_path / "home", recorded=tmp_path / "recorded"))
    name = service.find_recorded("count", recipe)
    view = service.get(name)
    assert (view.status, view.recorded, view.spec) == ("done", True, recipe)
    assert service.result(name).summary["total"] == 5
    assert len(service.frames(name)) == 3
    assert executions(tmp_path / "log") == 1
    service.close()


def test_snapshots_and_frames_in_memory_do_not_grow_without_bound(tmp_path, monkeypatch):
    store = Store(tmp_path, snapshots=5, unfinished_frames=2)
    service = RunService(InlineEngine(), store)
    names = [service.submit("crash", spec(seed), "a") for seed in range(10)]
    read, find = [], store.find
    monkeypatch.setattr(store, "find", lambda name: read.append(name) or find(name))
    assert {service.get(name).status for name in names[5:]} == {"failed"}
    assert read == []
    assert service.get(names[0]).status == "failed"
    assert read == [names[0]]
    assert [len(service.frames(name)) for name in names[-3:]] == [0, 1, 1]
    service.close()


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
    assert service.get(service.submit("count", ToySpec(), "a")).status == "done"
    assert "FEATDASH_HOME must be a folder that can be written" in caplog.text
    service.close()


def test_what_a_visitor_asked_for_is_found_again_latest_first(service):
    names = [service.submit("count", spec(seed), "a") for seed in (1, 2, 1)]
    assert [view.id for view in service.recent("a")] == [names[0], names[1]]
    assert service.recent("b") == []
    assert service.owns(names[0], "a", alone=True)
    service.submit("count", spec(1), "b")
    assert service.owns(names[0], "a")
    assert not service.owns(names[0], "a", alone=True)


def test_a_run_kept_under_other_defaults_is_no_run_of_these(inline, store):
    """An id tells what differs from the defaults: after a default has changed, an older run may have the same one."""
    name = inline.submit("count", ToySpec(), "a")
    archive = store.load(name)
    store.keep(name, replace(archive, spec={**archive.spec, "steps": ToySpec().steps + 1}))
    assert inline.find_stored("count", ToySpec()) is None
    inline.submit("count", ToySpec(), "a")
    assert inline.find_stored("count", ToySpec()) == name
    assert store.load(name).spec == ToySpec().to_mapping()


def test_a_run_kept_before_a_setting_was_added_is_found(inline, store):
    name = inline.submit("count", ToySpec(), "a")
    archive = store.load(name)
    store.keep(name, replace(archive, spec={name: value for name, value in archive.spec.items() if name != "seed"}))
    assert inline.find_stored("count", ToySpec()) == name


def test_only_a_finished_run_is_stored(inline):
    assert inline.find_stored("count", ToySpec()) is None
    assert inline.find_stored("count", ToySpec()) != inline.submit("count", ToySpec(), "a")
    assert inline.find_stored("count", ToySpec()) == run_id("count", ToySpec())
    inline.submit("crash", ToySpec(), "a")
    assert inline.find_stored("crash", ToySpec()) is None
