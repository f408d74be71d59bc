"""The settings that a scene lets one move, on the host's page: what the host sets, the wall shows."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from featdash.classroom.registry import Commands
from featdash.ui.class_room import act
from featdash.ui.class_stage import ClassScene
from featdash.ui.form import SHOWN, Form
from featdash.ui.lesson import Lesson
from featdash.ui.plain_text import plain_text
from featdash.ui.shared import service
from featdash.ui.visitor import visitor

DRAWN = "drawn@"  # session-state key: the settings at which the controls of a scene stand


def draw_settings(shown: ClassScene, part: Lesson, commands: Commands) -> None:
    """Nothing while a question is open, or while its answer is not known to the class."""
    scene, spec = shown.at.scene, shown.spec(part)
    if not scene.controls or shown.poll.hides or shown.view.status in ("open", "closed"):
        st.session_state.pop(SHOWN, None)  # Streamlit forgets what controls hold that are not drawn
        return
    form = Form(part.experiment, part.text.words, f"class.{shown.place.question}.")
    if st.session_state.get(form.key(DRAWN)) != spec:
        form.load({name: getattr(spec, name) for name in form.fields})
        st.session_state[form.key(DRAWN)] = spec
    for name in scene.controls:
        (form.slider if name in part.text.sliders else form.control)(name)
    moved, wrong = form.validate()
    if wrong:
        st.error(plain_text(wrong))
    elif moved and moved != spec:
        _leave(shown, part)
        scenes_own = replace(shown, place=replace(shown.place, settings={})).spec(part)
        values, own = moved.to_mapping(), scenes_own.to_mapping()
        settings = {name: values[name] for name in scene.controls if values[name] != own[name]}
        place = shown.place.seen() if shown.poll.shown else shown.place
        if act(commands.show, replace(place, settings=settings).text()):
            st.session_state[form.key(DRAWN)] = moved
        st.rerun()


def _leave(shown: ClassScene, part: Lesson) -> None:
    """End the run on show where it is still computed for this host alone: the next one has its place."""
    run, name = shown.run(part), visitor()
    if run and run.active and service().owns(run.id, name, alone=True):
        service().stop(run.id, name)
