"""The command line: list, run, record, claims, story, worker. The same code path as the pages, in the foreground."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from featdash.claim_check import measurements, outliers
from featdash.lessons import EXPERIMENTS
from featdash.recipes.events import Event, Progress
from featdash.recipes.experiment import Entry, find_experiment
from featdash.recipes.spec import Spec, json_value
from featdash.runs.dask.worker import run_worker
from featdash.runs.execution import Flags, perform
from featdash.runs.limits import DEVICE
from featdash.runs.recording import record, record_again, recorded_path, recordings
from featdash.story_check import lesson_parts, mistakes_in
from featdash.theory.typed_formula import write_out

SCHEDULER = re.compile(r"((tcp|tls|ws|wss|ucx)://)?([^/\s:]+|\[[0-9a-fA-F:.]+\]):\d{1,5}")
INTERRUPTED = 130  # exit status, as a shell has it


def parse_setting(text: str) -> tuple[str, Any]:
    """`name=value` with a JSON value, or a bare string where it is not JSON."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set takes name=value, got {text!r}; put an equals sign between them")
    try:
        return name, json_value(value)
    except ValueError:
        return name, value


def list_experiments(options: argparse.Namespace) -> None:
    """Every experiment with its title and default Spec, as JSON on stdout; or the files of stale recorded runs."""
    if options.stale:
        for one in recordings():
            if one.stale:
                print(one.path)
        return
    listing = {name: {"title": one.title, "spec": one.spec().to_mapping()} for name, one in EXPERIMENTS.items()}
    print(json.dumps(listing, indent=2))


def show_progress(event: Event) -> None:
    """One line on stderr for each step, overwritten in a terminal."""
    if isinstance(event, Progress):
        end = "\r" if sys.stderr.isatty() else "\n"
        print(f"{event.fraction:5.0%}  {event.doing:<50}", end=end, file=sys.stderr, flush=True)


def read_spec(options: argparse.Namespace) -> tuple[Entry, Spec]:
    """The experiment and recipe that the command line names; ValueError in one sentence."""
    check_device(options.device)
    experiment = find_experiment(options.experiment)
    values = dict(map(parse_setting, options.set))
    settings = {name: write_out(value, name) if isinstance(value, str) else value for name, value in values.items()}
    return experiment, experiment.recipe(settings)


def run_experiment(options: argparse.Namespace) -> None:
    """Run in the foreground; the report goes to --out, or to stdout."""
    experiment, spec = read_spec(options)
    if options.out is not None:
        check_out(options.out)
    started = time.perf_counter()
    outcome = perform(experiment, spec, show_progress, Flags(), options.device)
    if outcome.result is None:
        raise ValueError(outcome.error)
    report = {
        "experiment": experiment.name,
        "spec": spec.to_mapping(),
        "summary": outcome.result.summary,
        "seconds": round(time.perf_counter() - started, 3),
    }
    write_report(json.dumps(report, indent=2, allow_nan=False) + "\n", options.out)


def write_report(text: str, out: str | None) -> None:
    """To the file, else to stdout: what was computed is not lost. ValueError if the file took it not."""
    try:
        if out is not None:
            Path(out).write_text(text)
            return
    except OSError as error:
        print(text, end="")
        reason = error.strerror or type(error).__name__
        raise ValueError(f"--out could not be written, got {out!r} ({reason}); the report is on stdout") from error
    print(text, end="")


def check_out(out: str) -> None:
    """Whether the report can be written there, before it is computed; ValueError in one sentence."""
    path = Path(out)
    try:
        if not out or path.is_dir():
            raise ValueError(f"--out must be a file, got {out!r}; add its name, such as {str(path / 'report.json')!r}")
        if not path.parent.is_dir():
            raise ValueError(f"--out must be in an existing folder, got {out!r}; make {path.parent} first")
        if path.is_file() or not path.exists():  # a device or a pipe may not be opened twice
            exists = path.exists()
            path.open("ab").close()
            if not exists:
                path.unlink()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise ValueError(f"--out must be a file that can be written, got {out!r} ({reason}); choose another") from error


def check_device(device: str) -> None:
    """Whether runs can be computed there; ValueError in one sentence."""
    if not DEVICE.fullmatch(device):
        raise ValueError(f"--device must be cpu, cuda or cuda:N, got {device[:60]!r}; choose one of them")
    if device == "cpu":
        return
    from torch import cuda  # here: torch takes two seconds, and only a run on a GPU asks for it

    count = cuda.device_count() if cuda.is_available() else 0
    if int(device.partition(":")[2] or 0) >= count:
        available = f"{count} of them" if count else "none"
        raise ValueError(f"--device {device} must be a GPU that torch can use, got {available}; use cpu")


