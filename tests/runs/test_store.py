"""The store: what is kept comes back equal, and damage costs a computation, never a crash."""

import contextlib
import errno
import json
import os
import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from toy_experiments import ToySpec

from featdash.recipes.events import Frame, Progress, Result
from featdash.recipes.spec import spec_digest
from featdash.recipes.version import run_id
from featdash.runs import codec as archives
from featdash.runs.codec import Archive, decode, encode, read_archive, write_archive
from featdash.runs.history import History, Presence
from featdash.runs.recording import record
from featdash.runs.run import Run
from featdash.runs.store import Store

DTYPES = [np.float64, np.float32, np.int64, np.int8, np.bool_, np.dtype("<U3")]
ARRAYS = st.sampled_from(DTYPES).flatmap(lambda dtype: arrays(dtype, array_shapes(min_dims=0, max_dims=3, min_side=0)))
NAMES = st.text("abc/_é ", min_size=1, max_size=6).filter(lambda name: name.strip("/ ") == name)


def example(seconds: float = 1.0, size: int = 10) -> Archive:
    frames = (
        Frame("neurons", 0.0, {"points": np.arange(6.0).reshape(3, 2), "ntk/t": np.array([], dtype=np.int64)}),
        Frame("cell/0/heads", 2.5, {"label": np.array("é"), "points": np.ones((2, 0))}),
    )
    result = Result({"risk": 0.25, "names": ["a"], "nested": {"b": [1, 2]}}, {"risk": np.arange(size, dtype=float)})
    return Archive("count", {"steps": 4}, frames, result, seconds, 12.0)


def assert_equal(first: Archive, second: Archive) -> None:
    assert (first.experiment, first.spec, first.seconds) == (second.experiment, second.spec, second.seconds)
    assert first.result.summary == second.result.summary
    pairs = [(one.arrays, two.arrays) for one, two in zip(first.frames, second.frames, strict=True)]
    for one, two in [*pairs, (first.result.arrays, second.result.arrays)]:
        assert one.keys() == two.keys()
        for name in one:
            np.testing.assert_array_equal(one[name], two[name], strict=True)
    assert [(f.stream, f.at) for f in first.frames] == [(f.stream, f.at) for f in second.frames]


@settings(deadline=None)  # first calls import
@given(st.dictionaries(NAMES, ARRAYS, max_size=4), st.floats(allow_nan=False), NAMES)
def test_events_survive_the_wire(named, at, stream):
    came = decode(encode(Frame(stream, at, named)))
    assert (came.stream, came.at, came.arrays.keys()) == (stream, at, named.keys())
    for name, array in named.items():
        np.testing.assert_array_equal(came.arrays[name], array, strict=True)


def test_progress_and_results_survive_the_wire():
    assert decode(encode(Progress(0.5, "σ step"))) == Progress(0.5, "σ step")
    came = decode(encode(Result({"n": np.int64(3), "x": [np.float32(0.5)], "none": None})))
    assert came.summary == {"n": 3, "x": [0.5], "none": None}


def test_objects_do_not_travel():
    with pytest.raises(ValueError, match="array bad must hold numbers"):
        encode(Frame("s", 0, {"bad": np.array([object()])}))


def test_an_archive_comes_back_equal_and_needs_no_pickle(tmp_path):
    path = tmp_path / "run.npz"
    write_archive(path, example())
    assert_equal(read_archive(path), example())
    with np.load(path, allow_pickle=False) as file:
        assert "frame/0000/neurons/points" in file.files
        assert json.loads(file["about"].item())["summary"]["risk"] == 0.25


@pytest.mark.parametrize("keep", [0, 1, 10, 100, 0.3, 0.7, 0.99])
def test_a_truncated_archive_is_missing_and_moved_aside(tmp_path, keep):
    path = tmp_path / "run.npz"
    write_archive(path, example())
    whole = path.read_bytes()
    path.write_bytes(whole[: keep if keep >= 1 else int(keep * len(whole))])
    assert read_archive(path) is None
    assert not path.exists()
    assert (tmp_path / "run.npz.damaged").exists()


