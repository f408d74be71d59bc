"""Passing errors, crowds, closed tabs and damaged rows: what they may cost, and what they may not."""

import contextlib
import dataclasses
import errno
import inspect
import json
import os
import resource
import sqlite3
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hand_engine import HandEngine, spec
from streamlit.testing.v1 import AppTest
from toy_experiments import ToySpec

from featdash.lessons import EXPERIMENTS
from featdash.recipes.events import Progress, Result
from featdash.recipes.spec import Number, json_value
from featdash.recipes.version import run_id
from featdash.runs import history
from featdash.runs.codec import Archive, read_about, read_archive, write_archive
from featdash.runs.execution import InlineEngine
from featdash.runs.history import History
from featdash.runs.limits import Limits, QueueFull, TooLarge, format_apart, format_bytes
from featdash.runs.queue import AWAY, Queue
from featdash.runs.run import Run
from featdash.runs.service import RunService, open_service
from featdash.runs.store import Store
from featdash.ui.kit import link

EXAMPLE = Archive("count", {"steps": 3}, (), Result({"risk": 0.25}, {"risk": np.arange(100.0)}), 1.0, 12.0)


@pytest.mark.parametrize("number", ["EMFILE", "EACCES", "ENOSPC", "EIO", "ESTALE"])
def test_an_error_that_passes_leaves_the_archive_where_it_is(tmp_path, monkeypatch, number):
    path = tmp_path / "run.npz"
    write_archive(path, EXAMPLE)

    def refuse(*_, **__):
        raise OSError(getattr(errno, number), os.strerror(getattr(errno, number)))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", refuse)
        assert read_archive(path) is None
        assert read_about(path) is None
    assert read_archive(path).result.summary == {"risk": 0.25}


def test_a_server_without_free_files_finds_its_runs_again(tmp_path):
    store = Store(tmp_path)
    store.keep("0" * 16, EXAMPLE)
    store.close()
    store = Store(tmp_path)  # nothing of it is in memory
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + 20, limits[1]))
    held = []
    try:
        with contextlib.suppress(OSError):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        assert store.load("0" * 16) is None
    finally:
        for one in held:
            os.close(one)
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert store.load("0" * 16) is not None
    store.close()


@pytest.mark.parametrize("content", [b"", b"rubbish"])
def test_a_damaged_file_of_the_package_is_not_renamed(tmp_path, content):
    recorded = tmp_path / "recorded" / f"count-{'0' * 16}.npz"
    recorded.parent.mkdir()
    recorded.write_bytes(content)
    store = Store(tmp_path / "home", recorded=recorded.parent)
    assert store.load(recorded.stem) is None
    assert store.find(recorded.stem) is None
    assert recorded.read_bytes() == content
    store.close()


def test_a_folder_in_the_place_of_an_archive_is_moved_aside(tmp_path):
    (tmp_path / "run.npz").mkdir()
    assert read_archive(tmp_path / "run.npz") is None
    assert not (tmp_path / "run.npz").exists()


def test_sweeps_count_while_their_cells_wait_even_if_they_share_one_that_runs(service, engine):
    sweeps = [service.submit("tallies", ToySpec(steps=size), "a") for size in (2, 3, 4)]  # all have the first cell
    assert {service.get(name).status for name in sweeps} == {"running"}
    for size in range(5, 40):
        with pytest.raises(QueueFull, match=r"^you have 3 runs in the queue, the limit is 3; "):
            service.submit("tallies", ToySpec(steps=size), "a")
    service.submit("tallies", ToySpec(steps=5), "b")
    while service.get(sweeps[0]).status != "done":
        engine.end(next(iter(engine.jobs)))
    service.submit("tallies", ToySpec(steps=6), "a")


def test_a_sweep_whose_last_cell_has_begun_has_left_the_queue(tmp_path):
    service = RunService(HandEngine(slots=2), Store(tmp_path), Limits(session_queue=1))
    service.submit("tallies", ToySpec(steps=2), "a")
    service.submit("count", spec(7), "a")
    with pytest.raises(QueueFull):
        service.submit("count", spec(8), "a")
    service.close()


