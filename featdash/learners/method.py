"""What a method is: what it is called, how it is drawn, and where the code is that learns.

What learns is named, not imported: the server reads the table of methods, and loads no torch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple


class Style(NamedTuple):
    """How a method is drawn, by Plotly's names; its glyph stands before its label."""

    colour: str
    dash: str
    marker: str
    glyph: str
    hatch: str


@dataclass(frozen=True)
class Predictor:
    """How a method is fitted from a sample and a holdout alone, where dimensions are compared.

    fit : "module:function" of (name, train, holdout, width, steps, seed), which returns X (k, d) ↦ f̂ (k,).
    seconds : (n, d, width, steps) -> a careful estimate on one core.
    memory : (n, judged, width) -> bytes at most, beside the samples; judged, the rows of the other samples together.
    lengths : of a kernel, as shares of the inputs' spread; the holdout chooses. () leaves the inputs as they are.
    """

    fit: str
    seconds: Callable[[int, int, int, int], float]
    memory: Callable[[int, int, int], float]
    lengths: tuple[float, ...] = ()


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
    style: Style
    learner: str = ""
    steps: bool = False
    removes_linear: bool = False
    tangent: bool = False
    neurons: bool = True
    predictor: Predictor | None = None


def load(reference: str) -> Any:
    """The class or function behind "module:name"."""
    module, _, name = reference.partition(":")
    return getattr(import_module(module), name)
