"""Events as bytes for the way from a worker, and as a JSON header with arrays for archives; no pickle on either side.

8 bytes: length of the header, little-endian
header:  {"kind", ..., "arrays": [[name, dtype, shape], ...]}
body:    the arrays' bytes, C order, in that order
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, TypeVar

import numpy as np

from featdash.recipes.events import Event, Frame, Progress, Result

E = TypeVar("E", bound=Event)


def split_event(event: Event) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """The event's header, and its arrays in C order. ValueError if an array holds objects."""
    if isinstance(event, Progress):
        return {"kind": "progress", "fraction": event.fraction, "doing": event.doing}, {}
    arrays = {name: np.asarray(array, order="C") for name, array in event.arrays.items()}
    for name, array in arrays.items():
        if array.dtype.hasobject:
            raise ValueError(f"array {name} must hold numbers or fixed-width strings, got objects; convert it")
    if isinstance(event, Frame):
        return {"kind": "frame", "stream": event.stream, "at": event.at}, arrays
    return {"kind": "result", "summary": event.summary}, arrays


def to_json(header: dict[str, Any]) -> str:
    """The header as text, NumPy's numbers as Python's. ValueError if a summary is not plain JSON values."""
    return json.dumps(header, default=_plain)


def encode(event: Event) -> bytes:
    """The event as bytes. ValueError if an array holds objects, or a summary is not plain JSON values."""
    header, arrays = split_event(event)
    header["arrays"] = [[name, array.dtype.str, array.shape] for name, array in arrays.items()]
    text = to_json(header).encode()
    return b"".join([len(text).to_bytes(8, "little"), text, *(array.tobytes() for array in arrays.values())])


def decode(message: bytes) -> Event:
    """The event that `encode` wrote; its arrays are read-only views of the message."""
    size = int.from_bytes(message[:8], "little")
    header = json.loads(message[8 : 8 + size])
    arrays = dict(_read_arrays(header["arrays"], message, 8 + size))
    if header["kind"] == "progress":
        return Progress(header["fraction"], header["doing"])
    if header["kind"] == "frame":
        return Frame(header["stream"], header["at"], arrays)
    return Result(header["summary"], arrays)


def roundtrip(event: E) -> E:
    """The event as it would come out of another process: plain, read-only. ValueError as for `encode`."""
    came = decode(encode(event))
    assert isinstance(came, type(event))
    return came


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise ValueError(f"a summary must hold plain numbers, strings, lists and dicts, got {type(value).__name__}")


def _read_arrays(table: list, message: bytes, start: int) -> Iterator[tuple[str, np.ndarray]]:
    for name, dtype, shape in table:
        kind = np.dtype(dtype)
        count = int(np.prod(shape))
        array = np.frombuffer(message, kind, count, start) if count else np.empty(0, kind)
        yield name, array.reshape(shape)
        start += count * kind.itemsize