def test_a_restart_with_thousands_of_cells_looks_through_the_queue_a_few_times_only(tmp_path, monkeypatch):
    sweeps, cells = 15, 200
    service = RunService(HandEngine(), Store(tmp_path), Limits(session_queue=sweeps))
    for index in range(sweeps):
        name = service.submit("tallies", ToySpec(steps=cells, pause=index / 1000), "a")
    service.close()
    steps, through = [0], Queue.__iter__

    def counted(queue):
        for one in through(queue):
            steps[0] += 1
            yield one

    monkeypatch.setattr(Queue, "__iter__", counted)
    service = RunService(HandEngine(), Store(tmp_path), Limits(session_queue=sweeps))
    assert service.get(name).queue_length == sweeps * cells - 1
    assert steps[0] < 3 * sweeps * sweeps * cells  # each cell's own place would be half the square of all cells
    service.close()


def test_one_address_leaves_room_in_the_queue_for_others(tmp_path):
    service = RunService(HandEngine(), Store(tmp_path), Limits(queue=6))
    for index in range(6):
        service.touch(f"cookie {index}", "10.0.0.1")
    service.touch("other", "10.0.0.2")
    for index in range(5):
        service.submit("count", spec(index), f"cookie {index}")  # the first one runs
    with pytest.raises(QueueFull, match=r"^the queue holds 4 runs from your network address, the limit is 4; "):
        service.submit("count", spec(5), "cookie 5")
    service.submit("count", spec(6), "other")
    service.submit("count", spec(7), "of no known address")
    with pytest.raises(QueueFull, match=r"^the queue holds 6 runs, the limit is 6; try again when one has left it$"):
        service.submit("count", spec(8), "other")
    service.close()


def test_closed_tabs_give_up_their_places_and_open_ones_keep_theirs(tmp_path):
    now, engine = [100.0], HandEngine()
    service = RunService(engine, Store(tmp_path), Limits(queue=3), clock=lambda: now[0])
    running, gone, shared, kept = (service.submit("count", spec(seed), who) for seed, who in enumerate("agbc"))
    service.submit("count", spec(2), "c")
    with pytest.raises(QueueFull):
        service.submit("count", spec(5), "d")
    now[0] += AWAY + 1
    service.touch("c")
    service.submit("count", spec(5), "d")
    assert [service.get(name).status for name in (running, gone, shared, kept)] == [
        "running", "stopped", "queued", "queued",
    ]  # fmt: skip
    assert service.get(gone).error == (
        "none of those who asked for it has been here for 300 s while it waited; press Run to ask for it again"
    )
    now[0] += AWAY + 1
    engine.end(running)
    assert not engine.jobs  # nobody waits for any of them
    service.close()


def test_a_sweep_that_nobody_watches_goes_on_while_it_is_computed_and_waits_for_nobody(tmp_path):
    now, engine = [100.0], HandEngine()
    service = RunService(engine, Store(tmp_path), clock=lambda: now[0])
    sweep = service.submit("tallies", ToySpec(steps=3), "a")
    now[0] += AWAY + 1
    service.touch("b")
    visitor = service.submit("count", spec(9), "b")
    assert (service.get(sweep).status, service.get(visitor).status) == ("running", "queued")
    engine.end(next(iter(engine.jobs)))
    assert (service.get(sweep).status, service.get(visitor).status) == ("stopped", "running")
    service.close()


def test_an_open_page_says_that_its_visitor_is_there(monkeypatch):
    seen = []
    present = SimpleNamespace(touch=lambda *visitor: seen.append(visitor))
    monkeypatch.setattr("featdash.ui.kit.shared.service", lambda: present)
    app = AppTest.from_string("from featdash.ui.kit.shared import heartbeat\nheartbeat()").run()
    assert not app.exception
    ((session, _),) = seen  # the address is that of a browser, of which this test has none
    assert session


@pytest.mark.parametrize("digits", [310, 5000])
@pytest.mark.parametrize("name", [name for name, one in EXPERIMENTS.items() if one.spec is not ToySpec])
def test_numbers_of_hundreds_of_digits_are_refused_in_a_sentence(name, digits):
    default = EXPERIMENTS[name].spec()
    for field in dataclasses.fields(default):
        rule = field.metadata["rule"]
        if not isinstance(rule if isinstance(rule, Number) else getattr(rule, "each", None), Number):
            continue
        for sign, remedy in (("", "lower"), ("-", "raise")):
            text = f"{sign}1{'0' * (digits - 1)}"
            value = json_value(text)
            values = {field.name: value if isinstance(rule, Number) else [value]}
            with pytest.raises(ValueError, match=rf"{field.name} must be a.* from .*; {remedy} ") as refused:
                type(default).from_mapping(values)
            assert len(str(refused.value)) < 250
            with pytest.raises(ValueError, match=rf"{field.name} must be"):
                rule.check(field.name, 10 ** (digits - 1) if isinstance(rule, Number) else [10 ** (digits - 1)])
            spec_of_link, notes = link.spec_from_query(default, {field.name: text})
            assert (spec_of_link, len(notes)) == (default, 1)


