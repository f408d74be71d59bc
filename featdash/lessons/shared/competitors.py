"""The methods of a race, each reduced to a head that grows: features, labels, and what its curves are read from."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from featdash.learners.feature_map import FeatureMap
from featdash.learners.head import Head, Readout, grow_head, predict
from featdash.learners.layer import Features
from featdash.lessons.shared.frames import RISKS, LossCurve, TargetProfile
from featdash.lessons.shared.gaussian_recipe import PICTURES, PROFILE_COMPANIONS, PROFILE_GRID
from featdash.recipes.events import Event, Frame, Progress, flatten
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import stream
from featdash.theory.ridge_path import SpectralPath
from featdash.theory.target import PolynomialTarget


@dataclass(frozen=True)
class Splits:
    """What all competitors share: the training sample, the holdout that tunes λ, and the test sample."""

    target: PolynomialTarget
    train: Sample
    holdout: Sample
    test: Sample


def draw_field(task: GaussianTask, n: int, holdout: int, test: int) -> Splits:
    """So many samples of each purpose."""
    purposes = {"train": n, "holdout": holdout, "test": test}
    return Splits(task.target, **{purpose: task.sample(rows, purpose) for purpose, rows in purposes.items()})


@dataclass(frozen=True)
class Profile:
    """Points for the learned function along u₁, averaged over the other directions.

    X (41 * 32, d) : for each grid value z the same 32 companions, with ⟨u₁, x⟩ = z.
    mixing (41, 41 * 32) : the average over companions.
    """

    X: np.ndarray
    mixing: np.ndarray


def draw_profile(target: PolynomialTarget, seed: int) -> Profile:
    """The grid z in [-3, 3] along the first principal direction, with companions from N(0, I)."""
    u = target.subspace[0]
    companions = stream(seed, "profile").standard_normal((PROFILE_COMPANIONS, target.d))
    companions -= np.outer(companions @ u, u)
    X = (PROFILE_GRID[:, None, None] * u + companions).reshape(-1, target.d)
    mixing = np.kron(np.eye(len(PROFILE_GRID)), np.full(PROFILE_COMPANIONS, 1 / PROFILE_COMPANIONS))
    return Profile(X, mixing)


def profile_of(target: PolynomialTarget, profile: Profile) -> TargetProfile:
    """The target itself on those points."""
    return TargetProfile(PROFILE_GRID, profile.mixing @ target(profile.X))


def degree_projector(target: PolynomialTarget, X: np.ndarray) -> np.ndarray:
    """(p + 1, n): least-squares coefficients of a predictor's values on the target's Hermite parts f*_0 .. f*_p.

    A predictor equal to f* has coefficient 1 at every degree, whatever the sample. Degrees without energy get zeros.
    """
    parts = target.components(X)
    present = np.flatnonzero(np.asarray(target.energy_by_degree) > 0)
    projector = np.zeros((parts.shape[1], len(X)))
    projector[present] = np.linalg.pinv(parts[:, present])
    return projector


@dataclass(frozen=True)
class Competitor:
    """A method on the starting line.

    heads : its head after more and more Lanczos steps. Risks: train, holdout, test (excess);
        readouts: profile (41,), energy (p + 1,).
    on_test : its features of the test sample; aside (n_test,) : what it predicts there besides them.
    """

    heads: Iterator[Head]
    on_test: FeatureMap
    aside: np.ndarray

    def predict_test(self, head: Head, lam: float) -> np.ndarray:
        """f̂ on the test sample, (n_test,), at λ in the ridge limit."""

        return self.aside + predict(self.on_test, head.weights(lam))


def enter(
    field: Splits,
    profile: Profile,
    layer: Features,
    device: str,
) -> Competitor:
    """A competitor at its head: the features of its layer, over the linear part."""
    train, holdout, test = field.train, field.holdout, field.test
    featurise, linear = layer.featurise(device), layer.linear
    on_test, aside = featurise(test.X, keep=False), linear(test.X)
    projector = degree_projector(field.target, test.X)
    evaluations = {
        "holdout": (featurise(holdout.X, keep=False), holdout.y - linear(holdout.X)),
        "test": (on_test, test.clean - aside),
    }
    readouts = {
        "profile": Readout(featurise(profile.X, keep=False), profile.mixing, profile.mixing @ linear(profile.X)),
        "energy": Readout(on_test, projector, projector @ aside),
    }
    on_train = featurise(train.X, keep=True)
    heads = grow_head(on_train, train.y - linear(train.X), evaluations, readouts, checkpoints=PICTURES)
    return Competitor(heads, on_test, aside)


CURVE_POINTS = 60


def train_heads(
    competitors: Mapping[str, Competitor], steps: int, seconds: dict[str, float], shown: Sequence[str] = tuple(RISKS)
) -> Generator[Event, None, dict[str, Head]]:
    """All heads, a round of the solver at a time in turn, each round with a frame of the loss curves.

    After k Lanczos steps the curves go to t = k², as far as they are good. Adds each method's seconds to `seconds`.
    shown : the risks whose curves the frames hold, of RISKS.
    """
    heads: dict[str, Head] = {}
    curves: dict[str, LossCurve] = {}
    at, racing = 0, list(competitors)
    while racing:
        for name in list(racing):
            started = time.perf_counter()
            head = next(competitors[name].heads, None)
            seconds[name] += time.perf_counter() - started
            if head is None:
                racing.remove(name)
                continue
            heads[name], at = head, at + 1
            solved = len(head.path.ritz)
            curves[name] = loss_curve(head.path, min(steps, solved**2), shown)
            yield Frame("heads", at, flatten(curves))
            share = at / (len(competitors) * (len(PICTURES) + 1))
            yield Progress(0.3 + 0.66 * min(share, 1.0), f"training the heads, solver step {solved}")
        if not racing:
            break
    curves = {name: loss_curve(head.path, steps, shown) for name, head in heads.items()}
    yield Frame("heads", at + 1, flatten(curves))
    return heads


def loss_curve(path: SpectralPath, steps: int, shown: Sequence[str]) -> LossCurve:
    """The risks after t = 1 .. steps head steps, at the λ that is best on the holdout at t = ∞."""
    lam = path.tune("holdout")
    t = np.unique(np.geomspace(1, max(steps, 1), CURVE_POINTS).round())
    return LossCurve(t, **{name: path.risk(RISKS[name], lam, t).astype(np.float32) for name in shown})
