"""A run in progress, as the service keeps it: what changes from event to event, and the view of it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from featdash.recipes.events import Event, Frame, Progress
from featdash.recipes.experiment import Entry
from featdash.recipes.spec import Cost, Spec
from featdash.runs.composite import Cells
from featdash.runs.engine import Job
from featdash.runs.execution import Outcome
from featdash.runs.ledger import Row
from featdash.runs.view import RunView

FRAME_BYTES = 64 * 2**20  # frames of one run held in memory
TELLING = 0.05  # below this fraction the estimate by cost is better than the one by the clock


@dataclass(eq=False)
class LiveRun:
    """Guarded by the schedule's lock.

    owners : who wants it, in order of arrival: visitors' sessions, and "run:<id>" for the composite of a cell.
    session : in whose turn it waits; cell : whether it is wanted as a part of composites only.
    place : in the queue and the queue's length, as last published; attempt : which job of the run this is.
    reason : why it is being stopped, if nobody asked for it; kept : bytes of its archive.
    created, started, finished are by the clock of the roster; `epoch` later, they are seconds since 1970.
    """

    id: str
    experiment: Entry
    spec: Spec
    cost: Cost
    session: str
    created: float
    job: Job
    owners: list[str] = field(default_factory=list)
    parents: set[str] = field(default_factory=set)
    cells: Cells | None = None
    cell: bool = False
    order: int = 0
    epoch: float = 0.0
    place: tuple[int | None, int | None] = (None, None)
    attempt: int = 1
    restarts: int = 0
    status: str = "queued"
    fraction: float = 0.0
    doing: str = "waiting"
    frames: list[Frame] = field(default_factory=list)
    frame_bytes: int = 0
    started: float | None = None
    finished: float | None = None
    error: str | None = None
    note: str | None = None
    stopping: bool = False
    reason: str | None = None
    kept: int = 0
    held_since: float | None = None
    held: float = 0.0
    written: float = 0.0

    def owned_by(self, owner: str | None) -> bool:
        """None, the operator, owns everything."""
        return owner is None or owner in self.owners

    def take_in(self, owner: str) -> None:
        """One more wants the run; the first visitor to want what was only a cell gives it a turn of its own."""
        if owner not in self.owners:
            self.owners.append(owner)
        if self.cell and not is_run(owner):
            self.cell, self.session = False, owner

    def release(self, owner: str, heir: str) -> None:
        """One wants it no longer: the run waits in the turn of the visitor who came next, else as a cell of `heir`."""
        self.owners.remove(owner)
        visitors = [one for one in self.owners if not is_run(one)]
        self.cell = not visitors
        if self.session not in visitors:
            self.session = visitors[0] if visitors else heir

    def accept(self, event: Event, now: float) -> None:
        """Take in an event; the first one starts the clock."""
        if self.started is None:
            self.started = now
        if isinstance(event, Progress):
            self.fraction = max(self.fraction, min(1.0, event.fraction))
            if not self.stopping:
                self.doing = event.doing
        elif isinstance(event, Frame):
            self.frames.append(event)
            self.frame_bytes += _nbytes(event)
            while self.frame_bytes > FRAME_BYTES and self._thin():
                self.note = "some frames were left out to save memory; the result is whole"

    def take_back(self, cell: str) -> None:
        """A cell of this composite begins anew: neither its frames nor its progress count."""
        prefixes = self.cells.take_back(cell)
        self.frames = [frame for frame in self.frames if not frame.stream.startswith(prefixes)]
        self.frame_bytes = sum(map(_nbytes, self.frames))
        self.fraction, self.doing = self.cells.fraction(), "a worker was lost, its cell is computed again"

    def again(self, job: Job) -> LiveRun:
        """The run as it was before it began, for the same owners and in the same place of the queue."""
        who = {"owners": self.owners, "parents": self.parents, "cell": self.cell}
        when = {"order": self.order, "epoch": self.epoch, "restarts": self.restarts, "attempt": self.attempt + 1}
        which = self.id, self.experiment, self.spec, self.cost, self.session, self.created, job
        return LiveRun(*which, **who, **when)

    def hold(self, now: float) -> None:
        self.status, self.held_since = "paused", now

    def go_on(self, now: float) -> None:
        self.status = "running"
        self.held += now - (now if self.held_since is None else self.held_since)
        self.held_since = None

    def end(self, outcome: Outcome, now: float) -> None:
        if self.held_since is not None:
            self.go_on(now)
        self.status, self.error, self.finished = outcome.status, outcome.error, now
        self.doing = ""
        if outcome.status == "done":
            self.fraction = 1.0

    def seconds(self, now: float) -> float:
        """Time spent computing, pauses left out."""
        if self.started is None:
            return 0.0
        until = next(moment for moment in (self.finished, self.held_since, now) if moment is not None)
        return max(0.0, until - self.started - self.held)

    def view(self, now: float, version: int, place: int | None, length: int | None) -> RunView:
        return RunView(
            id=self.id,
            experiment=self.experiment.name,
            spec=self.spec,
            status=self.status,
            fraction=self.fraction,
            doing=self.doing,
            seconds_left=self._seconds_left(now),
            place=place,
            queue_length=length,
            error=self.error,
            note=self.note,
            version=version,
            seconds=self.seconds(now),
            **self.dates(),
        )

    def row(self, now: float) -> Row:
        session = owner_name(min(self.parents)) if self.cell and self.parents else self.session
        return Row(
            id=self.id,
            experiment=self.experiment.name,
            spec=self.spec.to_mapping(),
            status=self.status,
            progress=self.fraction,
            doing=self.doing,
            error=self.error,
            session=session,
            owners=tuple(self.owners),
            seconds=self.seconds(now),
            bytes=self.kept,
            restarts=self.restarts,
            **self.dates(),
        )

    def dates(self) -> dict[str, float | None]:
        """When it was created, started and finished, in seconds since 1970."""
        moments = {"created": self.created, "started": self.started, "finished": self.finished}
        return {name: None if moment is None else moment + self.epoch for name, moment in moments.items()}

    def _seconds_left(self, now: float) -> float | None:
        if self.status not in ("queued", "running", "paused"):
            return None
        if self.fraction < TELLING:
            return max(0.0, self.cost.seconds - self.seconds(now))
        return self.seconds(now) * (1 - self.fraction) / self.fraction

    def _thin(self) -> bool:
        """Leave out every second frame of the largest stream, never its first or last; False if none can go."""
        streams: dict[str, list[Frame]] = defaultdict(list)
        for frame in self.frames:
            streams[frame.stream].append(frame)
        longest = max(streams.values(), key=lambda frames: (len(frames) > 2, sum(map(_nbytes, frames))))
        gone = {id(frame) for frame in longest[1:-1:2]}
        self.frames = [frame for frame in self.frames if id(frame) not in gone]
        self.frame_bytes = sum(map(_nbytes, self.frames))
        return bool(gone)


def owner_name(run_id: str) -> str:
    """The owner that a composite is to its cells."""
    return f"run:{run_id}"


def is_run(owner: str) -> bool:
    """Whether that owner is a composite, not a visitor."""
    return owner.startswith("run:")


def _nbytes(frame: Frame) -> int:
    return sum(array.nbytes for array in frame.arrays.values())
