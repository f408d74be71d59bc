"""The stage: a run's pictures, live and after its end, and the controls of how it is shown beside them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from featdash.export.document import Words, settings_line
from featdash.recipes.experiment import find_experiment
from featdash.runs.run import Run
from featdash.ui import blocks, chart, claims_view, film, layout, link, live, theorem_card
from featdash.ui.downloads import download_section
from featdash.ui.lesson import Lesson
from featdash.ui.link import Home
from featdash.ui.panels import View
from featdash.ui.streamlit_internals import Place
from featdash.ui.taken_run import TakenRun

INVALID = "The settings of this run are no longer valid, so its pictures cannot be drawn; press Run for a new one."
NONE_YET = "No run to show yet: press Run and watch."


def stage(run: Run | None, part: Lesson, view: Place, line: str, waiting: Run | None, home: Home) -> None:
    """The picture part of a page: state of the run, pictures, and after the end what can be taken away.

    view : where the lesson's toolbar is drawn; line : what the line of state says of a run at rest;
    waiting : a run in the queue that will take the place of this one; home : of the run, for links to it.
    """
    if run is None or run.spec is None:
        st.info(NONE_YET if run is None else INVALID)
        return
    theme, options = layout.theme(), None
    if part.toolbar:
        with view:
            options = st.session_state[options_key(run)] = part.toolbar(run)

    sent: dict[str, str] = {}  # the fragment that draws again and again keeps it; a page that is drawn whole sends all
    caption = _caption(run, home)

    def draw(now: Run) -> None:
        with st.container(key="pictures"):
            show(part, View(now, options, theme), caption, sent)

    live.live(run, draw, part, line, waiting)


def below(run: Run | None, part: Lesson, home: Home, load: blocks.Load | None = None) -> None:
    """What is read below the pictures, in the order of every page, and what can be taken away of a run that has ended.

    load : loads a trial; None where none is offered.
    """
    text = part.text
    blocks.how_to_read(text.formula, text.reading)
    claims_view.page_end(part.experiment.name)
    if run and run.spec and part.theory:
        theorem_card.card(part.theory(run.spec))
    if load:
        blocks.trials(text.trials, load)
    blocks.source(text.source)
    if run and run.spec and not run.active:
        at_rest: View[Any, Any] = View(run, st.session_state.get(options_key(run)), layout.browser_theme())
        words = Words(text.question, text.formula, text.reading, text.source, text.papers)
        download_section(TakenRun(at_rest, part.panels, words, home, part.sliders))


def options_key(run: Run) -> str:
    """The session-state key of the lesson's options as last drawn; there is none of a lesson without a toolbar."""
    return f"{run.experiment}.options@"


def show(part: Lesson, view: View, caption: dict[str, str] | None, sent: dict[str, str]) -> None:
    """All pictures with the timeline over which they move, the first large; what has nothing to show may have to wait.

    caption, sent : see `chart.mount`.
    """
    run = view.run
    phases = part.film if run.status == "done" and film.is_wanted(run) else ()
    rendered = {panel: rendered for panel in part.panels if (rendered := panel.render(view, phases))}
    panels = [panel for panel in part.panels if panel.keeps_place or panel in rendered]
    partial_run = view.result() is None  # what it has not yet, or never, keeps its place
    if not rendered and not partial_run:
        st.caption("The first picture comes with the first numbers.")
        return
    listeners = {panel.name: panel.point for panel in panels if panel.point}
    told = chart.mount(
        {panel.name: rendered.get(panel) for panel in (panels if partial_run else rendered)},
        key=f"{run.experiment}-pictures",
        wide=[panel.name for panel in panels if panel.wide],
        listening=list(listeners),
        point=partial(_tell, listeners, run) if listeners else None,
        subject=run.id,
        caption=caption,
        sent=sent,
        least=1.5 if view.theme.large else 1.0,
        timeline=film.timeline(run, part),
    )
    if told.films and not film.is_wanted(run):
        film.want(run)
        st.rerun(scope="fragment")
    if told.ended and film.is_playing(run, part):
        film.note_end(run, told.ended)
        st.rerun()  # the whole page: the answer comes now


def _caption(run: Run, home: Home) -> dict[str, str] | None:
    """What a picture that is saved says below itself, beside its sentence."""
    if run.spec is None:
        return None
    settings = settings_line(run.spec).replace(" = ", "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}")
    title = find_experiment(run.experiment).title
    return {"settings": f"{title}: {settings}", "link": "" if run.private else link.whole_address(run, home) or ""}


def _tell(listeners: Mapping[str, Callable[[Run, Any], None]], run: Run, panel: str, data: Any) -> None:
    """A click on a point, for the panel that listens."""
    if panel in listeners:
        listeners[panel](run, data)
