"""What one room, one server and one address may have, and how often."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable, Hashable

from cachetools import LRUCache

from featdash.classroom.refusal import TooFast
from featdash.classroom.registry import Rooms

AGAIN = "Too many requests; wait a few seconds and try again."
GUESSES = "Too many wrong codes came from your network; wait a minute and try again."
CROWD = "Too many phones join from your network at once; wait a few seconds and try again."


class ClassLimits:
    """A class behind one address of a campus must get in and answer within seconds; a flood from there must not.

    An address may send 2000 answers at once and 200 a second, and look at a state 3000 times at once and 300 times a
    second, so that a thousand phones may answer twice in three seconds and all come back after a restart. 600 new
    phones at once and 20 a second may join one room: a hall of a thousand is in after 20 s, and of ten thousand
    invented tokens at most a thousand get in, the room's own limit. 60 wrong codes are free, and then one in two
    seconds: with one room among 160 000 codes, a day of guesses finds it with odds of one to three. The wrong codes of
    others do not hold up a phone that is in a room already.
    A phone may send 10 answers at once and one a second, and look 20 times at once and twice a second. Without a token,
    an address may look 60 times at once and five times a second.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._answers, self._looks = RateLimit(2000, 200, clock), RateLimit(3000, 300, clock)
        self._joins, self._misses = RateLimit(600, 20, clock), RateLimit(60, 0.5, clock)
        self._phone_answers, self._phone_looks = RateLimit(10, 1, clock), RateLimit(20, 2, clock)
        self._strangers = RateLimit(60, 5, clock)

    def check_look(self, host: str, token: str | None) -> None:
        """Count one look at a state; TooFast if it is one too many."""
        key = network(host)
        phone = self._phone_looks.take(token) if token else self._strangers.take(key)
        if not (phone and self._looks.take(key)):
            raise TooFast(AGAIN)

    def check_answer(self, host: str, token: str) -> None:
        """Count one answer; TooFast if it is one too many."""
        if not (self._phone_answers.take(token) and self._answers.take(network(host))):
            raise TooFast(AGAIN)

    def check_room(self, rooms: Rooms, code: str, host: str, token: str | None) -> None:
        """Count a code that a phone has read, or guessed. TooFast does not say whether there is such a room."""
        if token and rooms.is_in(code, token):
            return
        key = network(host)
        if not self._misses.allows(key):
            raise TooFast(GUESSES)
        if rooms.view(code) is None:
            self._misses.take(key)
        elif token and not self._joins.take((key, code.upper())):
            raise TooFast(CROWD)


REMEMBERED = 20_000  # keys of a limit; the one used longest ago is dropped, so that its bucket is full again


class RateLimit:
    """For each key, `burst` requests at once, and `rate` a second in the long run. For one thread.

    clock : seconds, never set back.
    """

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._buckets: LRUCache[Hashable, tuple[float, float]] = LRUCache(REMEMBERED)  # (level, when)

    def allows(self, key: Hashable) -> bool:
        """Whether a request would pass now."""
        return self._level(key) >= 1

    def take(self, key: Hashable) -> bool:
        """Count a request, and say whether it passes; one that does not is free."""
        level = self._level(key)
        passes = level >= 1
        self._buckets[key] = level - passes, self._clock()
        return passes

    def _level(self, key: Hashable) -> float:
        level, when = self._buckets.get(key, (self._burst, 0.0))
        return min(self._burst, level + self._rate * (self._clock() - when))


def network(host: str) -> str:
    """The address as a limit counts it: for IPv6 the /64, all of which belongs to one subscriber."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host[:60]
    if address.version == 6:
        ipv4 = address.ipv4_mapped
        return str(ipv4) if ipv4 else str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
