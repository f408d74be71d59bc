"""What a room refuses: each is one sentence for whoever asked."""

from __future__ import annotations


class UnknownRoom(ValueError):
    """There is no room of that code, or it has ended."""


class NotOpen(ValueError):
    """The room does not take this now: the door is locked or the room full, or that question is not open."""


class BadValue(ValueError):
    """The answer is none to that question, or the request is none."""


class TooFast(ValueError):
    """More requests in a short time than phones send."""
