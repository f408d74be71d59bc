"""Digits beside Gaussian inputs: a student of the same labels learns on the one kind of input and not on the other.

In each run a teacher is trained on the digits. It then gives classes to digits and to as many Gaussian inputs, and a
student is trained on the two together; another student is trained on the digits with their true classes. All networks
are alike, see `learners.classifiers`, with a start and minibatches of their own; runs differ in their split as well.

Streams: `inputs`, one, at 0 (InputFrame); `accuracies`, at = the step (AccuracyFrame). No arrays in the result.
Summary
    accuracy  {"digits", "gaussian", "mixture", "alone": {STEP: mean over the runs}}, STEP of MOMENTS and the last one;
              mixture is the mean of digits and gaussian, alone of the student of the digits alone
    spread    the same with standard deviations over the runs, n − 1, null for one
    teacher   mean accuracy of the teachers on held-out digits
    majority  {"digits", "gaussian"}: mean share of the class that a teacher gives most often, right without looking

After Shi, Wei and Liang (ICLR 2022), Figure 4, which has MNIST, CIFAR10 and SVHN. Ours: scikit-learn's digits, their
split, 20 neurons in place of 9, the start, the steps and their rate, and accuracies over runs.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from featdash.learners.classifiers import Classifiers
from featdash.lessons.emergence.frames import AccuracyFrame, InputFrame
from featdash.lessons.emergence.recipe import JUDGES, MOMENTS, MOMENTUM, MixtureSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.digits import CLASSES, SIDE, TRAIN, TenDigits, gaussian_inputs, load_ten
from featdash.tasks.streams import stream

SHOWN = 10
PAUSES = 40  # frames, even in the logarithm of the step
EVERY = 50  # steps of a teacher between two looks at progress


def run(spec: MixtureSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001 (all experiments take it)
    """The events of a comparison; see the module's docstring. It has no use for a device."""
    splits = [load_ten(stream(spec.seed, "mixture", "split", run)) for run in range(spec.runs)]
    gaussians = [gaussian_of(spec, split, run, "train", TRAIN) for run, split in enumerate(splits)]
    yield Frame("inputs", 0, shown_inputs(splits[0], gaussians[0]).to_arrays())
    digits, classes = np.stack([one.train for one in splits]), np.stack([one.train_digits for one in splits])
    teachers = start_classifiers(spec, "teacher")
    for step, rows in enumerate(batches(spec, "teacher", TRAIN), start=1):
        if step % EVERY == 0:
            yield Progress(0.3 * step / spec.steps, "training the teachers")
        teachers.step(*take_rows(digits, classes, rows), spec.rate, MOMENTUM)
    inputs = np.concatenate([digits, np.stack(gaussians)], axis=1)
    judge = Judge(spec, splits, teachers)
    students, alone = start_classifiers(spec, "student"), start_classifiers(spec, "alone")
    labels, pauses, course = teachers.classes(inputs), pauses_of(spec), {0: judge(students, alone)}
    yield Frame("accuracies", 0, course[0].to_arrays())
    draws = zip(batches(spec, "student", 2 * TRAIN), batches(spec, "alone", TRAIN), strict=True)
    for step, (rows, others) in enumerate(draws, start=1):
        students.step(*take_rows(inputs, labels, rows), spec.rate, MOMENTUM)
        alone.step(*take_rows(digits, classes, others), spec.rate, MOMENTUM)
        if step in pauses:
            yield Progress(0.3 + 0.69 * step / spec.steps, f"step {step}")
            course[step] = judge(students, alone)
            yield Frame("accuracies", step, course[step].to_arrays())
    yield Result(summary_of(spec, course, judge))


def shown_inputs(split: TenDigits, gaussian: np.ndarray) -> InputFrame:
    """The first inputs of each kind, in single precision."""
    return InputFrame(*(one.astype(np.float32) for one in (split.train[:SHOWN], gaussian[:SHOWN], split.mean)))


def gaussian_of(spec: MixtureSpec, split: TenDigits, run: int, purpose: str, rows: int) -> np.ndarray:
    """Gaussian inputs of a run, which take the place of the digits' structure."""
    rng = stream(spec.seed, "mixture", "gaussian", purpose, run)
    return gaussian_inputs(rows, split.train, spec.gaussian == "matched", rng)


def start_classifiers(spec: MixtureSpec, who: str) -> Classifiers:
    """The networks of that name before their first step, one a run."""
    return Classifiers(SIDE**2, spec.m, CLASSES, [stream(spec.seed, "mixture", who, run) for run in range(spec.runs)])


def batches(spec: MixtureSpec, who: str, rows: int) -> Iterator[np.ndarray]:
    """Rows (R, batch) of so many for each step, with replacement."""
    rngs = [stream(spec.seed, "mixture", "batches", who, run) for run in range(spec.runs)]
    for _ in range(spec.steps):
        yield np.stack([rng.integers(0, rows, spec.batch) for rng in rngs])


def take_rows(X: np.ndarray, y: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """X (R, batch, 64) and y (R, batch) of the rows of each run."""
    return np.take_along_axis(X, rows[:, :, None], axis=1), np.take_along_axis(y, rows, axis=1)


def pauses_of(spec: MixtureSpec) -> set[int]:
    """Steps after which accuracies are looked at."""
    even = np.unique(np.geomspace(1, spec.steps, PAUSES).round().astype(int))
    return {*even.tolist(), *(step for step in MOMENTS if step <= spec.steps)}


class Judge:
    """Held-out inputs of each run with the teachers' classes, and how often students agree."""

    def __init__(self, spec: MixtureSpec, splits: list[TenDigits], teachers: Classifiers) -> None:
        self._digits = np.stack([one.test for one in splits])
        self._true_classes = np.stack([one.test_digits for one in splits])
        self._gaussian = np.stack([gaussian_of(spec, one, run, "test", JUDGES) for run, one in enumerate(splits)])
        self._classes = {"digits": teachers.classes(self._digits), "gaussian": teachers.classes(self._gaussian)}

    def __call__(self, students: Classifiers, alone: Classifiers) -> AccuracyFrame:
        digits = students.classes(self._digits) == self._classes["digits"]
        gaussian = students.classes(self._gaussian) == self._classes["gaussian"]
        right = alone.classes(self._digits) == self._true_classes
        return AccuracyFrame(digits.mean(axis=1), gaussian.mean(axis=1), right.mean(axis=1))

    def teacher(self) -> float:
        """How often the teachers are right about held-out digits."""
        return float(np.mean(self._classes["digits"] == self._true_classes))

    def majority(self) -> dict[str, float]:
        """The mean share of a teacher's commonest class, by kind of input."""
        return {
            name: float(np.mean([np.bincount(one, minlength=CLASSES).max() / len(one) for one in classes]))
            for name, classes in self._classes.items()
        }


def summary_of(spec: MixtureSpec, course: dict[int, AccuracyFrame], judge: Judge) -> dict:
    """See the module's docstring."""
    steps = [step for step in sorted({*MOMENTS, spec.steps}) if step in course]
    parts = {
        step: {**vars(course[step]), "mixture": (course[step].digits + course[step].gaussian) / 2} for step in steps
    }
    names = ("digits", "gaussian", "mixture", "alone")
    spread = lambda values: float(np.std(values, ddof=1)) if len(values) > 1 else None  # noqa: E731
    return {
        "accuracy": {name: {str(step): float(np.mean(parts[step][name])) for step in steps} for name in names},
        "spread": {name: {str(step): spread(parts[step][name]) for step in steps} for name in names},
        "teacher": judge.teacher(),
        "majority": judge.majority(),
    }