def serve_runs(options: argparse.Namespace) -> int:
    """Join a cluster; the exit status of the worker."""
    if not SCHEDULER.fullmatch(options.scheduler):
        rule = "the scheduler must be an address such as tcp://host:8786"
        raise ValueError(f"{rule}, got {options.scheduler[:60]!r}; see what `dask scheduler` prints")
    return run_worker(options.scheduler)


def record_run(options: argparse.Namespace) -> None:
    """Carry out a run and keep it in the package, as the picture that a page shows before any click."""
    if options.all:
        record_stale_runs(options.device)
        return
    if options.experiment is None:
        raise ValueError("record takes an experiment or --all, got neither; see `python -m featdash record --help`")
    experiment, spec = read_spec(options)
    folder = recorded_path(experiment.name, spec).parent
    if not os.access(folder if folder.exists() else folder.parent, os.W_OK):
        raise ValueError(f"recorded runs must go to a folder that can be written, got {folder}; change its owner")
    frames = not options.without_frames
    outcome = record(experiment.name, spec, emit=show_progress, device=options.device, with_frames=frames)
    if outcome.result is None:
        raise ValueError(outcome.error)


def record_stale_runs(device: str) -> None:
    """Record anew what other code had computed; goes on after a run that failed, whose old file stays."""
    check_device(device)
    stale, failures = [one for one in recordings() if one.stale], []
    for count, old in enumerate(stale, 1):
        print(f"{count} of {len(stale)}: {old.path.name}", file=sys.stderr, flush=True)
        outcome = record_again(old, show_progress, device)
        if outcome is not None and outcome.result is None:
            failures.append(f"{old.path.name} ({outcome.error})")
    if failures:
        raise ValueError(f"{len(failures)} recorded runs could not be computed again: {', '.join(failures)}")


def check_claims(options: argparse.Namespace) -> int:
    """Every figure outside its stated range at that seed on stdout; exit status 1 if there is one."""
    _, seed = parse_setting(f"seed={options.seed}")
    of, wrong = measurements(seed, options.lesson), 0
    for one in outliers(of, lambda doing: print(doing, file=sys.stderr, flush=True)):
        print(one, flush=True)
        wrong += 1
    print(f"{wrong} of {len(of)} figures outside their range at seed {options.seed}")
    return 1 if wrong else 0


def check_stories(options: argparse.Namespace) -> int:
    """Every mistake of the story files on stdout, with file and line; exit status 1 if there is one."""
    parts, wrong = lesson_parts(), 0
    for name in options.files:
        for mistake in mistakes_in(Path(name), parts):
            print(f"{name}: {mistake}")
            wrong += 1
    if not wrong:
        print(f"{len(options.files)} {'story' if len(options.files) == 1 else 'stories'} without a mistake")
    return 1 if wrong else 0


def command_line() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog="python -m featdash", description="FeatDash without the browser.")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("list", help="experiments and their default settings, as JSON")
    listing.add_argument("--stale", action="store_true", help="the recorded runs that older code has computed")
    listing.set_defaults(do=list_experiments)
    for name, do, about in (
        ("run", run_experiment, "carry out one experiment in the foreground"),
        ("record", record_run, "carry out one experiment and ship the run with the package"),
    ):
        command = commands.add_parser(name, help=about)
        optional = "?" if do is record_run else None
        command.add_argument("experiment", nargs=optional, help=f"one of {', '.join(EXPERIMENTS)}")
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting; JSON or text")
        command.add_argument("--device", default="cpu", help="cpu (default) or cuda")
        command.set_defaults(do=do)
        if do is run_experiment:
            command.add_argument("--out", help="write the report here instead of to stdout")
        else:
            about = "keep the result alone: for a sweep, whose pictures need no more"
            command.add_argument("--without-frames", action="store_true", help=about)
            command.add_argument("--all", action="store_true", help="every recorded run that older code has computed")
    about = "carry out the runs of the measured claims at a seed and list the figures outside their stated range"
    claims = commands.add_parser("claims", help=about)
    claims.add_argument("--seed", required=True, help="a whole number; 0 is that of the recorded runs")
    claims.add_argument("--lesson", help="the claims of this experiment alone")
    claims.set_defaults(do=check_claims)
    story = commands.add_parser("story", help="check story files").add_subparsers(dest="what", required=True)
    check = story.add_parser("check", help="name every mistake of story files with its line")
    check.add_argument("files", nargs="+", metavar="FILE", help="a story, such as featdash/lessons/race/story.md")
    check.set_defaults(do=check_stories)
    worker = commands.add_parser("worker", help="join a Dask cluster as a worker")
    worker.add_argument("scheduler", help="address, such as tcp://host:8786")
    worker.set_defaults(do=serve_runs)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 2 with one sentence on stderr for a bad name or value."""
    options = command_line().parse_args(arguments)
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch is loaded; see runs.dask.worker
    try:
        return options.do(options) or 0
    except ValueError as error:
        print(f"featdash: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("featdash: stopped on request, nothing unfinished was written", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
