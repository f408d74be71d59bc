"""A story on its page, scene after scene: a question comes before its run is shown, and the address names the scene."""

from __future__ import annotations

import re
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
from featdash.ui.kit import announcer, layout, link, navigation, toolbar
from featdash.ui.kit.form import Form
from featdash.ui.kit.layout import Regions
from featdash.ui.kit.link import Home
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service
from featdash.ui.page import blocks, by_itself, run_panel, take_away
from featdash.ui.page.below import below
from featdash.ui.stage import chart, film
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.stage import options_key, stage
from featdash.ui.story import answer_sight, course_end, own_lecture
from featdash.ui.story.question import Attempt
from featdash.ui.story.scene_panels import panels_of
from featdash.ui.story.story_choice import Place, walk

PLACES = re.compile(r"\{[^}]*\}")  # of the numbers in an answer
NUMBER, MARK = "0.00", 2  # about what stands there, and the letters of the mark before an answer
DISTANCE = 37  # letters of what is said of a guessed number


def play(
    regions: Regions, parts: Mapping[str, Lesson], place: Place, trouble: str, pages: Mapping[str, str] | None = None
) -> None:
    """One scene: words and question in the column, its pictures on the stage.

    parts : experiment -> lesson, in the order of the page; pages : experiment -> its page, if that is another one.
    """
    scene, part = place.scene, parts[place.scene.lesson]
    home = Home(scene.lesson, (pages or {}).get(scene.lesson))
    if layout.on_wall():
        with regions.band:  # before the pictures, which fill the space that it leaves
            layout.size_band(_wall_letters(scene))
    st.set_page_config(page_title=f"{place.story.title} · FeatDash")
    regions.question.markdown(f"# {plain_text(place.story.title)}")
    form = Form(part.experiment, part.text.words, place.key)
    _enter(form, scene, place)
    attempt = Attempt(scene.question, place.key) if scene.question else None
    hidden = attempt is not None and not attempt.answer_visible
    with regions.settings:
        walk(place)
        with st.container(key="words"):
            run_panel.show_notices(form, [trouble or None])
            st.markdown(f"## {plain_text(scene.title)}")
            blocks.scene_words(WORDS if is_unwritten(scene) else scene.words)
        controls = st.container(gap="small")
        _ways_out(form, place, home)
        unseen = st.container(key="unseen")
    with controls:
        spec, wrong = form.validate()
        notices = st.container()
        run = _run_of(form)
        result = service().result(run.id) if run and run.status == "done" else None
        panels = panels_of(part, scene, partial(_prediction, attempt, result))
        visible = run_panel.previous_run(form, run)
        if attempt and hidden:
            panels = tuple(replace(one, point=_guess(attempt)) if _asks(one) else one for one in panels)
        lesson = replace(part, panels=panels, film=() if hidden else part.film, lines=part.lines if scene.lines else ())
        if attempt:
            _ask(form, lesson, attempt, run, result)
        if not hidden:
            _controls(form, part, scene)
        course_end.draw(place, parts, answered=attempt is not None and attempt.answer_visible)
        with notices:
            run_panel.show_notices(form, [form.notice(wrong)])
    with unseen:
        if attempt and attempt.answer_is_new:
            answer_sight.scroll_to_answer()
    with regions.commands:
        if run is None or run.status != "done" or run.spec != spec:
            run_panel.buttons(form, run, ready=spec is not None)
    with regions.stage:
        if attempt and attempt.question.options:
            with st.container(key="asked"):  # over the pictures, which fill the space that it leaves
                _choices(attempt, result, plays=film.is_playing(run, lesson))
        differs = by_itself.differing_line(form, run, spec)
        stage(visible, lesson, unseen, spec, differs, None if visible is run else run, home, run_panel.comparison(form))
        with st.container(key="below"):
            _explanation(visible, part, home, hidden)
    with regions.take_away:
        address = link.address(link.here(), {"story": place.name, "scene": str(place.number)})
        take_away.button(take_away.taken_run(visible, part, home), panels, address, hidden)
    here = announcer.place_of(scene.title, place.number, len(place.story.scenes))
    guess = attempt.guess_sentence() if attempt and hidden else ""
    announcer.announce(here, guess, announcer.state_of(run, differ=bool(differs)))
    if layout.on_wall():
        with regions.band:
            st.markdown(f"**{plain_text(scene.title)}**")
            wall_sentence = _wall_sentence(scene, attempt, result, film.is_playing(run, lesson))
            st.markdown(_finding(visible, panels[0]) if is_unwritten(scene) else wall_sentence)


def _explanation(visible: Run | None, part: Lesson, home: Home, asks: bool) -> None:
    """What Explore has below its pictures; the browser gets the many formulas only when the visitor opens it."""
    title = "How to read the pictures, and where their numbers come from"
    with st.expander(title, on_change="rerun", key="explanation@") as explanation:
        if explanation.open:
            below(visible, part, home, asks)


