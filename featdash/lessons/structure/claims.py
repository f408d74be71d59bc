"""What «Rank and condition» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **The error after the head.** The theorem's bound has $\sqrt{d r^p κ^{2p}/n}$ for it. Here no head is trained: shown
  is what the first step finds, not what a network makes of it.
- **That so many samples are necessary.** The theorem says how many are enough, up to constants and logarithms. The
  slopes are those of one level, ½, of one measure of ours.
- **The power for large $d$.** At $d = 50$ it is above 1, at $d = 25$ more so. That it goes to 1 is what the leading
  term says; no dimension here is large enough to see it.
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
        "Eight directions of one weight take {} times the samples of one, a power of {} ± {} in the rank.",
        "Seed 0, d = 50, three repeats. At seeds 7 and 11: 11.7 and 13.9 times, 1.17 ± 0.06 and 1.24 ± 0.05.",
        figures=(
            Figure("rank.times", "10.3"),
            Figure("rank.slope", "1.12"),
            Figure("rank.error", "0.10"),
        ),
    ),
    Claim(
        "measured",
        "Of two directions, one four times as strong takes the other from {} to {} samples, {} times as many; the "
        r"power in $κ^2 r$ is {} ± {}.",
        "Seed 0, d = 50, three repeats. At seeds 7 and 11: 11.7 and 14.0 times, 1.14 ± 0.02 and 1.22 ± 0.07.",
        figures=(
            Figure("condition.needed.1", "3800", 3750, 3950),
            Figure("condition.needed.4", "46 000", 45_500, 46_500),
            Figure("condition.times", "11.9"),
            Figure("condition.slope", "1.18"),
            Figure("condition.error", "0.05"),
        ),
    ),
    Claim(
        "measured",
        "The singular vectors of all neurons together have the weaker of these two from {} samples on.",
        "Seed 0, d = 50, fifty neurons that differ. At seeds 7 and 11: 3400 and 2200.",
        figures=(Figure("together.last", "2800", 2750, 2850),),
    ),
    Claim(
        "measured",
        "At d = 25 eight directions take {} times the samples of one, a power of {} ± {}: steeper.",
        "Seed 0. At seeds 7 and 11: 24.2 and 22.3 times, 1.43 ± 0.17 and 1.42 ± 0.14.",
        {"d": 25},
        (
            Figure("rank.times", "20.5"),
            Figure("rank.slope", "1.42", 1.41, 1.42),
            Figure("rank.error", "0.16"),
        ),
    ),
    Claim(
        "measured",
        r"With noise of the target's size eight directions take {} samples in place of {}.",
        "Seed 0, d = 50. At seeds 7 and 11: 49 000 and 50 000, in place of 24 000 and 26 000.",
        NOISY,
        (
            Figure("rank.needed.8", "49 000", 48_500, 49_500),
            Figure("rank.needed.8", "25 000", 24_500, 25_500, {"noise": 0.0}),
        ),
    ),
    Claim(
        "open",
        r"Whether fewer samples than the order of $d^2 κ^2 r$ are enough for the network's error.",
        "The theorem is an upper bound; no bound from below in r and κ is known to us.",
    ),
)