@contextlib.contextmanager
def unprivileged(folder):
    """The folder, of which nothing can be written meanwhile, not even by root."""
    modes = [(path, path.stat().st_mode) for path in [folder, *folder.rglob("*")]]
    for path, _ in modes:
        path.chmod(0o555 if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    try:
        if root:
            os.seteuid(65534)
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, mode in modes:
            path.chmod(mode)


def test_a_home_used_before_that_can_only_be_read_is_replaced(caplog):
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        home = Path(folder) / "home"
        Store(home).close()
        with unprivileged(home):
            service = open_service({"FEATDASH_HOME": str(home), "FEATDASH_ENGINE": "inline"})
            assert service.get(service.submit("count", ToySpec(), "a")).status == "done"
            service.close()
    assert "FEATDASH_HOME must be a folder that can be written" in caplog.text


@pytest.mark.parametrize("taken", ["runs.sqlite", "archives", "servers"])
def test_a_home_with_something_else_in_the_place_of_its_parts_is_replaced(tmp_path, caplog, taken):
    home = tmp_path / "home"
    home.mkdir()
    (home / taken).mkdir() if taken == "runs.sqlite" else (home / taken).write_text("")
    service = open_service({"FEATDASH_HOME": str(home), "FEATDASH_ENGINE": "inline"})
    assert service.get(service.submit("count", ToySpec(), "a")).status == "done"
    assert "FEATDASH_HOME must be a folder that can be written" in caplog.text
    other = Path(caplog.text.strip().rpartition("; using ")[2])
    assert other.exists()
    service.close()
    assert not other.exists()


def test_a_run_that_is_read_from_memory_is_used(tmp_path):
    write_archive(tmp_path / "probe.npz", EXAMPLE)
    store = Store(tmp_path / "home", cap=int(3.5 * (tmp_path / "probe.npz").stat().st_size))
    names = [f"{index:016x}" for index in range(4)]
    for moment, name in enumerate(names[:3]):
        store.keep(name, EXAMPLE)
        os.utime(tmp_path / f"home/archives/{name}.npz", ns=(moment, moment))
    assert store.load(names[0]) is not None
    store.keep(names[3], EXAMPLE)
    assert [(tmp_path / f"home/archives/{name}.npz").exists() for name in names] == [True, False, True, True]
    store.close()


def test_leftovers_count_under_the_cap_and_go_when_they_are_old(tmp_path):
    write_archive(tmp_path / "probe.npz", EXAMPLE)
    size = (tmp_path / "probe.npz").stat().st_size
    store = Store(tmp_path / "home", cap=int(3.5 * size))
    folder, now = tmp_path / "home/archives", time.time()
    for name, age in ((".a-x.tmp", 9e4), ("b.npz.damaged", 9e4), (".c-x.tmp", 10), ("d.npz.damaged", 10)):
        (folder / name).write_bytes(b"x" * size)
        os.utime(folder / name, (now - age, now - age))
    names = [f"{index:016x}" for index in range(3)]
    for name in names:
        store.keep(name, EXAMPLE)
    assert {path.name for path in folder.iterdir()} == {".c-x.tmp", "d.npz.damaged", f"{names[2]}.npz"}
    store.close()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("spec", "{bit rot"),
        ("spec", "[1]"),
        ("spec", None),
        ("owners", "7"),
        ("owners", "[1]"),
        ("restarts", "many"),
        ("created", None),
        ("session", None),
        ("progress", b"\xff"),
        ("experiment", b"\xff\xfe"),
    ],
)
def test_a_damaged_row_stops_no_server_and_no_other_run(tmp_path, column, value):
    service = RunService(HandEngine(), Store(tmp_path))
    damaged, whole = (service.submit("count", spec(seed), "a") for seed in range(2))
    service.close()
    with sqlite3.connect(tmp_path / "runs.sqlite") as file:
        file.execute(f"UPDATE runs SET {column} = ? WHERE id = ?", (value, damaged))
    file.close()
    service = RunService(InlineEngine(), Store(tmp_path))
    assert service.get(whole).status == "done"
    assert service.get(damaged) is None
    assert service.get(service.submit("count", spec(0), "a")).status == "done"
    service.close()


