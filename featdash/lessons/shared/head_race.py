"""Heads that train side by side, with a frame of their loss curves a round: the stream `heads`."""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence

import numpy as np

from featdash.learners.head import Head
from featdash.lessons.shared.competitors import Competitor
from featdash.lessons.shared.head_frames import RISKS, LossCurve
from featdash.lessons.shared.head_recipe import PICTURES
from featdash.recipes.events import Event, Frame, Progress
from featdash.recipes.named_arrays import flatten
from featdash.theory.ridge_path import SpectralPath

CURVE_POINTS = 60


def train_heads(
    competitors: Mapping[str, Competitor], steps: int, seconds: dict[str, float], shown: Sequence[str] = tuple(RISKS)
) -> Generator[Event, None, dict[str, Head]]:
    """All heads, a round of the solver at a time in turn, each round with a frame of the loss curves.

    After k Lanczos steps the curves go to t = k², as far as they are good. Adds each method's seconds to `seconds`.
    shown : the risks whose curves the frames hold, of RISKS.
    """
    heads: dict[str, Head] = {}
    curves: dict[str, LossCurve] = {}
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
            curves[name] = loss_curve(head.path, min(steps, solved**2), shown)
            yield Frame("heads", at, flatten(curves))
            share = at / (len(competitors) * (len(PICTURES) + 1))
            yield Progress(0.3 + 0.66 * min(share, 1.0), f"training the heads, solver step {solved}")
        if not racing:
            break
    curves = {name: loss_curve(head.path, steps, shown) for name, head in heads.items()}
    yield Frame("heads", at + 1, flatten(curves))
    return heads


def loss_curve(path: SpectralPath, steps: int, shown: Sequence[str]) -> LossCurve:
    """The risks after t = 1 .. steps head steps, at the λ that is best on the holdout at t = ∞."""
    lam = path.tune("holdout")
    t = np.unique(np.geomspace(1, max(steps, 1), CURVE_POINTS).round())
    return LossCurve(t, **{name: path.risk(RISKS[name], lam, t).astype(np.float32) for name in shown})
