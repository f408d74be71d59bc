"""The frames of a stream as a picture reads them: their places, and their arrays with names and types."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Generic, TypeVar, cast, get_args, get_origin

import numpy as np

from featdash.recipes.events import Frame, NamedArrays, Result, nest

ItemT = TypeVar("ItemT")
KindT = TypeVar("KindT", bound="NamedArrays | Mapping[str, NamedArrays] | Frame")


def arrays_of(kind: type[KindT], frame: Frame | Result) -> KindT:
    """The arrays of a frame as that kind of NamedArrays, or as a mapping of them; if the kind is Frame, the frame."""
    if get_origin(kind) is Mapping:
        return cast(KindT, nest(get_args(kind)[1], frame.arrays))
    return cast(KindT, frame if kind is Frame else cast(Any, kind).from_arrays(frame.arrays))


def few(items: Sequence[ItemT], most: int) -> list[ItemT]:
    """At most so many of them, evenly chosen by index, both ends kept."""
    indices = np.linspace(0, len(items) - 1, min(len(items), most)).round().astype(int)
    return [items[index] for index in np.unique(indices)]


@dataclass(frozen=True)
class Placed(Generic[KindT]):
    """The arrays of one frame, and its place on the stream's axis."""

    at: float
    arrays: KindT


@dataclass(frozen=True, eq=False)
class Frames(Generic[KindT]):
    """The frames of a stream up to a moment, at least one, oldest first; iterating gives their arrays.

    moves : whether it is a beginning, which leaves out later ones.
    """

    kind: type[KindT]
    frames: Sequence[Frame]
    moves: bool = False

    @property
    def at(self) -> list[Any]:
        """Their places on the stream's axis."""
        return [frame.at for frame in self.frames]

    @cached_property
    def arrays(self) -> list[KindT]:
        """Their arrays."""
        return [arrays_of(self.kind, frame) for frame in self.frames]

    def __iter__(self) -> Iterator[KindT]:
        return iter(self.arrays)

    def __len__(self) -> int:
        return len(self.frames)

    def few(self, most: int) -> Frames[KindT]:
        """At most so many of them, evenly chosen by index, both ends kept: the moments of a film."""
        return replace(self, frames=few(self.frames, most))

    def at_moments(self, moments: Sequence[float]) -> list[KindT]:
        """The arrays of the newest frame at each of these moments; of the oldest one before it has come."""
        places = np.searchsorted(self.at, moments, side="right") - 1
        return [self.arrays[place] for place in np.maximum(places, 0).tolist()]

    def last(self, at: float | None = None) -> Placed[KindT]:
        """The frame at `at`, else the newest one; of a beginning always the newest."""
        frame = self.frames[-1] if self.moves else next((f for f in self.frames if f.at == at), self.frames[-1])
        return Placed(frame.at, arrays_of(self.kind, frame))

    def choice(self, at: float | None) -> float | None:
        """The place that the visitor has chosen; None of a beginning, which has no choice."""
        return None if self.moves else at
