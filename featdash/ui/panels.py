"""A run's pictures on the page, live and after its end: what a page shows, each built once for all viewers."""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar, cast
from urllib.parse import urlencode

import streamlit as st

from featdash.export.document import settings_line
from featdash.figures.palette import Theme
from featdash.figures.picture import Picture
from featdash.recipes.events import Frame, Result
from featdash.recipes.experiment import SpecT
from featdash.recipes.registry import find_experiment
from featdash.runs.foreground import RunEvents
from featdash.runs.run import Run
from featdash.ui import chart, link, run_panel, visitor
from featdash.ui.playback import EVERY, ReplayedStreams
from featdash.ui.shared import RenderedPicture, picture_cache, service

INVALID = "The settings of this run are no longer valid, so its pictures cannot be drawn; press Run for a new one."
AHEAD = " — at the end"  # in the title of a picture that knows no other moment, while others play
NONE_YET = "No run to show yet: press Run and watch."


OptionsT = TypeVar("OptionsT", bound=Hashable)


@dataclass(frozen=True)
class View(Generic[SpecT, OptionsT]):
    """One run at one moment, as one visitor wishes to see it: all that a picture may read.

    Its types are those of the lesson: View[RaceSpec, Options], or View[LemmaSpec, None] without options.

    limits : (stream, frames let out) where a playback still holds frames back.
    events : where its frames and its result are; None for the run service of this server.
    """

    run: Run
    options: OptionsT
    theme: Theme
    limits: tuple[tuple[str, int], ...] = ()
    events: RunEvents | None = None

    @property
    def spec(self) -> SpecT:
        """The settings of the run; `stage` draws no run that has none."""
        return cast(SpecT, self.run.spec)

    def frames(self, stream: str) -> tuple[Frame, ...]:
        """The frames so far; "*" stands for any part of the name, as in "cell/*/points"."""
        limits = dict(self.limits)
        events = self.events or service()
        if "*" in stream or EVERY in limits:
            frames = events.frames(self.run.id)[: limits.get(EVERY)]
            return tuple(f for f in frames if fnmatch.fnmatchcase(f.stream, stream))
        return events.frames(self.run.id, stream)[: limits.get(stream)]

    def last(self, stream: str, at: float | None = None) -> Frame | None:
        """The frame at `at`, else the newest; None if there is none. While a playback goes on, it is the newest."""
        frames = self.frames(stream)
        wanted = [] if self.limits else [frame for frame in frames if frame.at == at]
        return next(iter([*wanted, *reversed(frames)]), None)

    def moves(self, stream: str) -> bool:
        """Whether frames of the stream are still held back by a playback."""
        return not {stream, EVERY}.isdisjoint(dict(self.limits))

    def result(self) -> Result | None:
        """The result; None before the end, and of a run that did not finish."""
        return (self.events or service()).result(self.run.id) if self.run.status == "done" else None

    def token(self, streams: Sequence[str]) -> tuple:
        """Changes whenever a picture of these streams may change: seldom, for progress alone changes nothing."""
        moving = tuple(limit for limit in self.limits if limit[0] in streams)
        if not self.run.active:
            return (self.run.id, self.run.status, self.run.finished, moving)
        return (self.run.id, self.run.started, moving, *(_mark(self.frames(stream)) for stream in streams))


def _mark(frames: Sequence[Frame]) -> tuple:
    """Frames are thinned when they become many: their number alone would not tell."""
    return (len(frames), frames[-1].stream, frames[-1].at) if frames else ()


Draw = Callable[[View], Picture | None]


