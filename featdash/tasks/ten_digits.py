"""Ten handwritten digits, 8×8 pixels, from scikit-learn's own files; Gaussian inputs without their structure."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CLASSES, SIDE = 10, 8
TRAIN = 1200  # of the 1797 images; the others judge


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
