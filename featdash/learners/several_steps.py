"""Several steps of the first layer, each as long as the rule of Algorithm 1 has it.

    w_j ← η a_j g_j,    g_j = (1/n) Σ_i (y_i − f(x_i)) σ'(w_j·x_i + b_j) x_i,    a_j = ±1

A step is line 2 of Algorithm 1, W ← −η ∇L: under the rule "rms" with the one η that gives the rows of W
root-mean-square norm 1, under "fixed" with 2η₁, the 2 being that of the squared loss. In the first step f = 0, as at
the symmetric start. Later f depends on the loss: the correlation loss −(1/n) Σ y_i f(x_i) keeps f = 0, the squared loss
has f(x) = c Σ_j a_j σ(w_j·x + b_j), with c = 1/m or 1/√m; the c that the gradient has as a factor is part of η.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch

from featdash.learners.algorithm1 import NAME, Chunks, FirstStep, step_first_layer
from featdash.learners.feature_map import Draw, Layer, LinearPart, ReluFeatures
from featdash.learners.network import BLOCK_NUMBERS, RELU, Activation, Network
from featdash.tasks import Labelled

# σ(z) = log cosh z: σ'(0) = 0 and σ''(0) = 1, as Zhang, Wang, Fu, Lee 2026 assume of σ.
LOG_COSH = Activation("log_cosh", lambda z: torch.logaddexp(z, -z) - float(np.log(2)), torch.tanh)
ACTIVATIONS = {one.name: one for one in (RELU, LOG_COSH)}
LARGEST = 1e15  # of a weight: products of its features stay within single precision

Part = tuple[torch.Tensor, torch.Tensor]  # of a sample: X (n, d), and the labels less their linear part (n,)


def output_scale(loss: str, neurons: int) -> float:
    """c of the output: 0 for "correlation", 1/m for "square_mean", 1/√m for "square_root"."""
    return {"correlation": 0.0, "square_mean": 1 / neurons, "square_root": float(1 / np.sqrt(neurons))}[loss]


class SteppedLayer:
    """A first layer of m neurons that takes one step after the other.

    W (m, d) : the start, whose precision is that of the steps.  a (m,) : ±1.  b (m,) : biases, None for 0.
    scale : c of the output, 0 for the correlation loss.  eta : η₁ of the rule "fixed", None for the rule "rms".
    After a step `output` is the root mean square of the f that the step has taken off the labels.
    """

    def __init__(
        self,
        W: torch.Tensor,
        a: torch.Tensor,
        activation: str,
        scale: float,
        b: torch.Tensor | None = None,
        eta: float | None = None,
    ) -> None:
        self._a, self._b, self._eta = a, b, eta
        self._activation, self._scale = ACTIVATIONS[activation], scale
        self.W, self.output, self.steps = W, 0.0, 0

    def step(self, sample: Iterable[Part]) -> None:
        """One step on the whole sample, a block of rows at a time."""
        total, energy, n = torch.zeros_like(self.W), 0.0, 0
        with_output = bool(self._scale) and self.steps > 0
        rows = max(1, BLOCK_NUMBERS // len(self.W))
        blocks = (block for X, labels in sample for block in zip(X.split(rows), labels.split(rows), strict=True))
        for X, labels in blocks:
            z = X @ self.W.T
            if self._b is not None:
                z += self._b
            if with_output:
                f = self._scale * (self._activation.value(z) @ self._a)
                energy += float(f.square().sum())
                labels = labels - f
            total += self._activation.derivative(z).mul_(labels[:, None]).T @ X
            n += len(X)
        if self._eta is None:
            norm = torch.linalg.vector_norm(total) / np.sqrt(len(total))
            self.W = self._a[:, None] * total / norm.clamp_min(torch.finfo(total.dtype).tiny)
        else:
            self.W = 2 * self._eta / n * self._a[:, None] * total
        self.output, self.steps = float(np.sqrt(energy / n)), self.steps + 1


def trajectory(
    X: torch.Tensor, residual: torch.Tensor, W: torch.Tensor, a: torch.Tensor, activation: str, steps: int
) -> Iterator[torch.Tensor]:
    """W after 1, 2, ... steps of the correlation loss on one sample."""
    layer = SteppedLayer(W, a, activation, scale=0.0)
    for _ in range(steps):
        layer.step([(X, residual)])
        yield layer.W


@dataclass(frozen=True)
class SeveralSteps(FirstStep):
    """Lines 1 to 3 as a recipe, with line 2 taken `count` times; lines 1 and 3 are those of one step.

    With an even σ and b = 0 the mirror copy of a neuron at v is at v or −v after every step, the two cancel, and f = 0
    whatever the loss. Two ReLUs do not cancel: after the first step their sum is linear in x.

    loss : see `output_scale`, m being all neurons of the symmetric start.
    activation : σ in the steps, of ACTIVATIONS; the features are ReLUs whatever it is.
    further : the sample of the second step, of the third, ...; None for the first step's own. α and β, fitted to the
    first step's sample, are taken off its labels as well.
    """

    count: int = 1
    loss: str = "correlation"
    activation: str = "relu"
    further: Callable[[int], Labelled] | None = None

    def layers(self, chunks: Chunks, linear: LinearPart, start: Network, device: str = "cpu") -> Iterator[np.ndarray]:
        """W (m, d) after each step, in double; ValueError where it has grown beyond all use."""
        W, a, b = (torch.tensor(part, device=device) for part in (start.W, start.a, start.b))
        scale, eta = output_scale(self.loss, self.width), self.eta if self.rule == "fixed" else None
        layer = SteppedLayer(W, a, self.activation, scale, b if b.any() else None, eta)
        for count in range(1, self.count + 1):
            own = self.further is None or count == 1
            sample = chunks() if own else [self.further(count)]  # type: ignore[misc]
            layer.step(
                (torch.as_tensor(X, device=device), torch.as_tensor(y - linear(X), device=device)) for X, y in sample
            )
            size = float(layer.W.abs().max())
            if not size <= LARGEST:
                raise ValueError(
                    f"the weights of the first layer must stay below {LARGEST:g}, got {size:.1e} after step {count}; "
                    "lower the fixed η₁, or let the rows of W¹ have RMS norm 1"
                )
            yield layer.W.cpu().numpy()

    def draw_biases(self, start: Network, W: np.ndarray, draw: Draw) -> Network:
        """Line 3 on the last W (m, d)."""
        return step_first_layer(start, -W, 1.0, draw(NAME, "biases"), self.biases)

    def take(self, chunks: Chunks, d: int, draw: Draw, device: str = "cpu") -> Layer:
        """Lines 1 to 3 on a sample that passes by once for line 1 and once for each step."""
        linear, start = self.linear_part(chunks(), d), self.start(d, draw)
        *_, W = self.layers(chunks, linear, start, device)
        return Layer(linear, self.draw_biases(start, W, draw), ReluFeatures)
