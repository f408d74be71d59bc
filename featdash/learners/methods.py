"""The table of methods, one that races is a file and a line here: what it is called, and where it learns.

What learns is named, not imported before `load`: the server reads the table, and loads no torch.
A line counts in the version of the code of those runs alone that name its method, see `recipes.version`: here stands
what the table is made of, and nothing that computes a number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any

from featdash.theory.ridge_path import dense_cost

BLOCK = 1 << 10  # rows whose distances from the sample are taken at a time
LENGTHS = (0.5, 1.0, 2.0)  # of the rms distance of an input from their mean; the holdout chooses, as it does λ


@dataclass(frozen=True)
class Predictor:
    """How a method is fitted from a sample and a holdout alone, where dimensions are compared.

    fit : "module:function" of (name, train, holdout, width, steps, seed), which returns X (k, d) ↦ f̂ (k,).
    seconds : (n, d, width, steps) -> a careful estimate on one core.
    memory : (n, others, width) -> bytes at most, beside the samples; others, the rows of the other samples together.
    lengths : of a kernel, as shares of the inputs' spread; the holdout chooses. () leaves the inputs as they are.
    """

    fit: str
    seconds: Callable[[int, int, int, int], float]
    memory: Callable[[int, int, int], float]
    lengths: tuple[float, ...] = ()

    def load(self) -> Callable:
        """The function behind `fit`."""
        return _load(self.fit)


@dataclass(frozen=True)
class Method:
    """One line of the table.

    learner : "module:class" of its estimator, a FeatureRegressor; "" where it does not race.
    steps : its features learn from the sample, so that each n has its own, and all m neurons, where there are any,
        differ; else it keeps the symmetric start, of which m/2 differ.
    removes_linear : its head learns y − α − β·x, where the recipe says so; asks for `steps`.
    tangent : its features are the gradient by all parameters, d + 2 a neuron in place of one.
    neurons : False where its features are those of a kernel that it makes of the sample: as many as there are samples,
        whatever the width; its predictor then says what making the kernel costs.
    """

    label: str
    learner: str = ""
    steps: bool = False
    removes_linear: bool = False
    tangent: bool = False
    neurons: bool = True
    predictor: Predictor | None = None

    def load(self) -> Any:
        """The class behind `learner`."""
        return _load(self.learner)


def _load(reference: str) -> Any:
    """The class or function behind "module:name"."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)


def kernel_seconds(kernels: int, n: int, d: int, width: int, steps: int) -> float:
    """An eigendecomposition of n³ numbers a kernel."""
    del width, steps
    return kernels * (0.03 + 4e-10 * n**3 + 1.5e-4 * n + 5e-8 * n * d)


def kernel_memory(n: int, others: int, width: int) -> float:
    """The kernel's matrix, its eigenvectors and their workspace; the other rows with what their distances take."""
    del width
    return 8 * (5 * n**2 + 3 * others * n)


def network_seconds(n: int, d: int, width: int, steps: int) -> float:
    """The network's updates."""
    del n
    return steps * (8e-5 + 128 * width * (5e-9 + d * 1.5e-10))


def network_memory(n: int, others: int, width: int) -> float:
    """Responses of all neurons to the other rows, before and after the activation."""
    del n
    return 2 * 8 * others * width


def head_seconds(n: int, d: int, width: int, steps: int) -> float:
    """A gradient and a ridge head."""
    del d, steps
    return 0.1 + 2e-8 * n * width


def head_memory(n: int, others: int, width: int) -> float:
    """Responses to the sample, and the head's factorisation."""
    del others
    return 4 * n * width + dense_cost(n, width)[0]


def machine_seconds(n: int, d: int, width: int, steps: int) -> float:
    """The eigendecompositions of four rounds and of the last kernel, with a gradient a round."""
    return kernel_seconds(5, n, d, width, steps) + 2e-8 * n**2


def machine_memory(n: int, others: int, width: int) -> float:
    """An eigendecomposition, or the factored kernel and its head's factorisation; blocks of the other rows."""
    del width
    return max(40 * n**2, 24 * n**2 + dense_cost(n, n)[0]) + 32 * min(others, BLOCK) * n


FITS = "featdash.learners.predictors"
TANGENT_KERNEL = Predictor(f"{FITS}:fit_kernel_ridge", partial(kernel_seconds, 1), kernel_memory)
LENGTH_KERNEL = Predictor(f"{FITS}:fit_kernel_ridge", partial(kernel_seconds, len(LENGTHS)), kernel_memory, LENGTHS)
NETWORK = Predictor(f"{FITS}:fit_network", network_seconds, network_memory)
MACHINE = Predictor(f"{FITS}:fit_learner", machine_seconds, machine_memory)
LEARNER = Predictor(f"{FITS}:fit_learner", head_seconds, head_memory)

METHODS: dict[str, Method] = {
    "algorithm1": Method(
        "Algorithm 1",
        "featdash.learners.algorithm1_regressor:Algorithm1Regressor",
        steps=True,
        removes_linear=True,
        predictor=LEARNER,
    ),
    "random_features": Method(
        "random features",
        "featdash.learners.random_features:RandomFeaturesRegressor",
    ),
    "ntk": Method(
        "NTK",
        "featdash.learners.tangent_kernel:TangentKernelRegressor",
        tangent=True,
        predictor=TANGENT_KERNEL,
    ),
    "ntk_after_step": Method(
        "NTK after the step",
        "featdash.learners.tangent_after_step:TangentAfterStepRegressor",
        steps=True,
        removes_linear=True,
        tangent=True,
    ),
    "rfm": Method(
        "RFM",
        "featdash.learners.rfm_regressor:RecursiveFeatureRegressor",
        steps=True,
        neurons=False,
        predictor=MACHINE,
    ),
    "network": Method("network, all layers trained", predictor=NETWORK),
    "rbf": Method("Gaussian kernel", predictor=LENGTH_KERNEL),
    "laplace": Method("Laplace kernel", predictor=LENGTH_KERNEL),
    "linear": Method(
        "linear in x",
    ),
    "transfer": Method(
        "transferred layer",
    ),
}
RACING = tuple(name for name, method in METHODS.items() if method.learner)
PREDICTORS = {name: method.predictor for name, method in METHODS.items() if method.predictor}
