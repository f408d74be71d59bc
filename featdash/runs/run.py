"""A run: its snapshot at one moment, for viewers, for its history and back to the queue; and the run in progress."""

from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.recipes.experiment import Entry, Inputs
from featdash.recipes.spec import Cost, Spec
from featdash.runs.codec import Archive
from featdash.runs.composite import Cells
from featdash.runs.execution import Job, Outcome

ACTIVE = ("queued", "running", "paused")
FRAME_BYTES = 64 * 2**20  # frames of one run held in memory
RELIABLE = 0.05  # below this fraction the estimate by cost is better than the one by the clock
THINNED = "some frames were left out to save memory; the result is whole"

Departure = Literal["stops", "left", "not yours"]  # what happens when an owner no longer wants a run


@dataclass(frozen=True, slots=True)
class Run:
    """A snapshot of a run.

    id : names the run in URLs; the same recipe under the same code has the same id.
    spec : its recipe; None if the recipe is no longer valid under this code.
    status : queued, running, paused, done, failed or stopped.
    fraction : share of the work done, in [0, 1]; doing : the step in words.
    seconds_left : estimate at the time of the snapshot; None if there is nothing to go by.
    place, queue_length : 1 is next; both None unless queued. Of a cell that no visitor asked for, as at its admission.
    error : one sentence: why it failed, why it was stopped if nobody asked for that, or, for a composite that is done,
        which cells are missing.
    note : one sentence that a viewer should know about a run that is otherwise fine.
    recorded : shipped with the package, not computed here; private : on a visitor's own inputs, in memory alone.
    created, started, finished : seconds since 1970, None if not yet; seconds : computing time so far, without pauses.
    owners : who asked for it, in order of arrival: visitors' sessions, and "run:<id>" for the composite of a cell.
    session : the visitor in whose turn it waits.
    server : the server process that carries it out; restarts : how many servers went away during it.
    holds : whether it waits, and will pause before its first step.
    """

    id: str
    experiment: str
    spec: Spec | None
    status: str
    fraction: float = 0.0
    doing: str = ""
    seconds_left: float | None = None
    place: int | None = None
    queue_length: int | None = None
    error: str | None = None
    note: str | None = None
    recorded: bool = False
    private: bool = False
    created: float | None = None
    started: float | None = None
    finished: float | None = None
    seconds: float = 0.0
    owners: tuple[str, ...] = ()
    session: str = ""
    server: str = ""
    restarts: int = 0
    holds: bool = False

    @property
    def active(self) -> bool:
        """Whether it may still change by itself."""
        return self.status in ACTIVE

    @property
    def visitors(self) -> tuple[str, ...]:
        """The owners that are no composites; without one the run is only a cell."""
        return tuple(owner for owner in self.owners if not is_run(owner))


def owner_name(run_id: str) -> str:
    """The name of a composite as an owner of its cells."""
    return f"run:{run_id}"


def is_run(owner: str) -> bool:
    """Whether that owner is a composite, not a visitor."""
    return owner.startswith("run:")


@dataclass
class Stopwatch:
    """Seconds of computing so far, by the scheduler's clock.

    before : seconds until it was last stopped; since : when it was started, None while it stands still.
    """

    before: float = 0.0
    since: float | None = None

    def start(self, now: float) -> None:
        self.since = now

    def stop(self, now: float) -> None:
        self.before, self.since = self.seconds(now), None

    def seconds(self, now: float) -> float:
        return self.before + (0.0 if self.since is None else max(0.0, now - self.since))


