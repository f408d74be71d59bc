"""A page: its texts, controls, run and pictures, in the order that every page keeps."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic

import streamlit as st

from featdash.export.document import Words
from featdash.recipes.experiment import Entry, SpecT
from featdash.recipes.spec import Spec, Text, quote_value
from featdash.runs.run import Run
from featdash.ui import blocks, link, run_panel, target_picker
from featdash.ui.downloads import download_section
from featdash.ui.form import Form
from featdash.ui.panels import Panel, View, stage
from featdash.ui.plain_text import plain_text
from featdash.ui.playback import ReplayedStreams
from featdash.ui.shared import service
from featdash.ui.sliders import Sliders
from featdash.ui.streamlit_internals import arrived_by_history, restart_through_app
from featdash.ui.taken_run import TakenRun
from featdash.ui.visitor import theme

MOST_CONTROLS = 6


@dataclass(frozen=True)
class LessonText:
    """The texts of a lesson, and which settings a visitor meets first.

    question, formula : a line each; reading, source : Markdown without headings.
    controls : at most six fields, in their order; sliders : which of them are sliders; more : the fields behind «More».
    words : options as the page calls them; widths : of controls that need another width than others of their kind.
    papers : keys of `featdash.export.papers.PAPERS`, for «Cite».
    """

    question: str
    formula: str
    reading: str
    source: str
    trials: tuple[blocks.Trial, ...]
    controls: tuple[str, ...]
    more: tuple[str, ...] = ()
    words: Mapping[str, str] = field(default_factory=dict)
    widths: Mapping[str, float] = field(default_factory=dict)
    sliders: tuple[str, ...] = ("n",)
    papers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.controls) > MOST_CONTROLS:
            raise ValueError(
                f"controls must be at most {MOST_CONTROLS}, got {len(self.controls)}; move the finer ones to more"
            )


@dataclass(frozen=True)
class Lesson(Generic[SpecT]):
    """One lesson of a page, with an experiment of its own.

    toolbar : draws switches over the pictures and returns their options; controls : draws the settings
    in place of the usual row; facts : what can be said of a recipe before a run; remark : a sentence beside the
    buttons about the run on show; plays : the streams whose frames are let out one by one, of one phase or of several;
    held : while the run is live too, else in a replay alone, so that the picture is where the progress is.
    sliders : of the file that opens offline, over what needs no refit.
    """

    label: str
    experiment: Entry[SpecT]
    text: LessonText
    panels: Sequence[Panel]
    toolbar: Callable[[Run], Hashable] | None = None
    controls: Callable[[Form], None] | None = None
    facts: Callable[[SpecT], None] | None = None
    remark: Callable[[SpecT], str] | None = None
    plays: ReplayedStreams = ()
    held: bool = True
    sliders: Callable[[View], Sliders | None] | None = None


def page(*choices: Lesson) -> None:
    """A page of one lesson, or of several, one at a time; the address names any but the first."""
    restart_through_app()
    known = {part.experiment.name: part for part in choices}
    first = next(iter(known))
    chosen = _choose(known, first) if len(known) > 1 else first
    _show(known[chosen], None if chosen == first else chosen)


def _choose(known: dict[str, Lesson], first: str) -> str:
    """The control over the parts; a new address moves it, and it moves the address."""
    key, seen, query = f"{first}.part@", f"{first}.part.seen@", st.query_params.to_dict()
    named = query.get("part", first)
    if named in known and (query or arrived_by_history()) and named != st.session_state.get(seen):
        st.session_state[key] = named
    st.session_state.setdefault(key, first)
    chosen = st.segmented_control(
        "Part of the lesson",
        list(known),
        format_func=lambda name: known[name].label,
        key=key,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    if named not in known:
        rule = f"part must be one of {', '.join(known)}"
        st.error(plain_text(f"{rule}, got {quote_value(named)}; the link's value is ignored."))
    if chosen != named:
        st.query_params.clear()  # what it says belongs to another part
    st.session_state[seen] = chosen
    return chosen or first


def _show(part: Lesson, named: str | None) -> None:
    text, large = part.text, theme().presenter
    blocks.page_head(text.question, "" if large else text.formula)
    if not _in_service():
        return
    form = Form(part.experiment, text.words, text.widths)
    refused = link.read(form, run_panel.arrive)
    (part.controls or partial(_controls, text))(form)
    spec, trouble = form.validate()
    run = run_panel.view_of(form)
    if spec and part.facts:
        part.facts(spec)
    shape = [3.2, 6.0, 1.0] if large else [5.4, 3.8, 0.75]
    beside, command, suggested = st.columns(shape, vertical_alignment="center", gap="small")
    remark = _remark(part, run, spec)
    words = [_moved(part, run, spec), run_panel.ending_line(run, spec), "" if large else remark]
    blocks.small_text(beside, " · ".join(word for word in words if word), "remark")
    with command:
        run_panel.buttons(form, run, ready=spec is not None)
    load = partial(run_panel.try_out, form)
    blocks.suggestions(suggested, text.trials, load, part.experiment.name)
    run_panel.show_notices(form, [*refused, trouble])
    run_panel.offer(form, run)
    shown = run_panel.previous_run(form, run)
    waiting = {} if shown is run else {"waiting": run}
    ended = stage(shown, part.panels, part.toolbar, part.plays, held=part.held, **waiting)
    if ended:
        download_section(TakenRun(ended, part.panels, _taken_words(text), named, part.sliders))
    if large:  # one screen for controls and pictures: what is only read comes after them
        st.markdown(f"{text.formula}\n\n{remark}")
    blocks.how_to_read(text.reading)
    blocks.trials(text.trials, load)
    blocks.source(text.source)
    if spec:
        link.write(form, spec, run, named)


def _taken_words(text: LessonText) -> Words:
    """The words that go along with a run."""
    return Words(text.question, text.formula, text.reading, text.source, text.papers)


def _in_service() -> bool:
    """Whether runs can be had at all; a variable of the environment that makes no sense is told in its sentence."""
    try:
        service()
    except ValueError as error:
        st.error(plain_text(f"{error}."))
        return False
    return True


def _controls(text: LessonText, form: Form) -> None:
    """The row of settings; a target is chosen from its list, or written in a line of its own."""
    rules = {name: about.metadata["rule"] for name, about in form.fields.items()}
    picks = "target" in text.controls and isinstance(rules["target"], Text)
    drawn = {"target": partial(target_picker.choose, form)} if picks else {}
    form.row(text.controls, text.more, sliders=text.sliders, drawn=drawn)
    if picks:
        target_picker.write_own(form)


def _remark(part: Lesson, run: Run | None, spec: Spec | None) -> str:
    """The page's remark on the run on show."""
    raced = (run.spec if run else None) or spec
    return part.remark(raced) if raced and part.remark else ""


def _moved(part: Lesson, run: Run | None, spec: Spec | None) -> str:
    """A word if the settings have moved on since the run on show."""
    if run is None or spec is None or run.spec == spec:
        return ""
    return f":orange-badge[**The settings differ from the run below: press Run {part.experiment.noun}.**]"
