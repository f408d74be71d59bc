"""Five methods on one table, on the same five folds: risks with their errors, and what each layer looks at.

Stream `fits`: a FitTable after each fit, `at` their number. Ours: the folds, the whitening, all sizes, the length of
RFM's kernel as `featdash.learners.rfm` has it, and that its round, like λ, the kernel's length and the network's
stopping time, is the one that is best on the holdout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import combinations

import numpy as np

from featdash.lessons.own_data.frames import FitTable
from featdash.lessons.own_data.linear import Fit, ridge
from featdash.lessons.own_data.recipe import COMPARED, OwnDataSpec, is_own
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks import Labelled
from featdash.tasks.data_set import DataSet, load_set
from featdash.tasks.folds import FOLDS, Fold, Whitening, five_folds
from featdash.tasks.streams import stream
from featdash.theory.paired_difference import over_folds

SHARES = {"linear": 0.01, "laplace": 0.2, "rfm": 0.59, "algorithm1": 0.07, "network": 0.13}  # of a fold's work
BROKEN = "the numbers of this table broke the computation off; check for columns that nearly repeat one another"


LABELS = {
    "linear": "ridge regression",
    "laplace": "the fixed kernel",
    "rfm": "the kernel that learns",
    "algorithm1": "one gradient step",
    "network": "the trained network",
}


def run(spec: OwnDataSpec, device: str = "cpu", inputs: Mapping[str, np.ndarray] | None = None) -> Iterator[Event]:
    """The events of a comparison; inputs : columns, X and y of a visitor's table, which no message of an error tells.

    Errors: ValueError for a table of one's own that is not there, or that breaks the arithmetic.
    """
    del device
    if not is_own(spec):
        yield from compare(spec, load_set(spec.dataset, spec.seed))
        return
    if inputs is None:
        raise ValueError("dataset must be a set that comes along, got 'upload' without a table; use its page for yours")
    table = DataSet(tuple(map(str, inputs["columns"])), inputs["X"], inputs["y"])
    try:
        yield from compare(spec, table)
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError):  # LinAlgError is a ValueError
        raise ValueError(BROKEN) from None


def compare(spec: OwnDataSpec, table: DataSet) -> Iterator[Event]:
    """Fold by fold, method by method."""
    data = table.some_rows(spec.rows, stream(spec.seed, "own-data", "rows"))
    folds = five_folds(len(data.y), stream(spec.seed, "own-data", "folds"))
    course = Course(data, folds)
    for index, fold in enumerate(folds):
        whitening, train, holdout, test = white(data, fold)
        share = index / FOLDS
        for name in COMPARED:
            fits = []
            for fit in fits_of(name, spec, train, holdout, index):
                fits = [fit]
                yield Progress(share, f"fold {index + 1} of {FOLDS}: {LABELS[name]}")
            share += SHARES[name] / FOLDS
            risk = float(np.mean((fits[0].predict(test[0]) - test[1]) ** 2))
            course.add(name, index, risk, fits[0].looks, whitening)
            yield Frame("fits", course.fits, course.table().to_arrays())
    yield Result(course.summary(spec))


def white(data: DataSet, fold: Fold) -> tuple[Whitening, Labelled, Labelled, Labelled]:
    """The three parts, inputs white and labels of mean 0 and variance 1, both as on the training rows."""
    whitening = Whitening.of(data.X[fold.train])
    mean, scale = float(data.y[fold.train].mean()), float(data.y[fold.train].std()) or 1.0
    parts = [(whitening(data.X[rows]), (data.y[rows] - mean) / scale) for rows in fold]
    return whitening, parts[0], parts[1], parts[2]


def fits_of(name: str, spec: OwnDataSpec, train: Labelled, holdout: Labelled, fold: int) -> Iterator[Fit]:
    """The fit of a method; of one that goes by rounds the best so far after each."""
    if name == "linear":
        yield ridge(train, holdout)
        return
    fits = import_module("featdash.lessons.own_data.fits")  # loads scikit-learn, after the first picture
    if name == "rfm":
        yield from fits.feature_machine(spec, train, holdout)
    elif name == "laplace":
        yield fits.fixed_kernel(train, holdout)
    else:
        yield {"algorithm1": fits.one_step, "network": fits.network}[name](spec, train, holdout, fold)


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
        risks = {name: over_folds(values, self.ratio) for name, values in self.risk.items()}
        layers = {name: self._layer(name) for name in COMPARED}
        both = [name for name, layer in layers.items() if set(layer["leading"]) == set(self.data.planted)]
        return {
            "dataset": spec.dataset,
            "rows": len(self.data.y),
            "columns": len(self.data.columns),
            "methods": {name: {"risk": one.mean, "standard_error": one.error} for name, one in risks.items()},
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
    columns = [data.columns.index(name) for name in data.planted]
    U = np.linalg.qr(np.linalg.solve(whitening.root, np.eye(len(looks))[:, columns]))[0].T
    return float(np.trace(U @ looks @ U.T) / (np.trace(looks) or 1.0))
