"""What the folds of a comparison have given so far, and what is said of them at the end."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from featdash.lessons.own_data.frames import FitTable
from featdash.lessons.own_data.recipe import COMPARED, OwnDataSpec
from featdash.tasks.data_set import DataSet
from featdash.tasks.folds import FOLDS, Fold, Whitening
from featdash.theory.paired_difference import over_folds


class Course:
    """What the folds have given so far."""

    def __init__(self, data: DataSet, folds: list[Fold]) -> None:
        self.data = data
        self.risk = {name: np.full(FOLDS, np.nan) for name in COMPARED}
        self.looks: dict[str, list[np.ndarray]] = {name: [] for name in COMPARED}
        self.shares: dict[str, list[float]] = {name: [] for name in COMPARED}
        self.ratio = len(folds[0].test) / len(folds[0].train)
        self.fits = 0

    def add(self, name: str, fold: int, risk: float, looks: np.ndarray, whitening: Whitening) -> None:
        """A fit; looks (d, d) on white inputs."""
        self.risk[name][fold] = risk
        by_column = np.maximum(np.diag(whitening.pulled_back(looks)), 0)
        self.looks[name].append(by_column / (by_column.sum() or 1.0))
        if self.data.planted:
            self.shares[name].append(planted_share(looks, whitening, self.data))
        self.fits += 1

    def table(self) -> FitTable:
        look = {name: np.mean(rows, axis=0) for name, rows in self.looks.items() if rows}
        names = np.array(self.data.columns, dtype="U24"), np.array(self.data.planted, dtype="U24")
        return FitTable({name: one.copy() for name, one in self.risk.items()}, look, *names, self.ratio)

    def summary(self, spec: OwnDataSpec) -> dict:
        """Means, errors, the pairs that differ clearly, and the columns that each layer looks at most."""
        found = {name: over_folds(values, self.ratio) for name, values in self.risk.items()}
        layers = {name: self._layer(name) for name in COMPARED}
        both = [name for name, layer in layers.items() if set(layer["leading"]) == set(self.data.planted)]
        return {
            "dataset": spec.dataset,
            "rows": len(self.data.y),
            "columns": len(self.data.columns),
            "methods": {name: {"risk": one.mean, "standard_error": one.error} for name, one in found.items()},
            "clear": clear_pairs(self.risk, self.ratio),
            "clear_pairs": len(clear_pairs(self.risk, self.ratio)),
            "layers": layers,
        } | ({"found_by": both, "finders": len(both)} if self.data.planted else {})

    def _layer(self, name: str) -> dict:
        shares = np.mean(self.looks[name], axis=0)
        order = np.argsort(-shares, kind="stable")[:2]
        layer = {
            "leading": [self.data.columns[index] for index in order],
            "shares": [float(shares[index]) for index in order],
        }
        return layer | ({"share": float(np.mean(self.shares[name]))} if self.data.planted else {})


def clear_pairs(risk: Mapping[str, np.ndarray], ratio: float) -> list[dict]:
    """The pairs whose paired difference is clear, the better one first."""
    clear = []
    for first, second in combinations(risk, 2):
        difference = over_folds(risk[first] - risk[second], ratio)
        if difference.is_clear:
            better, worse = (first, second) if difference.mean < 0 else (second, first)
            clear.append(
                {"better": better, "worse": worse, "by": abs(difference.mean), "standard_error": difference.error}
            )
    return clear


def planted_share(looks: np.ndarray, whitening: Whitening, data: DataSet) -> float:
    """The share of what a layer looks at, on white inputs, that lies where the planted columns vary alone.

    A function of these columns has its gradients in the span of the planted columns of C^½.
    """
    chosen = [data.columns.index(name) for name in data.planted]
    U = np.linalg.qr(np.linalg.solve(whitening.root, np.eye(len(looks))[:, chosen]))[0].T
    return float(np.trace(U @ looks @ U.T) / (np.trace(looks) or 1.0))
