"""A run as a viewer sees it: an immutable snapshot."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes.spec import Spec

ACTIVE = ("queued", "running", "paused")


@dataclass(frozen=True, slots=True)
class RunView:
    """A run at one moment.

    id : names the run in URLs; the same recipe under the same code has the same id.
    spec : its recipe; None if the recipe is no longer valid under this code.
    status : queued, running, paused, done, failed or stopped.
    fraction : share of the work done, in [0, 1]; doing : the step in words.
    seconds_left : estimate at the time of the snapshot; None if there is nothing to go by.
    place, queue_length : 1 is next; both None unless queued. Of a cell that no visitor asked for, as at its admission.
    error : one sentence on why it failed, why it was stopped if nobody asked for it, or, of a composite that is
        done, which cells it lacks.
    note : one sentence that a viewer should know about a run that is otherwise well.
    version : grows with every change, within the life of the server; the key for cached figures is (id, version).
    recorded : shipped with the package, not computed here.
    held : (stream, frames let out) where a playback holds frames back from the one who watches it.
    created, started, finished : seconds since 1970, None if not yet; seconds : computing time so far, without pauses.
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
    version: int = 0
    recorded: bool = False
    created: float | None = None
    started: float | None = None
    finished: float | None = None
    seconds: float = 0.0
    held: tuple[tuple[str, int], ...] = ()

    @property
    def active(self) -> bool:
        """Whether it may still change by itself."""
        return self.status in ACTIVE
