"""How a course of two stages is run, and how often it is looked at."""

from __future__ import annotations

from dataclasses import dataclass

FIXED = ("random_features", "ntk", "linear")  # of the truncated network
COMPARED = ("network", *FIXED)
HEAD_STEPS = 30  # Lanczos steps; at 60 the default accuracies and hinge losses are the same to 1e-6


CURVE_ROWS = 4000  # test samples behind a point of the curves: its standard error is below 0.008
PICTURES = 20  # frames of the minibatch phase, log-spaced


@dataclass(frozen=True)
class TwoStageSchedule:
    """How a course is run.

    noise : σ_ξ in step 2. output, size : what fixes η₁ and η₂, see `learners.two_step`.
    steps : of minibatches, at least 1. rate : ρ; each method's step is ρ / E‖∂g/∂θ‖², taken at its own start, so that
    a step on one sample moves the output there by about ρ, for all methods alike.
    """

    noise: float
    output: float
    size: float
    steps: int
    rate: float