@dataclass(frozen=True)
class Panel:
    """A picture's place on the page.

    name : of its files and of its node, unique on the page.
    draw : the picture of a moment, None where there is nothing to show yet; reads the moment only.
    row, width : panels of a row stand side by side, this wide in proportion.
    stacked : under the panel before it, in its column.
    beside : stays in its column in presenter mode too.
    streams : every stream that `draw` reads; while the run is live, their frames are what redraws it.
    point : what a click on a point of the picture does, given the run on show and the point's `customdata`.
    """

    name: str
    draw: Draw
    row: int = 0
    width: float = 1.0
    stacked: bool = False
    beside: bool = False
    streams: tuple[str, ...] = ()
    point: Callable[[Run, Any], None] | None = None

    def render(self, view: View) -> RenderedPicture | None:
        """The finished picture, built once for all who wish the same."""

        ahead = bool(view.limits) and not self.streams and view.run.status == "done"

        def build() -> RenderedPicture | None:
            picture = self.draw(view)
            if picture and ahead:
                picture.figure.layout.title.text += AHEAD
            return chart.render(picture, f"{view.run.id}-{self.name}") if picture else None

        key = (self.name, view.token(self.streams), view.options, view.theme, ahead)
        return picture_cache().picture(key, build)


def pictures(panels: Sequence[Panel], view: View) -> dict[str, Picture]:
    """Panel -> its picture, of those that have something to show; for what is drawn away from a page."""
    return {panel.name: picture for panel in panels if (picture := panel.draw(view))}


def stage(
    run: Run | None,
    panels: Sequence[Panel],
    toolbar: Callable[[Run], Hashable] | None = None,
    plays: ReplayedStreams = (),
    waiting: Run | None = None,
    held: bool = True,
) -> View | None:
    """The picture part of a page: toolbar and live panel; returns the view of a run that has ended, to be taken away.

    waiting : a run in the queue that will take the place of this one.
    """
    if run is None or run.spec is None:
        st.info(NONE_YET if run is None else INVALID)
        return None
    theme, replays = visitor.theme(), run_panel.replays(run, plays)
    options = toolbar(run) if toolbar and not replays else None

    def draw(now: Run, limits: run_panel.Limits) -> None:
        nonlocal options
        if toolbar and replays:  # its sliders follow the pictures, so it is drawn anew with them
            options = toolbar(replace(now, held=limits))
        show(panels, View(now, options, theme, limits))

    run_panel.live(run, draw, plays, waiting, held)
    return None if run.active else View(run, options, theme)


def show(panels: Sequence[Panel], view: View) -> None:
    """All pictures: in their rows, or one under another in presenter mode."""
    rendered = {panel: rendered for panel in panels if (rendered := panel.render(view))}
    rows = []
    for row in _rows(panels):
        columns = [[panel for panel in column if panel in rendered] for column in _columns(panels, row)]
        if view.theme.presenter and not all(panel.beside for column in columns for panel in column):
            rows += [[[panel]] for column in columns for panel in column]
        else:
            rows.append([column for column in columns if column])
    if not rendered:
        st.caption("The first picture comes with the first numbers.")
        return
    listeners = {panel.name: panel.point for panel in panels if panel.point}
    chart.mount(
        [
            [(column[0].width, {panel.name: rendered[panel] for panel in column}) for column in row]
            for row in rows
            if row
        ],
        key=f"{view.run.experiment}-pictures",
        point=partial(_tell, listeners, view.run) if listeners else None,
        subject=view.run.id,
        caption=_caption(view.run),
    )


def _caption(run: Run) -> dict[str, str] | None:
    """What a picture that is saved says below itself, beside its sentence."""
    if run.spec is None:
        return None
    settings = settings_line(run.spec).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    title = find_experiment(run.experiment).title
    return {"settings": f"{title}: {settings}", "query": urlencode(link.settings_query(run))}


def _tell(listeners: Mapping[str, Callable[[Run, Any], None]], run: Run, panel: str, data: Any) -> None:
    """A click on a point, for the panel that listens."""
    if panel in listeners:
        listeners[panel](run, data)


def _rows(panels: Sequence[Panel]) -> Iterator[int]:
    return iter(sorted({panel.row for panel in panels}))


def _columns(panels: Sequence[Panel], row: int) -> list[list[Panel]]:
    """The panels of a row, column by column."""
    columns: list[list[Panel]] = []
    for panel in panels:
        if panel.row == row:
            if panel.stacked and columns:
                columns[-1].append(panel)
            else:
                columns.append([panel])
    return columns
