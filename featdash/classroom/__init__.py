"""A class that predicts together: rooms, questions and answers, in reading order:

refusal        what a room refuses
question       a question, and what counts as an answer
room           a room as a state machine
room_store     rooms on disk
registry       the rooms of a server, and what their hosts may command
limits         what a room, a server and an address may have, and how often
change_signal  what wakes phones that wait for news
routes         the plain routes: the page of a phone, the state of its room, its answers
"""

from __future__ import annotations

import threading

from featdash.classroom.registry import Rooms, open_rooms

_lock = threading.Lock()
_rooms: Rooms | None = None


def rooms() -> Rooms:
    """The rooms of this server, opened at the first call. ValueError if FEATDASH_HOME makes no sense."""
    global _rooms
    with _lock:
        if _rooms is None:
            _rooms = open_rooms()
        return _rooms


def close() -> None:
    """Leave the rooms to the next server; a later call of `rooms` opens them again."""
    global _rooms
    with _lock:
        if _rooms is not None:
            _rooms.close()
        _rooms = None
