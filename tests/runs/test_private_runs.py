"""Runs on a visitor's own arrays: computed in their turn, and nothing of them on disk, in a log or in a list."""

import logging
import threading

import numpy as np
import pytest

from featdash.lessons import EXPERIMENTS
from featdash.lessons.own_data.recipe import OwnDataSpec
from featdash.recipes.experiment import PRIVATE, Inputs, is_private, takes_inputs
from featdash.runs.execution import InlineEngine, Outcome
from featdash.runs.service import RunService
from featdash.runs.store import Store

MARKER = "zqxmarker"
SPEC = OwnDataSpec(dataset="upload", rounds=1, steps=50, width=20)


def inputs_of(rows=60, columns=3):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, columns))
    names = np.array([f"{MARKER}{index}" for index in range(columns)])
    return Inputs({"columns": names, "X": X, "y": X[:, 0] + 0.1 * rng.standard_normal(rows)})


@pytest.fixture
def service(tmp_path):
    service = RunService(InlineEngine(), Store(tmp_path))
    yield service
    service.close()


def files_with(folder, text):
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


def test_nothing_of_a_table_reaches_the_disk_or_a_log(service, tmp_path, caplog):
    caplog.set_level(logging.DEBUG)
    inputs = inputs_of()
    name = service.submit_private("own-data", SPEC, "me", inputs)
    run = service.get(name)
    assert (run.status, run.error, run.private) == ("done", None, True)
    assert f"{MARKER}0" in service.result(name).summary["layers"]["linear"]["leading"]
    assert service.frames(name, "fits")[-1].arrays["columns"][0] == f"{MARKER}0"
    service.close()
    assert files_with(tmp_path, MARKER) == []
    assert files_with(tmp_path, name) == []
    assert files_with(tmp_path, "own-data") == []
    assert MARKER not in caplog.text


def test_an_ordinary_run_cannot_be_forgotten_and_does_leave_its_traces(service, tmp_path):
    """So that the test above can fail."""
    spec = OwnDataSpec(dataset="wine", rounds=1, steps=50, width=20)
    name = service.submit("own-data", spec, "me")
    service.forget(name)
    assert service.get(name).status == "done"
    service.close()
    assert files_with(tmp_path, name)


def test_a_run_is_in_no_list_has_an_id_of_its_own_and_is_gone_once_it_is_forgotten(service):
    names = {service.submit_private("own-data", SPEC, "me", inputs_of()) for _ in range(2)}
    assert len(names) == 2
    assert all(is_private(name) and len(name) >= len(PRIVATE) + 32 for name in names)
    assert service.recent("me") == []
    assert service.find_stored("own-data", SPEC) is None
    name, other = names
    service.forget(name)
    assert service.get(name) is None
    assert service.result(name) is None
    assert service.frames(name) == ()
    assert service.get(other).status == "done"


def test_without_a_table_the_settings_of_one_are_refused(service):
    with pytest.raises(ValueError, match="must have a table, got none; upload one on its page"):
        service.submit("own-data", SPEC, "me")


def test_arithmetic_that_breaks_tells_no_number_of_the_table(service, caplog):
    caplog.set_level(logging.DEBUG)
    broken = inputs_of()
    broken.arrays["X"][3, 1] = np.nan
    name = service.submit_private("own-data", SPEC, "me", broken)
    run = service.get(name)
    assert run.status == "failed"
    assert "broke the computation off" in run.error
    assert MARKER not in caplog.text
    assert MARKER not in repr(broken)


class Held(InlineEngine):
    """Begins no job by itself."""

    def start(self, job, _, on_end):
        self.job, self.on_end = job, on_end

    def stop(self, _):
        threading.Thread(target=self.on_end, args=(Outcome("stopped"),)).start()


def test_forgotten_while_it_is_computed_it_stops_and_is_gone(tmp_path):
    engine = Held()
    service = RunService(engine, Store(tmp_path))
    name = service.submit_private("own-data", SPEC, "me", inputs_of())
    assert service.get(name).active
    assert service.owns(name, "me")
    assert not service.owns(name, "another")
    service.forget(name)
    for _ in range(200):
        if service.get(name) is None:
            break
        threading.Event().wait(0.01)
    assert service.get(name) is None
    service.close()


def test_only_the_setting_that_says_so_takes_inputs():
    assert [name for name, one in EXPERIMENTS.items() if takes_inputs(one, one.spec())] == []
    assert takes_inputs(EXPERIMENTS["own-data"], SPEC)
