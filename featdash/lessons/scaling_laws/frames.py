"""The streams of a scaling law: what the network has learned, and what single equations say of each task."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays

HALF = 0.5  # share from which on a task counts as half learned


@dataclass(frozen=True, eq=False)
class TaskFrame(NamedArrays):
    """A frame of `courses`, at = t: loss E(f − f*)² over E f*², share (P,) of each task that is learned."""

    loss: float
    share: np.ndarray


@dataclass(frozen=True, eq=False)
class SingleTasks(NamedArrays):
    """The frame of `alone`: each task as if it were alone, with the neuron that is nearest to it at the start.

    t (K,) : times, from 0.  loss (K,) : over E f*².  share (K, P).  jumps (P,) : when half is learned.
    late, many (L,) : times and the loss of MANY tasks, over their own E f*²; see `run.many_tasks`.
    """

    t: np.ndarray
    loss: np.ndarray
    share: np.ndarray
    jumps: np.ndarray
    late: np.ndarray
    many: np.ndarray


def crossing(t: np.ndarray, share: np.ndarray, level: float) -> float:
    """When a share (K,) first passes a level, by linear interpolation between times t (K,); NaN for never."""
    above = np.flatnonzero(share >= level)
    if not len(above):
        return float("nan")
    k = above[0]
    return float(np.interp(level, share[k - 1 : k + 1], t[k - 1 : k + 1])) if k else float(t[0])
