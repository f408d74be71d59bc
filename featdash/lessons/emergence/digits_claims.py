"""What the lesson on digits claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **That features win on images.** On an easy pair all methods are right on every image, and on most
  splits of 3 against 8 the network's two clusters lose to a linear head and to the NTK.
- **The paper's experiment.** That one is on MNIST, with 28 × 28 pixels and its own rates. Here are scikit-learn's 8
  × 8 digits, and each step uses the one training sample there is.
- **Small differences.** A test sample has about 110 images: 0.01 is one image. A ranking needs many seeds.
- **Many classes.** Two digits at a time, with a label of ±1.
"""
EIGHT = {"first": 3, "second": 8}


def _accuracy(method: str, text: str) -> Figure:
    return Figure(f"{method}.accuracy", text)


CLAIMS = (
    Claim(
        "published",
        "On MNIST 0 against 1 with 50 neurons the neurons gather in two clusters as well.",
        "Shi, Wei, Liang, ICLR 2022, in a figure; «similar clustering effect» in the authors' slides.",
    ),
    Claim(
        "measured",
        "After two steps the neurons are two clusters of {} and {}: the mean cosine within one is {}, between the "
        "two {}.",
        "Seeds 0 to 4; 0 against 1, 50 distinct neurons and their copies.",
        figures=(
            Figure("clusters.sizes.0", "50"),
            Figure("clusters.sizes.1", "50"),
            Figure("clusters.within.2", "1.000"),
            Figure("clusters.between.2", "−1.000"),
        ),
    ),
    Claim(
        "measured",
        "The median |cos| of a neuron with the difference of the class means is {} at the start and {} after the "
        "first step.",
        "Seeds 0 to 4; 0 against 1.",
        figures=(Figure("median_abs_cos.0", "0.064 to 0.103"), Figure("median_abs_cos.1", "0.966 to 0.989")),
    ),
    Claim(
        "measured",
        "0 against 1 is easy for everyone: the network's accuracy is {}, that of a linear head {}.",
        "Seeds 0 to 4; 108 test images each, so that 0.01 is one image.",
        figures=(_accuracy("network", "0.98 to 1.00"), _accuracy("linear", "1.00")),
    ),
    Claim(
        "measured",
        "On 3 against 8 the network's accuracy is {}, that of a linear head {} and of the NTK {}: on most "
        "splits the network comes last.",
        "Seeds 0 to 4; 107 test images. Over the seeds 0 to 9 the means are 0.958, 0.981 and 0.990, and the network is "
        "below the linear head on eight of them.",
        EIGHT,
        (_accuracy("network", "0.88 to 1.00"), _accuracy("linear", "0.95 to 1.00"), _accuracy("ntk", "0.96 to 1.00")),
    ),
    Claim(
        "open",
        "On which pairs of real images a single learned direction is enough.",
        "Two pairs are offered; 4 against 9 nearly is one, 3 against 8 is not.",
        {"first": 4, "second": 9},
    ),
)