def _prediction(attempt: Attempt | None, result: Result | None, panel: str) -> Prediction | None:
    """What the scene's question hides or adds in the picture of that panel; None without a question."""
    return attempt.prediction(panel, result) if attempt else None


def _asks(panel: Panel) -> bool:
    return panel.prediction is not None and panel.prediction.asks


def _guess(attempt: Attempt) -> Callable[[Run, Any], None]:
    """A callback for a guess made in a picture: it takes the guess, and draws the page again to show it everywhere."""

    def take(_: Run, event: Any) -> None:
        attempt.point(event.get("guess") if isinstance(event, dict) else None)
        st.rerun()

    return take


def _wall_sentence(scene: Scene, attempt: Attempt | None, result: Result | None, plays: bool) -> str:
    """The sentence on a wall: the question until its answer is visible and no film `plays`, then the answer; without a
    question, the scene's own words."""
    if attempt:
        is_answered = attempt.answer_visible and not plays
        return attempt.answer(result)[1] if is_answered else scene.wall_question()
    return scene.wall_text()


def _wall_letters(scene: Scene) -> int:
    """How many letters the longest sentence of the scene has on a wall, before its question is answered or after it."""
    question = scene.question
    if question is None:
        return len(scene.wall_text())
    asking = len(scene.wall_question())
    answer = max((len(PLACES.sub(NUMBER, sentence)) for sentence in question.says), default=0)
    distance = DISTANCE if question.kind == "number" else 0
    return max(asking, MARK + answer + 1 + len(question.because) + distance)


def _finding(run: Run | None, lead: Panel) -> str:
    """The headline of the run on show, for a scene without words; "" while there is none.

    The pictures then show no headline of their own.
    """
    st.html(f"<style>{layout.FINDING_BELOW}</style>")
    if run is None or run.spec is None:
        return ""
    picture = lead.render(View(run, st.session_state.get(options_key(run)), layout.theme()))
    return plain_text(chart.headline(picture)) if picture else ""


def _enter(form: Form, scene: Scene, place: Place) -> None:
    """When the visitor comes to a scene, load its settings, its view and its run."""
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
    toolbar.settle(form.experiment.name, scene.view)
    run_panel.arrive(form)


def _run_of(form: Form) -> Run | None:
    """The run on show; after a move of a setting the new run starts by itself if it takes only a moment."""
    by_itself.follow(form, form.validate()[0])
    return run_panel.view_of(form)


def _controls(form: Form, part: Lesson, scene: Scene) -> None:
    """The settings that the visitor may move in this scene."""
    for name in scene.controls:
        (form.slider if name in part.text.sliders else form.control)(name)


def _ask(form: Form, part: Lesson, attempt: Attempt, run: Run | None, result: Result | None) -> None:
    """The button «Show me», below the slider if the guess is a number; once it was pressed, the answer."""
    if attempt.answer_visible:
        attempt.draw_answer(result, plays=film.is_playing(run, part))
        return
    if not attempt.question.options:
        attempt.draw_guess()
    st.button(
        "Show me",
        type="primary",
        on_click=_reveal,
        args=(form, attempt, run.id if run else None),
        disabled=result is None,
        width="stretch",
        shortcut="Space",
        key=f"{attempt.key}show",
    )


def _choices(attempt: Attempt, result: Result | None, plays: bool) -> None:
    """The options over the pictures: first to choose from, then with the right one marked."""
    if attempt.answer_visible:
        attempt.draw_outcome(result, plays)
    else:
        attempt.draw_guess()


def _ways_out(form: Form, place: Place, home: Home) -> None:
    """The buttons to the wall, to Explore, and into a lecture.

    They stand in a container of their own: Streamlit takes a button whose place among its siblings changes off the page
    for a moment, and its shortcut with it.
    """
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        layout.present(layout.on_wall())
        about = "Every setting of this run; change what you like."
        if home.page is None:
            st.button("Open in Explore", on_click=_explore, args=(form,), help=about)
        else:
            query = {"part": form.experiment.name} | link.query(form.experiment, form.values())
            address = link.address(home.page, query)
            st.button("Open in Explore", on_click=navigation.go, args=(address,), help=about)
        source = "" if place.name == NAME else place.name  # a scene of one's own is in no story
        scene = replace(place.scene, story=place.scene.story or source)
        st.button("Keep this", on_click=own_lecture.keep, args=(scene,), help="Put it into your lecture.")


def _reveal(form: Form, attempt: Attempt, run: str | None) -> None:
    """Show the answer, and play the film of the run with that id if it has one; for a callback."""
    attempt.show()
    if run:
        film.play(form.experiment.name, run)


def _explore(form: Form) -> None:
    """Take the scene's settings to Explore; for a callback."""
    values, run = form.values(), link.watched_run(form)
    explore = Form(form.experiment)
    explore.load(values)
    explore.settle()
    link.watch(explore, run)
    place = {"part": form.experiment.name}
    navigation.write_address(place)
    st.session_state[explore.key("link@")] = place
