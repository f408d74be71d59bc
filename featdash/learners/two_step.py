"""The two gradient steps in which features emerge and improve (Shi, Wei, Liang 2022)."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import torch

from featdash.learners.network import Activation, Network
from featdash.learners.truncated_network import TRUNCATED_RELU, preactivations, smoothed_activation


@dataclass(frozen=True, eq=False)
class HingeGradient:
    """The gradient of the mean hinge loss in the first layer: ∂L/∂w_i = −a_i T_i.

    components (2m, d) : T_i = E[y x σ'(w_i·x + b_i) 1{y g(x) < 1}]; along pattern M_j it is Lemma 5 and 6's T_j.
    slope : β = E σ'(w_i·x + b_i), the mean over samples and neurons.
    active : share of the samples with y g(x) < 1, the others have no gradient.
    """

    components: np.ndarray
    slope: float
    active: float


@dataclass(frozen=True, eq=False)
class FeatureStep:
    """One step: the gradient it followed, its size η, and the network after it."""

    gradient: HingeGradient
    eta: float
    network: Network


def hinge_gradient(
    X: np.ndarray, y: np.ndarray, network: Network, activation: Activation = TRUNCATED_RELU, device: str = "cpu"
) -> HingeGradient:
    """The gradient on the sample X (n, d), y (n,), in blocks of rows."""
    a, labels = (torch.tensor(np.asarray(part, dtype=float), device=device) for part in (network.a, y))
    T = torch.zeros(network.W.shape, dtype=torch.float64, device=device)
    slope = active = 0.0
    for rows, z in preactivations(X, network, device):
        outputs, slopes = activation.value(z) @ a, activation.derivative(z)
        pull = torch.where(labels[rows] * outputs < 1, labels[rows], 0.0)
        T += slopes.T @ (pull[:, None] * torch.tensor(X[rows], dtype=torch.float64, device=device))
        slope += slopes.mean(dim=1).sum().item()
        active += pull.abs().sum().item()
    n = len(X)
    return HingeGradient(T.cpu().numpy() / n, slope / n, active / n)


def after_step(network: Network, gradient: HingeGradient, eta: float) -> Network:
    """w_i ← w_i − η(∂L/∂w_i + 2λ_w w_i) with λ_w = 1/(2η), that is η a_i T_i: the old weights are forgotten.

    a and b stay: our reading, so that the step is one of features alone.
    """
    return replace(network, W=eta * network.a[:, None] * gradient.components)


def first_step(X: np.ndarray, y: np.ndarray, start: Network, output: float, device: str = "cpu") -> FeatureStep:
    """Step 1 from the mirrored start, where g = 0 and each sample has its gradient.

    η₁ is ours (the paper's is a high inverse power of m): to first order in η₁ the output after the step is
    η₁ v·x, v = Σ_i a_i² σ'(b_i) T_i, and η₁ gives it the root mean square `output`. Well below 1, all samples
    keep their gradient in step 2 and the neurons are still linear, as in the paper; from about 1 on they are not.
    """
    gradient = hinge_gradient(X, y, start, device=device)
    gates = TRUNCATED_RELU.derivative(torch.tensor(start.b)).numpy()
    slope = X @ ((start.a**2 * gates) @ gradient.components)
    eta = _step_size(output, np.sqrt(np.mean(slope**2)))
    return FeatureStep(gradient, eta, after_step(start, gradient, eta))


def second_step(
    X: np.ndarray, y: np.ndarray, network: Network, noise: float, size: float, device: str = "cpu"
) -> FeatureStep:
    """Step 2, with noise N(0, σ_ξ²) inside σ, integrated exactly.

    η₂ is ours: it gives w_i·x the root mean square `size` over samples and neurons. Of order 1, the neurons bend within
    the data, and as a_i varies they bend at many places: enough for a head to fit any function of the count.
    """
    gradient = hinge_gradient(X, y, network, smoothed_activation(noise), device)
    direction = network.a[:, None] * gradient.components
    moments = X.T @ X / len(X)
    eta = _step_size(size, np.sqrt(np.mean(np.sum((direction @ moments) * direction, axis=1))))
    return FeatureStep(gradient, eta, after_step(network, gradient, eta))


def _step_size(size: float, at_one: float) -> float:
    """The step size that makes `size` of what a step size of 1 makes `at_one`; 1 where there is no gradient at all."""
    return float(size / at_one) if at_one > 0 else 1.0
