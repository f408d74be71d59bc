"""Events as bytes: a JSON header, then the arrays one after the other; no pickle on either side.

8 bytes: length of the header, little-endian
header:  {"kind", ..., "arrays": [[name, dtype, shape], ...]}
body:    the arrays' bytes, C order, in that order
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from featdash.recipes.events import Event, Frame, Progress, Result


def encode(event: Event) -> bytes:
    """The event as bytes. ValueError if an array holds objects, or a summary is not plain JSON numbers."""
    if isinstance(event, Progress):
        return _join({"kind": "progress", "fraction": event.fraction, "doing": event.doing}, {})
    if isinstance(event, Frame):
        return _join({"kind": "frame", "stream": event.stream, "at": event.at}, event.arrays)
    return _join({"kind": "result", "summary": event.summary}, event.arrays)


def decode(message: bytes) -> Event:
    """The event that `encode` wrote; its arrays are read-only views of the message."""
    size = int.from_bytes(message[:8], "little")
    header = json.loads(message[8 : 8 + size])
    arrays = dict(_split(header["arrays"], message, 8 + size))
    if header["kind"] == "progress":
        return Progress(header["fraction"], header["doing"])
    if header["kind"] == "frame":
        return Frame(header["stream"], header["at"], arrays)
    return Result(header["summary"], arrays)


def carried(event: Event) -> Event:
    """The event as it would come out of another process: plain, read-only. ValueError as for `encode`."""
    return decode(encode(event))


def plain(value: Any) -> Any:
    """NumPy numbers in a header or a summary as the Python numbers they stand for."""
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise ValueError(f"a summary must hold plain numbers, strings, lists and dicts, got {type(value).__name__}")


def _join(header: dict[str, Any], arrays: Mapping[str, np.ndarray]) -> bytes:
    solid = {name: np.asarray(array, order="C") for name, array in arrays.items()}
    for name, array in solid.items():
        if array.dtype.hasobject:
            raise ValueError(f"array {name} must hold numbers or fixed-width strings, got objects; convert it")
    header["arrays"] = [[name, array.dtype.str, array.shape] for name, array in solid.items()]
    text = json.dumps(header, default=plain).encode()
    return b"".join([len(text).to_bytes(8, "little"), text, *(array.tobytes() for array in solid.values())])


def _split(table: list, message: bytes, start: int) -> Iterator[tuple[str, np.ndarray]]:
    for name, dtype, shape in table:
        kind = np.dtype(dtype)
        count = int(np.prod(shape))
        array = np.frombuffer(message, kind, count, start) if count else np.empty(0, kind)
        yield name, array.reshape(shape)
        start += count * kind.itemsize
