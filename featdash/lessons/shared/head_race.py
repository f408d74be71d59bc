"""Heads that train side by side, with a frame of their loss curves a round: the stream `heads`."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping

import numpy as np

from featdash.learners.head import Head
from featdash.lessons.shared.competitors import Competitor
from featdash.lessons.shared.head_recipe import PICTURES
from featdash.recipes.events import Event, Frame, Progress
from featdash.theory.ridge_path import SpectralPath

CURVES = {"train": "train", "holdout": "holdout", "excess": "test"}
CURVE_POINTS = 60


def train_heads(
    competitors: Mapping[str, Competitor], steps: int, seconds: dict[str, float]
) -> Generator[Event, None, dict[str, Head]]:
    """All heads, a round of the solver at a time in turn, each round with a frame of the loss curves.

    After k Lanczos steps the curves go to t = k², as far as they are good. Adds each method's seconds to `seconds`.
    """
    heads: dict[str, Head] = {}
    curves: dict[str, np.ndarray] = {}
    at, racing = 0, list(competitors)
    while racing:
        for name in list(racing):
            started = time.perf_counter()
            head = next(competitors[name].heads, None)
            seconds[name] += time.perf_counter() - started
            if head is None:
                racing.remove(name)
                continue
            heads[name], at = head, at + 1
            solved = len(head.path.ritz)
            curves |= {f"{name}/{key}": curve for key, curve in loss_curves(head.path, min(steps, solved**2)).items()}
            yield Frame("heads", at, dict(curves))
            share = at / (len(competitors) * (len(PICTURES) + 1))
            yield Progress(0.3 + 0.66 * min(share, 1.0), f"training the heads, solver step {solved}")
        if not racing:
            break
    curves |= {f"{name}/{key}": one for name, h in heads.items() for key, one in loss_curves(h.path, steps).items()}
    yield Frame("heads", at + 1, dict(curves))
    return heads


def loss_curves(path: SpectralPath, steps: int) -> dict[str, np.ndarray]:
    """Train, holdout and excess risk after t = 1 .. steps head steps, at the λ that is best on the holdout at t = ∞."""
    lam = path.tune("holdout")
    t = np.unique(np.geomspace(1, max(steps, 1), CURVE_POINTS).round())
    curves = {shown: path.risk(name, lam, t) for shown, name in CURVES.items()}
    return {"t": t, "lam": np.float64(lam), **curves}
