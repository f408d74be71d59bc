"""What an experiment sends while it runs: progress, frames and one result at the end, and the named arrays in them."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import UnionType
from typing import Any, Protocol, Self, TypeVar, get_args, get_origin, get_type_hints

import numpy as np

SCALARS = (bool, int, float, str)


@dataclass(frozen=True)
class Progress:
    """How far the run is, and what it is doing.

    fraction : share of the whole run, in [0, 1], never decreasing.
    doing : the step in words a visitor reads, e.g. "first-layer step".
    """

    fraction: float
    doing: str


@dataclass(frozen=True)
class Frame:
    """One picture of a stream: small named arrays (numeric or fixed-width strings, no objects).

    stream : which picture this is a frame of, e.g. "neurons" or "heads".
    at : position on the stream's own axis (sample size, step, ...), increasing within a stream.
    """

    stream: str
    at: float
    arrays: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Result:
    """The end of a run.

    summary : plain JSON numbers, strings, lists and dicts; what the command line prints.
    arrays : what the finished pictures and sliders need.
    """

    summary: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)


Event = Progress | Frame | Result


class Storable(Protocol):
    """What can be turned into plain arrays and back: NamedArrays, or a SpectralPath."""

    def to_arrays(self, prefix: str = "") -> dict[str, np.ndarray]:
        """Plain arrays, their names beginning with the prefix."""

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], prefix: str = "") -> Self:
        """The inverse of `to_arrays`; arrays of other prefixes are left alone."""


StorableT = TypeVar("StorableT", bound=Storable)


@dataclass(frozen=True, eq=False)
class NamedArrays:
    """The base of small frozen dataclasses of arrays, whose docstrings give shapes and units.

    A field is an array, a number or text (an array of shape ()), something Storable (its arrays are stored as
    "field/array"), or a mapping from names to one of these ("field/name"); of type «... | None» it may be missing.
    """

    def to_arrays(self, prefix: str = "") -> dict[str, np.ndarray]:
        """The fields as plain arrays, their names beginning with the prefix; a None is left out."""
        arrays: dict[str, np.ndarray] = {}
        for one in fields(self):
            arrays |= _arrays_of(getattr(self, one.name), prefix + one.name)
        return arrays

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], prefix: str = "") -> Self:
        """The inverse of `to_arrays`; other arrays are left alone. KeyError if one is missing that must not be."""
        return cls(**{name: _read(hint, arrays, prefix + name) for name, hint in cls._hints().items()})

    @classmethod
    @functools.cache
    def _hints(cls) -> dict[str, Any]:
        hints = get_type_hints(cls)
        return {one.name: hints[one.name] for one in fields(cls)}


def flatten(parts: Mapping[str, Storable], prefix: str = "") -> dict[str, np.ndarray]:
    """The arrays of several parts in one mapping, stored as "part/array"."""
    return {key: array for name, part in parts.items() for key, array in part.to_arrays(f"{prefix}{name}/").items()}


def nest(kind: type[StorableT], arrays: Mapping[str, np.ndarray], prefix: str = "") -> dict[str, StorableT]:
    """The inverse of `flatten`, for parts of one kind, in their order."""
    return {name: kind.from_arrays(arrays, f"{prefix}{name}/") for name in _names(arrays, prefix)}


def _names(arrays: Mapping[str, np.ndarray], prefix: str) -> list[str]:
    """The names of the parts: what follows the prefix, up to the next slash."""
    return list(dict.fromkeys(key.removeprefix(prefix).partition("/")[0] for key in arrays if key.startswith(prefix)))


def _arrays_of(value: Any, key: str) -> dict[str, np.ndarray]:
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return {name: array for part in value for name, array in _arrays_of(value[part], f"{key}/{part}").items()}
    return value.to_arrays(f"{key}/") if hasattr(value, "to_arrays") else {key: np.asarray(value)}


def _read(hint: Any, arrays: Mapping[str, np.ndarray], key: str) -> Any:
    if isinstance(hint, UnionType):
        present = key in arrays or any(name.startswith(f"{key}/") for name in arrays)
        return _read(get_args(hint)[0], arrays, key) if present else None
    if get_origin(hint) is Mapping:
        part = get_args(hint)[1]
        return {name: _read(part, arrays, f"{key}/{name}") for name in _names(arrays, f"{key}/")}
    if hasattr(hint, "from_arrays"):
        return hint.from_arrays(arrays, f"{key}/")
    return hint(arrays[key]) if hint in SCALARS else np.asarray(arrays[key])
