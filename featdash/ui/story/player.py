"""A story on its page: scene after scene, a question before the run is shown, the place in the address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from featdash.figures.prediction import Prediction
from featdash.recipes.events import Result
from featdash.runs.run import Run
from featdash.stories.lecture import NAME, WORDS, is_unwritten
from featdash.stories.story import Scene
from featdash.ui.kit import announcer, keys, layout, link, navigation, toolbar
from featdash.ui.kit.form import Form
from featdash.ui.kit.layout import Room
from featdash.ui.kit.link import Home
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service
from featdash.ui.page import blocks, by_itself, run_panel, take_away
from featdash.ui.page.below import below
from featdash.ui.stage import chart, film, live
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.stage import options_key, stage
from featdash.ui.story import course_end, own_lecture
from featdash.ui.story.question import Asked
from featdash.ui.story.scene_panels import panels_of
from featdash.ui.story.story_choice import Place, walk

TWO_LINES = 155  # letters of a wall's band of 1024 pixels


def play(
    room: Room, parts: Mapping[str, Lesson], place: Place, trouble: str, pages: Mapping[str, str] | None = None
) -> None:
    """One scene: words and question in the column, its pictures on the stage.

    parts : experiment -> lesson, in the order of the page; pages : experiment -> its page, where that is another one.
    """
    scene, part = place.scene, parts[place.scene.lesson]
    home = Home(scene.lesson, (pages or {}).get(scene.lesson))
    if layout.on_wall() and ((scene.wall and scene.question) or len(scene.wall_text()) > TWO_LINES):
        with room.band:  # before the pictures come, which fill what is left
            layout.tall_band()
    st.set_page_config(page_title=f"{place.story.title} · FeatDash")
    room.question.markdown(f"# {plain_text(place.story.title)}")
    form = Form(part.experiment, part.text.words, place.key)
    _enter(form, scene, place)
    run_panel.take_commands(form)
    asked = Asked(scene.question, place.key) if scene.question else None
    hidden = asked is not None and not asked.shown
    with room.settings:
        walk(place)
        with st.container(key="words"):
            run_panel.show_notices(form, [trouble or None])
            st.markdown(f"## {plain_text(scene.title)}")
            blocks.scene_words(WORDS if is_unwritten(scene) else scene.words)
        tried = st.container(gap="small")
        _ways_out(form, place, home)
        unseen = st.container(key="unseen")
    with tried:
        spec, wrong = form.validate()
        notices = st.container()
        run = _run_of(form)
        result = service().result(run.id) if run and run.status == "done" else None
        panels, shown = panels_of(part, scene, partial(_predicted, asked, result)), run_panel.previous_run(form, run)
        if asked and hidden:
            panels = tuple(replace(one, point=_guess(asked)) if _asks(one) else one for one in panels)
        told = replace(part, panels=panels, film=() if hidden else part.film, lines=part.lines if scene.lines else ())
        if asked:
            _ask(form, told, asked, run, result)
        if not hidden:
            _controls(form, part, scene)
        course_end.draw(place, parts, answered=asked is not None and asked.shown)
        with notices:
            run_panel.show_notices(form, [form.notice(wrong)])
    with unseen:
        keys.release_focus()
    with room.commands:
        if run is None or run.status != "done" or run.spec != spec:
            run_panel.buttons(form, run, ready=spec is not None)
    with room.stage:
        if asked and asked.question.options:
            with st.container(key="asked"):  # over the pictures, which take the room that it leaves
                _choices(asked, result, plays=film.is_playing(run, told))
        differs = by_itself.differing_line(form, run, spec)
        line = " · ".join(word for word in (differs, live.ending_line(run, spec)) if word)
        stage(shown, told, unseen, line, None if shown is run else run, home, run_panel.comparison(form))
        with st.container(key="below"):
            _explanation(shown, part, home)
    with room.take_away:
        address = link.address(link.here(), {"story": place.name, "scene": str(place.number)})
        take_away.button(take_away.taken_run(shown, part, home), panels, address)
    announcer.announce(run, differ=bool(differs))
    if layout.on_wall():
        with room.band:
            st.markdown(f"**{plain_text(scene.title)}**")
            spoken = _spoken(scene, asked, result, film.is_playing(run, told))
            st.markdown(_finding(shown, panels[0]) if is_unwritten(scene) else spoken)


def _explanation(shown: Run | None, part: Lesson, home: Home) -> None:
    """What Explore has below its pictures; a visitor's browser gets its many formulas once it is opened."""
    title = "How to read the pictures, and where their numbers come from"
    with st.expander(title, on_change="rerun", key="explanation@") as opened:
        if opened.open:
            below(shown, part, home)


