"""The controls of the view: how a visitor wants to see a run, without computing anything again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from featdash.figures.text import number
from featdash.recipes.experiment import SpecT
from featdash.runs.run import Run
from featdash.ui.kit.shared import service

Word = Callable[[Any], str]
PAST = "Go back through the run: the pictures show this moment."
WISHED, VIEWS = ".wished@", "views@"  # of session-state keys


def spec_of(run: Run, kind: type[SpecT]) -> SpecT:
    """The settings of a run whose pictures are drawn; `stage` draws none that has no settings."""
    assert isinstance(run.spec, kind)
    return run.spec


def key(run: Run, name: str) -> str:
    return f"{run.experiment}.view.{name}"


def preset(experiment: str, values: Mapping[str, Any]) -> None:
    """Set controls of an experiment's toolbar by their names; for a callback, before they are drawn."""
    for name, value in values.items():
        st.session_state[f"{experiment}.view.{name}"] = value


def wish(experiment: str, texts: Mapping[str, str]) -> None:
    """Set controls to what a link says about them, each when it is next drawn."""
    for name, text in texts.items():
        st.session_state[f"{experiment}.view.{name}{WISHED}"] = text


def changed_options(experiment: str) -> dict[str, Any]:
    """The controls on the page that do not stand at their defaults; `wish` takes their values as text."""
    state = st.session_state
    defaults = state.get(f"{experiment}.{VIEWS}", {})
    values = {name: (state.get(f"{experiment}.view.{name}", default), default) for name, default in defaults.items()}
    return {name: value for name, (value, default) in values.items() if value != default}


def _begin(run: Run, name: str, options: Sequence[Any], default: Any) -> str:
    """Put the control's value into the state, a link's wish, else the last one, else the default; returns its key."""
    at, state = key(run, name), st.session_state
    text = state.pop(f"{at}{WISHED}", None)
    matches = [option for option in options if str(option) == text]
    # It goes into the state, because a trial may set it, and again each time, because on another page the control is
    # new. The control itself also keeps it for the session, or a page without the control would lose it.
    state[at] = matches[0] if matches else state[at] if state.get(at) in options else default
    state.setdefault(f"{run.experiment}.{VIEWS}", {})[name] = default
    return at


def switch(run: Run, name: str, label: str, default: bool = False, *, help: str) -> bool:
    at = _begin(run, name, (False, True), default)
    return st.toggle(label, value=st.session_state[at], key=at, help=help, persist_state="session")


def choice(
    run: Run,
    name: str,
    label: str,
    options: Sequence[Any],
    default: Any = None,
    word: Word = str,
    *,
    help: str,
    on_change: Callable[[], None] | None = None,
) -> Any:
    """One of a few options, by default the first; on_change : called when the visitor takes another."""
    at = _begin(run, name, options, options[0] if default is None else default)
    settings: dict[str, Any] = {"default": st.session_state[at], "key": at, "format_func": word}
    settings |= {"help": help, "width": "stretch", "persist_state": "session"}
    return st.segmented_control(label, options, required=True, on_change=on_change, **settings)


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
    """A slider over stops."""
    at = _begin(run, name, options, value)
    settings: dict[str, Any] = {"value": st.session_state[at], "key": at, "format_func": word}
    return st.select_slider(label, options, help=help, persist_state="session", **settings)


def scrubber(run: Run, stream: str, label: str, word: Word = number, help: str = PAST) -> float | None:
    """A slider over the frames of a stream; returns the position of the chosen one, None for the newest.

    Nothing is drawn while the run is active, or if there are fewer than two frames to choose from.
    """
    stops = [] if run.active else list(dict.fromkeys(frame.at for frame in service().frames(run.id, stream)))
    if len(stops) < 2:
        return None
    return slider(run, f"{stream}.{run.id}", label, stops, stops[-1], word, help=help)
