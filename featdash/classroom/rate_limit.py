"""How often an address or a phone may ask: buckets that empty with each request and fill again with time."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Hashable

from cachetools import LRUCache

REMEMBERED = 20_000  # keys of a limit; the one used longest ago is forgotten, which fills its bucket


class RateLimit:
    """For each key, `burst` requests at once, and `rate` a second in the long run. For one thread.

    clock : seconds, steady.
    """

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._buckets: LRUCache[Hashable, tuple[float, float]] = LRUCache(REMEMBERED)  # (level, when)

    def allows(self, key: Hashable) -> bool:
        """Whether a request would pass now."""
        return self._level(key) >= 1

    def take(self, key: Hashable) -> bool:
        """Count a request; whether it passes. One that does not costs nothing."""
        level = self._level(key)
        passes = level >= 1
        self._buckets[key] = level - passes, self._clock()
        return passes

    def _level(self, key: Hashable) -> float:
        level, when = self._buckets.get(key, (self._burst, 0.0))
        return min(self._burst, level + self._rate * (self._clock() - when))


def network(host: str) -> str:
    """The address as a limit counts it: of IPv6 the /64, which one subscriber has whole."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:60]
    if address.version == 6:
        mapped = address.ipv4_mapped
        return str(mapped) if mapped else str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
