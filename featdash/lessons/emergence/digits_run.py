"""Digits: the two feature steps on real images, two digits of 8×8 pixels, against fixed features.

The same course as one side of `emergence`, on scikit-learn's digits: no dictionary is known, so there is no A and no
T_j; the stars stand at ± the difference of the class means. Methods: network, random_features, ntk, linear.
Streams, see `lessons.emergence.frames`: `neurons`, with the weights of at most 12 of them as 8×8 images,
`training`, `heads`, at 0 (random_features, linear), 1, 2 (network) and the last step (network, ntk).
Result: star (64,), the difference of class means; the summary's `clusters` are the evidence for two of them.

Ours, not the paper's, which has MNIST: the images, their split, σ_w, σ_b, σ_ξ as for k = 5 relevant patterns, σ_a = 1,
all rates, and that all steps use the one training sample there is, in full in steps 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from featdash.learners.truncated_network import draw_mirrored_network
from featdash.lessons.emergence.neurons import two_clusters
from featdash.lessons.emergence.recipe import LIKE_K, DigitsSpec
from featdash.lessons.emergence.two_stage import Dataset, TwoStageTraining
from featdash.recipes.events import Event, Result
from featdash.tasks import Labelled
from featdash.tasks.digits import SIDE, DigitPair, load_pair
from featdash.tasks.streams import stream

IMAGES = 12


def digit_problem(spec: DigitsSpec, pair: DigitPair) -> Dataset:
    """Training images for every step; a minibatch is a random part of them."""

    scales = (1 / LIKE_K, 1 / LIKE_K**2, 1.0)
    samples = {"step": pair.train, "head": pair.train, "holdout": pair.holdout, "test": pair.test}

    def sample(purpose: str, index: int) -> Labelled:
        if purpose != "batch":
            return samples[purpose]
        rows = stream(spec.seed, "digits", "batch", index).permutation(len(pair.train.y))[: spec.batch]
        return pair.train.X[rows], pair.train.y[rows]

    X, y = pair.train
    start = draw_mirrored_network(spec.m, SIDE**2, stream(spec.seed, "digits", "start"), scales)
    return Dataset(sample=sample, start=start, star=X[y > 0].mean(axis=0) - X[y < 0].mean(axis=0))


def run(spec: DigitsSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a pair; see the module's docstring."""
    pair = load_pair(spec.first, spec.second, stream(spec.seed, "digits", "split"))
    problem = digit_problem(spec, pair)
    course = TwoStageTraining(problem, spec.schedule(), device, IMAGES)
    yield from course.events()
    halves = [two_clusters(W) for W in course.layers]
    clusters = {
        "sizes": list(halves[2].sizes),
        "within": [one.within for one in halves],
        "between": [one.between for one in halves],
    }
    images = {name: len(getattr(pair, name).y) for name in ("train", "holdout", "test")}
    note = course.divergence()
    summary = course.summary() | {"clusters": clusters, "images": images} | ({"note": note} if note else {})
    yield Result(summary, {"star": problem.star.astype(np.float32)})
