"""Handwritten digits, 8×8 pixels, from scikit-learn's own files, two of them or all ten: real images, no download."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

CLASSES, SIDE = 10, 8
SHARES = {"train": 0.5, "holdout": 0.2, "test": 0.3}  # ours: disjoint, of each class alike
TRAIN = 1200  # of the 1797 images; the others judge


class DigitSample(NamedTuple):
    """Normalised pixels X (n, 64), and labels y (n,): −1 for the first digit, +1 for the second."""

    X: np.ndarray
    y: np.ndarray


@dataclass(frozen=True, eq=False)
class DigitPair:
    """Disjoint samples of two digits, with the law's normalisation taken from the training part.

    x = (pixels − mean)/σ̃, σ̃² the sum of the pixels' variances over `train`: there E x = 0 and E‖x‖² = 1.
    """

    train: DigitSample
    holdout: DigitSample
    test: DigitSample
    mean: np.ndarray
    sigma: float


def check_pair(first: int, second: int) -> None:
    """ValueError unless the digits differ: one class alone has nothing to tell apart."""
    if first == second:
        raise ValueError(f"the two digits must differ, got {first} twice; choose another second digit")


def load_pair(first: int, second: int, rng: np.random.Generator) -> DigitPair:
    """The images of two digits, split by `SHARES` within each class, in random order.

    Source: scikit-learn's `load_digits`, a part of the UCI optical recognition data, about 180 images a digit.
    """
    from sklearn.datasets import load_digits  # here, so that the server does not load scikit-learn

    check_pair(first, second)
    pixels, digits = load_digits(return_X_y=True)
    parts: dict[str, list[np.ndarray]] = {name: [] for name in SHARES}
    for digit in (first, second):
        rows = rng.permutation(np.flatnonzero(digits == digit))
        cuts = np.round(np.cumsum(list(SHARES.values()))[:-1] * len(rows)).astype(int)
        for name, part in zip(SHARES, np.split(rows, cuts), strict=True):
            parts[name].append(part)
    rows_of = {name: rng.permutation(np.concatenate(part)) for name, part in parts.items()}
    mean = pixels[rows_of["train"]].mean(axis=0)
    sigma = float(np.sqrt(pixels[rows_of["train"]].var(axis=0).sum()))
    samples = {
        name: DigitSample((pixels[part] - mean) / sigma, np.where(digits[part] == second, 1.0, -1.0))
        for name, part in rows_of.items()
    }
    return DigitPair(**samples, mean=mean, sigma=sigma)


@dataclass(frozen=True, eq=False)
class TenDigits:
    """Pixels (n, 64), mean 0 over the training part and a mean variance of 1, and the digits (n,) that they show.

    mean (64,) : what was taken away, in the same units.
    """

    train: np.ndarray
    train_digits: np.ndarray
    test: np.ndarray
    test_digits: np.ndarray
    mean: np.ndarray


def load_ten(rng: np.random.Generator) -> TenDigits:
    """The images of all digits in random order, split once.

    Source: scikit-learn's `load_digits`, a part of the UCI optical recognition data.
    """
    from sklearn.datasets import load_digits  # here, so that the server does not load scikit-learn

    pixels, digits = load_digits(return_X_y=True)
    order = rng.permutation(len(digits))
    train, test = order[:TRAIN], order[TRAIN:]
    mean, scale = pixels[train].mean(axis=0), np.sqrt(pixels[train].var(axis=0).mean())
    X = (pixels - mean) / scale
    return TenDigits(X[train], digits[train], X[test], digits[test], mean / scale)


def gaussian_inputs(rows: int, like: np.ndarray, covariance: bool, rng: np.random.Generator) -> np.ndarray:
    """N(0, I), or N(0, C) with the covariance C of the rows of `like` (n, q): their second moments, and no more."""
    noise = rng.standard_normal((rows, like.shape[1]))
    if not covariance:
        return noise
    values, vectors = np.linalg.eigh(np.cov(like.T))
    return noise * np.sqrt(np.maximum(values, 0)) @ vectors.T