def test_text_that_is_not_unicode_spoils_its_own_row_only(tmp_path):
    history = History(tmp_path)
    for index in range(2):
        history.write(Run(f"{index:016x}", "count", ToySpec(), "failed", error="why"))
    history.flush()
    with contextlib.closing(sqlite3.connect(tmp_path / "runs.sqlite", isolation_level=None)) as file:
        file.execute("UPDATE runs SET spec = CAST(x'ff7b' AS TEXT) WHERE id = ?", ("0" * 16,))
    assert history.read("0" * 16) is None
    assert history.read(f"{1:016x}").error == "why"
    history.close()


def test_a_refusal_has_digits_that_show_the_difference():
    assert format_apart(format_bytes, 1.04e9, 1e9) == ("1.04 GB", "1.00 GB")
    assert format_apart(format_bytes, 2.1e9, 1e9) == ("2.1 GB", "1 GB")
    assert format_apart(format_bytes, 250.4e9, 250e9) == ("250.4 GB", "250.0 GB")
    assert format_apart(format_bytes, 1e9 + 1, 1e9) == ("1.000000001 GB", "1.000000000 GB")
    for settings in ({"memory": 1.004e9}, {"seconds": 900.2}):
        with pytest.raises(TooLarge) as refused:
            Limits().check_cost(EXPERIMENTS["count"], ToySpec(**settings))
        need, limit = str(refused.value).split(";")[0].split(", the limit is ")
        assert limit not in need


def test_a_clock_that_is_set_changes_no_duration(service, engine, monkeypatch):
    name = service.submit("count", spec(0), "a")
    engine.emit(name, Progress(0.1, "begin"))
    clock = inspect.signature(RunService).parameters["clock"].default
    assert not time.get_clock_info(clock.__name__).adjustable
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 86_400)
    engine.emit(name, Progress(0.5, "half"))
    assert service.get(name).seconds < 60
    engine.end(name)
    view = service.get(name)
    assert view.seconds < 60
    assert abs(view.finished - real()) < 60


def test_the_row_of_a_sweep_in_progress_says_so(tmp_path):
    now, engine = [100.0], HandEngine()
    store = Store(tmp_path)
    service = RunService(engine, store, clock=lambda: now[0])
    sweep = service.submit("tallies", ToySpec(steps=4), "a")
    assert store.history.read(sweep).status == "running"
    now[0] += 2
    engine.end(next(iter(engine.jobs)))
    row = store.history.read(sweep)
    assert (row.status, row.fraction) == ("running", pytest.approx(0.25))
    with contextlib.closing(sqlite3.connect(tmp_path / "runs.sqlite")) as file:
        store.history.flush()
        ((status, owners),) = file.execute("SELECT status, owners FROM runs WHERE id = ?", (sweep,)).fetchall()
    assert (status, json.loads(owners)) == ("running", ["a"])
    assert run_id("tallies", ToySpec(steps=4)) == sweep
    service.close()


def test_a_run_that_cannot_begin_fails_and_the_next_one_begins(service, engine, monkeypatch):
    """No thread is left for its timer."""

    class NoThread(threading.Timer):
        def start(self):
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading, "Timer", NoThread)
    refused = service.submit("count", spec(0), "a")
    monkeypatch.undo()
    assert service.get(refused).status == "failed"
    assert "can't start new thread" in service.get(refused).error
    engine.end(service.submit("count", spec(1), "a"))
    assert service.get(run_id("count", spec(1))).status == "done"
    assert service.workers() == (1, 1)


def test_an_error_of_the_pump_itself_does_not_end_it(service, engine, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(engine, "slots", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            service.submit("count", spec(0), "a")
    assert service.get(service.submit("count", spec(1), "a")).status == "running"


def test_the_history_keeps_so_many_of_the_runs_that_left_no_archive(tmp_path, monkeypatch):
    monkeypatch.setattr(history, "ENDED_ROWS", 3)
    monkeypatch.setattr(history, "EACH", 1)
    with contextlib.closing(History(tmp_path)) as kept:
        for number in range(8):
            status = "done" if number < 2 else "stopped"
            kept.write(Run(f"run-{number}", "count", ToySpec(), status=status, finished=float(number)))
            kept.flush()
        assert [number for number in range(8) if kept.read(f"run-{number}")] == [0, 1, 5, 6, 7]
