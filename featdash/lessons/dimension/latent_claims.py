"""What the lesson on latent variables claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **That any network finds any direction.** The target has curvature on average along its direction. Without it
  Algorithm 1 climbs with the kernel: see the second «Try».
- **An exponent in $d$.** You cannot get one from four dimensions and a single $n$. Where the curves pass ¼ is compared
  with $n^{1/p}$ and $n^{1/2}$, whose constants are unknown.
- **A staircase.** The steps are those of $d \to \infty$; at these dimensions they are smooth ramps.
- **One and the same NTK.** Here it has infinite width, in the Lab a finite one.
"""
CLAIMS = (
    Claim(
        "theorem",
        r"For $f^*(x) = g(Ux)$ with $g$ of degree $p$ a fixed kernel that treats all directions alike needs $n \asymp "
        r"d^p$ samples; for Algorithm 1 $n \gtrsim d^2 r + d\,r^p$ is enough, and for its error no lower bound of "
        "that order is known to us.",
        "Kernels: Ghorbani and co-authors, 2021, on the sphere, and Mei, Misiakiewicz, Montanari, 2022, on the "
        r"hypercube, $d \to \infty$. Algorithm 1: Damian, Lee, Soltanolkotabi, COLT 2022, Theorem 1, under "
        "Assumptions 1 and 2, up to constants, logarithms and powers of κ.",
        check="tests/theory/test_predictions.py",
    ),
    Claim(
        "published",
        "Neural networks adapt to latent variables, and kernel methods, their kernel fixed, do not.",
        "Slides of the reading group on feature learning and the limits of kernels.",
    ),
    Claim(
        "measured",
        "With 1200 samples the NTK's error rises through ¼ at d = {}, the network's at {} and Algorithm 1's at {}; "
        "$1200^{1/3}$ is $10.6$.",
        "Seeds 0 to 4, 21 and 22, of the mean of three repeats.",
        figures=(
            Figure("methods.ntk.reach", "8.4 to 10.5"),
            Figure("methods.network.reach", "17 to 22"),
            Figure("methods.algorithm1.reach", "21 to 30"),
        ),
    ),
    Claim(
        "measured",
        "At d = 32 the NTK has an error of {}, the network {} and Algorithm 1 {}.",
        "Seeds 0 to 4, 21 and 22, a mean of three repeats each.",
        figures=(
            Figure("methods.ntk.error.3", "0.71 to 0.80"),
            Figure("methods.network.error.3", "0.32 to 0.50"),
            Figure("methods.algorithm1.error.3", "0.24 to 0.42"),
        ),
    ),
    Claim(
        "open",
        "How the samples that each method needs grow with d, as an exponent with an error.",
        "Not measured here.",
    ),
)
