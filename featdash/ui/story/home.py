"""Home: one sentence, the film of the default race, the way into the course, and a map of the course."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from featdash.stories.course import COURSE, NEEDS, ORDER
from featdash.stories.story import Scene, Story
from featdash.ui.kit import glossary, layout, navigation
from featdash.ui.kit.link import Home
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service
from featdash.ui.stage import film
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.stage import stage
from featdash.ui.story import course_end, progress, storybook
from featdash.ui.story.scene_panels import panels_of
from featdash.ui.streamlit_internals import COMPACT

TITLE = "Watch a network learn its features"
ABOUT = (
    "One gradient step turns the neurons of a two-layer network towards the few directions that matter. Methods with "
    "fixed features cannot do that, and you can see what it costs them."
)
PICTURES = Scene(TITLE, ABOUT, "race", ("neurons", "error"))  # the errors are known only at the end of the film
TEACHERS = (
    "**To teach:** [For teachers](for_teachers), with a table for reading groups · "
    "[Lecture](lecture), scenes in your own order · "
    "[Class](class), phones that predict · [Claims](claims), where each sentence can be checked"
)
STYLE = """
:root {--featdash-below-px: 196;}
.st-key-pictures {min-height: 0;}
.st-key-home .featdash-headline {display: none;} /* its words are those of the course */
.st-key-home h1 {padding: 0.4rem 0 0.6rem; font-size: 2.1rem; line-height: 1.15;}
.st-key-home h2 {padding: 0; font-size: 1.25rem;}
.st-key-home h3 {padding: 0.2rem 0 0; font-size: 1rem;}
.st-key-home :is(h2, h3) span > span {font-weight: 400; font-size: 0.875rem;}
.st-key-course ol {display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 0.6rem;
  margin: 0.2rem 0 0.4rem; padding: 0;}
.st-key-course li {position: relative; margin: 0; padding: 0.5rem 0.7rem; list-style-position: inside;
  border: 1px solid rgb(128 128 128 / 35%); border-radius: 0.5rem; font-size: 0.875rem; line-height: 1.35;}
.st-key-course li:hover {border-color: currentColor;}
.st-key-course li a {color: inherit; font-weight: 600; text-decoration: none;}
.st-key-course li a::after {content: ""; position: absolute; inset: 0;}
.st-key-course li :is(span, small) {display: block;}
.st-key-hero {flex-wrap: nowrap; align-items: flex-start;}
.st-key-race {flex: 1 1 0; min-width: 0;}
.st-key-welcome {flex: 0 0 auto;}
.st-key-race .featdash-state {display: none;}
@media (max-width: 800px) {
  :root {--featdash-below-px: 0;}
  .st-key-hero {flex-direction: column;}
  .st-key-welcome, .st-key-race, :has(> :is(.st-key-welcome, .st-key-race)) {width: 100% !important;}
}
"""


def home(pages: Mapping[str, Sequence[Lesson]]) -> None:
    """The page at the root; pages : page -> its lessons, for all pages."""
    parts = {part.experiment.name: part for lessons in pages.values() for part in lessons}
    ink = f":root {{--featdash-ink: {layout.browser_theme().ink};}}"
    st.html(f"<style>{ink}{COMPACT}{layout.STYLE}{STYLE}{layout.paper_style()}</style>")
    stories, state = storybook.library().stories, progress.shown()
    with st.container(key="home", gap="small"):
        hero = st.container(key="hero", horizontal=True, gap="small")
        with hero.container(key="welcome", width=layout.ASIDE_STORY, gap="small"):
            st.markdown(f"# {TITLE}")
            st.markdown(ABOUT)
            in_service = layout.in_service()
            _start(stories, state)
            glossary.whole()
        with hero.container(key="race"):
            if in_service:
                _race(parts["race"])
        _course(stories, state)
        st.markdown(TEACHERS)
        if state != progress.Progress():
            about = "What you have answered and finished, and where you stopped, is kept in this browser alone."
            st.button("Forget my answers", on_click=progress.forget, help=about)


def _start(stories: Mapping[str, Story], state: progress.Progress) -> None:
    """The buttons into the course, at the place where the visitor left it, and into the Lab."""
    ahead = state.ahead() if state != progress.Progress() else None
    name = ahead or ORDER[0]
    scene = min(state.scene(name), len(stories[name].scenes)) if ahead else 1
    place = f", scene {scene}" if scene > 1 else ""
    label = f"Go on: {plain_text(stories[name].title.rstrip('?!.'))}{place}" if ahead else "Start the course"
    address = course_end.address_of(name, stories[name], scene)
    st.button(label, on_click=navigation.go, args=(address,), type="primary", width="stretch")
    st.button("Open the Lab", on_click=navigation.go, args=("lab?mode=explore",), width="stretch")


def _race(race: Lesson) -> None:
    """The film of the recorded default race, which plays once when a visitor arrives."""
    run_id = service().find_recorded(race.experiment.name, race.experiment.spec())
    run = service().get(run_id) if run_id else None
    if run and not film.token(run):
        film.play(race.experiment.name, run.id)
    lesson = replace(race, panels=panels_of(race, PICTURES, lambda _: None), lines=())
    stage(run, lesson, st.container(key="unseen"), None, "", None, Home(page="lab"))


def _course(stories: Mapping[str, Story], state: progress.Progress) -> None:
    """The map of the course: each part with its stories in their order."""
    hours = f"{sum(stories[name].minutes for name in ORDER if name in stories) / 60:.1f}"
    progress_note = f" You have finished {len(state.finished)} of them." if state.finished else ""
    about = (
        f"{len(ORDER)} stories in three parts, {hours} hours read aloud, about twice that with a class.{progress_note}"
    )
    with st.container(key="course", gap="xsmall"):
        st.markdown(f"## The course :small[{about}]")
        for part in COURSE:
            lines = [_line(name, stories[name], state) for name in part.stories if name in stories]
            st.markdown("\n".join([f"### {part.title} :small[{part.about}]", *lines]))


def _line(name: str, story: Story, state: progress.Progress) -> str:
    """A story on the map: its title, its minutes, how far the visitor is, and which stories come before it."""
    questions = sum(scene.question is not None for scene in story.scenes)
    facts, scene = [f"{story.minutes} min"], state.scene(name)
    if scene > 1:
        facts.append(f"you are at scene {scene} of {len(story.scenes)}")
    if answers := state.scenes(name):
        facts.append(f"{len(answers)} of {questions} answered")
    if name in state.finished:
        facts.insert(0, "✓ done")
    elif missing := [one for one in NEEDS[name] if one not in state.finished]:
        facts.append("after " + " and ".join(str(ORDER.index(one) + 1) for one in missing))
    link = f"[{plain_text(story.title)}]({course_end.address_of(name, story, scene)})"
    return f"{ORDER.index(name) + 1}. {link} :small[{' · '.join(facts)}]"
