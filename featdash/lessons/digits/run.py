"""Digits: the two feature steps on real images, two digits of 8×8 pixels, against fixed features.

The same course as one side of `emergence`, on scikit-learn's digits: no dictionary is known, so there is no A and no
T_j; the stars stand at ± the difference of the class means. Methods M: network, random_features, ntk, linear. Frames:

`neurons`, at = steps so far; as `L/neurons` of `emergence`, stars at ±(mean of `second` − mean of `first`), and
    weights (c, 64)             c <= 12 neurons, spread evenly over the layer, as 8×8 images row by row
    cluster_sizes (2,), within (), between ()       the evidence for two clusters; compare with the frame at 0
`training`, at = steps so far
    M/accuracy (), M/hinge ()   of the method's own output on the test images
`heads`, at 0 (random_features, linear), 1, 2 (network) and the last step (network, ntk)
    M/accuracy ()               of a ridge head on ±1 labels, λ tuned alike on the holdout

Result arrays: star (64,), the difference of class means; mean (64,), the mean training image, in pixels of 0..16.

Ours, not the paper's, which has MNIST: the images, their split, σ_w, σ_b, σ_ξ as for k = 5 relevant patterns, σ_a = 1,
all rates, and that all steps use the one training sample there is, in full in steps 1 and 2.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from featdash.learners.truncated_network import draw_mirrored_network
from featdash.lessons.digits.recipe import LIKE_K, DigitsSpec
from featdash.lessons.shared.fixed_heads import Labelled
from featdash.lessons.shared.two_stage import Dataset, TwoStageTraining
from featdash.recipes.events import Event, Result
from featdash.tasks.digits import SIDE, DigitPair, load_pair
from featdash.tasks.streams import stream

IMAGES = 12


def digit_problem(spec: DigitsSpec, pair: DigitPair) -> Dataset:
    """Training images for every step; a minibatch is a random part of them."""

    scales = (1 / LIKE_K, 1 / LIKE_K**2, 1.0)
    fixed = {"step": pair.train, "head": pair.train, "holdout": pair.holdout, "test": pair.test}

    def sample(purpose: str, index: int) -> Labelled:
        if purpose != "batch":
            return fixed[purpose]
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
    clusters = {
        "sizes": course.pictures[2].arrays["cluster_sizes"].tolist(),
        "within": [float(frame.arrays["within"]) for frame in course.pictures[:3]],
        "between": [float(frame.arrays["between"]) for frame in course.pictures[:3]],
    }
    images = {name: len(getattr(pair, name).y) for name in ("train", "holdout", "test")}
    summary = course.summary() | {"clusters": clusters, "images": images}
    yield Result(summary, {"star": problem.star.astype(np.float32), "mean": pair.mean.astype(np.float32)})
