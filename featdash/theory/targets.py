"""The targets offered by name, each with E f*² = 1. To add one: an entry in `TARGETS`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class TargetStory:
    """A named target: the expression that defines it, and what a student should look for."""

    name: str
    title: str
    expression: str
    story: str


TARGETS: dict[str, TargetStory] = {
    target.name: target
    for target in (
        TargetStory(
            "figure-1",
            "Figure 1: He₂/2 + He₄/(4√3)",
            "He2(z1)/2 + He4(z1)/(4*sqrt(3))",
            "Half of the energy is quadratic, half is of degree 4. Fixed kernels stall once they have the quadratic "
            "half; one gradient step finds the direction in it, and the other half becomes easy.",
        ),
        TargetStory(
            "transfer",
            "Transfer target: He₃/√6",
            "He3(z1)/sqrt(6)",
            "Its expected Hessian is zero: the exact first gradient is zero, and what a step follows is the sample's "
            "noise. In ten dimensions a third of that noise lies along the direction, enough for Algorithm 1 to lead; "
            "at d = 40 all methods fail.",
        ),
        TargetStory(
            "pretrain",
            "Its rescue: He₂/2 + He₃/√12",
            "He2(z1)/2 + He3(z1)/sqrt(12)",
            "The same cubic along the same direction, with a quadratic beside it. "
            "The quadratic shows the first step where to look, and the cubic follows.",
        ),
        TargetStory(
            "rank-2",
            "Two directions",
            "0.4*He2(z1) + 0.3*He2(z2) + 0.5*He2(z1)*z2",
            "Two directions of unequal curvature, 0.8 and 0.6, and half of the energy in a cubic that couples them. "
            "The steeper direction lights up first.",
        ),
        TargetStory(
            "rank-3",
            "Three directions, one of them a valley",
            "0.4*He2(z1) - 0.3*He2(z2) + 0.25*He2(z3) + sqrt(6)/4*z1*z2*z3",
            "Three directions with curvatures 0.8, -0.6 and 0.5, tied together by a product of all three. "
            "The sign of a curvature does not matter to the first step, its size does.",
        ),
        TargetStory(
            "product",
            "Product z₁z₂",
            "z1*z2",
            "Neither variable alone tells anything about the label. "
            "The product is a saddle: curvature +1 and -1 along the two diagonals, so one step sees the whole plane.",
        ),
        TargetStory(
            "half-seen",
            "One direction of two is hidden",
            "He2(z1)/2 + He3(z2)/sqrt(12)",
            "The first direction has curvature, the second has none on average. "
            "One step finds the first and misses the second, and what stays is the cubic along it. "
            "In ten dimensions, from 10⁴ samples, both kernels end ahead.",
        ),
        TargetStory(
            "linear",
            "A strong linear part",
            "0.8*z1 + 0.3*He2(z1) + 0.3*He2(z2)",
            "A straight line carries 64 % of the energy. Algorithm 1 fits it before the first step; "
            "leave it in, and every neuron turns to that one line.",
        ),
        TargetStory(
            "quadratic",
            "Pure quadratic: He₂/√2",
            "He2(z1)/sqrt(2)",
            "All of the energy is quadratic, as in the authors' own demonstration. "
            "With fewer than d² samples a fixed kernel learns nothing of it.",
        ),
        TargetStory(
            "parity",
            "Product z₁z₂z₃",
            "z1*z2*z3",
            "On inputs of ±1 this is parity. The label is uncorrelated with every variable and every pair of them, so "
            "the exact first gradient is zero. In ten dimensions Algorithm 1 has no lead over the NTK: both end "
            "between 0.3 and 0.42 at seeds 0, 7 and 11.",
        ),
    )
}
