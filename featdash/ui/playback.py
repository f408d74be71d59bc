"""Frames let out one by one, so that there is motion to see where the computer was too quick for the eye."""

from __future__ import annotations

from dataclasses import dataclass, replace

from featdash.runs.view import RunView
from featdash.ui.workshop import service

LINGER = 3.0  # seconds after a run's end for the pictures to catch up
COAST = 12  # looks over which the last frame of a coasting stream is let out
EVERY = "*"  # in place of a stream: all frames of a run, in the order of their arrival
FEWEST = 5  # frames' time that a replay of all takes at least, so that it is seen
TICK = 0.15  # seconds between two looks while something moves, for few viewers


@dataclass(frozen=True)
class Playback:
    """The frame of index k is let out k / rate seconds after `began`: all viewers of a run see the same.

    began : seconds since 1970.
    step : seconds a frame; longest : of the whole, so that streams of many frames go faster.
    replay : asked for after the end; else what holds back a run that is live.
    ended : when the run ended, if it has; coasting : streams whose last frame holds so much that its picture lets it
    out in COAST parts; their count goes on beyond their frames meanwhile.
    """

    streams: tuple[str, ...]
    began: float
    step: float = 0.12
    longest: float = 5.0
    replay: bool = False
    ended: float | None = None
    coasting: tuple[str, ...] = ("heads",)

    def limits(self, run_id: str, now: float) -> tuple[tuple[str, int], ...]:
        """(stream, frames let out) of each stream that still holds some back."""
        held = []
        for stream in self.streams:
            count = len(service().frames(run_id, None if stream == EVERY else stream))
            count = max(count, FEWEST) if stream == EVERY else count
            rate = max(1 / self.step, count / self.longest)
            shown = 1 + int(max(now - self.began, 0.0) * rate)
            if shown >= count and stream in self.coasting and self.ended:
                count += COAST
                shown = count - COAST + int(max(now - max(self.ended, self.began + (count - COAST) / rate), 0) / TICK)
            if shown < count:
                held.append((stream, shown))
        return tuple(held)

    def goes_on(self, view: RunView, now: float) -> bool:
        """Whether an ended run still has frames to let out."""
        late = not self.replay and now > (view.finished or 0.0) + LINGER
        return not late and bool(self.limits(view.id, now))


def live(view: RunView, streams: tuple[str, ...]) -> Playback | None:
    """What holds back the frames of a run in progress."""
    return Playback(streams, view.started, ended=view.finished) if streams and view.started else None


def again(streams: tuple[str, ...], began: float) -> Playback:
    """The frames of an ended run once more, slowly enough to talk over; all of them where no streams are named."""
    return Playback(streams or (EVERY,), began, step=0.25, longest=8.0, replay=True, ended=began)


def as_it_was(view: RunView, limits: tuple[tuple[str, int], ...]) -> RunView:
    """The run as it was when it had shown these frames: where all are held back, its result is as well."""
    return replace(view, status="running") if EVERY in dict(limits) else view
