"""Recorded runs say which code computed them: a changed number makes them stale, and one command records them anew."""

from dataclasses import replace

import pytest
from toy_experiments import ToySpec

from featdash.__main__ import main
from featdash.recipes.spec import spec_digest
from featdash.recipes.version import code_version
from featdash.runs import recording
from featdash.runs.codec import read_about, read_archive, write_archive
from featdash.runs.recording import record, record_again, recordings

SPEC = ToySpec(steps=4)


@pytest.fixture
def path(tmp_path):
    """A recorded run of the present code."""
    path = tmp_path / "lesson" / "recorded" / f"count-{spec_digest('count', SPEC)}.npz"
    assert record("count", SPEC, path).status == "done"
    return path


def rewrite(path, **changes):
    write_archive(path, replace(read_archive(path), **changes))


def only(folder):
    (one,) = recordings(folder)
    return one


def test_no_recorded_run_is_stale():
    """`python -m featdash record --all` records them anew."""
    assert [one.path.name for one in recordings() if one.stale] == []


def test_every_recorded_run_has_a_recipe_and_is_found_by_it():
    assert [one.path.name for one in recordings() if one.name != one.path.name] == []


def test_a_run_carries_the_version_of_its_code(path, tmp_path):
    assert read_about(path)["code"] == code_version("count", ToySpec())
    assert not only(tmp_path).stale


@pytest.mark.parametrize("code", ["0" * 12, None])
def test_a_run_of_other_code_is_stale_until_it_is_recorded_anew(path, tmp_path, code):
    rewrite(path, code=code)
    assert only(tmp_path).stale
    before = read_archive(path)
    assert record_again(only(tmp_path)).status == "done"
    assert not only(tmp_path).stale
    after = read_archive(path)
    assert (after.spec, after.result.summary, len(after.frames)) == (before.spec, before.result.summary, 4)


def test_a_run_without_frames_stays_so(path, tmp_path):
    rewrite(path, code=None, frames=())
    record_again(only(tmp_path))
    assert read_archive(path).frames == ()


def test_a_run_whose_recipe_is_no_longer_valid_is_deleted(path, tmp_path):
    rewrite(path, spec={"strides": 4})
    assert only(tmp_path).stale
    assert record_again(only(tmp_path)) is None
    assert recordings(tmp_path) == []


def test_a_run_whose_recipe_has_a_new_setting_gets_its_name(path, tmp_path):
    """The setting has its default in what was recorded before."""
    older = {name: value for name, value in SPEC.to_mapping().items() if name != "seed"}
    rewrite(path, spec=older)
    old = path.rename(path.with_name("count-0123456789abcdef.npz"))
    assert only(tmp_path).stale
    record_again(only(tmp_path))
    assert not old.exists()
    assert only(tmp_path).path == path


def test_the_command_names_stale_runs_and_records_them_anew(path, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("featdash.__main__.recordings", lambda: recordings(tmp_path))
    rewrite(path, code=None)
    assert main(["list", "--stale"]) == 0
    assert capsys.readouterr().out.splitlines() == [str(path)]
    assert main(["record", "--all"]) == 0
    assert "1 of 1: count-" in capsys.readouterr().err
    assert not only(tmp_path).stale
    assert main(["list", "--stale"]) == 0
    assert capsys.readouterr().out == ""


def test_a_run_that_fails_keeps_its_old_file(path, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("featdash.__main__.recordings", lambda: recordings(tmp_path))
    failing = ToySpec(steps=2)
    rewrite(path, experiment="refuse", spec=failing.to_mapping())
    assert main(["record", "--all"]) == 2
    assert "1 recorded runs could not be computed again: count-" in capsys.readouterr().err
    assert path.exists()


def test_record_asks_for_an_experiment_or_all(capsys):
    assert main(["record"]) == 2
    assert "record takes an experiment or --all" in capsys.readouterr().err


def test_a_damaged_recording_is_named(tmp_path):
    (tmp_path / "count-0123456789abcdef.npz").write_bytes(b"PK")
    with pytest.raises(ValueError, match="must be a recorded run"):
        recording.recordings(tmp_path)