def _predicted(asked: Asked | None, result: Result | None, panel: str) -> Prediction | None:
    """What the scene's question does to a picture."""
    return asked.prediction(panel, result) if asked else None


def _asks(panel: Panel) -> bool:
    return panel.prediction is not None and panel.prediction.asks


def _guess(asked: Asked) -> Callable[[Run, Any], None]:
    """What takes a guess that was made in a picture; the column then shows it as well."""

    def take(_: Run, told: Any) -> None:
        asked.point(told.get("guess") if isinstance(told, dict) else None)
        st.rerun()

    return take


def _spoken(scene: Scene, asked: Asked | None, result: Result | None, plays: bool) -> str:
    """The sentence on a wall: the question, while something `plays` as well, then its answer, else the scene's own."""
    if asked:
        told = asked.shown and not plays
        return asked.answer(result)[1] if told else f"{scene.wall} {asked.question.prompt}".strip()
    return scene.wall_text()


def _finding(run: Run | None, lead: Panel) -> str:
    """What the run on show has found, for a scene that nobody has written words for; "" before there is anything.

    The pictures no longer say it then.
    """
    st.html(f"<style>{layout.FINDING_BELOW}</style>")
    if run is None or run.spec is None:
        return ""
    rendered = lead.render(View(run, st.session_state.get(options_key(run)), layout.theme()))
    return plain_text(chart.headline(rendered)) if rendered else ""


def _enter(form: Form, scene: Scene, place: Place) -> None:
    """At a scene that is new on show: its settings, its view, and its run."""
    here = (place.name, place.number)
    if st.session_state.get("scene@") == here:
        return
    st.session_state["scene@"] = here
    film.rest(form.experiment.name)
    try:
        spec = form.experiment.recipe(scene.settings)
    except ValueError as error:
        run_panel.add_notice(form, f"The scene's settings are not valid: {error}.")
        spec = form.experiment.spec()
    form.load({name: getattr(spec, name) for name in form.fields})
    form.settle()
    toolbar.preset(form.experiment.name, scene.view)
    run_panel.arrive(form)


def _run_of(form: Form) -> Run | None:
    """The run on show; a setting that the visitor moves runs by itself, where that takes a moment."""
    by_itself.follow(form, form.validate()[0])
    return run_panel.view_of(form)


def _controls(form: Form, part: Lesson, scene: Scene) -> None:
    """The settings that the visitor may move in this scene."""
    for name in scene.controls:
        (form.slider if name in part.text.sliders else form.control)(name)


def _ask(form: Form, part: Lesson, asked: Asked, run: Run | None, result: Result | None) -> None:
    """«Show me», below a number's slider, or the answer."""
    if asked.shown:
        asked.draw_answer(result, plays=film.is_playing(run, part))
        return
    if not asked.question.options:
        asked.draw_guess()
    st.button(
        "Show me",
        type="primary",
        on_click=_reveal,
        args=(form, asked, run.id if run else None),
        disabled=result is None,
        width="stretch",
        shortcut="Space",
        key=f"{asked.key}show",
    )


def _choices(asked: Asked, result: Result | None, plays: bool) -> None:
    """The options over the pictures, to be chosen from, or with what was right."""
    if asked.shown:
        asked.draw_outcome(result, plays)
    else:
        asked.draw_guess()


def _ways_out(form: Form, place: Place, home: Home) -> None:
    """To the wall, to Explore, and into a lecture.

    Whatever varies stands in containers of its own: a button whose place among its siblings changes is taken from the
    page for a moment, and its key with it.
    """
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        layout.present(layout.on_wall())
        about = "Every setting of this run; change what you like."
        if home.page is None:
            st.button("Open in Explore", on_click=_explore, args=(form,), help=about)
        elif st.button("Open in Explore", help=about):
            query = {"part": form.experiment.name} | link.query(form.experiment, form.values())
            navigation.go(link.address(home.page, query))
        source = "" if place.name == NAME else place.name  # a scene of one's own is in no story
        kept = replace(place.scene, story=place.scene.story or source)
        st.button("Keep this", on_click=own_lecture.keep, args=(kept,), help="Put it into your lecture.")


def _reveal(form: Form, asked: Asked, run: str | None) -> None:
    """Answer, and play the run of that name, where a picture moves."""
    asked.show()
    if run:
        film.play(form.experiment.name, run)


def _explore(form: Form) -> None:
    """Take the scene's settings to Explore; for a callback."""
    values, run = form.values(), link.watched_query(form)
    known = Form(form.experiment)
    known.load(values)
    known.settle()
    link.watch(known, run)
    place = {"part": form.experiment.name}
    navigation.write_address(place)
    st.session_state[known.key("link@")] = place
