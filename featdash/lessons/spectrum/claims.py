"""What the lesson on spike and bulk claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **A theorem on the edge.** The solid edge is a simulation of ours: the largest singular value of copies whose labels
  got random signs. No theorem says that what lies beyond it is signal; with few samples, a value passes it by chance
  now and then.
- **That a spike is what the algorithm needs.** Algorithm 1 never computes singular values. They are a way to see
  what its step has found.
- **Directions of little curvature.** A direction whose curvature is small needs more samples than are drawn here,
  and a direction with none leaves no spike at all: «no spike» is not «no direction».
- **The limit of large $d$.** The levels that the formula gives are to leading order; at $d = 20$ the exact values
  are up to a tenth smaller.
"""
CLAIMS = (
    Claim(
        "theorem",
        r"With infinitely many samples the singular values of the gradient of the $m/2$ distinct neurons are near "
        r"$|\lambda_k(H)| \sqrt{m/(\pi d)}$, one for each direction with curvature.",
        r"From Lemma 1 of Damian, Lee, Soltanolkotabi, COLT 2022, to leading order in $1/\sqrt d$, for $m \gg d$; "
        "derived by us.",
        check="tests/lessons/test_spectrum.py",
    ),
    Claim(
        "measured",
        "Three singular values stand out, {}, {} and {}, where infinitely many samples would give {}, {} and {}; the "
        "next one is {}, at each seed below the edge at {}.",
        "Seeds 0 to 4 and 21 to 23; d = 20, n = 10⁵, width 1000, curvatures 0.8, −0.6 and 0.5.",
        figures=(
            Figure("singular_values.0", "2.8 to 3.3"),
            Figure("singular_values.1", "2.15 to 2.58"),
            Figure("singular_values.2", "1.71 to 2.00"),
            Figure("population.0", "2.85 to 3.22"),
            Figure("population.1", "2.21 to 2.50"),
            Figure("population.2", "1.74 to 1.95"),
            Figure("singular_values.3", "0.223 to 0.261"),
            Figure("edge", "0.26 to 0.31"),
        ),
    ),
    Claim(
        "measured",
        "All three are beyond the edge from n = {} on; with five times the noise from {} on.",
        "Seeds 0 to 4 and 21; sizes are tried in steps of a factor 1.7, and each may be too large by as much.",
        figures=(
            Figure("all_seen_from", "800 to 2500"),
            Figure("all_seen_from", "6000 to 21 000", {"noise": 5.0}),
        ),
    ),
    Claim(
        "measured",
        "The right singular vectors of the three lie in the principal subspace by {}, {} and {} of their squared "
        "length.",
        "Seeds 0 to 4 and 21 to 23, n = 10⁵.",
        figures=(
            Figure("share_in_subspace.0", "0.998 to 1.000"),
            Figure("share_in_subspace.1", "0.997 to 1.000"),
            Figure("share_in_subspace.2", "0.996 to 0.999"),
        ),
    ),
    Claim(
        "measured",
        "Plainly shuffled labels give an edge of {}, which is too low: {} values pass it, where there are three "
        "directions.",
        "Seeds 0 to 4, n = 10⁵.",
        figures=(Figure("permuted.edge", "0.162 to 0.200"), Figure("permuted.spikes", "6 to 11")),
    ),
    Claim(
        "open",
        r"With which power of $d$ the samples must grow for all neurons together to show every direction. For single "
        r"neurons $n \gtrsim d^2$ is enough; all together seem to take about $d$.",
        "Trials of ours, three seeds each, width 600, sizes in steps of 1.7: from 840 to 1430 samples on at d = 20, "
        "1430 to 2420 at d = 40 and 4130 at d = 80. For the matrix (1/n) Σ T(y) x xᵀ with a bounded T, of the order of "
        "d is proved to be enough (spectral methods: Lu and Li; Mondelli and Montanari). For this table nothing is, to "
        "our knowledge.",
    ),
    Claim(
        "open",
        "Where exactly the bulk of this matrix ends: its rows share their samples and its noise is larger where f* "
        "is, so that the textbook edge of a random matrix does not apply.",
        "The edge that is drawn is simulated.",
    ),
)
