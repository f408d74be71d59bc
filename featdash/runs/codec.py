"""Events as bytes for the way from a worker, and a finished run as one `.npz` file; no pickle on either side.

An event: 8 bytes, the length of its header, little-endian; the header as JSON {"kind", ..., "arrays": [[name, dtype,
shape], ...]}; the bytes of the arrays, C order, in that order.

A file, readable without this project by `numpy.load(path, allow_pickle=False)`:

about                       JSON text: experiment, spec, code, seconds, finished, gaps, summary,
                            frames [[stream, at], ...]
frame/0003/neurons/points   array "points" of the fourth frame, which belongs to the stream "neurons"
result/<name>               arrays of the result
"""

from __future__ import annotations

import contextlib
import errno
import json
import logging
import lzma
import os
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
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
    copy = decode(encode(event))
    assert isinstance(copy, type(event))
    return copy


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


# what numpy and zipfile raise on a file with missing or flipped bytes
DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error,
    ValueError, LookupError, TypeError, EOFError, RuntimeError,
)  # fmt: skip
# a place before the file's beginning, a folder in its place, and what bz2 says, without a number
DAMAGE_NUMBERS = (errno.EINVAL, errno.EISDIR, None)

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Archive:
    """A run from its recipe to its result.

    spec : the recipe as a mapping of plain values.
    seconds : wall time of the computation, pauses left out; finished : seconds since 1970.
    gaps : one sentence on the cells that a composite lacks, which are computed again when it is asked for again.
    code : the version of the code that computed it, see `featdash.recipes.version`; None if it is not known.
    """

    experiment: str
    spec: Mapping[str, Any]
    frames: tuple[Frame, ...]
    result: Result
    seconds: float
    finished: float
    gaps: str | None = None
    code: str | None = None

    def nbytes(self) -> int:
        arrays = [array for frame in self.frames for array in frame.arrays.values()]
        return sum(array.nbytes for array in [*arrays, *self.result.arrays.values()])


def write_archive(path: Path, archive: Archive, packed: bool = False) -> None:
    """Write under a temporary name, then rename: a reader sees the whole file or none.

    packed : smaller by a third, and slower to write; it is read like the other.

    Errors: OSError if it cannot be written; ValueError if the run is not plain, see this module.
    """
    members = _members(archive)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            (np.savez_compressed if packed else np.savez)(file, **members)
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def read_archive(path: Path, shipped: bool = False) -> Archive | None:
    """The run in that file; None if there is no file, if it cannot be read now, or if its content is damaged.

    A damaged file is moved aside, unless it is `shipped` with the package.
    """
    return _read(path, _assemble, shipped)


def read_about(path: Path, shipped: bool = False) -> dict[str, Any] | None:
    """What `about` says of that file's run, without its summary; None as for `read_archive`."""
    return _read(path, _about, shipped)


def _read(path: Path, parse: Callable[[Mapping[str, np.ndarray]], T], shipped: bool) -> T | None:
    try:
        with path.open("rb") as handle, np.load(handle, allow_pickle=False) as file:
            return parse(file)
    except FileNotFoundError:
        return None
    except DAMAGE as error:
        damage: Exception = error
    except (OSError, MemoryError) as error:  # too many open files, a disk that is away: the file may be whole
        damage = error
        if isinstance(error, MemoryError) or error.errno not in DAMAGE_NUMBERS:
            log.warning("%s could not be read now (%s); it is left as it is", path, error)
            return None
    if shipped:
        log.warning("%s is damaged (%s); install the package again", path, damage)
    else:
        set_aside(path, damage)
    return None


def _about(file: Mapping[str, np.ndarray]) -> dict[str, Any]:
    about = json.loads(file["about"].item())
    fields = {key: about[key] for key in ("experiment", "spec", "seconds", "finished", "frames")}
    return fields | {"gaps": about.get("gaps"), "code": about.get("code")}


def set_aside(path: Path, damage: Exception) -> None:
    """Rename a damaged file to "<name>.damaged", so that nobody reads it and somebody can look at it."""
    log.warning("%s is damaged (%s) and was moved aside; what it held is computed again when asked for", path, damage)
    with contextlib.suppress(OSError):
        os.replace(path, path.with_name(f"{path.name}.damaged"))


def _members(archive: Archive) -> dict[str, Any]:
    frames = [split_event(frame) for frame in archive.frames]
    result, final = split_event(archive.result)
    about = {
        "experiment": archive.experiment,
        "spec": archive.spec,
        "code": archive.code,
        "seconds": archive.seconds,
        "finished": archive.finished,
        "gaps": archive.gaps,
        "summary": result["summary"],
        "frames": [[header["stream"], header["at"]] for header, _ in frames],
    }
    members: dict[str, Any] = {"about": np.array(to_json(about).encode())}
    for index, (header, arrays) in enumerate(frames):
        members |= {f"frame/{index:04d}/{header['stream']}/{name}": array for name, array in arrays.items()}
    return members | {f"result/{name}": array for name, array in final.items()}


def _assemble(file: Mapping[str, np.ndarray]) -> Archive:
    about = json.loads(file["about"].item())
    arrays: list[dict[str, np.ndarray]] = [{} for _ in about["frames"]]
    final = {}
    for member in file:
        if member.startswith("frame/"):
            index = int(member.split("/", 2)[1])
            arrays[index][member.removeprefix(f"frame/{index:04d}/{about['frames'][index][0]}/")] = file[member]
        elif member.startswith("result/"):
            final[member.removeprefix("result/")] = file[member]
    frames = tuple(Frame(stream, at, values) for (stream, at), values in zip(about["frames"], arrays, strict=True))
    result = Result(about["summary"], final)
    times = about["seconds"], about["finished"]
    return Archive(about["experiment"], about["spec"], frames, result, *times, about.get("gaps"), about.get("code"))
