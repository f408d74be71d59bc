"""A page: its column of settings, its run with the pictures, and the text below, in the same order on every page."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from featdash.recipes.experiment import takes_inputs
from featdash.recipes.spec import Spec, Text, quote_value
from featdash.runs.run import Run
from featdash.stories.course import removal
from featdash.ui.kit import announcer, control_key, layout, link, navigation, settings_sheet, toolbar
from featdash.ui.kit.form import PAGE, Form
from featdash.ui.kit.layout import Regions
from featdash.ui.kit.link import Home
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.page import blocks, by_itself, preset_picker, run_panel, take_away, target_picker
from featdash.ui.page.below import below
from featdash.ui.stage.lesson import Lesson, LessonText
from featdash.ui.stage.stage import stage
from featdash.ui.story import player, scene_block, story_choice
from featdash.ui.story.storybook import stories_of, wrong_files
from featdash.ui.streamlit_internals import Place, arrived_by_history


def page(*choices: Lesson) -> None:
    """A page of one lesson, or of several that take turns, with their stories; the address names any but the first."""
    lessons = {part.experiment.name: part for part in choices}
    stories, query = stories_of(lessons), st.query_params.to_dict()
    layout.take_size(query)
    place, trouble = story_choice.place_of(stories, query) if stories and _wants_story(query) else (None, "")
    regions = layout.regions(place is not None, layout.on_wall())
    with regions.head:
        layout.name()
        in_service = layout.in_service()
        if stories:
            story_choice.switch(place, stories, wrong_files(lessons))
    if place:
        if in_service:
            player.play(regions, lessons, place, trouble)
        return
    first = next(iter(lessons))
    with regions.head:
        name = _choose(lessons, first) if len(lessons) > 1 else first
    part = lessons[name]
    regions.question.markdown(f"# {layout.page_title(st.session_state.get(PAGE) or 'lab')}: {part.text.question}")
    if in_service:
        bare = {"mode": link.EXPLORE} if stories else {}
        _explore(regions, part, None if name == first else name, bare)


def _wants_story(query: dict[str, str]) -> bool:
    """Whether to show a story: if the address names one, or names nothing while Explore was not what came last."""
    key = f"explored.{st.session_state.get(PAGE)}@"
    wants_story = "story" in query or (set(query) <= {"present", "text"} and not st.session_state.get(key))
    st.session_state[key] = not wants_story
    return wants_story


def _choose(lessons: dict[str, Lesson], first: str) -> str:
    """The control over the parts; a new address moves it, and it moves the address."""
    key, last_key, query = f"{first}.part@", f"{first}.part.seen@", st.query_params.to_dict()
    part_name, last = query.get("part", first), st.session_state.get(last_key)
    is_new = part_name in lessons and (query or arrived_by_history()) and part_name != last
    now = part_name if is_new else control_key.held(key, last or first)
    choice = st.selectbox(
        "Part of the page",
        list(lessons),
        index=list(lessons).index(now),
        format_func=lambda name: lessons[name].label,
        key=control_key.showing(key, now),
        label_visibility="collapsed",
        help="The lessons of this page.",
    )
    if part_name not in lessons:
        rule = f"part must be one of {', '.join(lessons)}, got {quote_value(part_name)}; the link's value is ignored."
        st.error(plain_text(removal(part_name) or rule))
    if choice != part_name and query:
        navigation.write_address({})  # its settings belong to another part
    st.session_state[last_key] = choice
    return choice or first


def _explore(regions: Regions, part: Lesson, part_name: str | None, bare: dict[str, str]) -> None:
    """Every setting in the column, and their run on the stage.

    part_name : of the part as the address has it, None for the page's first; bare : see `link.write`.

    The stage is filled first, because a visitor who has moved a setting waits for it; the column, which is there
    already, takes as long as all else. Only callbacks change settings, so that they are known before they are drawn.
    """
    text, home = part.text, Home(part_name)
    form, wall = Form(part.experiment, text.words, own=part.own), layout.on_wall()
    with regions.settings:
        refusals = link.read(form, run_panel.arrive)
        notes, controls = st.container(), st.container()
        view = st.container(key="view", gap="small")
        about = st.container()
    spec, trouble = form.validate()
    by_itself.follow(form, spec)
    run = run_panel.view_of(form)
    visible, differs = run_panel.previous_run(form, run), by_itself.differing_line(form, run, spec)
    with regions.stage:
        lesson, waiting = _on_stage(part, visible, view), None if visible is run else run
        stage(visible, lesson, view, spec, differs, waiting, home, run_panel.comparison(form))
    with controls:
        blocks.suggestions(text.trials, partial(run_panel.try_out, form), part.experiment.name)
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            if text.sizes:
                preset_picker.choose_size(form, text.sizes)
            by_itself.switch()
        with st.container(gap="small"):
            (part.controls or partial(_controls, text))(form)
    with about:
        facts = st.container(gap="small")
        if spec and part.facts:
            with facts:
                part.facts(spec)
        blocks.small_text(_remark(part, run, spec), "remark")
        _ways_out(part, form, spec, wall)
    with notes:
        run_panel.show_notices(form, [*refusals, form.notice(trouble)])
        run_panel.offer(form, run)
    with regions.commands:
        settings_sheet.button(refusals)
        run_panel.buttons(form, run, ready=spec is not None)
    with regions.stage, st.container(key="below"):
        below(visible, part, home)
    announcer.announce(announcer.state_of(run, differ=bool(by_itself.differing_line(form, visible, spec))))
    if wall:
        with regions.band:
            st.markdown(f"**{text.question}**")
            st.markdown(text.formula)
    if spec:
        place = ({"part": part_name} if part_name else {}) | ({"present": "1"} if wall else {})
        place |= {"text": "large"} if layout.large() else {}
        link.write(form, spec, run, place, bare)
    with regions.take_away:
        take_away.button(take_away.taken_run(visible, part, home), part.panels, link.whole(form))


def _on_stage(part: Lesson, run: Run | None, view: Place) -> Lesson:
    """The lesson with one of the pictures of which it shows one at a time; the visitor chooses it, in `view`."""
    if not part.alternatives or run is None:
        return part
    names, about = list(part.alternatives), "These pictures take turns in the last place."
    with view:
        name = toolbar.choice(run, "picture", "Last picture", names, word=part.alternatives.__getitem__, help=about)
    return replace(part, panels=part.panels_with(name))


def _ways_out(part: Lesson, form: Form, spec: Spec | None, wall: bool) -> None:
    """The controls for a projector, and the buttons that make a scene of the settings."""
    st.toggle("Larger text", key=layout.LARGE, persist_state="session", help="For a projector.")
    with st.container(horizontal=True, gap="small"):
        layout.present(wall)
        if spec and not takes_inputs(part.experiment, spec):
            scene_block.buttons(part, form, spec)


def _controls(text: LessonText, form: Form) -> None:
    """The settings; the target has a list to choose from, and a line to write one."""
    picks = "target" in text.controls and isinstance(form.fields["target"].metadata["rule"], Text)
    custom = {"target": partial(target_picker.choose, form)} if picks else {}
    form.column(text.controls, sliders=text.sliders, draws=custom)


def _remark(part: Lesson, run: Run | None, spec: Spec | None) -> str:
    """The page's remark on the run on show."""
    shown_spec = (run.spec if run else None) or spec
    return part.remark(shown_spec) if shown_spec and part.remark else ""
