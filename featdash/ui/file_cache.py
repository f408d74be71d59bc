"""Files that visitors take away: each built once, one at a time, the least recently used forgotten first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable

from cachetools import LRUCache

FILE_BYTES = 2**25  # ten files of the Lab


class FileCache:
    """Thread-safe. most : bytes kept; a file that is larger alone is built anew for each who asks."""

    def __init__(self, most: int = FILE_BYTES) -> None:
        self._kept: LRUCache[Hashable, bytes] = LRUCache(most, getsizeof=len)
        self._lock = threading.Lock()

    def file(self, key: Hashable, build: Callable[[], bytes]) -> bytes:
        """The file of that key. Held while it is built: a second one would only slow the pages down further."""
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                found = build()
                if len(found) <= self._kept.maxsize:
                    self._kept[key] = found
            return found
