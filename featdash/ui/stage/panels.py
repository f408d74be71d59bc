"""A picture on the page: what it reads of a run, and how it is built, once for all viewers."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast

from featdash.figures.film import Film, film_of, times_of
from featdash.figures.growth import grown
from featdash.figures.picture import Picture, Theme
from featdash.figures.prediction import BEGINNING, Prediction, with_prediction
from featdash.recipes.events import Frame, Result
from featdash.recipes.experiment import SpecT
from featdash.runs.foreground import RunEvents
from featdash.runs.run import Run
from featdash.ui.kit.shared import RenderedPicture, picture_cache, service
from featdash.ui.stage import chart
from featdash.ui.stage.phases import Phase, few, limits_at

OptionsT = TypeVar("OptionsT", bound=Hashable)
MOST_DRAWN = 16  # moments of a phase of which each is drawn whole, at some 10 to 40 ms of the server


@dataclass(frozen=True)
class Ending:
    """Where a scene stops showing a run: after the frames `at` of these streams, as if it had been shorter."""

    at: float
    streams: tuple[str, ...]


@dataclass(frozen=True)
class View(Generic[SpecT, OptionsT]):
    """One run at one moment, as one visitor wishes to see it: all that a picture may read.

    Its types are those of the lesson: View[RaceSpec, Options], or View[LemmaSpec, None] without options.

    limits : (stream, frames) of a moment before the newest one, as a film is made of them.
    events : where its frames and its result are; None for the run service of this server.
    ending : before which a scene stops; None for all of the run.
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
        """The frame at `at`, else the newest; None if there is none. At a moment of a film it is the newest."""
        frames = self.frames(stream)
        wanted = [] if self.limits else [frame for frame in frames if frame.at == at]
        return next(iter([*wanted, *reversed(frames)]), None)

    def moves(self, stream: str) -> bool:
        """Whether frames of the stream are still to come at this moment of a film."""
        return stream in dict(self.limits)

    def result(self) -> Result | None:
        """The result; None before the end, and of a run that did not finish."""
        return (self.events or service()).result(self.run.id) if self.run.status == "done" else None

    def token(self, streams: Sequence[str]) -> tuple:
        """Changes whenever a picture of these streams may change: seldom, for progress alone changes nothing."""
        if not self.run.active:
            return (self.run.id, self.run.status, self.run.finished, self.limits)
        return (self.run.id, self.run.started, self.limits, *(_mark(self.frames(stream)) for stream in streams))


def _mark(frames: Sequence[Frame]) -> tuple:
    """Frames are thinned when they become many: their number alone would not tell."""
    return (len(frames), frames[-1].stream, frames[-1].at) if frames else ()


Draw = Callable[[View], Picture | None]


