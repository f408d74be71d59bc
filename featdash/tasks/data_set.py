"""Tables with a target: scikit-learn's bundled sets, and a synthetic one whose two directions are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.tasks.streams import stream

PLANTED = "planted"
BUNDLED = ("diabetes", "breast_cancer", "wine", "digits")
PLANTED_COLUMNS = (6, 20)  # those whose product is the target
COLUMNS, FACTORS = 30, 3
PLANTED_ROWS = 1500
NOISE = 0.3


@dataclass(frozen=True, eq=False, repr=False)
class DataSet:
    """X (n, d) and y (n,) in their own units, with the names of the columns.

    planted : names of the columns that the target is made of, where that is known.
    """

    columns: tuple[str, ...]
    X: np.ndarray
    y: np.ndarray
    planted: tuple[str, ...] = ()

    def some_rows(self, most: int, rng: np.random.Generator) -> DataSet:
        """At most so many of its rows, drawn without replacement, in random order."""
        rows = rng.permutation(len(self.y))[:most]
        return DataSet(self.columns, self.X[rows], self.y[rows], self.planted)


def load_set(name: str, seed: int) -> DataSet:
    """The set of that name; the planted one is drawn from the seed, the others are as scikit-learn ships them."""
    return planted_set(seed) if name == PLANTED else bundled_set(name)


def planted_set(seed: int, rows: int = PLANTED_ROWS) -> DataSet:
    """Thirty correlated columns and y = x₇ x₂₁ + 0.3 ε.

    x_j = (Σ_k l_jk f_k + e_j)/√2 with three factors f, loadings l_j ~ N(0, I/3), and f, e, ε ~ N(0, 1).
    """
    rng = stream(seed, "own-data", "planted")
    loadings = rng.standard_normal((FACTORS, COLUMNS)) / np.sqrt(FACTORS)
    factors = rng.standard_normal((rows, FACTORS))
    X = (factors @ loadings + rng.standard_normal((rows, COLUMNS))) / np.sqrt(2)
    first, second = PLANTED_COLUMNS
    y = X[:, first] * X[:, second] + NOISE * rng.standard_normal(rows)
    names = tuple(f"x{index + 1:02d}" for index in range(COLUMNS))
    return DataSet(names, X, y, (names[first], names[second]))


def bundled_set(name: str) -> DataSet:
    """A set of scikit-learn, without a download; columns that never change are left out.

    diabetes: the disease's progression. breast_cancer: 1 for malignant. wine: 1 for the second of three cultivars.
    digits: 1 for an odd digit. Classes count as numbers, 0 and 1: all methods here are regressions.
    """
    from sklearn import datasets  # here, so that the server does not load scikit-learn

    if name not in BUNDLED:
        raise ValueError(f"set must be one of {', '.join(BUNDLED)}, got {name!r}; choose one of them")
    bunch = getattr(datasets, f"load_{name}")()
    y = bunch.target.astype(float)
    if name == "breast_cancer":
        y = 1 - y
    elif name == "wine":
        y = (y == 1).astype(float)
    elif name == "digits":
        y = y % 2
    varying = np.flatnonzero(bunch.data.std(axis=0) > 0)
    columns = tuple(str(bunch.feature_names[index])[:24] for index in varying)
    return DataSet(columns, bunch.data[:, varying].astype(float), y)
