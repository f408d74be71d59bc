"""A picture on the page: what it reads from a run, and how it is built once for all viewers."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

from featdash.figures.film import Film, times_of
from featdash.figures.growth import growing_film
from featdash.figures.picture import Picture, Theme
from featdash.figures.prediction import BEGINNING, Prediction, with_prediction
from featdash.recipes.events import Frame, Result
from featdash.recipes.experiment import SpecT
from featdash.runs.foreground import RunEvents
from featdash.runs.run import Run
from featdash.ui.kit.shared import RenderedPicture, picture_cache, service
from featdash.ui.stage import chart
from featdash.ui.stage.phases import Phase

OptionsT = TypeVar("OptionsT", bound=Hashable)


@dataclass(frozen=True)
class Ending:
    """Where a scene stops showing a run: after the frames at `at` of these streams, as if the run had been shorter."""

    at: float
    streams: tuple[str, ...]


@dataclass(frozen=True)
class View(Generic[SpecT, OptionsT]):
    """One run at one moment, as one visitor wants to see it: all that a picture may read.

    Its types are those of the lesson: View[RaceSpec, Options], or View[LemmaSpec, None] without options.

    limits : (stream, number of its first frames), for the beginning that a question leaves visible; empty for all.
    events : where its frames and its result are; None for the run service of this server.
    ending : where a scene stops showing the run; None for all of it.
    """

    run: Run
    options: OptionsT
    theme: Theme
    limits: tuple[tuple[str, int], ...] = ()
    events: RunEvents | None = None
    ending: Ending | None = None

    @property
    def spec(self) -> SpecT:
        """The settings of the run; `stage` draws no run that has none."""
        return cast(SpecT, self.run.spec)

    def frames(self, stream: str) -> tuple[Frame, ...]:
        """The frames so far; "*" stands for any part of the name, as in "cell/*/points"."""
        events = self.events or service()
        if "*" in stream:
            return tuple(f for f in events.frames(self.run.id) if fnmatch.fnmatchcase(f.stream, stream))
        frames = events.frames(self.run.id, stream)[: dict(self.limits).get(stream)]
        if self.ending is None or stream not in self.ending.streams:
            return frames
        return tuple(frame for frame in frames if frame.at <= self.ending.at)

    def last(self, stream: str, at: float | None = None) -> Frame | None:
        """The frame at `at`, else the newest; None if there is none. Of a beginning it is the newest."""
        frames = self.frames(stream)
        matches = [] if self.limits else [frame for frame in frames if frame.at == at]
        return next(iter([*matches, *reversed(frames)]), None)

    def moves(self, stream: str) -> bool:
        """Whether this is a beginning, which leaves out later frames of the stream."""
        return stream in dict(self.limits)

    def result(self) -> Result | None:
        """The result; None before the end, and for a run that did not finish."""
        return (self.events or service()).result(self.run.id) if self.run.status == "done" else None

    def token(self, streams: Sequence[str], reads_end: bool = True) -> tuple:
        """Changes whenever a picture of these streams may change: seldom, for progress alone changes nothing.

        reads_end : whether the picture has anything but the frames of these streams; else the end does not change it.
        """
        if reads_end and not self.run.active:
            return (self.run.id, self.run.status, self.run.finished, self.limits)
        return (self.run.id, self.run.started, self.limits, *(mark_of(self.frames(stream)) for stream in streams))


def mark_of(frames: Sequence[Frame]) -> tuple:
    """What changes with each frame that comes. They are thinned when they become many: their number would not tell."""
    return (len(frames), frames[-1].stream, frames[-1].at) if frames else ()


Draw = Callable[[View], Picture | None]


@dataclass(frozen=True)
class Panel:
    """A picture of the page; the first of a lesson, or of a scene, is the one that leads.

    name : of its files and of its node, unique on the page.
    draw : the picture of a moment, None if there is nothing to show yet; it reads nothing but the moment.
    wide : whether, when it leads, the others stand below it and not at its right.
    keeps_place : whether its frame is there before it has something to show; else no empty frame stands beside others.
    streams : every stream that `draw` reads; while the run is live, new frames of them redraw it. `shown` finds them.
    film : what moves in the picture that `draw` has drawn; None for a picture that a film shows at its end alone.
    start : how many frames to show, without a finding, while a question hides the picture; 0 for its axes alone, which
        is all that a picture shows in which the visitor guesses.
    prediction : what a question hides or marks in the picture.
    point : what a click on a point of the picture does, called with the run on show and the point's `customdata`.
    ending : where the scene that shows it stops showing the run.
    still : whether what it shows of a run is there before the film's first moment.
    """

    name: str
    draw: Draw
    wide: bool = False
    keeps_place: bool = True
    streams: tuple[str, ...] = ()
    film: Callable[[View, Picture], Film | None] | None = None
    start: int = 0
    prediction: Prediction | None = None
    point: Callable[[Run, Any], None] | None = None
    ending: Ending | None = None
    still: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "streams", self.streams or getattr(self.draw, "streams", ()))

    @property
    def reads_end(self) -> bool:
        """Whether the picture, or its film, may be another one once the run has ended."""
        films = self.film is not None and getattr(self.film, "reads_end", True)
        return films or getattr(self.draw, "reads_end", True)

    @property
    def stays(self) -> bool:
        """Whether its picture is on show while the others play, as it does not depend on what they show."""
        return self.still or (not self.streams and not self.reads_end)

    @property
    def is_hidden(self) -> bool:
        """Whether a question hides what it shows."""
        return self.prediction is not None and self.prediction.hidden

    @property
    def short(self) -> str:
        """Its name without that of the lesson, as stories call it."""
        return self.name.partition("-")[2]

    def render(self, view: View) -> RenderedPicture | None:
        """The finished picture with its film, built once for all who want to see the same."""
        view = replace(view, ending=self.ending)
        if self.prediction and self.is_hidden and self.start and not self.prediction.asks:
            early = replace(view, limits=tuple((stream, self.start) for stream in self.streams))
            beginning = partial(_without_finding, self.draw)
            return replace(self, draw=beginning, prediction=None, start=0, film=None).render(early)

        def build() -> RenderedPicture | None:
            picture = self.draw(view)
            film = self.film(view, picture) if picture and self.film and not self.is_hidden else None
            if picture and self.prediction:
                picture = with_prediction(picture, self.prediction, view.theme)
            return chart.render(picture, f"{view.run.id}-{self.name}", film, self.stays) if picture else None

        if view.run.private:
            return build()  # the cache is shared, and must hold nothing private
        token = view.token(self.streams, self.reads_end)
        key = (self.name, token, view.options, view.theme, self.prediction, self.ending)
        return picture_cache().picture(key, build)


def growing(
    phase: Phase,
    index: int = 0,
    still: Collection[str] = (),
    places: Callable[[View, Sequence[float]], Sequence[float]] | None = None,
    each: bool = False,
) -> Callable[[View, Picture], Film | None]:
    """A panel's film in which its curves are drawn along their axis, in that phase of the lesson.

    index : of the phase in the lesson; places : where moments stand on the axis, if not at the measured places;
    still, each : see `figures.growth.growing_film`.
    """

    def film(view: View, picture: Picture) -> Film | None:
        moments = shown_moments(phase, view.run, view.ending)
        axis_places = places(view, moments) if places else None
        times = times_of(index, len(moments))
        return growing_film(picture.figure, times, still, axis_places, each) if len(moments) > 1 else None

    return film


def _without_finding(draw: Draw, view: View) -> Picture | None:
    """The picture without its sentences and its table, which may give away the answer to a question."""
    picture = draw(view)
    return replace(picture, headline="", alt=BEGINNING, table={}) if picture else None


def pictures(panels: Sequence[Panel], view: View) -> dict[str, Picture]:
    """Panel -> its picture, for panels that have something to show; for pictures away from a page."""
    return {panel.name: picture for panel in panels if (picture := panel.draw(view))}


def shown_moments(phase: Phase, run: Run, ending: Ending | None) -> list[float]:
    """The moments of a phase that a scene shows."""
    moments = phase.moments(run)
    return [at for at in moments if at <= ending.at] if ending and set(phase.streams) & {*ending.streams} else moments
