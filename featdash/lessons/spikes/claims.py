"""What the lesson on spikes claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **That a spike is knowledge.** The functions that leave the bulk are functions of the direction that the step took,
  right or wrong. With the linear part taken out of the labels there are as many, along a direction that is mostly
  chance.
- **That two spikes fit the target.** The ReLU makes $He_2(z)$ of any direction, also where the labels have none.
  Whether a head uses it is not measured here.
- **The thresholds of theory.** They are exponents for $n$, $d$ and $N$ that grow together. At one size a constant
  before $n^\alpha$ moves the α at which a spike appears.
- **A theorem on the edge.** The edge and its margin of a twentieth are ours: polynomials of $z$ up to degree 4 are
  taken out, and the largest singular value of the rest counts as the edge of the bulk.
"""
CLAIMS = (
    Claim(
        "published",
        "In the limit where samples, inputs and neurons grow in proportion, the first gradient update has one large "
        "singular value, which aligns the neurons with the linear part of the target.",
        "Ba, Erdogdu, Suzuki, Wang, Wu, Yang, NeurIPS 2022, from the abstract.",
    ),
    Claim(
        "published",
        "With a step of constant size only the linear part of the target can be learned; with a step that grows with "
        "the number of samples several rank-one parts appear in the features, each a polynomial.",
        "Moniri, Lee, Hassani, Dobriban, ICML 2024, from the abstract.",
    ),
    Claim(
        "published",
        r"For one step $O(d)$ samples are necessary and sufficient to align with the target, along a single direction; "
        r"for neurons to specialise to several directions $O(d^2)$ are essential.",
        "Dandi, Krzakala, Loureiro, Pesce, Stephan, JMLR 2024, from the abstract; Gaussian inputs, large d.",
    ),
    Claim(
        "measured",
        r"A step of size 1 lets {} spikes out of the bulk, one of $n^{0.2}$ lets {} out and one of $n^{0.35}$ lets {}; "
        r"even $n^{0.5}$ lets no more than {}.",
        "Seeds 0 to 4.",
        figures=(
            Figure("spikes.0", "0"),
            Figure("spikes.4", "1"),
            Figure("spikes.7", "2"),
            Figure("spikes.10", "2"),
        ),
    ),
    Claim(
        "measured",
        r"The correlation of the first singular vector with $He_1(z)$ is {} at $\alpha = 0.2$, and that of the second "
        r"with $He_2(z)$ is {} at $\alpha = 0.35$.",
        "Seeds 0 to 4.",
        figures=(Figure("first.4", "0.966 to 0.984"), Figure("second.7", "0.89 to 0.95")),
    ),
    Claim(
        "measured",
        "The direction found has a cosine of {} with the true one; without the linear part of the labels one of "
        "{}, and still there are {} spikes.",
        "Seeds 0 to 4.",
        figures=(
            Figure("overlap", "0.65 to 0.77"),
            Figure("overlap", "0.33 to 0.38", settings={"remove_linear": True}),
            Figure("spikes.10", "2", {"remove_linear": True}),
        ),
    ),
    Claim(
        "measured",
        "Of a second direction in 100 dimensions the second singular vector of all gradients has a cosine above {} "
        "from n = {} on; with $d_2^2$ samples that of a single neuron's gradient is {} in the median.",
        "Seeds 0 to 4; sizes are tried in steps of a factor 1.8.",
        figures=(
            Figure("directions.seen", "0.8"),
            Figure("directions.together_from", "1700 to 3200"),
            Figure("directions.single_at_square", "0.23 to 0.30"),
        ),
    ),
    Claim(
        "open",
        "That the singular vector of all neurons shows the second direction from a multiple of d samples on, and a "
        "single neuron from d² on, as the measured curves suggest.",
        "A heuristic: a matrix of n rank-one terms has noise of order √(d/n), a single neuron sees a signal of order "
        "1/√d. Measured at few dimensions.",
        {"d2": 50},
    ),
)
