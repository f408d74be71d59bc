"""Explore's settings and view as the block of a story's scene, to be copied into a file of one's own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from featdash.recipes.spec import Spec
from featdash.ui.lesson import Lesson

HEAD = "## A title of yours"
WORDS = "Forty to seventy words: one idea, and what to look at in the picture."


def toml_value(value: Any) -> str:
    """A setting as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {toml_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def view_of(experiment: str) -> dict[str, Any]:
    """What this visitor has set of the view, by the names that the lesson's toolbar gives."""
    before = f"{experiment}.view."
    kept = {
        str(key).removeprefix(before): value for key, value in st.session_state.items() if str(key).startswith(before)
    }
    return {name: value for name, value in kept.items() if name.isidentifier() and isinstance(value, bool | str)}


def scene_block(part: Lesson, spec: Spec, view: Mapping[str, Any], pictures: Sequence[str]) -> str:
    """A scene with these settings, as a story file has it."""
    default = part.experiment.spec().to_mapping()
    settings = {name: value for name, value in spec.to_mapping().items() if value != default[name]}
    lines = [HEAD, "", "```scene", f"lesson = {toml_value(part.experiment.name)}"]
    lines += [f"settings = {toml_value(settings)}"] if settings else []
    lines += [f"show = {toml_value(list(pictures))}"]
    lines += [f"view = {toml_value(dict(view))}"] if view else []
    return "\n".join([*lines, "```", "", WORDS, "", "### Notes", "", "What to say, and the usual wrong answers.", ""])


def copy_button(part: Lesson, spec: Spec) -> None:
    """The block behind a button, with a way to copy it."""
    with st.popover("Copy as a scene", help="These settings as a scene of a story of your own."):
        st.caption("A block for your story file; its pictures are those named after show, the first leads.")
        names = [panel.name.partition("-")[2] for panel in part.panels[:2]]
        st.code(scene_block(part, spec, view_of(part.experiment.name), names), language="markdown")
