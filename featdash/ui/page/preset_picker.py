"""Choosing a named recipe: it fills the form, and shows which recipe the form holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from featdash.recipes.experiment import CUSTOM
from featdash.ui.kit import control_key
from featdash.ui.kit.form import Form


def choose(form: Form, titles: Mapping[str, str]) -> None:
    """The list of presets by their titles; «Custom» if the settings are none of them.

    titles : preset -> its words, for every preset of the experiment.
    """
    experiment = form.experiment
    spec = form.validate()[0]
    now = experiment.preset_of(spec) if spec else CUSTOM
    choice = form.key("preset.choice@")

    def take(name: str) -> None:
        if name != CUSTOM:
            form.reset()
            form.load(vars(experiment.presets[name]))

    names = [*experiment.presets, CUSTOM]
    st.selectbox(
        "Preset",
        names,
        index=names.index(now),
        format_func=lambda name: titles.get(name, "Custom"),
        key=control_key.showing(choice, now),
        on_change=control_key.listener(choice, take),
        help="Fills all settings; press Run to compute it. Any change of a setting makes it «Custom».",
    )


def choose_size(form: Form, sizes: Mapping[str, Mapping[str, Any]]) -> None:
    """The choice of a size: it sets what makes a run long or short, and leaves all else as it is.

    sizes : size -> its settings. A size stays chosen while its settings hold; fewer samples than its own do not
    change that.
    """
    settings = form.values()
    now = next((name for name, values in sizes.items() if _holds(values, settings)), None)
    choice = form.key("size.choice@")
    st.segmented_control(
        "Size",
        list(sizes),
        default=now,
        required=True,
        key=control_key.showing(choice, now),
        on_change=control_key.listener(choice, lambda name: form.load(sizes.get(name, {}))),
        label_visibility="collapsed",
        help="How large a race is. A quick one is over within a second, so that it follows your hand.",
    )


def _holds(values: Mapping[str, Any], now: Mapping[str, Any]) -> bool:
    return all(now[name] == value or (name == "n" and now[name] <= value) for name, value in values.items())
