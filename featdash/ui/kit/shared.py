"""What all sessions of this server share: the run service, the finished pictures, and who is there and watching."""

from __future__ import annotations

import hashlib
import threading
import time
import uuid
from collections.abc import Callable, Hashable, Mapping, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st
from cachetools import LRUCache

from featdash import classroom
from featdash.classroom.limits import network
from featdash.runs.service import RunService, open_service
from featdash.ui.kit.table_store import Tab, TableStore
from featdash.ui.streamlit_internals import connection, is_connected

FILE_BYTES = 2**25  # ten files of the Lab
PICTURE_BYTES = 2**26  # some thousands of pictures of 5 to 20 kB each
NOTHING = 200  # bytes of a key without a picture
TABLE = 4  # a picture's table, as Python numbers, takes about four times the bytes of its text
WATCHING = 3.0  # seconds after its last look for which a session counts as watching
LOOKS = 85  # a second, of all sessions together: 6 ms of the processor each, half of a core
SLOWEST = 2.0  # seconds between two looks of a session
WHOLE = 0.1  # seconds between two sessions that draw their whole page again; each takes a third of that
COOKIE = "featdash_visitor"  # which the server gives to each browser
SESSION = "session@"
BEAT = 60.0  # seconds; a browser slows the timers of a tab in the background to just this


@dataclass(frozen=True)
class RenderedPicture:
    """A picture ready for many viewers: what the chart reads, one sentence, and the plotted numbers.

    mark : changes with the data, and with nothing else; film : where its film begins and ends, None without one.
    """

    data: bytes
    alt: str
    table: Mapping[str, Sequence]
    mark: str = ""
    film: tuple[float, float] | None = None


class PictureCache:
    """Pictures, each built once for all who ask, the least recently used dropped first. Thread-safe.

    most : bytes kept, tables included; a picture larger than that is built again for everyone who asks.
    """

    def __init__(self, most: int = PICTURE_BYTES) -> None:
        self._cache: LRUCache[Hashable, RenderedPicture | None] = LRUCache(most, getsizeof=weight)
        self._pending: dict[Hashable, Future[RenderedPicture | None]] = {}
        self._lock = threading.Lock()

    def picture(self, key: Hashable, build: Callable[[], RenderedPicture | None]) -> RenderedPicture | None:
        """The picture of that key; a visitor who asks for one that is being built waits for it, and for no other."""
        with self._lock:
            if key in self._cache:
                return self._cache[key]
            pending = self._pending.get(key)
            if pending is None:
                mine = self._pending[key] = Future()
        if pending is None:
            return self._build(key, mine, build)
        try:
            return pending.result()
        except CancelledError:  # its builder met an error, and this visitor shall meet the same one
            return build()

    def _build(
        self, key: Hashable, mine: Future, build: Callable[[], RenderedPicture | None]
    ) -> RenderedPicture | None:
        try:
            picture = build()
            with self._lock, suppress(ValueError):  # larger than the cache
                self._cache[key] = picture
            mine.set_result(picture)
            return picture
        finally:
            mine.cancel()  # does nothing once there is a result
            with self._lock:
                del self._pending[key]


def weight(picture: RenderedPicture | None) -> int:
    """Bytes that a picture takes; NOTHING for the note that there is none."""
    return (1 + TABLE) * len(picture.data) if picture else NOTHING


class FileCache:
    """Files that visitors take away: each built once, one at a time, the least recently used dropped first.

    Thread-safe. most : bytes kept; a file larger than that is built again for everyone who asks.
    """

    def __init__(self, most: int = FILE_BYTES) -> None:
        self._cache: LRUCache[Hashable, bytes] = LRUCache(most, getsizeof=len)
        self._lock = threading.Lock()

    def file(self, key: Hashable, build: Callable[[], bytes]) -> bytes:
        """The file of that key. The lock is held while it is built: two at once would only slow the pages further."""
        with self._lock:
            content = self._cache.get(key)
            if content is None:
                content = build()
                if len(content) <= self._cache.maxsize:
                    self._cache[key] = content
            return content


