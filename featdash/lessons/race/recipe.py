"""The race: its recipe, and what a run of it costs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from featdash.learners.methods import METHODS, RACING
from featdash.lessons.shared.gaussian_recipe import CHECKPOINTS, PROFILE_COMPANIONS, PROFILE_GRID, NetworkSpec
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Choice, Cost, MultipleChoice, Number, setting
from featdash.theory.ridge_path import COMPLETE, KEPT_BYTES, LANCZOS_STEPS, dense_cost, is_dense, krylov_columns

WATCHED = "algorithm1"  # whose first layer is on show, and which goes first
PAPER_METHODS = ("algorithm1", "random_features", "ntk")  # who races in the paper
STEPS = 90  # of a head, as memory is estimated with: halfway between the usual and the most
PROFILE_POINTS = len(PROFILE_GRID) * PROFILE_COMPANIONS
NEW_COLUMNS = 12  # of the basis between two pictures
FLOPS_A_SECOND = 2e10  # a conservative double-precision rate of a dense factorisation
MAPS = 30_000_000  # bytes that the pictures of a first layer and of its head take, where no library is loaded
PAIR = 8e-9  # seconds of a kernel at a pair of inputs
PATH_LAYERS = 52  # first layers of several steps, that is all of them and all moments of their film
TANGENT_COPIES = 9  # arrays of a product with new columns, in single precision


@dataclass(frozen=True)
class RaceSpec(NetworkSpec):
    """The recipe of a race; defaults are Figure 1's target at n = d⁴."""

    n: int = setting(
        10_000, Number(1, 200_000, whole=True), "Samples n", "Training samples, the same for all methods.", group="Data"
    )
    methods: tuple[str, ...] = setting(
        PAPER_METHODS,
        MultipleChoice(Choice(RACING)),
        "Methods",
        "Which predictors race on the same data.",
        group="Method",
    )
    first_layer_steps: int = setting(
        1,
        Number(1, 20, whole=True),
        "First-layer steps T₁",
        "How often line 2 is taken before the head is trained: 1 is Algorithm 1, more is its sequel.",
        group="Training",
    )
    step_samples: str = setting(
        "same",
        Choice(("same", "fresh")),
        "Samples of the further steps",
        "Those of the first step once more, or n new ones for each; with one step unused.",
        group="Training",
    )
    step_loss: str = setting(
        "correlation",
        Choice(("correlation", "square_mean", "square_root")),
        "Loss of the further steps",
        "Whether they take the network's own output f off the labels, and how f is scaled; with one step unused.",
        group="Training",
    )
    step_activation: str = setting(
        "relu",
        Choice(("relu", "log_cosh")),
        "Activation σ in the steps",
        "ReLU, or log cosh, smooth with σ′(0) = 0 and σ″(0) = 1 as in the sequel; the head's features are ReLUs.",
        group="Training",
    )
    steps: int = setting(
        1_000_000, Number(1, 1e8, whole=True), "Head steps T", "Gradient steps on the head.", group="Training"
    )

    @property
    def plain_step(self) -> bool:
        """Whether the first layer takes the one step of Algorithm 1."""
        return self.first_layer_steps == 1 and self.step_activation == "relu"


def cost(spec: RaceSpec) -> Cost:
    """Memory and time; all heads are kept, as they take turns, and come after the first step."""
    dense = [dense_cost(spec.n, features_of(spec, name)) for name in spec.methods]
    heads = sum(head_memory(spec, name) for name in spec.methods) + max(extra for extra, _ in dense)
    memory = base_memory(spec.methods) + sample_memory(spec) + max(heads, copy_memory(spec) + path_memory(spec))
    seconds = 1.0 + sum(head_seconds(spec, name) + path_seconds(spec, name) for name in spec.methods)
    seconds += sum(flops for _, flops in dense) / FLOPS_A_SECOND
    kernels = [METHODS[name].label for name in spec.methods if not METHODS[name].neurons]
    other = f"leave out {' and '.join(kernels)}" if kernels else "the width"
    return Cost(int(memory), seconds, f"lower n to {max(1, int(spec.n * 0.4))}, or {other}")


def features_of(spec: RaceSpec, name: str) -> int:
    """Columns of the head's feature matrix."""
    return spec.responses(name, spec.n) * (spec.d + 2 if METHODS[name].tangent else 1)


def base_memory(methods: Collection[str]) -> float:
    """Bytes whatever the sizes: Algorithm 1's first step is watched here, all others are asked of their estimators."""
    return ARITHMETIC + (LIBRARIES if set(methods) != {WATCHED} else MAPS)


