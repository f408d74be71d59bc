"""What a room refuses: each refusal is one sentence for the phone or the host."""

from __future__ import annotations


class UnknownRoom(ValueError):
    """There is no room of that code, or it has ended."""


class NotOpen(ValueError):
    """The room does not take this now: it is locked or full, or that question is not open."""


class BadValue(ValueError):
    """The answer does not fit the question, or the request is malformed."""


class TooFast(ValueError):
    """More requests in a short time than a phone would send."""
