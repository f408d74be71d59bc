"""The experiments by name, for those below the lessons that run them."""

from __future__ import annotations

from importlib import import_module

from featdash.recipes.experiment import Entry


def experiments() -> dict[str, Entry]:
    """All of them. The one arrow that points up, by name: the queue knows a run's experiment by its name only."""
    return import_module("featdash.lessons").EXPERIMENTS


def find_experiment(name: str) -> Entry:
    """The experiment of that name; ValueError with the known names if there is none."""
    known = experiments()
    if name not in known:
        raise ValueError(f"experiment must be one of {', '.join(known)}, got {name!r}; choose one of them")
    return known[name]
