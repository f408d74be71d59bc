"""Frames let out one by one, so that there is motion to see where the computer was too quick for the eye."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from featdash.runs.run import Run
from featdash.ui.shared import service

LINGER = 5.0  # seconds after a run's end for the pictures to catch up
COAST = 12  # looks over which the last frame of a coasting stream is let out
LONGEST = 32  # frames' time that a step takes at most
EVERY = "*"  # in place of a stream: all frames of a run, in the order of their arrival
FEWEST = 5  # frames' time that a replay of all takes at least, so that it is seen
TICK = 0.15  # seconds between two looks while something moves, for few viewers


ReplayedStreams = tuple[str, ...] | tuple[tuple[str, ...], ...]  # the streams of one phase, or of several phases


@dataclass(frozen=True)
class Playback:
    """One clock for all streams: what is let out is of one moment, and all viewers of a run see the same.

    streams : those of a phase, whose frames are of one moment where their positions `at` are equal; or phases one after
        another. The k-th moment of a phase comes k / rate seconds after its beginning, the first phase's at `began`.
    began : seconds since 1970.
    step : seconds a frame; longest : of the whole, so that streams of many frames go faster.
    replay : asked for after the end; else what holds back a run that is live.
    ended : when the run ended, if it has. The last frame of a later phase holds so much that its picture lets it out in
        COAST parts; the count goes on beyond the frames meanwhile.
    """

    streams: ReplayedStreams
    began: float
    step: float = 0.12
    longest: float = 5.0
    replay: bool = False
    ended: float | None = None

    def limits(self, run_id: str, now: float) -> tuple[tuple[str, int], ...]:
        """(stream, frames let out) of each stream that still holds some back."""
        if self.streams == (EVERY,):
            return self._every(run_id, now)
        held, begins = [], self.began
        for index, streams in enumerate(self._phases()):
            frames = {stream: service().frames(run_id, stream) for stream in streams}
            moments = sorted({frame.at for found in frames.values() for frame in found})
            rate = max(1 / self.step, len(moments) / self.longest)
            out = min(1 + int((now - begins) * rate), len(moments)) if now >= begins else 0
            newest = moments[out - 1] if out else -math.inf
            ends = begins + len(moments) / rate
            for stream, found in frames.items():
                shown = sum(frame.at <= newest for frame in found)
                if shown < len(found):
                    held.append((stream, shown))
                elif index and self.ended and (coasted := int((now - max(self.ended, ends)) / TICK)) < COAST:
                    held.append((stream, shown + max(coasted, 0)))
            begins = ends
        return tuple(held)

    def _every(self, run_id: str, now: float) -> tuple[tuple[str, int], ...]:
        """All frames of the run as one stream, in the order of their arrival."""
        count = max(len(service().frames(run_id)), FEWEST)
        rate = max(1 / self.step, count / self.longest)
        shown = 1 + int(max(now - self.began, 0.0) * rate)
        return ((EVERY, shown),) if shown < count else ()

    def _phases(self) -> tuple[tuple[str, ...], ...]:
        return (self.streams,) if isinstance(self.streams[0], str) else self.streams

    holds = False  # at its end it lets all out

    def is_playing(self, run: Run, now: float) -> bool:
        """Whether an ended run still has frames to let out."""
        late = not self.replay and now > (run.finished or 0.0) + LINGER
        return not late and bool(self.limits(run.id, now))


@dataclass(frozen=True)
class Steps:
    """An ended run step by step: a step plays one phase of the streams, or nothing; what is still to come is held back.

    streams : phases; phases : for each step the phase that it plays, or None; at : the step reached, from 0; began : of
    that step; pace : seconds a frame, 0 for all at once.
    """

    streams: ReplayedStreams
    phases: tuple[int | None, ...]
    at: int
    began: float
    pace: float
    holds = True

    def limits(self, run_id: str, now: float) -> tuple[tuple[str, int], ...]:
        """(stream, frames let out) of each stream that still holds some back: of the first phase its first at least."""
        held: list[tuple[str, int]] = []
        for index, streams in enumerate(self.streams):
            step = self.phases.index(index)
            if step == self.at and self.pace:
                most, one = LONGEST * self.pace, (tuple(streams),)
                held += Playback(one, self.began, self.pace, most, replay=True, ended=self.began).limits(run_id, now)
            elif step > self.at:
                held += [(stream, 1 if index == 0 else 0) for stream in streams]
        return tuple(held)

    def is_playing(self, run: Run, now: float) -> bool:
        """Whether the step reached still has frames to let out."""
        phase = self.phases[self.at]
        return phase is not None and bool({stream for stream, _ in self.limits(run.id, now)} & set(self.streams[phase]))


def live(run: Run, streams: ReplayedStreams) -> Playback | None:
    """What holds back the frames of a run in progress."""
    return Playback(streams, run.started, ended=run.finished) if streams and run.started else None


def again(streams: ReplayedStreams, began: float) -> Playback:
    """The frames of an ended run once more, slowly enough to talk over; all of them where no streams are named."""
    return Playback(streams or (EVERY,), began, step=0.25, longest=8.0, replay=True, ended=began)


def run_until(run: Run, limits: tuple[tuple[str, int], ...]) -> Run:
    """The run as it was when it had shown these frames: where all are held back, its result is as well."""
    return replace(run, status="running") if EVERY in dict(limits) else run
