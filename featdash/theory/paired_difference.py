"""Differences of two methods over the five folds of one table, and when they are clear."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

QUANTILE = 2.776  # of Student's t with four degrees of freedom: 95 % lies within, for five folds


class MeanAndError(NamedTuple):
    """A mean over folds and its standard error."""

    mean: float
    error: float

    @property
    def is_clear(self) -> bool:
        """Whether zero lies further from the mean than QUANTILE standard errors."""
        return abs(self.mean) > QUANTILE * self.error


def over_folds(values: np.ndarray, test_to_train: float) -> MeanAndError:
    """The mean of one number a fold, values (J,), with the error √((1/J + n₂/n₁) s²).

    s² is the variance of the values, n₂/n₁ the rows of a test part by those of a training part. Folds share most of
    their training rows, so that s²/J is too small. Source: Nadeau and Bengio, Machine Learning 52 (2003), section 3.
    """
    variance = float(np.var(values, ddof=1)) if len(values) > 1 else float("nan")
    return MeanAndError(float(np.mean(values)), float(np.sqrt((1 / len(values) + test_to_train) * variance)))
