"""A run at one moment: the one record of it, for viewers, for the history of runs, and from there back to the queue."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from featdash.recipes.spec import Spec

ACTIVE = ("queued", "running", "paused")

Departure = Literal["stops", "left", "not yours"]  # what comes of an owner who no longer wants a run


@dataclass(frozen=True, slots=True)
class Run:
    """A snapshot of a run.

    id : names the run in URLs; the same recipe under the same code has the same id.
    spec : its recipe; None if the recipe is no longer valid under this code.
    status : queued, running, paused, done, failed or stopped.
    fraction : share of the work done, in [0, 1]; doing : the step in words.
    seconds_left : estimate at the time of the snapshot; None if there is nothing to go by.
    place, queue_length : 1 is next; both None unless queued. Of a cell that no visitor asked for, as at its admission.
    error : one sentence on why it failed, why it was stopped if nobody asked for it, or, of a composite that is
        done, which cells it lacks.
    note : one sentence that a viewer should know about a run that is otherwise well.
    recorded : shipped with the package, not computed here; private : on inputs that a visitor brought, kept in memory.
    created, started, finished : seconds since 1970, None if not yet; seconds : computing time so far, without pauses.
    owners : who asked for it, in order of arrival: visitors' sessions, and "run:<id>" for the composite of a cell.
    session : the visitor in whose turn it waits.
    server : which server process carries it out; restarts : how many servers went away during it.
    held : (stream, frames let out) where a playback holds frames back from the one who watches it.
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
    held: tuple[tuple[str, int], ...] = ()

    @property
    def active(self) -> bool:
        """Whether it may still change by itself."""
        return self.status in ACTIVE

    @property
    def visitors(self) -> tuple[str, ...]:
        """The owners that are no composites; without one the run is wanted as a cell only."""
        return tuple(owner for owner in self.owners if not is_run(owner))


def owner_name(run_id: str) -> str:
    """The owner that a composite is to its cells."""
    return f"run:{run_id}"


def is_run(owner: str) -> bool:
    """Whether that owner is a composite, not a visitor."""
    return owner.startswith("run:")


PREFIX = "private."  # of the ids of such runs, which no name of a file begins with


@dataclass(frozen=True, eq=False, repr=False)
class Inputs:
    """The arrays of one run, and the id that nobody can guess by which it is known.

    Its text form tells nothing of them, for Dask writes the arguments of what fails into its log.
    """

    arrays: Mapping[str, np.ndarray]
    run_id: str = field(default_factory=lambda: f"{PREFIX}{secrets.token_hex(16)}")


def is_private(run_id: str) -> bool:
    """Whether the id is that of a run on inputs."""
    return run_id.startswith(PREFIX)
