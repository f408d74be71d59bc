"""What «The Hessian announces the next feature» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

SEEDS = "Seeds 0 to 5."
LIMITS = r"""
- **The threshold of the theorem.** It holds for $n, d \to \infty$ with $n/d$ fixed; ours is read off at d = 100 and is
  no sharp step there. We do not compute the theorem's value for this network.
- **That the Hessian is the cause.** Neurons that leave a saddle do so along its negative directions; the pictures show
  the order in time.
- **Other networks.** Four softplus neurons whose output weights stay at 1, a small start, full batches. The labels have
  a line and a bowl; with a cubic the Hessian at the start shows nothing.
- **Training in practice.** Nobody computes the Hessian of a large network; its lowest vector can be found from products
  with it alone.
"""


def _at(place: str, text: str) -> Figure:
    return Figure(place, text)


CLAIMS = (
    Claim(
        "published",
        r"For two-layer networks of a fixed number of neurons, feature learning by gradient descent has a threshold in "
        r"$\delta = \lim n/d$: training first learns the directions of large gradients, then follows negative "
        "directions of the Hessian, and the threshold is a phase transition of its spectrum in that second phase.",
        r"Montanari, Wang 2026, arXiv 2602.01434, from the abstract: isotropic inputs, labels of a fixed number of "
        r"projections, $n, d \to \infty$ in proportion.",
    ),
    Claim(
        "theorem",
        r"At $W = 0$ the Hessian's block of a neuron with itself is $-\tfrac14 \tfrac1n \sum_i y_i x_i x_i^\top$ up to "
        r"what all blocks share, whose expectation for these labels is lowest along $u_2$.",
        r"Softplus, $a_j = 1$, Gaussian inputs: $\mathbb{E}\,y\,x x^\top = 2 u_2 u_2^\top$. Derived by us.",
        check="tests/learners/test_smooth_network.py",
    ),
    Claim(
        "measured",
        "With 12 samples per dimension, at the end of the first phase, the Hessian's lowest vector has a squared share "
        "of {} along the second direction, and the neurons one of {}. The neurons reach 0.5 at step {} and end at {}.",
        SEEDS,
        figures=(
            _at("many.vector", "0.69 to 0.85"),
            _at("many.neurons", "0.00 to 0.06"),
            _at("many.neurons_from", "50 to 100"),
            _at("many.share", "0.81 to 0.88"),
        ),
    ),
    Claim(
        "measured",
        "With 1.5 samples per dimension the vector's share is at most {} at any time, and the neurons end at {}.",
        SEEDS,
        figures=(_at("few.best", "0.07 to 0.31"), _at("few.share", "0.00 to 0.12")),
    ),
    Claim(
        "measured",
        "With 1.5 samples per dimension the error on the network's own samples ends at {}, and on new ones at {}; with "
        "12 at {} and {}.",
        SEEDS,
        figures=(
            _at("few.loss", "0.05 to 0.20"),
            _at("few.risk", "4.5 to 15"),
            _at("many.loss", "0.75 to 0.94"),
            _at("many.risk", "0.98 to 1.20"),
        ),
    ),
    Claim(
        "measured",
        "The neurons find half of the second direction, in the median of three draws, from {} samples per dimension "
        "on.",
        f"{SEEDS} The ratios tried are 1, 1.5, 2, 3, 4, 6, 8 and 12.",
        figures=(_at("threshold.from", "3 to 4"),),
    ),
    Claim(
        "open",
        "Where the threshold of this network lies as d grows.",
        "Not computed here; the measured transition is wide at d = 100.",
    ),
)
