"""The run service as the environment variables ask for it.

FEATDASH_ENGINE         dask (default); inline computes in this process, for tests
FEATDASH_SCHEDULER      address of a Dask scheduler, tcp://host:8786; without it, workers on this machine
FEATDASH_WORKERS        worker processes on this machine; default one a core, half of them beyond 8
FEATDASH_DEVICE         cpu (default), cuda, or one of several as cuda:1
FEATDASH_HOME           folder of the store; default the user's cache folder, on Linux ~/.cache/featdash
FEATDASH_CACHE_BYTES    bytes of finished runs kept there; default 1 GiB
FEATDASH_MEMORY_LIMIT, FEATDASH_TIME_LIMIT     bytes and seconds that one run may need; 1 GB, 900 s
FEATDASH_SESSION_QUEUE, FEATDASH_QUEUE         waiting runs of one visitor, and of all; 3, 30
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from platformdirs import user_cache_dir

from featdash.runs.execution import Engine, InlineEngine
from featdash.runs.limits import Limits, count_setting, worker_count
from featdash.runs.service import RunService
from featdash.runs.store import Store

ENGINES = ("dask", "inline")
DEVICE = re.compile(r"cpu|cuda(:\d+)?")
SCHEDULER = re.compile(r"(tcp|tls)://[^/\s]+:\d+")

log = logging.getLogger(__name__)


def open_service(environment: Mapping[str, str] = os.environ) -> RunService:
    """A running service; closed at interpreter exit. ValueError, one sentence, for a variable that makes no sense.

    All variables are checked before anything is opened: whoever asks again after a refusal opens nothing again.
    """
    limits, cap = Limits.from_environment(environment), count_setting(environment, "FEATDASH_CACHE_BYTES", 2**30)
    home, engine = home_folder(environment), _checked_engine(environment, limits.memory)
    store = _open_store(home, cap)
    service = RunService(engine(), store, limits)
    atexit.register(service.close)
    return service


def _open_store(home: Path, cap: int) -> Store:
    try:
        return Store(home, cap)
    except OSError as error:
        other = tempfile.mkdtemp(prefix="featdash-")
        log.warning("FEATDASH_HOME must be a folder that can be written, got %s (%s); using %s", home, error, other)
        return Store(Path(other), cap, temporary=True)


def home_folder(environment: Mapping[str, str]) -> Path:
    """FEATDASH_HOME, else the user's cache folder; ValueError if it is no folder's name."""
    home = environment.get("FEATDASH_HOME") or user_cache_dir("featdash", appauthor=False)
    try:
        return Path(home).expanduser()
    except RuntimeError as error:  # of a user who does not exist, or has no home
        raise ValueError(f"FEATDASH_HOME must be a folder, got {home[:60]!r}; set it to an absolute path") from error


def _checked_engine(environment: Mapping[str, str], memory: float) -> Callable[[], Engine]:
    """What opens the engine, once its variables are known to make sense."""
    name = environment.get("FEATDASH_ENGINE") or "dask"
    if name not in ENGINES:
        raise ValueError(f"FEATDASH_ENGINE must be one of {', '.join(ENGINES)}, got {name[:60]!r}; choose one of them")
    device = environment.get("FEATDASH_DEVICE") or "cpu"
    if not DEVICE.fullmatch(device):
        raise ValueError(f"FEATDASH_DEVICE must be cpu, cuda or cuda:N, got {device[:60]!r}; choose one of them")
    if name == "inline":
        return partial(InlineEngine, device)
    scheduler = environment.get("FEATDASH_SCHEDULER") or None
    if scheduler and not SCHEDULER.fullmatch(scheduler):
        rule = "FEATDASH_SCHEDULER must be tcp://host:port or tls://host:port"
        raise ValueError(f"{rule}, got {scheduler[:60]!r}; see what `dask scheduler` prints, or unset it")
    workers = worker_count(environment)
    from featdash.runs.dask.engine import DaskEngine  # here: tests that compute inline do not load Dask

    return partial(DaskEngine, scheduler, workers, device, memory=memory)
