"""What the lesson on the curse of dimensionality claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **The rate itself.** The line $n^{-2/(2+d)}$ bounds the worst function of a class, with an unknown constant set to
  1. The curves are for one kind of function; they may lie below the line without contradicting it.
- **That networks are worse than kernels.** This network is small, trained for 800 steps and stopped on a holdout.
  Another one would place its curve elsewhere; what all share is the direction.
- **Real data.** Images and sound have many inputs and much structure. A bare Lipschitz function has none.
- **Large samples.** Everything here is at a few hundred samples.
"""


def _error(method: str, place: int, text: str) -> Figure:
    return Figure(f"methods.{method}.error.{place}", text)


CLAIMS = (
    Claim(
        "theorem",
        r"No method has an expected squared error of smaller order than $n^{-2/(2+d)}$ on every Lipschitz function "
        r"of $d$ inputs: an error $\varepsilon$ asks for $n \asymp \varepsilon^{-(2+d)/2}$ samples.",
        "Stone, 1982: noisy labels, inputs with a density bounded from below on a bounded set, the worst function of "
        "the class, d fixed and n → ∞. Our inputs and functions are one example, our constant is 1.",
        check="tests/theory/test_predictions.py",
    ),
    Claim(
        "published",
        r"$n = \Omega((1/\varepsilon)^d)$ for a desired error $\varepsilon < 1$.",
        "Slides of the reading group, after Yue Lu: in the largest error, not in the mean square.",
    ),
    Claim(
        "measured",
        "With 500 samples the errors of the Gaussian kernel, the NTK and the network are {}, {} and {} for one input "
        "and {}, {} and {} for 20; predicting zero has 1.",
        "Seeds 0 to 4 and 21, a mean of three repeats each.",
        figures=(
            _error("rbf", 0, "0.001 to 0.028"),
            _error("ntk", 0, "0.002 to 0.011"),
            _error("network", 0, "0.006 to 0.036"),
            _error("rbf", 4, "0.74 to 0.89"),
            _error("ntk", 4, "0.83 to 0.96"),
            _error("network", 4, "0.96 to 1.04"),
        ),
    ),
    Claim(
        "measured",
        "Their errors rise through ¼ at d = {}, {} and {}.",
        "Seeds 0 to 4 and 21, of the mean of three repeats, interpolated between the dimensions.",
        figures=(
            Figure("methods.rbf.reach", "5.9 to 6.6"),
            Figure("methods.ntk.reach", "4.7 to 5.7"),
            Figure("methods.network.reach", "2.9 to 5.6"),
        ),
    ),
    Claim(
        "open",
        "How much of the network's distance from the kernels is its training: steps, width and start were not tuned.",
        "Not measured here.",
        {"steps": 3000},
    ),
)
