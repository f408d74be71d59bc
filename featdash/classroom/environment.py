"""The rooms of the folder that the environment variable FEATDASH_HOME names."""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from featdash.classroom.registry import Rooms
from featdash.classroom.room_store import RoomStore
from featdash.runs.store import home_folder

log = logging.getLogger(__name__)


def open_rooms(environment: Mapping[str, str] = os.environ) -> Rooms:
    """The rooms in `rooms.sqlite`; in a folder of their own, until the server stops, where that one cannot be used."""
    home = home_folder(environment)
    try:
        return Rooms(RoomStore(home))
    except OSError as error:
        other = tempfile.mkdtemp(prefix="featdash-")
        log.warning("FEATDASH_HOME must be a folder that can be written, got %s (%s); using %s", home, error, other)
        return Rooms(RoomStore(Path(other)))
