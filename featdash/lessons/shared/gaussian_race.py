"""A race on Gaussian inputs: Algorithm 1 up to its head, watched, and all methods' heads, which grow in turn."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from featdash.geometry.neurons import (
    MapRecorder,
    alignment,
    neuron_sample,
    overlap_matrix,
    principal_angles,
    subspace_share,
)
from featdash.geometry.turning import map_arrays, turning_maps
from featdash.learners.algorithm1 import FirstStep, gradient_over_prefixes
from featdash.learners.feature_map import FeatureMap, Features, Layer, ReluFeatures
from featdash.learners.head import Head, Readout, grow_head, predict, solve_head
from featdash.learners.methods import METHODS
from featdash.lessons.shared.frames import RISKS, LayerFrame, Learned, LossCurve, NeuronFrame, TargetProfile
from featdash.lessons.shared.gaussian_recipe import (
    CHECKPOINTS,
    PROFILE_COMPANIONS,
    PROFILE_GRID,
    ComparisonSpec,
    NetworkSpec,
)
from featdash.recipes.events import Event, Frame, Progress, flatten
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import of_seed, stream
from featdash.theory.ridge_path import SpectralPath
from featdash.theory.target import PolynomialTarget

GRADIENT_PARTS = 8  # of the gradient, after each of which a run can be held, and says how far it is
MOMENTS = 25  # of the step, evenly spaced, between which a browser draws the neurons on straight lines
CURVE_POINTS = 60


class NeuronRecorder:
    """Frames of the same neurons of one first layer, before its step and on its way through it.

    U (r, d) : orthonormal principal directions.
    signs (m,) : the output weights' signs; the shown neurons are spread evenly over the layer.
    """

    foldings: tuple[bool, ...] = (False,)

    def __init__(self, U: np.ndarray, signs: np.ndarray) -> None:
        self._U = U
        self._shown = neuron_sample(len(signs))
        self._signs = np.sign(signs[self._shown])

    def frame(self, W: np.ndarray) -> NeuronFrame:
        """The shown neurons of the layer W (m, d), on a map of their own."""
        return self._frame(W, MapRecorder(self.foldings).arrays(W[self._shown], self._U))

    def frames(self, layers: Sequence[np.ndarray]) -> list[NeuronFrame]:
        """The shown neurons of each of the layers (m, d), all on one plane; see `turning_maps`."""
        shown = [W[self._shown] for W in layers]
        maps = [turning_maps(shown, self._U, folded) for folded in self.foldings]
        return [
            self._frame(
                W,
                {
                    name: array
                    for one, folded in zip(those, self.foldings, strict=True)
                    for name, array in map_arrays(one, folded).items()
                },
            )
            for W, *those in zip(layers, *maps, strict=True)
        ]

    def _frame(self, W: np.ndarray, maps: Mapping[str, np.ndarray]) -> NeuronFrame:
        return NeuronFrame.from_arrays({**self._about(W), **maps})

    def _about(self, W: np.ndarray) -> dict[str, np.ndarray]:
        share = subspace_share(W[self._shown], self._U).astype(np.float32)
        level = np.asarray(alignment(W, self._U), np.float32)
        return {"share": share, "sign": self._signs.astype(np.int8), "alignment": level}


class LayerRecorder(NeuronRecorder):
    """The same with both maps, and with the whole layer against the principal subspace."""

    foldings = (False, True)

    def _frame(self, W: np.ndarray, maps: Mapping[str, np.ndarray]) -> LayerFrame:
        overlap = overlap_matrix(W, self._U, min(len(self._U) + 2, W.shape[1])).astype(np.float32)
        angles = principal_angles(W, self._U).astype(np.float32)
        return LayerFrame.from_arrays({**self._about(W), **maps, "overlap": overlap, "angles": angles})


def first_step_of(spec: ComparisonSpec, width: int) -> FirstStep:
    """How the first layer of that width is trained under a recipe."""
    return FirstStep(width, spec.step_rule, spec.eta, spec.remove_linear, spec.biases)


def layer_of(method: str, spec: NetworkSpec, sample: Sample, device: str, step: FirstStep | None = None) -> Features:
    """The first layer of a method of the table, on the streams of the seed; step : by default `first_step_of`."""
    step = step or first_step_of(spec, spec.neurons(method))
    learner = METHODS[method].load()
    return learner.layer(step, lambda: [(sample.X, sample.y)], sample.X.shape[1], of_seed(spec.seed), device)


def train_first_layer(
    spec: NetworkSpec, sample: Sample, U: np.ndarray, device: str, recorder: type[NeuronRecorder] = LayerRecorder
) -> Generator[Event, None, Layer]:
    """Lines 1 to 3: a frame of the untrained neurons, the gradient, and then the step, taken little by little.

    The step to the fraction s of its size is W(s) = W⁰ − s η₁ (∇L + W⁰/η₁) = (1 − s) W⁰ + s W¹. No training goes on
    between its frames: they show what one step does.
    """
    step, draw, (n, d) = first_step_of(spec, spec.width), of_seed(spec.seed), sample.X.shape
    linear = step.linear_part([(sample.X, sample.y)], d)
    start = step.start(d, draw)
    neurons = recorder(U, start.a)
    yield Frame("start", 0, neurons.frame(start.W).to_arrays())
    sizes = np.unique(np.linspace(1, n, GRADIENT_PARTS).round().astype(int)).tolist()
    gradient = np.zeros_like(start.W)
    for size, gradient_so_far in gradient_over_prefixes(sample.X, sample.y - linear(sample.X), start, sizes, device):
        gradient = gradient_so_far
        yield Progress(0.05 + 0.25 * size / n, f"the gradient, {size} of {n} samples")
    network = step.finish(start, gradient, draw)
    parts = np.linspace(0, 1, MOMENTS)
    for s, frame in zip(parts, neurons.frames([(1 - s) * start.W + s * network.W for s in parts]), strict=True):
        yield Frame("neurons", float(s), frame.to_arrays())
    yield Progress(0.3, "drawing the biases" if spec.biases == "redrawn" else "keeping the biases")
    return Layer(linear, network, ReluFeatures)


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
    heads = grow_head(on_train, train.y - linear(train.X), evaluations, readouts, checkpoints=CHECKPOINTS)
    return Competitor(heads, on_test, aside)


def train_heads(
    competitors: Mapping[str, Competitor],
    steps: int,
    seconds: dict[str, float],
    risks: Sequence[str] = tuple(RISKS),
    watch: bool = True,
) -> Generator[Event, None, dict[str, Head]]:
    """All heads, a round of the solver at a time in turn, each round with a frame of the loss curves.

    After k Lanczos steps the curves go to t = k², as far as they are good. Adds each method's seconds to `seconds`.
    risks : those whose curves the frames hold, of RISKS; watch : whether there is a frame of what has been `learned`
    so far as well.
    """
    heads: dict[str, Head] = {}
    readings: dict[str, Learned] = {}
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
            solver_steps = len(head.path.ritz)
            curves[name] = loss_curve(head.path, min(steps, solver_steps**2), risks)
            yield Frame("heads", at, flatten(curves))
            if watch:
                readings[name] = learned_at(head.path, head.path.tune("holdout"), float(min(steps, solver_steps**2)))
                yield Frame("learned", at, flatten(readings))
            share = at / (len(competitors) * (len(CHECKPOINTS) + 1))
            yield Progress(0.3 + 0.66 * min(share, 1.0), f"training the heads, solver step {solver_steps}")
        if not racing:
            break
    curves = {name: loss_curve(head.path, steps, risks) for name, head in heads.items()}
    yield Frame("heads", at + 1, flatten(curves))
    return heads


def learned_at(path: SpectralPath, lam: float, t: float | None) -> Learned:
    """What the head has learned after t gradient steps, None for their limit, with the ridge strength λ."""
    profile, coefficients = (path.read(name, lam, t).astype(np.float32) for name in ("profile", "energy"))
    return Learned(np.inf if t is None else t, float(path.risk("test", lam, t)), profile, coefficients)


def loss_curve(path: SpectralPath, steps: int, risks: Sequence[str]) -> LossCurve:
    """The risks after t = 1 .. steps head steps, at the λ that is best on the holdout at t = ∞."""
    lam = path.tune("holdout")
    t = np.unique(np.geomspace(1, max(steps, 1), CURVE_POINTS).round())
    return LossCurve(t, **{name: path.risk(RISKS[name], lam, t).astype(np.float32) for name in risks})


def tuned_risk(layer: Features, field: Splits, device: str) -> float:
    """The excess risk of a head at the λ that is best on the holdout."""
    featurise, linear = layer.featurise(device), layer.linear
    labels = {"holdout": (field.holdout.X, field.holdout.y), "test": (field.test.X, field.test.clean)}
    evaluations = {name: (featurise(X, keep=False), values - linear(X)) for name, (X, values) in labels.items()}
    head = solve_head(featurise(field.train.X), field.train.y - linear(field.train.X), evaluations)
    return float(head.path.risk("test", head.path.tune("holdout")))
