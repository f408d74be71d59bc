"""Choosing a named recipe: it fills the form, and shows which recipe the form holds."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from featdash.recipes.experiment import CUSTOM
from featdash.ui.form import Form


def choose(form: Form, titles: Mapping[str, str]) -> None:
    """The list of presets by their titles; «Custom» where the settings are none of them.

    titles : preset -> its words, for every preset of the experiment.
    """
    experiment = form.experiment
    key, spec = form.key("preset.choice@"), form.validate()[0]
    st.session_state[key] = experiment.preset_of(spec) if spec else CUSTOM

    def take() -> None:
        if st.session_state[key] != CUSTOM:
            form.reset()
            form.load(vars(experiment.presets[st.session_state[key]]))

    st.selectbox(
        "Preset",
        [*experiment.presets, CUSTOM],
        format_func=lambda name: titles.get(name, "Custom"),
        key=key,
        on_change=take,
        help="Fills all settings; press Run to compute it. Any change of a setting makes it «Custom».",
    )
