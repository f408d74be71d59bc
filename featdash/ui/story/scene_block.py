"""Explore's settings and view as a scene, to copy into a story file or to keep for a lecture."""

from __future__ import annotations

from typing import Any

import streamlit as st

from featdash.recipes.spec import Spec
from featdash.stories.lecture import WORDS, scene_text
from featdash.stories.story import Scene
from featdash.ui.kit import toolbar
from featdash.ui.kit.form import Form
from featdash.ui.stage.lesson import Lesson
from featdash.ui.story import own_lecture

PICTURES = 2  # of a scene that is kept


def view_of(experiment: str) -> dict[str, Any]:
    """The controls of the view that this visitor has changed and a story file can name: switches and choices."""
    return {name: value for name, value in toolbar.changed_options(experiment).items() if isinstance(value, bool | str)}


def scene_of(part: Lesson, spec: Spec) -> Scene:
    """The present settings and view as a scene, named after what differs from the defaults."""
    default = part.experiment.spec().to_mapping()
    settings = {name: value for name, value in spec.to_mapping().items() if value != default[name]}
    changes = ", ".join(f"{name} = {value}" for name, value in settings.items())
    show = tuple(panel.short for panel in part.panels[:PICTURES])
    title = f"{part.label}: {changes}"[:120] if changes else part.label
    return Scene(title, WORDS, part.experiment.name, show, settings, view_of(part.experiment.name))


def _keep_form(part: Lesson, form: Form) -> None:
    """Keep the settings as they are now, not as they were when drawn; the page says if they are wrong."""
    spec, _ = form.validate()
    if spec:
        own_lecture.keep(scene_of(part, spec))


def buttons(part: Lesson, form: Form, spec: Spec) -> None:
    """The buttons that keep these settings as a scene, or show them as text to copy."""
    st.button(
        "Keep this", on_click=_keep_form, args=(part, form), help="Put it into your lecture; see the page Lecture."
    )
    with st.popover("Copy as a scene", help="These settings as a scene of a story of your own."):
        st.caption("A block for your story file; its pictures are those named after show, the first leads.")
        st.code(scene_text(scene_of(part, spec)), language="markdown")
