"""The controls of the view: how a visitor wants a run shown, without computing anything anew."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from featdash.figures.text import number
from featdash.recipes.experiment import SpecT
from featdash.runs.run import Run
from featdash.ui.shared import service

Word = Callable[[Any], str]


def spec_of(run: Run, kind: type[SpecT]) -> SpecT:
    """The settings of a run whose pictures are drawn; `stage` draws none that has no settings."""
    assert isinstance(run.spec, kind)
    return run.spec


def key(run: Run, name: str) -> str:
    return f"{run.experiment}.view.{name}"


def preset(experiment: str, wanted: Mapping[str, Any]) -> None:
    """Set controls of an experiment's toolbar by their names; for a callback, before they are drawn."""
    for name, value in wanted.items():
        st.session_state[f"{experiment}.view.{name}"] = value


def switch(run: Run, name: str, label: str, default: bool = False, help: str | None = None) -> bool:
    return st.toggle(label, default, key=key(run, name), help=help)


def choice(
    run: Run,
    name: str,
    label: str,
    options: Sequence[Any],
    default: Any = None,
    word: Word = str,
    help: str | None = None,
    chosen: Callable[[], None] | None = None,
) -> Any:
    """One of a few options, by default the first; chosen : called when the visitor takes another."""
    # In the state, for a trial may set it, and anew each time: on another page the control is new and knows it not.
    wanted, first = st.session_state.get(key(run, name)), options[0] if default is None else default
    st.session_state[key(run, name)] = wanted if wanted in options else first
    settings: dict[str, Any] = {"key": key(run, name), "format_func": word}
    settings |= {"help": help, "width": "stretch"}
    return st.segmented_control(label, options, required=True, on_change=chosen, **settings)


def slider(
    run: Run,
    name: str,
    label: str,
    options: Sequence[Any],
    value: Any,
    word: Word = number,
    help: str | None = None,
) -> Any:
    """A slider over stops."""
    settings: dict[str, Any] = {"key": key(run, name), "format_func": word}
    settings |= {"help": help or label}
    if run.held:
        follow(run, name, label, options, value, word)
        return value
    return st.select_slider(label, options, value=value, **settings)


def follow(
    run: Run,
    name: str,
    label: str,
    options: Sequence[Any],
    value: Any,
    word: Word = number,
) -> None:
    """A slider that cannot be moved: it shows the moment that a playback lets the pictures show."""
    at = f"{key(run, name)}.follows@"
    st.session_state[at] = value
    settings: dict[str, Any] = {"key": at, "format_func": word, "disabled": True}
    st.select_slider(label, options, help="It follows the pictures until they have played.", **settings)


def scrubber(run: Run, stream: str, label: str, word: Word = number, help: str | None = None) -> float | None:
    """A slider over the frames of a stream; returns the position of the chosen one, None for the newest.

    Nothing is drawn while the run is active, or where there are not two frames to choose from.
    """
    stops = [] if run.active else list(dict.fromkeys(frame.at for frame in service().frames(run.id, stream)))
    if len(stops) < 2:
        return None
    if run.held:
        out = service().frames(run.id, stream)[: dict(run.held).get(stream)]
        follow(run, stream, label, stops, out[-1].at if out else stops[0], word)
        return None
    return slider(run, f"{stream}.{run.id}", label, stops, stops[-1], word, help)