@dataclass(eq=False)
class LiveRun:
    """A run in progress; guarded by the scheduler's lock.

    run : its snapshot without the seconds, which `snapshot` fills in.
    epoch : add it to the scheduler's clock for seconds since 1970; order : its arrival.
    parents : the composites in progress of which it is a cell; is_cell : whether no visitor asked for it.
    attempt : the number of this job among those of the run.
    stopping : whether it was asked to end; reason : why, if no visitor asked for that; forgotten : whether nothing of
        it shall be stored.
    last_write : when it was last written.
    """

    run: Run
    spec: Spec
    experiment: Entry
    cost: Cost
    epoch: float
    order: int
    job: Job
    parents: set[str] = field(default_factory=set)
    cells: Cells | None = None
    is_cell: bool = False
    attempt: int = 1
    frames: list[Frame] = field(default_factory=list)
    frame_bytes: int = 0
    stopwatch: Stopwatch = field(default_factory=Stopwatch)
    stopping: bool = False
    reason: str | None = None
    forgotten: bool = False
    last_write: float = 0.0

    @property
    def id(self) -> str:
        return self.run.id

    @property
    def status(self) -> str:
        return self.run.status

    def update(self, **changes: Any) -> None:
        """Change the snapshot."""
        self.run = replace(self.run, **changes)

    def snapshot(self, now: float) -> Run:
        """The run as it stands at that moment."""
        seconds = self.stopwatch.seconds(now)
        seconds_left = None
        if self.run.active:
            fraction = self.run.fraction
            seconds_left = (
                max(0.0, self.cost.seconds - seconds) if fraction < RELIABLE else seconds * (1 - fraction) / fraction
            )
        return replace(self.run, seconds=seconds, seconds_left=seconds_left)

    def set_owners(self, owners: Sequence[str]) -> None:
        self.update(owners=tuple(owners))
        self.is_cell = not self.run.visitors

    def add_owner(self, owner: str) -> None:
        """Add an owner; the first visitor who asks for what was only a cell gives it a turn of its own."""
        if owner in self.run.owners:
            return
        was_cell = self.is_cell
        self.set_owners((*self.run.owners, owner))
        if was_cell and not self.is_cell:
            self.update(session=owner)

    def remove_owner(self, owner: str, heir: str) -> None:
        """Remove an owner: the run then waits in the turn of the visitor who came next, or else as a cell of `heir`."""
        self.set_owners([one for one in self.run.owners if one != owner])
        if self.run.session not in self.run.visitors:
            self.update(session=next(iter(self.run.visitors), heir))

    def accept(self, event: Event, now: float) -> None:
        """Take in an event; the first one starts the stopwatch."""
        if self.run.started is None:
            self.update(started=now + self.epoch)
            if self.status != "paused":
                self.stopwatch.start(now)
        if isinstance(event, Progress):
            doing = self.run.doing if self.stopping else event.doing
            self.update(fraction=max(self.run.fraction, min(1.0, event.fraction)), doing=doing)
        elif isinstance(event, Frame):
            self.frames.append(event)
            self.frame_bytes += _nbytes(event)
            while self.frame_bytes > FRAME_BYTES and self._thin():
                self.update(note=THINNED)

    def reset_cell(self, cell: str) -> None:
        """Start a cell of this composite again: its frames and its progress no longer count."""
        assert self.cells is not None
        prefixes = self.cells.reset(cell)
        self._set_frames([frame for frame in self.frames if not frame.stream.startswith(prefixes)])
        self.update(fraction=self.cells.fraction(), doing="a worker was lost, its cell is computed again")

    def fresh_copy(self) -> LiveRun:
        """The run as it was before it began, for the same owners and at the same place of the queue, as a new job."""
        run = replace(self.run, status="queued", fraction=0.0, doing="waiting", started=None, note=None)
        job = new_job(self.id, self.run.experiment, self.spec, self.job.inputs)
        fresh = LiveRun(run, self.spec, self.experiment, self.cost, self.epoch, self.order, job)
        fresh.parents, fresh.is_cell, fresh.attempt = self.parents, self.is_cell, self.attempt + 1
        return fresh

    def pause(self, now: float) -> None:
        self.update(status="paused", holds=False)
        self.stopwatch.stop(now)

    def resume(self, now: float) -> None:
        self.update(status="running")
        if self.run.started is not None:
            self.stopwatch.start(now)

    def end(self, outcome: Outcome, now: float, note: str | None = None) -> None:
        """Note how the run ended."""
        self.stopwatch.stop(now)
        fraction = 1.0 if outcome.status == "done" else self.run.fraction
        self.update(status=outcome.status, error=outcome.error, finished=now + self.epoch, doing="", fraction=fraction)
        if note:
            self.update(note=note)

    def archive(self, result: Result, gaps: str | None, now: float) -> Archive:
        """The archive of the finished run; the frames of a composite stay with its cells."""
        frames = tuple(self.frames) if self.cells is None else ()
        times = self.stopwatch.seconds(now), now + self.epoch
        return Archive(self.run.experiment, self.spec.to_mapping(), frames, result, *times, gaps)

    def _thin(self) -> bool:
        """Drop every second frame of the largest stream, never its first or last; False if there is none to drop."""
        streams: dict[str, list[Frame]] = defaultdict(list)
        for frame in self.frames:
            streams[frame.stream].append(frame)
        longest = max(streams.values(), key=lambda frames: (len(frames) > 2, sum(map(_nbytes, frames))))
        dropped_ids = {id(frame) for frame in longest[1:-1:2]}
        self._set_frames([frame for frame in self.frames if id(frame) not in dropped_ids])
        return bool(dropped_ids)

    def _set_frames(self, frames: list[Frame]) -> None:
        self.frames = frames
        self.frame_bytes = sum(map(_nbytes, frames))


def new_job(run_id: str, experiment: str, spec: Spec, inputs: Inputs | None = None) -> Job:
    """A job for one attempt at the run of that id."""
    return Job(f"{run_id}-{uuid.uuid4().hex[:8]}", experiment, spec, inputs)


def _nbytes(frame: Frame) -> int:
    return sum(array.nbytes for array in frame.arrays.values())
