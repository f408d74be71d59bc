"""Who is still there: when each visitor was last seen, and from which network address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

REMEMBERED = 4000  # visitors; the one seen longest ago is forgotten first
AWAY = 300.0  # seconds unseen after which a visitor has left; a tab in the background speaks once a minute


class Visitors:
    """Guarded by the lock of its owner. `clock` : seconds, steady."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._seen: OrderedDict[str, tuple[float, str]] = OrderedDict()

    def see(self, session: str, address: str = "") -> None:
        """The visitor is there now; address : "" if nobody knows."""
        self._seen[session] = (self._clock(), address or self.address(session))
        self._seen.move_to_end(session)
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)

    def address(self, session: str) -> str:
        return self._seen.get(session, (0.0, ""))[1]

    def away(self, session: str) -> bool:
        """Whether the visitor has left; one who was never seen counts from now."""
        if session not in self._seen:
            self.see(session)
        return self._clock() - self._seen[session][0] > AWAY
