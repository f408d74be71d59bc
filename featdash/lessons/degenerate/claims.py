"""What «When it must fail» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **That nothing can learn He₃.** It shows that Algorithm 1 and the kernels fail. Other learners do not: one that
  thresholds the labels first finds the direction from far fewer samples.
- **A bound on samples.** The grey mark at $d^{p/2}$ is the paper's heuristic for correlational queries. There is no
  theorem about samples behind it, and it promises no success on its right.
- **That a zero Hessian means a zero gradient.** He₄ has no curvature on average and still leaves a small gradient;
  with biases from before the step He₃ does too.
- **The limit of large $d$.** Dimensions go up to 60. At $d = 10$ Algorithm 1 beats the kernels on He₃ thanks to the
  noise of its step, which is not the kind of feature learning that the theorems are about.
- **Repeats.** By default each point is a single run, so neighbouring points differ by chance.
"""


def _row(d: int, name: str, last: int, text: str) -> Figure:
    return Figure(f"dims[d={d}].{name}.{last}", text)


SMALL = {"dims": (10, 20), "sizes": (300, 1000, 3000, 10_000), "methods": ("algorithm1", "random_features", "ntk")}
CLAIMS = (
    Claim(
        "theorem",
        r"For every $p$ there is a class of polynomials of degree $p$ of a single direction that no correlational "
        r"learner with $q$ queries learns unless its tolerance is $\tau \le \log^{p/4}(qd)/d^{p/4}$, up to a constant.",
        "Damian, Lee, Soltanolkotabi, COLT 2022, Theorem 2: to learn is to name a function of the class with a squared "
        "loss of at most 1, and answers may be wrong by τ in the worst way. It bounds tolerances, not samples.",
        check="tests/theory/test_theorems.py",
    ),
    Claim(
        "published",
        r"With the heuristic $\tau \approx n^{-1/2}$ the theorem reads $n \gtrsim d^{p/2}$. «This is only a heuristic "
        r"argument as concentration errors are random rather than adversarial.»",
        "Damian, Lee, Soltanolkotabi, COLT 2022, below Theorem 2, in their words.",
    ),
    Claim(
        "theorem",
        r"A share $8/(2d + 6)$ of the squared noise of the step lies along $u$, for He₃/√6 with label noise 1.",
        r"Gaussian inputs, $b = 0$, the linear part known: $\mathbb{E}y^2 (u \cdot x)^2 = 8$ and "
        r"$\mathbb{E}y^2 \lVert x \rVert^2 = 2d + 6$. Derived by us.",
        SMALL,
    ),
    Claim(
        "measured",
        "On He₃/√6 at n = 30 000 Algorithm 1's risk is {} in 40 dimensions and {} in 60, that of random "
        "features {} and {}.",
        "Seeds 0 to 4, one repeat each.",
        figures=(
            _row(40, "risk/algorithm1", 3, "0.56 to 0.90"),
            _row(60, "risk/algorithm1", 3, "0.75 to 1.03"),
            _row(40, "risk/random_features", 3, "0.91 to 1.07"),
            _row(60, "risk/random_features", 3, "0.91 to 1.07"),
        ),
    ),
    Claim(
        "measured",
        "The rescue, the same cubic with a quadratic beside it, comes down to {} and {} on the same inputs.",
        "Seeds 0 to 4 and 21 to 23, one repeat each; d = 40 and 60, n = 30 000.",
        figures=(_row(40, "rescue/risk", 3, "0.026 to 0.052"), _row(60, "rescue/risk", 3, "0.041 to 0.085")),
    ),
    Claim(
        "measured",
        "The alignment is that of noise: {} and {}, where a step on labels of random sign reaches {} and {}; "
        "the rescue reaches {} and {}.",
        "Seeds 0 to 4 and 21 to 23, one repeat each; d = 40 and 60, n = 30 000.",
        figures=(
            _row(40, "alignment", 3, "0.06 to 0.14"),
            _row(60, "alignment", 3, "0.04 to 0.09"),
            _row(40, "noise_alignment", 3, "0.04 to 0.17"),
            _row(60, "noise_alignment", 3, "0.047 to 0.089"),
            _row(40, "rescue/alignment", 3, "0.81 to 0.86"),
            _row(60, "rescue/alignment", 3, "0.69 to 0.77"),
        ),
    ),
    Claim(
        "measured",
        "At d = 10 Algorithm 1 falls to {} on He₃/√6 at n = 10⁴, at each seed below the NTK at {} and random "
        "features at {}.",
        "Seeds 0 to 4 and 21, one repeat each, width 500.",
        SMALL,
        (
            _row(10, "risk/algorithm1", 3, "0.11 to 0.43"),
            _row(10, "risk/ntk", 3, "0.33 to 0.46"),
            _row(10, "risk/random_features", 3, "0.45 to 0.79"),
        ),
    ),
    Claim(
        "published",
        "Gradient descent that uses its batches again needs far fewer samples for such targets: of the order of $d$, "
        "up to logarithms, for a polynomial of a single direction, He₃ among them.",
        "Dandi and co-authors, ICML 2024, for reused batches; Lee, Oko, Suzuki, Wu, NeurIPS 2024, for every "
        "polynomial of a single direction. Not measured here; a single neuron that looks twice is on the page Beyond "
        "one step.",
    ),
    Claim(
        "open",
        "A lower bound on the samples of gradient descent itself on such targets, with the random errors of a sample "
        "in place of adversarial ones.",
        "The theorem bounds the tolerance of queries; what it says of samples is the paper's heuristic.",
    ),
)
