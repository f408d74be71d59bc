"""What «Rank and condition» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **The error after the head.** The theorem's bound has $\sqrt{d r^p κ^{2p}/n}$ for it. Here no head is trained: you see
  what the first step finds, not what a network makes of it.
- **That so many samples are necessary.** The theorem says how many are enough, up to constants and logarithms. The
  slopes belong to one level, ½, of one measure, which is ours.
- **The power for large $d$.** At $d = 50$ it is above 1, and at $d = 25$ even more. The leading term says that it goes
  to 1; no dimension here is large enough to show it.
- **Other targets.** Sums of $He_2$ along axes, up to degree 2, with weights of one sign. Weights of both signs, or a
  part of higher degree, change the terms that were left out.
- **What all neurons together find, as a method.** Algorithm 1 keeps its neurons as the step leaves them; it takes no
  singular vectors.
"""
NOISY = {"noise": 1.0}
CLAIMS = (
    Claim(
        "theorem",
        r"With $n$ of the order of $d^2 κ^2 r$ at least, and $d$ of that of $κ r^{3/2}$, Algorithm 1's mean absolute "
        r"error is above that of the noise by at most the order of $\sqrt{d r^p κ^{2p}/n} + \sqrt{r^p κ^{2p}/m} + "
        r"n^{-1/4}$.",
        "Damian, Lee, Soltanolkotabi, COLT 2022, Theorem 1, under Assumptions 1 and 2, for a polynomial of degree p "
        r"with $E f^{*2} = 1$ and $κ = \lVert H^\dagger \rVert/\sqrt r$; constants and logarithms are not named.",
        check="tests/theory/test_theorems.py",
    ),
    Claim(
        "theorem",
        r"For these targets $κ^2 r = \sum_i λ_i^2 / (2 λ_r^2)$: $r/2$ for equal weights, $(1 + λ_1^2/λ_2^2)/2$ for "
        "two directions.",
        r"Derived by us: the average Hessian of $\sum_i λ_i He_2(z_i)$ is diagonal with entries $2 λ_i$, and "
        r"$E f^{*2} = 2 \sum_i λ_i^2$.",
        check="tests/lessons/test_structure.py",
    ),
    Claim(
        "measured",
        "Eight directions of one weight take {} times the samples of one, a power of {} in the rank.",
        "Seeds 0 to 4, d = 50, three repeats each.",
        figures=(
            Figure("rank.times", "9 to 14"),
            Figure("rank.slope", "1.08 to 1.25"),
        ),
    ),
    Claim(
        "measured",
        "Of two directions, if one is four times as strong, the other takes {} samples instead of {}, {} times as "
        r"many; the power in $κ^2 r$ is {}.",
        "Seeds 0 to 4, d = 50, three repeats each.",
        figures=(
            Figure("condition.needed.4", "33 000 to 68 000"),
            Figure("condition.needed.1", "3500 to 4500"),
            Figure("condition.times", "7 to 19"),
            Figure("condition.slope", "0.98 to 1.34"),
        ),
    ),
    Claim(
        "measured",
        "The singular vectors of all neurons together have the weaker of these two from {} samples on.",
        "Seeds 0 to 4, d = 50, fifty neurons that differ.",
        figures=(Figure("together.last", "1800 to 3700"),),
    ),
    Claim(
        "measured",
        "At d = 25 eight directions take {} times the samples of one, a power of {}: steeper.",
        "Seeds 0 to 4, three repeats each.",
        {"d": 25},
        (
            Figure("rank.times", "17 to 24"),
            Figure("rank.slope", "1.32 to 1.46"),
        ),
    ),
    Claim(
        "measured",
        r"With noise of the target's size eight directions take {} samples instead of {}.",
        "Seeds 0 to 4, d = 50, three repeats each.",
        NOISY,
        (
            Figure("rank.needed.8", "47 000 to 53 000"),
            Figure("rank.needed.8", "24 600 to 26 200", {"noise": 0.0}),
        ),
    ),
    Claim(
        "open",
        r"Whether fewer samples than the order of $d^2 κ^2 r$ are enough for the network's error.",
        "The theorem is an upper bound; no bound from below in r and κ is known to us.",
    ),
)
