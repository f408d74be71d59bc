"""The run service as the environment variables ask for it.

FEATDASH_ENGINE         dask (default) or inline
FEATDASH_SCHEDULER      address of a Dask scheduler, tcp://host:8786; without it, workers on this machine
FEATDASH_WORKERS        worker processes on this machine; default one a core, half of them beyond 8
FEATDASH_DEVICE         cpu (default) or cuda
FEATDASH_HOME           folder of the store; default ~/.cache/featdash
FEATDASH_CACHE_BYTES    bytes of finished runs kept there; default 1 GiB
FEATDASH_MEMORY_LIMIT, FEATDASH_TIME_LIMIT     bytes and seconds that one run may need; 1 GB, 900 s
FEATDASH_SESSION_QUEUE, FEATDASH_QUEUE         waiting runs of one visitor, and of all; 3, 30
"""

from __future__ import annotations

import atexit
import logging
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from featdash.runs.engine import Engine, InlineEngine
from featdash.runs.limits import Limits, number_setting, worker_count
from featdash.runs.service import RunService
from featdash.runs.store import Store

ENGINES = ("dask", "inline")

log = logging.getLogger(__name__)


def open_service(environment: Mapping[str, str] = os.environ) -> RunService:
    """A running service; closed at interpreter exit. ValueError, one sentence, for a variable that makes no sense."""
    limits = Limits.from_environment(environment)
    store = open_store(environment)
    service = RunService(_engine(environment), store, limits)
    atexit.register(service.close)
    return service


def open_store(environment: Mapping[str, str] = os.environ) -> Store:
    """The store at FEATDASH_HOME; a temporary one, with a word in the log, if that folder cannot be written."""
    cap = int(number_setting(environment, "FEATDASH_CACHE_BYTES", 2**30))
    home = Path(environment.get("FEATDASH_HOME") or _cache_folder(environment)).expanduser()
    try:
        return Store(home, cap)
    except OSError as error:
        other = tempfile.mkdtemp(prefix="featdash-")
        log.warning("FEATDASH_HOME must be a folder that can be written, got %s (%s); using %s", home, error, other)
        return Store(Path(other), cap, temporary=True)


def _cache_folder(environment: Mapping[str, str]) -> Path:
    return Path(environment.get("XDG_CACHE_HOME") or "~/.cache") / "featdash"


def _engine(environment: Mapping[str, str]) -> Engine:
    name = environment.get("FEATDASH_ENGINE") or "dask"
    if name not in ENGINES:
        raise ValueError(f"FEATDASH_ENGINE must be one of {', '.join(ENGINES)}, got {name[:60]!r}; choose one of them")
    device = environment.get("FEATDASH_DEVICE") or "cpu"
    if name == "inline":
        return InlineEngine(device)
    from featdash.runs.dask_engine import DaskEngine

    return DaskEngine(environment.get("FEATDASH_SCHEDULER") or None, worker_count(environment), device)