def test_flipped_bytes_give_the_run_or_nothing(tmp_path):
    path = tmp_path / "run.npz"
    write_archive(path, example())
    whole, rng = path.read_bytes(), np.random.default_rng(0)
    for _ in range(300):
        broken = bytearray(whole)
        for place in rng.integers(len(whole), size=rng.integers(1, 4)):
            broken[place] ^= int(rng.integers(1, 256))
        path.write_bytes(bytes(broken))
        found = read_archive(path)
        assert found is None or isinstance(found, Archive)


def test_the_least_recently_used_archive_goes_first(tmp_path):
    size = _bytes_of(tmp_path / "probe.npz", example(size=1000))
    store = Store(tmp_path / "home", cap=int(3.5 * size))
    names = [f"{index:016x}" for index in range(5)]
    for moment, name in enumerate(names[:3]):
        store.keep(name, example(size=1000))
        os.utime(tmp_path / f"home/archives/{name}.npz", ns=(moment, moment))
    store.close()
    store = Store(tmp_path / "home", cap=int(3.5 * size))
    assert store.load(names[0]) is not None  # and with that it is the last used
    store.keep(names[3], example(size=1000))
    assert [(tmp_path / "home/archives" / f"{name}.npz").exists() for name in names[:4]] == [True, False, True, True]
    assert sum(path.stat().st_size for path in (tmp_path / "home/archives").iterdir()) <= 3.5 * size
    store.close()


def test_two_servers_together_keep_to_the_cap(tmp_path):
    size = _bytes_of(tmp_path / "probe.npz", example())
    stores = [Store(tmp_path / "home", cap=30 * size) for _ in range(2)]
    for index in range(80):
        stores[index % 2].keep(f"{index:016x}", example())
        total = sum(path.stat().st_size for path in (tmp_path / "home/archives").iterdir())
        assert total <= 30 * size * 1.05 + size  # each may miss what the other wrote since its last look
    assert total >= 25 * size
    for store in stores:
        store.close()


def test_one_archive_larger_than_the_cap_is_still_kept(tmp_path):
    store = Store(tmp_path, cap=10)
    store.keep("0" * 16, example())
    assert (tmp_path / "archives" / f"{'0' * 16}.npz").exists()
    store.close()


def test_a_full_disk_leaves_no_file_and_the_run_in_memory(tmp_path, monkeypatch):
    def full(file, **_):
        file.write(b"half of it")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(archives.np, "savez", full)
    store = Store(tmp_path)
    assert "No space left" in store.keep("0" * 16, example())
    assert list((tmp_path / "archives").iterdir()) == []
    assert_equal(store.load("0" * 16), example())
    store.close()


def test_a_finished_run_is_found_without_its_history(tmp_path):
    store = Store(tmp_path)
    store.keep("0" * 16, example())
    store.close()
    (tmp_path / "runs.sqlite").unlink()
    store = Store(tmp_path)
    row = store.find("0" * 16)
    assert (row.status, row.experiment, row.spec, row.seconds) == ("done", "count", ToySpec(steps=4), 1.0)
    store.close()


def test_a_finished_run_without_its_archive_is_missing(tmp_path):
    store = Store(tmp_path)
    store.history.write(Run("0" * 16, "count", ToySpec(), "done"))
    store.history.write(Run("1" * 16, "count", ToySpec(), "failed", error="why"))
    assert store.find("0" * 16) is None
    assert store.find("1" * 16).error == "why"
    store.close()


@pytest.mark.parametrize("name", ["", "../../etc/passwd", "0" * 15, "G" * 16, "a/../b-" + "0" * 16, "-" * 400])
def test_names_from_urls_reach_no_other_file(tmp_path, name):
    store = Store(tmp_path)
    assert store.find(name) is None
    assert store.load(name) is None
    store.close()


