"""Fixtures: a clock, rooms by it, and one of them with its host."""

import pytest
from class_rooms import Clock, Site, open_rooms


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rooms(tmp_path, clock):
    with open_rooms(tmp_path, clock) as ours:
        yield ours


@pytest.fixture
def room(rooms):
    """(code, host's commands)."""
    code, secret = rooms.create()
    return code, rooms.commands(code, secret)


@pytest.fixture
def site(rooms, clock):
    return Site(rooms, clock)
