"""Who is next: visitors before sweeps, and each session in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

SESSIONS = 1000  # sessions whose last turn is remembered


@dataclass(frozen=True)
class Waiting:
    """A run in the queue. session : whose turn it takes; cell : it is part of a composite."""

    run_id: str
    session: str
    cell: bool
    since: int


def in_order(queue: Sequence[Waiting], last_served: Mapping[str, int]) -> list[Waiting]:
    """The order in which waiting runs begin if nobody else comes.

    Runs that a visitor asked for come before cells of composites, which nobody watches one by one. Within
    each, sessions take turns: every session's first run before any session's second, and among equals the
    session that was served longest ago, then the run that came first.
    """
    turns: Counter[tuple[bool, str]] = Counter()
    keys = {}
    for run in sorted(queue, key=lambda run: run.since):
        turn = turns[run.cell, run.session]
        turns[run.cell, run.session] += 1
        keys[run.run_id] = (run.cell, turn, last_served.get(run.session, -1), run.since)
    return sorted(queue, key=lambda run: keys[run.run_id])


class Queue:
    """The waiting runs in the order in which they will begin."""

    def __init__(self) -> None:
        self._order: list[Waiting] = []
        self._last_served: dict[str, int] = {}
        self._servings = 0

    def renew(self, waiting: Sequence[Waiting]) -> list[str]:
        """Take in who waits now; returns the runs that a viewer must be told a new place or length."""
        before = {one.run_id: (place, len(self._order)) for place, one in enumerate(self._order)}
        self._order = in_order(waiting, self._last_served)
        after = {one.run_id: (place, len(self._order)) for place, one in enumerate(self._order)}
        return [run_id for run_id, place in after.items() if before.get(run_id) != place]

    def serve(self, session: str) -> None:
        """Note that a run of that session begins; a session long gone is forgotten."""
        self._servings += 1
        self._last_served.pop(session, None)
        self._last_served[session] = self._servings
        if len(self._last_served) > SESSIONS:
            del self._last_served[next(iter(self._last_served))]

    def place(self, run_ids: Collection[str]) -> tuple[int | None, int | None]:
        """(place of the first of these runs, length of the queue); 1 is next, (None, None) if none of them waits."""
        place = next((index for index, one in enumerate(self._order, 1) if one.run_id in run_ids), None)
        return place, len(self._order) if place else None

    def __iter__(self) -> Iterator[Waiting]:
        return iter(self._order)

    def __len__(self) -> int:
        return len(self._order)
