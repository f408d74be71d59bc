"""A finished run as one `.npz` file, readable without this project: `numpy.load(path, allow_pickle=False)`.

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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from featdash.recipes.events import Frame, Result
from featdash.runs.codec import split_event, to_json

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

    Errors: OSError if it cannot be written; ValueError if the run is not plain, see `featdash.runs.codec`.
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
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
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
    known = {key: about[key] for key in ("experiment", "spec", "seconds", "finished", "frames")}
    return known | {"gaps": about.get("gaps"), "code": about.get("code")}


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
    frames = tuple(Frame(stream, at, held) for (stream, at), held in zip(about["frames"], arrays, strict=True))
    result = Result(about["summary"], final)
    times = about["seconds"], about["finished"]
    return Archive(about["experiment"], about["spec"], frames, result, *times, about.get("gaps"), about.get("code"))
