"""Home: one sentence, the default race with its three errors, the way into the course, and the map of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import streamlit as st

from featdash.figures.text import number
from featdash.learners.methods import METHODS
from featdash.stories.course import COURSE, NEEDS, ORDER
from featdash.stories.story import Scene, Story
from featdash.ui import course_end, film, layout, navigation, progress, storybook
from featdash.ui.lesson import Lesson
from featdash.ui.link import Home
from featdash.ui.plain_text import plain_text
from featdash.ui.scene_panels import panels_of
from featdash.ui.shared import service
from featdash.ui.stage import stage
from featdash.ui.streamlit_internals import COMPACT

TITLE = "Watch a network learn its features"
ABOUT = (
    "One gradient step turns the neurons of a two-layer network towards the few directions that matter. Methods with "
    "fixed features cannot do that, and you can see what it costs them."
)
PICTURES = Scene(TITLE, ABOUT, "race", ("neurons", "risk"))
TEACHERS = (
    "**To teach:** [For teachers](for_teachers) · [Lecture](lecture), scenes in your own order · "
    "[Class](class), phones that predict · [Claims](claims), where each sentence can be checked"
)
STYLE = """
:root {--featdash-below-px: 190;}
.st-key-pictures {min-height: 0;}
.st-key-home h1 {padding: 0; font-size: 1.5rem;}
.st-key-home h2 {padding: 0.4rem 0 0; font-size: 1.25rem;}
.st-key-home h3 {padding: 0.3rem 0 0; font-size: 1rem;}
.st-key-hero {flex-wrap: nowrap; align-items: flex-start;}
.st-key-race {flex: 1 1 0; min-width: 0;}
.st-key-welcome {flex: 0 0 auto;}
.st-key-status {display: none;}
@media (max-width: 800px) {
  :root {--featdash-below-px: 0;}
  .st-key-hero {flex-direction: column;}
  .st-key-welcome, .st-key-race, :has(> :is(.st-key-welcome, .st-key-race)) {width: 100% !important;}
}
"""


def home(pages: Mapping[str, Sequence[Lesson]]) -> None:
    """The page at the root. pages : all lessons, by their pages."""
    parts = {part.experiment.name: part for lessons in pages.values() for part in lessons}
    st.html(f"<style>:root {{--featdash-ink: {layout.browser_theme().ink};}}{COMPACT}{layout.STYLE}{STYLE}</style>")
    stories, known = storybook.library().stories, progress.now()
    with st.container(key="home", gap="small"):
        hero = st.container(key="hero", horizontal=True, gap="small")
        with hero.container(key="welcome", width=layout.ASIDE_STORY, gap="small"):
            st.markdown(f"# {TITLE}")
            st.markdown(ABOUT)
            if served := layout.in_service():
                _errors(parts["race"])
            _start(stories, known)
        with hero.container(key="race"):
            if served:
                _race(parts["race"])
        _course(stories, known)
        st.markdown(TEACHERS)
        if known.finished or known.answered:
            about = "What you have answered and finished is kept in this browser alone."
            st.button("Forget my answers", on_click=progress.forget, help=about)


def _errors(race: Lesson) -> None:
    """The three errors of the default race, the lowest first."""
    found = service().find_recorded(race.experiment.name, race.experiment.spec())
    result = service().result(found) if found else None
    if result is None:
        return
    risks = sorted((method["excess_risk"], name) for name, method in result.summary["methods"].items())
    rows = [f"| {METHODS[name].label} | **{number(float(f'{risk:.2g}'))}** |" for risk, name in risks]
    st.markdown("\n".join(["| On the same 10\u202f000 samples | Error left |", "| --- | --- |", *rows]))


def _start(stories: Mapping[str, Story], known: progress.Progress) -> None:
    """Into the course, where the visitor is in it, and into the Lab."""
    ahead = [name for name in ORDER if name in stories and name not in known.finished]
    begun = bool(ahead and (known.finished or known.answered))
    first = ahead[0] if ahead else ORDER[0]
    label = f"Go on: {plain_text(stories[first].title)}" if begun else "Start the course"
    if st.button(label, type="primary", width="stretch"):
        navigation.go(course_end.address_of(first))
    if st.button("Open the Lab", width="stretch"):
        navigation.go("lab?mode=explore")


def _race(race: Lesson) -> None:
    """The film of the recorded default race, which plays once when one comes."""
    found = service().find_recorded(race.experiment.name, race.experiment.spec())
    run = service().get(found) if found else None
    if run and not film.token(run):
        film.play(race.experiment.name, run.id)
    shown = replace(race, panels=panels_of(race, PICTURES, lambda _: None), lines=())
    stage(run, shown, st.container(key="unseen"), "", None, Home(page="lab"))


def _course(stories: Mapping[str, Story], known: progress.Progress) -> None:
    """The map: each part with its stories in their order."""
    hours = round(sum(stories[name].minutes for name in ORDER if name in stories) / 60)
    done = f" You have finished {len(known.finished)} of them." if known.finished else ""
    st.markdown(f"## The course\n{len(ORDER)} stories in three parts, about {hours} hours with a class.{done}")
    for part in COURSE:
        st.markdown(f"### {part.title}\n{part.about}")
        lines = [_line(name, stories[name], known) for name in part.stories if name in stories]
        st.markdown("\n".join(lines))


def _line(name: str, story: Story, known: progress.Progress) -> str:
    """A story of the map: its question, minutes, what was done of it, and what it needs first."""
    asked = sum(scene.question is not None for scene in story.scenes)
    facts = [f"{story.minutes} min"]
    if answered := known.scenes(name):
        facts.append(f"{len(answered)} of {asked} answered")
    if name in known.finished:
        facts.insert(0, "✓ done")
    elif lacking := [one for one in NEEDS[name] if one not in known.finished]:
        facts.append("after " + " and ".join(str(ORDER.index(one) + 1) for one in lacking))
    title = plain_text(story.title)
    return f"{ORDER.index(name) + 1}. [{title}]({course_end.address_of(name)}) :small[{' · '.join(facts)}]"
