"""The command line: list, run, record, worker. The same code path as the pages, in the foreground."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from featdash.experiments import EXPERIMENTS, find_experiment
from featdash.experiments.events import Event, Progress
from featdash.experiments.experiment import Experiment
from featdash.experiments.spec import Spec
from featdash.runs.execution import Flags, perform
from featdash.runs.recording import record
from featdash.runs.workplace import run_worker


def parse_setting(text: str) -> tuple[str, Any]:
    """`name=value` with a JSON value, or a bare string where it is not JSON."""
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--set takes name=value, got {text!r}; put an equals sign between them")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def list_experiments(_: argparse.Namespace) -> None:
    """Every experiment with its title and default Spec, as JSON on stdout."""
    shown = {name: {"title": one.title, "spec": one.spec().to_mapping()} for name, one in EXPERIMENTS.items()}
    print(json.dumps(shown, indent=2))


def show_progress(event: Event) -> None:
    """One line on stderr for each step, overwritten in a terminal."""
    if isinstance(event, Progress):
        end = "\r" if sys.stderr.isatty() else "\n"
        print(f"{event.fraction:5.0%}  {event.doing:<50}", end=end, file=sys.stderr, flush=True)


def read_spec(options: argparse.Namespace) -> tuple[Experiment, Spec]:
    """The experiment and recipe that the command line names; ValueError in one sentence."""
    experiment = find_experiment(options.experiment)
    return experiment, experiment.spec.from_mapping(dict(map(parse_setting, options.set)))


def run_experiment(options: argparse.Namespace) -> None:
    """Run in the foreground; the report goes to --out, or to stdout."""
    experiment, spec = read_spec(options)
    if options.out and not options.out.parent.is_dir():
        raise ValueError(
            f"--out must be in an existing folder, got {str(options.out)!r}; make {options.out.parent} first"
        )
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
    text = json.dumps(report, indent=2, allow_nan=False) + "\n"
    if options.out:
        options.out.write_text(text)
    else:
        print(text, end="")


def record_run(options: argparse.Namespace) -> None:
    """Carry out a run and keep it in the package, as the picture that a page shows before any click."""
    experiment, spec = read_spec(options)
    frames = not options.without_frames
    outcome = record(experiment.name, spec, emit=show_progress, device=options.device, with_frames=frames)
    if outcome.result is None:
        raise ValueError(outcome.error)


def command_line() -> argparse.ArgumentParser:
    """The parser of all four commands."""
    parser = argparse.ArgumentParser(prog="python -m featdash", description="FeatDash without the browser.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="experiments and their default settings, as JSON").set_defaults(
        do=list_experiments
    )
    for name, do, about in (
        ("run", run_experiment, "carry out one experiment in the foreground"),
        ("record", record_run, "carry out one experiment and ship the run with the package"),
    ):
        command = commands.add_parser(name, help=about)
        command.add_argument("experiment", help=f"one of {', '.join(EXPERIMENTS)}")
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting; JSON or text")
        command.add_argument("--device", default="cpu", help="cpu (default) or cuda")
        command.set_defaults(do=do)
        if do is run_experiment:
            command.add_argument("--out", type=Path, help="write the report here instead of to stdout")
        else:
            about = "keep the result alone: for a sweep, whose pictures need no more"
            command.add_argument("--without-frames", action="store_true", help=about)
    worker = commands.add_parser("worker", help="join a Dask cluster as a worker")
    worker.add_argument("scheduler", help="address, such as tcp://host:8786")
    worker.set_defaults(do=lambda options: run_worker(options.scheduler))
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 2 with one sentence on stderr for a bad name or value."""
    options = command_line().parse_args(arguments)
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")  # read when torch is loaded; see runs.workplace
    try:
        return options.do(options) or 0
    except ValueError as error:
        print(f"featdash: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