def sample_memory(spec: RaceSpec) -> float:
    """Bytes of inputs and labels in double."""
    rows = spec.n * (2 if spec.fresh_data else 1) + spec.holdout + spec.test
    return 8 * rows * (spec.d + 2)


def copy_memory(spec: RaceSpec) -> float:
    """Bytes of one sample's copy, as the first step and the drawing of the test sample need it."""
    return 8 * max(spec.n, spec.test) * (spec.d + 2)


def path_memory(spec: RaceSpec) -> float:
    """Bytes of a further step's sample, and of the layer at all moments of its film; 0 with one step."""
    if spec.plain_step:
        return 0.0
    fresh = 2 * 8 * spec.n * (spec.d + 2) if spec.step_samples == "fresh" else 0
    return fresh + 8 * PATH_LAYERS * spec.width * spec.d


def path_seconds(spec: RaceSpec, name: str) -> float:
    """Seconds of the further steps of a method that takes them; 0 with one step.

    Terms: σ', a product with W and one for the gradient; where f is taken off the labels, σ, which is dear of log cosh.
    """
    if spec.plain_step or not (METHODS[name].steps and METHODS[name].neurons):
        return 0.0
    smooth, output = spec.step_activation != "relu", spec.step_loss != "correlation"
    one = 3e-9 + 4.5e-11 * spec.d + 1e-9 * smooth + output * (1.5e-9 + 8e-9 * smooth)
    return spec.first_layer_steps * spec.n * spec.width * one


def head_memory(spec: RaceSpec, name: str) -> float:
    """Bytes of a head: its inputs, its neurons if they are kept, its Krylov bases, what it says of the other samples,
    and products of the tangent kernel; without neurons, what its kernel takes in their place."""
    method, m, features = METHODS[name], spec.responses(name, spec.n), features_of(spec, name)
    others = spec.holdout + spec.test + PROFILE_POINTS
    inputs, neurons = 4 * (spec.d + 1) * (spec.n + others), 4 * spec.n * m
    dense, complete = is_dense(spec.n, features), min(spec.n, features)
    columns = CHECKPOINTS[-1] + 1 if dense else krylov_columns(spec.n, features)
    iterations = 2 * CHECKPOINTS[-1] if dense else complete if complete <= COMPLETE else STEPS
    bases = 8 * (columns * (spec.n + features) + iterations * others)
    columns = min(max(1, m // (spec.d + 1)), complete, NEW_COLUMNS)
    products = 4 * TANGENT_COPIES * features * columns if method.tangent else 0
    if not method.neurons and method.predictor:
        return bases + method.predictor.memory(spec.n, others, spec.width)
    return inputs + (neurons if neurons <= KEPT_BYTES else 0) + bases + products


def head_seconds(spec: RaceSpec, name: str) -> float:
    """Seconds on one core, with a quarter in reserve.

    Terms: products with Φ and Φᵀ on the training sample, whose neurons are recomputed each time where they are not
    kept; neurons of holdout and test once a checkpoint, and a product for each column there; reorthogonalisation and
    the factorisations at the checkpoints; the gradient of a first step, or the rounds of a kernel without neurons.
    """
    method, m, inputs = METHODS[name], spec.responses(name, spec.n), spec.d + 1
    steps = min(LANCZOS_STEPS, spec.n, m)
    others = spec.holdout + spec.test + PROFILE_POINTS
    neuron = 2e-10 + 2.5e-11 * inputs if method.neurons else PAIR
    one, more = (5e-10 + 4e-11 * inputs, 4e-11 * inputs) if method.tangent else (4e-10, 1e-10)
    again = neuron if method.neurons and 4 * spec.n * m > KEPT_BYTES else 0.0
    products = 2 * steps * spec.n * m * (one + again)
    evaluation = others * m * ((len(CHECKPOINTS) + 2) * neuron + steps * more)
    bases = steps**2 * (2e-9 * (spec.n + m * (inputs + 1 if method.tangent else 1)) + 1e-9 * others)
    gradient = spec.n * spec.width * (1.5e-9 + 7e-11 * spec.d) if method.steps and method.neurons else 0.0
    rounds = method.predictor.seconds(spec.n, spec.d, 0, 0) if method.predictor and not method.neurons else 0.0
    return 0.2 + rounds + 1.25 * (products + evaluation + bases + gradient)


EXPERIMENT = Experiment(name="race", title="Race", spec=RaceSpec, cost=cost, run=in_worker("featdash.lessons.race.run"))
