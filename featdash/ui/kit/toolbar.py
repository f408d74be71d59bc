"""The controls of the view: how a visitor wants to see a run, without computing anything again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from featdash.figures.text import number
from featdash.recipes.experiment import SpecT
from featdash.runs.run import Run
from featdash.ui.kit import control_key
from featdash.ui.kit.shared import service

Word = Callable[[Any], str]
PAST = "Go back through the run: the pictures show this moment."
# How session-state keys of an experiment end: name of a control -> its value when last drawn or set, its default, and
# what a link says about it.
VALUES, DEFAULTS, WISHES = "view@", "defaults@", "wishes@"


def spec_of(run: Run, kind: type[SpecT]) -> SpecT:
    """The settings of a run whose pictures are drawn; `stage` draws none that has no settings."""
    assert isinstance(run.spec, kind)
    return run.spec


def value_of(experiment: str, name: str, default: Any = None) -> Any:
    """What a control of an experiment's toolbar holds; of one that is not on the page, what it held last."""
    last = st.session_state.get(f"{experiment}.{VALUES}", {}).get(name, default)
    return control_key.held(_key(experiment, name), last)


def preset(experiment: str, values: Mapping[str, Any]) -> None:
    """Set controls of an experiment's toolbar by their names; for a callback, before they are drawn."""
    for name, value in values.items():
        control_key.showing(_key(experiment, name), value)
        st.session_state.setdefault(f"{experiment}.{VALUES}", {})[name] = value


def settle(experiment: str, values: Mapping[str, Any]) -> None:
    """As `preset`; all other controls of the toolbar stand at their defaults."""
    preset(experiment, st.session_state.get(f"{experiment}.{DEFAULTS}", {}) | dict(values))


def wish(experiment: str, texts: Mapping[str, str]) -> None:
    """Set controls to what a link says about them, each when it is next drawn."""
    st.session_state.setdefault(f"{experiment}.{WISHES}", {}).update(texts)


def changed_options(experiment: str) -> dict[str, Any]:
    """The controls on the page that do not stand at their defaults; `wish` takes their values as text."""
    defaults = st.session_state.get(f"{experiment}.{DEFAULTS}", {})
    values = {name: (value_of(experiment, name, default), default) for name, default in defaults.items()}
    return {name: value for name, (value, default) in values.items() if value != default}


def _key(experiment: str, name: str) -> str:
    return f"{experiment}.view.{name}"


def _begin(run: Run, name: str, options: Sequence[Any], default: Any) -> tuple[str, Any]:
    """The control's key, and its value: a link's wish, else what it holds or held last, else the default."""
    wished = st.session_state.get(f"{run.experiment}.{WISHES}", {}).pop(name, None)
    matches = [option for option in options if str(option) == wished]
    now = value_of(run.experiment, name, default)
    value = matches[0] if matches else now if now in options else default
    preset(run.experiment, {name: value})
    st.session_state.setdefault(f"{run.experiment}.{DEFAULTS}", {})[name] = default
    return control_key.current(_key(run.experiment, name)), value


def switch(run: Run, name: str, label: str, default: bool = False, *, help: str) -> bool:
    at, value = _begin(run, name, (False, True), default)
    return st.toggle(label, value=value, key=at, help=help)


def choice(
    run: Run,
    name: str,
    label: str,
    options: Sequence[Any],
    default: Any = None,
    word: Word = str,
    *,
    help: str,
    on_change: Callable[[Any], None] | None = None,
) -> Any:
    """One of a few options, by default the first; on_change : called with the one that the visitor takes."""
    at, value = _begin(run, name, options, options[0] if default is None else default)
    settings: dict[str, Any] = {"default": value, "key": at, "format_func": word, "help": help, "width": "stretch"}
    if on_change:
        settings["on_change"] = control_key.listener(_key(run.experiment, name), on_change)
    return st.segmented_control(label, options, required=True, **settings)


def slider(
    run: Run,
    name: str,
    label: str,
    options: Sequence[Any],
    value: Any,
    word: Word = number,
    *,
    help: str,
) -> Any:
    """A slider over stops; value : where it stands at first."""
    at, now = _begin(run, name, options, value)
    settings: dict[str, Any] = {"value": now, "key": at, "format_func": word}
    return st.select_slider(label, options, help=help, **settings)


def scrubber(run: Run, stream: str, label: str, word: Word = number, help: str = PAST) -> float | None:
    """A slider over the frames of a stream; returns the position of the chosen one, None for the newest.

    Nothing is drawn while the run is active, or if there are fewer than two frames to choose from.
    """
    stops = [] if run.active else list(dict.fromkeys(frame.at for frame in service().frames(run.id, stream)))
    if len(stops) < 2:
        return None
    return slider(run, f"{stream}.{run.id}", label, stops, stops[-1], word, help=help)
