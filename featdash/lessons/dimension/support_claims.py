"""What the lesson on low-dimensional support claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **Curved or unknown supports.** The support here is a subspace or a sphere, smooth and thin. Real data may lie near
  neither.
- **A theorem on the network.** That its error grows little with $d$ is seen in these runs; nothing proves it here.
- **That support is what matters in images.** The page changes the number of inputs and keeps the support; it says
  nothing about where real data lie.
- **Thick supports.** When the noise off the support is as large as the support itself, errors rise with $d$ again.
"""


def _ratio(method: str, text: str) -> Figure:
    return Figure(f"methods.{method}.ratio", text)


CLAIMS = (
    Claim(
        "published",
        "Kernel methods and neural networks both adapt to a support of low dimension.",
        "Slides of the reading group on feature learning and the limits of kernels.",
    ),
    Claim(
        "theorem",
        r"On a support of dimension $r$ a squared error of order $n^{-2/(2+r)}$ can be had for Lipschitz functions, "
        r"without knowing the support: the rate of $r$ inputs, and not of $d$.",
        "Bickel, Li, 2007, for local regression, and Hamm, Steinwart, 2021, for Gaussian kernels: data on the "
        "support itself, r fixed and n → ∞, constants unknown. Nothing of the kind is proved for the network here.",
        check="tests/theory/test_predictions.py",
    ),
    Claim(
        "measured",
        "From 4 to 100 dimensions the error grows by a factor of {} for the Gaussian kernel and {} for the NTK.",
        "Seeds 0 to 4 and 21 to 23, three repeats each; a sphere of dimension 2 with noise of a tenth, 500 samples.",
        figures=(_ratio("rbf", "1.06 to 1.36"), _ratio("ntk", "1.13 to 1.41")),
    ),
    Claim(
        "measured",
        "The network's grows by a factor of {}: more than the kernels', though it stays small, {} in 100 dimensions.",
        "Seeds 0 to 4 and 21 to 23, three repeats each.",
        figures=(_ratio("network", "1.3 to 3.2"), Figure("methods.network.error.3", "0.017 to 0.042")),
    ),
    Claim(
        "open",
        "Whether a network adapts as well as a kernel when it is trained longer or with decay: its weights off the "
        "support are held back by nothing.",
        "Not measured here.",
    ),
)
