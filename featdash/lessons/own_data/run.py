"""Five methods on one table, on the same five folds: risks with their errors, and what each layer looks at.

Stream `fits`: a FitTable after each fit, `at` their number. Ours: the folds, the whitening, all sizes, the length of
RFM's kernel as `featdash.learners.rfm` has it, and that its round, like λ, the kernel's length and the network's
stopping time, is the one that is best on the holdout.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

import numpy as np

from featdash.lessons.own_data.course import Course
from featdash.lessons.own_data.linear import Fit, ridge
from featdash.lessons.own_data.recipe import COMPARED, OwnDataSpec, is_own
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.data_set import DataSet, load_set
from featdash.tasks.folds import FOLDS, Fold, Whitening, five_folds
from featdash.tasks.sample import Labelled
from featdash.tasks.streams import stream

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
    given = DataSet(tuple(map(str, inputs["columns"])), inputs["X"], inputs["y"])
    try:
        yield from compare(spec, given)
    except (ArithmeticError, LookupError, RuntimeError, TypeError, ValueError):  # LinAlgError is a ValueError
        raise ValueError(BROKEN) from None


def compare(spec: OwnDataSpec, found: DataSet) -> Iterator[Event]:
    """Fold by fold, method by method."""
    data = found.some_rows(spec.rows, stream(spec.seed, "own-data", "rows"))
    folds = five_folds(len(data.y), stream(spec.seed, "own-data", "folds"))
    course = Course(data, folds)
    for index, fold in enumerate(folds):
        whitening, train, holdout, test = white(data, fold)
        done = index / FOLDS
        for name in COMPARED:
            fits = []
            for fit in fits_of(name, spec, train, holdout, index):
                fits = [fit]
                yield Progress(done, f"fold {index + 1} of {FOLDS}: {LABELS[name]}")
            done += SHARES[name] / FOLDS
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