@pytest.mark.parametrize("damage", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_history_is_begun_anew(tmp_path, damage):
    (tmp_path / "runs.sqlite").write_bytes(damage)
    history = History(tmp_path)
    history.write(Run("0" * 16, "count", ToySpec(steps=4), "done"))
    assert history.read("0" * 16).spec == ToySpec(steps=4)
    history.close()


def test_a_history_damaged_while_open_is_begun_anew(tmp_path):
    history = History(tmp_path)
    for index in range(200):
        history.write(Run(f"{index:016x}", "count", ToySpec(), "done"))
    history.flush()
    with contextlib.closing(sqlite3.connect(tmp_path / "runs.sqlite")) as file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    size = (tmp_path / "runs.sqlite").stat().st_size
    (tmp_path / "runs.sqlite").write_bytes(b"\xff" * size)
    for _ in range(3):  # the first ones may still be answered from SQLite's own memory
        history.write(Run("a" * 16, "count", ToySpec(), "failed"))
        history.read("0" * 16)
    history.close()
    history = History(tmp_path)
    history.write(Run("b" * 16, "count", ToySpec(), "failed"))
    assert history.read("b" * 16).status == "failed"
    history.close()


def test_a_history_of_other_columns_is_begun_anew(tmp_path):
    with sqlite3.connect(tmp_path / "runs.sqlite") as connection:
        connection.execute("CREATE TABLE runs (id TEXT PRIMARY KEY, colour TEXT)")
    connection.close()
    history = History(tmp_path)
    history.write(Run("0" * 16, "count", ToySpec(), "done"))
    assert history.read("0" * 16).status == "done"
    history.close()


def test_only_runs_of_a_server_that_is_gone_are_abandoned(tmp_path):
    first, second = History(tmp_path), History(tmp_path)
    for index, status in enumerate(["queued", "running", "paused", "done", "failed", "stopped"]):
        first.write(Run(f"{index:016x}", "count", ToySpec(), status, created=index))
    assert second.unfinished_runs() == []
    first.close()
    assert [row.status for row in second.unfinished_runs()] == ["queued", "running", "paused"]
    second.close()


def test_a_recorded_run_is_found_by_its_recipe_and_never_written_over(tmp_path):
    spec = ToySpec(steps=4)
    recorded = tmp_path / "recorded"
    outcome = record("count", spec, recorded / f"count-{spec_digest('count', spec)}.npz")
    assert outcome.status == "done"
    store = Store(tmp_path / "home", recorded=recorded)
    name = store.find_recorded("count", spec)
    assert name is not None
    assert name != run_id("count", spec)
    assert store.find_recorded("count", ToySpec(steps=5)) is None
    assert store.find(name).status == "done"
    assert [frame.at for frame in store.load(name).frames] == [0, 1, 2, 3]
    assert store.load(name).result.summary["total"] == 0 + 1 + 4 + 9
    store.close()


def _bytes_of(path, archive):
    write_archive(path, archive)
    return path.stat().st_size


def test_files_of_servers_that_were_killed_go_when_the_next_one_comes(tmp_path):
    """A lock that a living process holds stays, and so does a file that is new: its server is about to lock it."""
    folder = tmp_path / "servers"
    living = Presence(folder)
    killed, new = folder / ("a" * 32), folder / ("b" * 32)
    for path in (killed, new):
        path.touch()
    other = folder / "readme"
    other.touch()
    for path in (killed, other, folder / living.name):
        os.utime(path, (1, 1))
    coming = Presence(folder)
    left = {path.name for path in folder.iterdir()} - {f"{one.name}-journal" for one in (living, coming)}
    assert left == {living.name, coming.name, new.name, other.name}
    assert coming.alive(living.name)
    for presence in (living, coming):
        presence.leave()
    assert {path.name for path in folder.iterdir()} == {new.name, other.name}