@dataclass(frozen=True)
class Panel:
    """A picture of the page; the first of a lesson, or of a scene, is the one that leads.

    name : of its files and of its node, unique on the page.
    draw : the picture of a moment, None where there is nothing to show yet; reads the moment only.
    wide : has the others below it, and not at its right, where it leads.
    keeps_place : whether its frame is there before it has something to show; else there is no empty one beside others.
    streams : every stream that `draw` reads; while the run is live, their frames are what redraws it. A picture that is
        `shown` knows them.
    film : what moves in the picture that `draw` has drawn, where the lesson knows it without drawing each moment.
    start : frames that are shown while a question hides the picture, without a finding; 0 for its axes alone, which a
        picture in which one guesses has in any case.
    prediction : what a question hides or marks in the picture.
    point : what a click on a point of the picture does, given the run on show and the point's `customdata`.
    ending : where the scene that shows it stops showing the run.
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

    def __post_init__(self) -> None:
        object.__setattr__(self, "streams", self.streams or getattr(self.draw, "streams", ()))

    @property
    def short(self) -> str:
        """Its name without the lesson's, as stories call it."""
        return self.name.partition("-")[2]

    def render(self, view: View, phases: tuple[Phase, ...] = ()) -> RenderedPicture | None:
        """The finished picture, built once for all who wish the same.

        phases : over which it is to have a film, drawn moment by moment; none for a film that costs nothing alone.
        """

        view = replace(view, ending=self.ending)
        if self.prediction and self.prediction.hidden and self.start and not self.prediction.asks:
            early = replace(view, limits=tuple((stream, self.start) for stream in self.streams))
            beginning = partial(_without_finding, self.draw)
            return replace(self, draw=beginning, prediction=None, start=0, film=None).render(early)
        hidden = self.prediction is not None and self.prediction.hidden
        wanted = () if hidden or self.film else phases

        def build() -> RenderedPicture | None:
            drawn = _drawn_film(self, view, wanted) if wanted else None
            picture, film = (drawn[0], drawn[2]) if drawn else (self.draw(view), None)
            if picture and drawn:
                picture = replace(picture, figure=drawn[1])
            elif picture and self.film and not hidden:
                film = self.film(view, picture)
            if picture and self.prediction:
                picture = with_prediction(picture, self.prediction, view.theme)
            return chart.render(picture, f"{view.run.id}-{self.name}", film) if picture else None

        if view.run.private:
            return build()  # what others share keeps nothing of it
        films = tuple(phase.name for phase in wanted)
        key = (self.name, view.token(self.streams), view.options, view.theme, films, self.prediction, self.ending)
        return picture_cache().picture(key, build)


def growing(
    phase: Phase,
    index: int = 0,
    still: Collection[str] = (),
    places: Callable[[View, Sequence[float]], Sequence[float]] | None = None,
    each: bool = False,
) -> Callable[[View, Picture], Film | None]:
    """A panel's film in which its curves are drawn along their axis, in that phase of the lesson, the index-th.

    places : where moments stand on the axis, where they are not the measured places themselves; still, each : see
        `figures.growth.grown`.
    """

    def film(view: View, picture: Picture) -> Film | None:
        moments = shown_moments(phase, view.run, view.ending)
        known = places(view, moments) if places else None
        times = times_of(index, len(moments))
        return grown(picture.figure, times, still, known, each) if len(moments) > 1 else None

    return film


def _without_finding(draw: Draw, view: View) -> Picture | None:
    """The picture without its sentences and its table, which may say what a question asks."""
    picture = draw(view)
    return replace(picture, headline="", alt=BEGINNING, table={}) if picture else None


def pictures(panels: Sequence[Panel], view: View) -> dict[str, Picture]:
    """Panel -> its picture, of those that have something to show; for what is drawn away from a page."""
    return {panel.name: picture for panel in panels if (picture := panel.draw(view))}


def shown_moments(phase: Phase, run: Run, ending: Ending | None) -> list[float]:
    """The moments of a phase that a scene shows."""
    moments = phase.moments(run)
    return [at for at in moments if at <= ending.at] if ending and set(phase.streams) & {*ending.streams} else moments


def _drawn_film(panel: Panel, view: View, phases: Sequence[Phase]) -> tuple[Any, Any, Any] | None:
    """The picture at the end, the figure to which its film leads, and the film, drawn moment by moment.

    None of a picture that does not move in any of the phases.
    """
    pictures: list[Picture] = []
    times: list[float] = []
    for index, phase in enumerate(phases):
        if phase.stops or not set(phase.streams) & set(panel.streams):
            continue
        moments = few(shown_moments(phase, view.run, view.ending), MOST_DRAWN)
        limits = [limits_at(phases, index, at, view.run) for at in moments]
        drawn = [panel.draw(replace(view, limits=one)) for one in limits]
        found = [(one, time) for one, time in zip(drawn, times_of(index, len(moments)), strict=True) if one]
        if len(found) > 1 and film_of([one.figure for one, _ in found], [time for _, time in found])[1].changes:
            pictures += [one for one, _ in found]
            times += [time for _, time in found]
    if len(pictures) < 2:
        return None
    figure, film = film_of([picture.figure for picture in pictures], times)
    return (pictures[-1], figure, film) if film.changes else None
