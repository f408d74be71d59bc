"""The command line: the same numbers as the pages, and one sentence for a bad name or value."""

import json
import os
import signal
import subprocess
import sys
from argparse import Namespace

import pytest

from featdash.__main__ import check_out, main, parse_setting, read_spec
from featdash.lessons import EXPERIMENTS

SMALL = ["--set", "n=300", "--set", "width=20", "--set", "holdout=500", "--set", "test=500"]


def test_list_prints_every_experiment_with_its_default_recipe(capsys):
    assert main(["list"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert set(shown) == set(EXPERIMENTS)
    for name, entry in shown.items():
        assert EXPERIMENTS[name].spec.from_mapping(entry["spec"]) == EXPERIMENTS[name].spec()


def test_run_writes_the_same_numbers_twice(tmp_path, capsys):
    reports = []
    for name in ("first.json", "second.json"):
        assert main(["run", "race", *SMALL, "--out", str(tmp_path / name)]) == 0
        reports.append(json.loads((tmp_path / name).read_text()))
    assert "100%" in capsys.readouterr().err
    first, second = reports
    assert set(first) == {"experiment", "spec", "summary", "seconds"}
    assert first["spec"]["n"] == 300
    for method in ("algorithm1", "random_features", "ntk"):
        assert first["summary"]["methods"][method]["excess_risk"] == second["summary"]["methods"][method]["excess_risk"]
    assert set(first["summary"]["alignment"]) == {"before", "after"}


def test_settings_are_json_or_bare_strings():
    assert parse_setting("n=100") == ("n", 100)
    assert parse_setting("target=He2(z1)=1") == ("target", "He2(z1)=1")
    assert parse_setting('methods=["ntk"]') == ("methods", ["ntk"])
    assert parse_setting("fresh_data=true") == ("fresh_data", True)


def test_a_formula_is_understood_as_it_is_typed():
    _, spec = read_spec(Namespace(experiment="race", set=["target=0.5 z₁²z2", 'methods=["ntk"]'], device="cpu"))
    assert (spec.target, spec.methods) == ("0.5*z₁²*z2", ("ntk",))


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["run", "marathon"], "experiment must be one of"),
        (["run", "race", "--set", "n=0"], "n must be a whole number from 1"),
        (["run", "race", "--set", "n=many"], "n must be"),
        (["run", "race", "--set", "n=NaN"], "n must be"),
        (["run", "race", "--set", "weight=3"], "not a setting"),
        (["run", "race", "--set", "n"], "--set takes name=value"),
        (["run", "race", "--set", "width=7"], "width must be even"),
        (["run", "race", "--set", "target=__import__('os')"], "target"),
        (["run", "race", "--set", "target=z1*z9", "--set", "d=2"], "z9"),
        (["run", "race", "--set", "target=He2 z1"], "got 'He2 z1'; write He2(z1)"),
        (["run", "race", "--out", "/no/such/folder/x.json"], "--out must be in an existing folder"),
        (["run", "race", "--out", ""], "--out must be a file, got ''"),
        (["run", "race", "--out", "/"], "--out must be a file, got '/'"),
        (["run", "race", "--out", f"/tmp/{'x' * 300}"], "--out must be a file that can be written"),
        (["run", "race", "--set", f"n=1{'0' * 310}"], "n must be a whole number from 1"),
        (["run", "race", "--set", f"n=1{'0' * 5000}"], "got inf; lower n"),
        (["run", "race", "--set", f"n={'[' * 100_000}"], "n must be a whole number from 1"),
        (["run", "race", "--device", "foo"], "--device must be cpu, cuda or cuda:N, got 'foo'"),
        (["run", "race", "--device", "cuda:99"], "--device cuda:99 must be a GPU that torch can use"),
        (["worker", "nonsense"], "the scheduler must be an address such as tcp://host:8786, got 'nonsense'"),
        (["worker", "http://x"], "the scheduler must be an address"),
        (["worker", ""], "the scheduler must be an address"),
    ],
)
def test_a_bad_name_or_value_exits_with_2_and_one_sentence(arguments, says, capsys):
    assert main(arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no device that is always full")
def test_a_report_that_cannot_be_written_is_on_stdout(capsys):
    assert main(["run", "race", *SMALL, "--out", "/dev/full"]) == 2
    captured = capsys.readouterr()
    assert json.loads(captured.out)["spec"]["n"] == 300
    assert "--out could not be written, got '/dev/full' (No space left on device)" in captured.err


def test_a_check_of_out_leaves_what_is_there(tmp_path):
    (tmp_path / "old.json").write_text("old")
    check_out(str(tmp_path / "old.json"))
    check_out(str(tmp_path / "new.json"))
    assert [path.name for path in tmp_path.iterdir()] == ["old.json"]
    assert (tmp_path / "old.json").read_text() == "old"


@pytest.fixture
def _interruptible():
    """What a shell puts in the background ignores SIGINT, and so do its children; those of a test may not."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
def test_an_interrupt_is_one_sentence():
    settings = ["--set", "width=1000", "--set", "n=60000"]
    command = [sys.executable, "-m", "featdash", "run", "race", *settings]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        first = process.stderr.readline()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert "%" in first
    # Python ends by the signal itself where that came in the middle of an `exec`, as imports have them: 130 in a shell.
    assert process.returncode in (130, -signal.SIGINT)
    assert out == ""
    assert err.splitlines()[-1] == "featdash: stopped on request, nothing unfinished was written"
    assert "Traceback" not in err
