"""The streams of a recovery, by number."""

from __future__ import annotations

HEAD = 2  # the step of the timeline after which stage 3 begins
