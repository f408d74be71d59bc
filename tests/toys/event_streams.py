"""What comes out of a generator of events beside them."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

from featdash.recipes.events import Event

T = TypeVar("T")


def last_of(events: Generator[Event, None, T]) -> T:
    """What a generator of events returns, its events unseen."""
    while True:
        try:
            next(events)
        except StopIteration as end:
            return end.value
