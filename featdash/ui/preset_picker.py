"""Choosing a named recipe: it fills the form, and shows which recipe the form holds."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from featdash.recipes.preset import CUSTOM, PresetSpec
from featdash.ui.form import Form


def choose(form: Form, titles: Mapping[str, str]) -> None:
    """The list of presets by their titles; «Custom» where the settings are none of them.

    titles : preset -> its words, for every preset of the experiment.
    """
    recipe = form.experiment.spec
    assert issubclass(recipe, PresetSpec)
    key, spec = form.key("preset.choice@"), form.checked()[0]
    st.session_state[key] = spec.preset_name() if isinstance(spec, PresetSpec) else CUSTOM

    def take() -> None:
        if st.session_state[key] != CUSTOM:
            form.reset()
            form.load(recipe.PRESETS[st.session_state[key]])

    st.selectbox(
        "Preset",
        [*recipe.PRESETS, CUSTOM],
        format_func=lambda name: titles.get(name, "Custom"),
        key=key,
        on_change=take,
        help="Fills all settings; press Run to compute it. Any change of a setting makes it «Custom».",
    )
