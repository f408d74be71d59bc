"""What the Lab's sliders show is right, or drawn as rough: against dense ridge in double precision, sharing no code."""

import functools
from dataclasses import replace

import numpy as np
import pytest

from featdash.figures.axes import ROUGH, ROUGH_NOTE
from featdash.figures.picture import Theme
from featdash.learners.network import draw_network
from featdash.lessons.race.pictures.error_left import error_left
from featdash.lessons.race.pictures.learned import lam_curve, profile
from featdash.lessons.race.pictures.risk import PLATEAU, loss_curves
from featdash.lessons.race.recipe import PAPER_METHODS, RaceSpec
from featdash.lessons.race.run import run
from featdash.lessons.shared.frames import LossCurve
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.tasks.streams import stream
from featdash.theory.ridge_path import SETTLED, SpectralPath

LOOK = Theme()
JUDGES = {"holdout": 3000, "test": 1000}
COMPLETE = [
    ("random_features", (("n", 500), ("width", 1000))),  # n = m/2, the interpolation peak
    ("algorithm1", (("n", 500), ("width", 500))),  # n = m, the peak
    ("random_features", (("n", 3000), ("width", 400))),
    ("ntk", (("n", 500), ("width", 400))),
]
SHORT = [("algorithm1", (("n", 2500), ("width", 1200))), ("ntk", (("n", 1500), ("width", 200)))]
STEPS = (3.0, 1e3, 1e6, None)


class Oracle:
    """A = Φ on the training sample, in NumPy from the networks that the seed draws, and its singular values."""

    def __init__(self, method: str, spec: RaceSpec) -> None:
        task = task_of(spec.target, spec, spec.seed)
        train, self.test = task.sample(spec.n, "train"), task.sample(spec.test, "test")
        self.level = np.sqrt(np.mean(train.y**2))
        self.linear, self.method = np.zeros(1 + spec.d), method
        if method == "algorithm1":
            alpha, beta = train.y.mean(), train.y @ train.X / spec.n
            y = train.y - alpha - train.X @ beta
            start = draw_network(spec.width, spec.d, stream(spec.seed, method, "start"))
            gates = train.X @ start.W.T > 0
            step = start.a[:, None] * ((gates * y[:, None]).T @ train.X)
            self.W = step / np.sqrt(np.mean(np.sum(step**2, axis=1)))
            self.b = stream(spec.seed, method, "biases").standard_normal(spec.width)
            self.linear = np.append(alpha, beta)
        else:
            y = train.y
            network = draw_network(spec.width, spec.d, stream(spec.seed, method, "network"), biases=True)
            self.W, self.b, self.a = network.W, network.b, network.a
        self.n, A = spec.n, self.features(train.X)
        small = A @ A.T if A.shape[0] < A.shape[1] else A.T @ A
        values, vectors = np.linalg.eigh(small)
        if A.shape[0] < A.shape[1]:
            kept = values > 1e-14 * values[-1]
            self.V, self.along = A.T @ vectors[:, kept] / np.sqrt(values[kept]), vectors[:, kept].T @ y
            self.s, self.along = values[kept], self.along * np.sqrt(values[kept])
        else:
            self.s, self.V, self.along = np.maximum(values, 0), vectors, vectors.T @ (A.T @ y)
        self.seen = self.features(self.test.X) @ self.V

    def features(self, X):
        z = X @ self.W.T + self.b
        if self.method != "ntk":
            return np.maximum(z, 0)
        gates = (z > 0) * self.a
        moved = [gates * column[:, None] for column in X.T]
        return np.hstack([np.maximum(z, 0), *moved, gates])

    def risk(self, lam, steps):
        """Gradient descent in closed form; (2/n)AᵀA has eigenvalues 2 s/n."""
        s, pull = 2 / self.n * self.s, 2 / self.n * self.along
        done = 1.0 if steps is None else 1 - (1 - np.minimum((s + lam) / (s.max() + lam), 1)) ** steps
        guess = self.seen @ (pull * done / (s + lam)) + np.insert(self.test.X, 0, 1, axis=1) @ self.linear
        return np.mean((guess - self.test.clean) ** 2)


@functools.cache
def measured(method, changes):
    """[(λ, t, settled, shown risk, dense risk)] over the sliders' stops, and rms(y)."""
    spec = RaceSpec(methods=(method,), **{**JUDGES, **dict(changes)})
    path = SpectralPath.from_arrays(list(run(spec))[-1].arrays, f"path/{method}/")
    oracle = Oracle(method, spec)
    lams = [1e-7, 1e3, *(path.tune() * 10.0**power for power in (-4, -3, -2, -1, 0, 1, 4))]
    rows = [
        (lam, t, bool(path.is_converged(lam, t)), float(path.risk("test", lam, t)), oracle.risk(lam, t))
        for lam in lams
        for t in STEPS
    ]
    return rows, oracle.level


@pytest.mark.parametrize(("method", "changes"), COMPLETE)
def test_a_dense_head_is_right_at_every_stop(method, changes):
    rows, _ = measured(method, changes)
    for lam, t, settled, shown, dense in rows:
        assert settled, (lam, t)
        # features in single precision, 6e-8 of themselves, against λ down to 1e-10 s_max: 1.4e-5 was measured
        assert shown == pytest.approx(dense, rel=2e-4), (lam, t)


