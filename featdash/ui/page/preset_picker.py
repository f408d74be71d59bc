"""Choosing a named recipe: it fills the form, and shows which recipe the form holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from featdash.recipes.experiment import CUSTOM
from featdash.ui.kit.form import Form


def choose(form: Form, titles: Mapping[str, str]) -> None:
    """The list of presets by their titles; «Custom» if the settings are none of them.

    titles : preset -> its words, for every preset of the experiment.
    """
    experiment = form.experiment
    key, spec = form.key("preset.choice@"), form.validate()[0]
    st.session_state[key] = experiment.preset_of(spec) if spec else CUSTOM

    def take() -> None:
        if st.session_state[key] != CUSTOM:
            form.reset()
            form.load(vars(experiment.presets[st.session_state[key]]))

    names = [*experiment.presets, CUSTOM]
    st.selectbox(
        "Preset",
        names,
        index=names.index(st.session_state[key]),
        format_func=lambda name: titles.get(name, "Custom"),
        key=key,
        on_change=take,
        help="Fills all settings; press Run to compute it. Any change of a setting makes it «Custom».",
    )


def choose_size(form: Form, sizes: Mapping[str, Mapping[str, Any]]) -> None:
    """The choice of a size: it sets what makes a run long or short, and leaves all else as it is.

    sizes : size -> its settings. A size stays chosen while its settings hold; fewer samples than its own do not
    change that.
    """
    key, now = form.key("size.choice@"), form.values()
    st.session_state[key] = next((name for name, values in sizes.items() if _holds(values, now)), None)

    def take() -> None:
        form.load(sizes.get(st.session_state[key], {}))

    about = "How large a race is. A quick one is over within a second, so that it follows your hand."
    settings: dict[str, Any] = {"default": st.session_state[key], "key": key, "on_change": take, "help": about}
    st.segmented_control("Size", list(sizes), label_visibility="collapsed", **settings)


def _holds(values: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return all(now[name] == value or (name == "n" and now[name] <= value) for name, value in values.items())
