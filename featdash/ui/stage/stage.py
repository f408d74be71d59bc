"""The stage: a run's pictures, live and after its end, and beside them the controls of the view."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from textwrap import shorten
from typing import Any

import streamlit as st

from featdash.export.document import settings_line
from featdash.recipes.experiment import find_experiment
from featdash.recipes.spec import Spec
from featdash.runs.run import Run
from featdash.ui.kit import layout, link
from featdash.ui.kit.link import Home
from featdash.ui.kit.shared import RenderedPicture
from featdash.ui.stage import chart, film, live
from featdash.ui.stage.ahead import ahead_to
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.moment import moment
from featdash.ui.stage.panels import View
from featdash.ui.streamlit_internals import Place

INVALID = "The settings of this run are no longer valid, so its pictures cannot be drawn; press Run for a new one."
NONE_YET = "No run to show yet: press Run and watch."


@dataclass(frozen=True)
class Comparison:
    """The run before, whose curves stay pale under those of the run on show.

    run : run on show -> the run before it, None for none; clear : ends the comparison, for a callback.
    """

    run: Callable[[Run], Run | None]
    clear: Callable[[], None]


def stage(
    run: Run | None,
    part: Lesson,
    view: Place,
    spec: Spec | None,
    differs: str,
    waiting: Run | None,
    home: Home,
    comparison: Comparison | None = None,
) -> None:
    """The part of a page with the state of the run and its pictures.

    view : where the lesson's toolbar is drawn; spec : the present settings; differs : a sentence if they have moved on
    since the run;
    waiting : a run in the queue that will take the place of this one; home : of the run, for links to it.
    """
    if run is None or run.spec is None:
        st.info(NONE_YET if run is None else INVALID)
        return
    theme, options = layout.theme(), None
    if part.toolbar:
        with view:
            options = st.session_state[options_key(run)] = part.toolbar(run)

    marks: dict[str, str] = {}  # the fragment that draws again and again keeps it; a page that is drawn whole sends all
    caption = _caption(run, home)

    def draw(now: Run, line: dict[str, Any]) -> None:
        before = comparison.run(now) if comparison else None
        line |= {"differs": differs, "pale": _pale_words(part, now, before)}
        show(part, View(now, options, theme), caption, marks, before, line, comparison.clear if comparison else None)

    with st.container(key="pictures"):
        live.live(run, draw, part, spec, waiting)


def _pale_words(part: Lesson, run: Run, before: Run | None) -> str:
    """Which run the pale curves are of."""
    if before and before.spec and run.spec:
        now = run.spec.to_mapping()
        was = link.settings_query(before, always=now)
        names = sorted(now, key=lambda name: name not in part.text.controls)  # those that a visitor sees come first
        differences = [f"{name} = {was[name]}" for name in names if before.spec.to_mapping()[name] != now[name]]
        return f"Pale: before, {shorten(', '.join(differences), 40, placeholder=' …')}"
    return ""


def options_key(run: Run) -> str:
    """The session-state key of the lesson's options as last drawn; a lesson without a toolbar has none."""
    return f"{run.experiment}.options@"


def show(
    part: Lesson,
    view: View,
    caption: dict[str, str] | None,
    marks: dict[str, str],
    before: Run | None,
    line: Mapping[str, Any],
    clear: Callable[[], None] | None,
) -> None:
    """All pictures with the timeline over which they move, the first one large.

    caption, marks, line, clear : see `chart.mount`; before : a run whose curves stand pale under these.
    """
    run = view.run
    ahead = ahead_to(f"{run.experiment}-pictures")

    def tell(name: str, picture: RenderedPicture) -> None:
        if marks and marks.get(name) != picture.mark:  # a page drawn whole says first whether a film plays
            ahead.tell_picture(name, picture.mark, chart.panel_of(picture))

    now = moment(part, view, tell)
    pictures = now.pictures
    panels = [panel for panel in part.panels if panel.keeps_place or panel.name in pictures]
    partial_run = view.result() is None  # what it has not yet, or never, keeps its place
    if not pictures and not partial_run:
        st.caption("The first picture comes with the first numbers.")
    listeners = {panel.name: panel.point for panel in panels if panel.point}
    state = chart.mount(
        {panel.name: pictures.get(panel.name) for panel in panels} if partial_run else pictures,
        key=f"{run.experiment}-pictures",
        wide=[panel.name for panel in panels if panel.wide],
        listening=list(listeners),
        point=partial(_tell, listeners, run) if listeners else None,
        subject=run.id,
        caption=caption,
        marks=marks,
        least=1.5 if view.theme.large else 1.0,
        timeline={**now.track, **film.playing(run, part)},
        before=moment(part, replace(view, run=before)).pale if before else None,
        line=line,
        clear=clear or (lambda: None),
        ahead=ahead,
    )
    film_token = film.token(run) if now.films == [] else state.ended  # where nothing moves there is nothing to wait for
    if film_token and film.is_playing(run, part):
        film.note_end(run, film_token)
        st.rerun()  # the whole page: the answer comes now


def _caption(run: Run, home: Home) -> dict[str, str] | None:
    """The lines below a saved picture, besides its sentence."""
    if run.spec is None:
        return None
    settings = settings_line(run.spec).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    title = find_experiment(run.experiment).title
    return {"settings": f"{title}: {settings}", "link": "" if run.private else link.whole_address(run, home) or ""}


def _tell(listeners: Mapping[str, Callable[[Run, Any], None]], run: Run, panel: str, data: Any) -> None:
    """Pass a click on a point to the panel that listens."""
    if panel in listeners:
        listeners[panel](run, data)