@pytest.mark.parametrize(("method", "changes"), SHORT)
def test_a_short_krylov_space_says_where_it_is_not_right(method, changes):
    rows, level = measured(method, changes)
    wrong = [row for row in rows if abs(np.sqrt(row[3]) - np.sqrt(row[4])) > SETTLED * level]
    assert not [row for row in wrong if row[2]]
    rough = {(lam, t) for lam, t, settled, *_ in rows if not settled}
    assert (1e-7, None) in rough
    assert not rough & {(lam, t) for lam, t, *_ in rows if lam >= rows[6 * len(STEPS)][0]}  # the tuned λ and above


def test_the_interpolation_peak_is_seen():
    """n = 500 samples, 500 distinct random features: twenty times the risk of the tuned λ and more as λ → 0."""
    rows, _ = measured(*COMPLETE[0])
    risk = {(lam, t): shown for lam, t, _, shown, _ in rows}
    tuned = rows[6 * len(STEPS)][0]
    assert risk[1e-7, None] > 20 * risk[tuned, None]
    assert risk[1e-7, 1e6] < risk[1e-7, None] / 2  # stopping early is a ridge of its own


T = np.geomspace(1, 1e4, 30).round()


def heads(**settled):
    curve = LossCurve(T, excess=1 / T + 0.1, train=1 / T + 0.1, holdout=1 / T + 1)
    return {name: replace(curve, settled=settled.get(name)) for name in PAPER_METHODS}


def notes(picture):
    return [note.text for note in picture.figure.layout.annotations]


def test_what_is_not_settled_is_pale_and_noted():
    known = np.geomspace(1e-6, 1, 20) > 1e-4
    curves = dict.fromkeys(PAPER_METHODS, np.ones(20))
    settled = {**dict.fromkeys(PAPER_METHODS, np.ones(20, bool)), "ntk": known}
    picture = lam_curve(
        np.geomspace(1e-6, 1, 20), curves, dict.fromkeys(PAPER_METHODS, 0.1), theme=LOOK, settled=settled
    )
    lines = [trace for trace in picture.figure.data if trace.mode == "lines"]
    assert [trace.name for trace in lines if trace.opacity == ROUGH] == ["NTK"]
    bold, pale = (trace for trace in lines if trace.name == "NTK")
    assert [value is None for value in bold.y] == list(~known)
    assert sum(value is not None for value in pale.y) == sum(~known) + 1  # it reaches the settled part
    assert ROUGH_NOTE in notes(picture)


def test_a_rough_number_is_an_approximate_one():
    limits = {name: {"excess": 0.1, "train": 0.1, "holdout": 1.0, "settled": name != "ntk"} for name in PAPER_METHODS}
    picture = loss_curves(heads(ntk=T < 100), theme=LOOK, limits=limits, at=np.inf)
    assert [text for text in notes(picture) if "≈ 0.1" in text and "NTK" in text]
    assert not [text for text in notes(picture) if "≈ 0.1" in text and "Algorithm 1" in text]
    assert ROUGH_NOTE in notes(picture)
    early = loss_curves(heads(ntk=T < 100), theme=LOOK, limits=limits, at=10.0)
    assert not [text for text in notes(early) if "≈ 0" in text]


def test_all_settled_needs_no_note():
    every = np.ones(len(T), bool)
    assert ROUGH_NOTE not in notes(loss_curves(heads(ntk=every), theme=LOOK))
    learned = dict.fromkeys(PAPER_METHODS, np.ones(3))
    for rough in ((), ("ntk",)):
        picture = profile([-1, 0, 1], [1, 1, 1], learned, theme=LOOK, rough=rough)
        pale = [trace.name for trace in picture.figure.data if trace.opacity == ROUGH]
        assert pale == [f"NTK ({'rough'})" for _ in rough]
        assert (ROUGH_NOTE in notes(picture)) == bool(rough)
        picture = error_left([0, 1], learned, theme=LOOK, rough=rough)
        bars = next(trace for trace in picture.figure.data if trace.type == "bar")
        pale = [label for label, one in zip(bars.x, bars.marker.opacity, strict=True) if one == ROUGH]
        assert [label.split("> ")[1].replace("<br>", " ") for label in pale] == ["≈ NTK" for _ in rough]
        assert (ROUGH_NOTE in notes(picture)) == bool(rough)


@pytest.mark.parametrize("shown", [("train",), ("excess",), ("holdout",)])
def test_one_risk_alone_is_drawn_in_full_and_the_plateau_is_for_test_risks(shown):
    picture = loss_curves(heads(), theme=LOOK, risks=shown, noise=1.0, plateau=0.5)
    assert {(trace.opacity, trace.line.width) for trace in picture.figure.data} == {(1.0, 2.5)}
    assert any(PLATEAU in text for text in notes(picture)) == (shown != ("train",))


def test_labels_stand_in_the_order_of_their_numbers():
    """At t = 100 the order is not that of the ends."""
    crossing = {"ntk": np.geomspace(0.3, 1.2, len(T)), "random_features": np.full(len(T), 0.57)}
    picture = loss_curves({name: LossCurve(T, curve) for name, curve in crossing.items()}, theme=LOOK, at=100.0)
    place = {note.text.split("> ")[1].split(" ")[0]: note.y for note in picture.figure.layout.annotations}
    at_100 = np.exp(np.interp(np.log(100), np.log(T), np.log(crossing["ntk"])))
    assert 10 ** place["NTK"] == pytest.approx(at_100, rel=0.02)
    assert 10 ** place["random"] == pytest.approx(0.57)