class ViewerCount:
    """How many sessions watch live, and how often each may ask. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._looks: dict[str, tuple[float, str]] = {}  # session -> when it looked last, and at which run
        self._free = -WHOLE
        self._lock = threading.Lock()

    def watch(self, session: str, run: str = "") -> None:
        """Note that the session looks at that run."""
        with self._lock:
            self._looks[session] = self._clock(), run

    def is_watched(self, run: str, session: str) -> bool:
        """Whether any other session than this looks at the run."""
        with self._lock:
            now = self._clock()
            others = (look for one, look in self._looks.items() if one != session)
            return any(at == run and now - moment <= WATCHING for moment, at in others)

    def interval(self, quickest: float) -> float:
        """Seconds between two looks of a session: `quickest` for a few sessions, 1.18 for a hundred."""
        with self._lock:
            now = self._clock()
            self._looks = {name: look for name, look in self._looks.items() if now - look[0] <= WATCHING}
            return round(min(SLOWEST, max(quickest, len(self._looks) / LOOKS)), 2)

    def watching(self) -> int:
        """How many sessions have looked within the last moment."""
        with self._lock:
            now = self._clock()
            return sum(now - moment <= WATCHING for moment, _ in self._looks.values())

    def may_draw(self, pause: float = WHOLE) -> bool:
        """Whether a session may draw its whole page now, `pause` seconds after the one before.

        Otherwise a hundred would do so in the same second when a run ends.
        """
        with self._lock:
            now = self._clock()
            free = now >= self._free
            if free:
                self._free = now + pause
            return free


_lock = threading.Lock()
_service: RunService | None = None
_closed = False
_pictures, _viewers, _files = PictureCache(), ViewerCount(), FileCache()
_tables = TableStore(lambda run: service().forget(run), is_connected)


def service() -> RunService:
    """The run service; ValueError with one sentence if an environment variable makes no sense.

    It is not in `st.cache_resource`, because each visitor's browser may empty that: a second service would bring a
    second set of workers, and know nothing about the runs of the first.
    """
    global _service
    with _lock:
        if _service is None and _closed:
            raise ValueError("the server is shutting down; load the page again in a minute")
        if _service is None:
            _service = open_service()
        return _service


def picture_cache() -> PictureCache:
    return _pictures


def file_cache() -> FileCache:
    return _files


def table_store() -> TableStore:
    return _tables


def viewer_count() -> ViewerCount:
    return _viewers


def visitor() -> str:
    """A name for this browser: a digest of its cookie, or of the session where there is none."""
    lasting = st.context.cookies.to_dict().get(COOKIE) or session()
    return hashlib.sha256(lasting.encode()).hexdigest()[:16]


def session() -> str:
    """A name for this tab, until it is loaded again."""
    return st.session_state.setdefault(SESSION, uuid.uuid4().hex)


def tab() -> Tab:
    """This tab, with its browser, its network and its connection."""
    return Tab(session(), visitor(), network(st.context.ip_address or ""), connection())


@st.fragment(run_every=BEAT)
def heartbeat() -> None:
    """Draws nothing. Without a service the page says why."""
    table_store().touch(session())
    try:
        service().touch(visitor(), st.context.ip_address or "")
    except ValueError:
        return


def close() -> None:
    """End the run service and its workers for good, and write the rooms to disk; reading its runs still works."""
    global _closed
    _tables.close()
    with _lock:
        _closed = True
        if _service is not None:
            _service.close()
    classroom.close()


def reset() -> None:
    """Close and forget all that the sessions share, as when the server has just been started; for tests."""
    global _service, _closed, _pictures, _viewers, _files
    close()
    with _lock:
        _service, _closed = None, False
        _pictures, _viewers, _files = PictureCache(), ViewerCount(), FileCache()
