"""What emergence claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

SHI = "Shi, Wei, Liang, ICLR 2022"
LIMITS = r"""
- **The paper's jump at step 2.** It reports 52 % after the first step and 100 % after the second. Ours goes from 84
  %, what a linear model has, to 100 %: a non-linearity that switches on, while the directions hardly move.
- **Inputs like images.** Apart from those that matter, patterns are independent, and every input is an exact sum of
  them.
- **One law for all.** The law of the relevant patterns, all sample sizes and all rates are ours, because the source
  leaves them open. With another law the numbers differ.
- **That no method learns without structure.** The page shows that these four, trained like this, do not. The lower
  bound is for statistical queries; a learner that solves linear equations over bits finds a parity from few samples.
- **A tight bound.** At $k = 5$ the lower bound for fixed features says something only for small weights; the
  measured gap is larger than what is proved.
"""


def _at(side: str, name: str, text: str) -> Figure:
    return Figure(f"{side}.{name}", text)


CLAIMS = (
    Claim(
        "theorem",
        r"With structured inputs a network of polynomial width reaches a small error by gradient descent.",
        rf"{SHI}, Theorem 1, informal: $k = \Omega(\log^2(Dm/(\delta\gamma)))$, $p_0 = \Omega(k^2/D)$, "
        r"$m \ge \max(\Omega(k^{12}/\varepsilon^{3/2}), D)$, proper step sizes. At $k = 5$ and $m = 300$ these "
        r"orders say nothing of our runs.",
    ),
    Claim(
        "theorem",
        r"On some structured law every linear model on $N$ fixed features in $[-1, 1]$ with weights of norm $B$ has "
        r"a hinge loss of at least $p_0(1 - \sqrt{2N}B/2^k)$.",
        rf"{SHI}, Theorem 2, informal, «with proper $k$»: features that do not depend on the data; the law is the "
        rf"worst one, not ours.",
        check="tests/lessons/test_emergence_figures.py",
    ),
    Claim(
        "theorem",
        r"Without structure no learner by statistical queries beats a coin unless it asks $\tfrac12 "
        r"\binom{D}{k}^{1/3}$ queries or its tolerance is below the inverse of that.",
        rf"{SHI}, Theorem 3: independent fair patterns, an error below $\tfrac12 - \binom{{D}}{{k}}^{{-3}}$.",
        {"structure": 0.0},
    ),
    Claim(
        "published",
        "A linear classifier on the network's features has an accuracy of about 52 % after the first step and 100 % "
        "after the second.",
        f"{SHI}, simulation: d = 500, D = 100, k = 5, p₀ = ½, m = 300. Not reproduced here, see the next lines.",
    ),
    Claim(
        "measured",
        "A tuned head on the network's features has an accuracy of {} after the first step and {} after the "
        "second; that of a linear model on the inputs is {}.",
        "Seeds 0 to 4, 21 and 22; the paper's sizes, 20 000 samples a step, 10 000 test samples.",
        figures=(
            _at("structured", "head_accuracy.1", "0.836 to 0.856"),
            _at("structured", "head_accuracy.2", "1.00"),
            _at("structured", "linear.accuracy", "0.835 to 0.857"),
        ),
    ),
    Claim(
        "measured",
        "The neurons hardly turn in the second step: the median |cos| with the sum of the relevant patterns is {} "
        "after the first and {} after the second, {} at the start.",
        "Seeds 0 to 4 and 21.",
        figures=(
            _at("structured", "median_abs_cos.1", "0.995 to 0.997"),
            _at("structured", "median_abs_cos.2", "0.997 to 0.998"),
            _at("structured", "median_abs_cos.0", "0.027 to 0.032"),
        ),
    ),
    Claim(
        "measured",
        "Fixed features stay behind: random features at {}, the NTK at {}. Without structure all are near a coin: the "
        "network at {}, random features at {}, the NTK at {}.",
        "Seeds 0 to 4 and 21 to 23, tuned heads.",
        figures=(
            _at("structured", "random_features.accuracy", "0.781 to 0.802"),
            _at("structured", "ntk.accuracy", "0.828 to 0.850"),
            _at("unstructured", "network.accuracy", "0.493 to 0.512"),
            _at("unstructured", "random_features.accuracy", "0.494 to 0.512"),
            _at("unstructured", "ntk.accuracy", "0.490 to 0.525"),
        ),
    ),
    Claim(
        "measured",
        "With a structure of 0.3 the head's accuracy is {} after the first step and {} after the second; the "
        "linear model's is {}.",
        "Seeds 0 to 4.",
        {"structure": 0.3},
        (
            _at("structured", "head_accuracy.1", "0.711 to 0.734"),
            _at("structured", "head_accuracy.2", "0.956 to 0.993"),
            _at("structured", "linear.accuracy", "0.673 to 0.701"),
        ),
    ),
    Claim(
        "open",
        "Which law of the relevant patterns, which sample sizes and which rates the paper's simulation has, and so "
        "where its 52 % comes from.",
        "Outputs of RMS 0.1 and 10 after the first step, and a structure of 0.3, give 0.84, 1.00 and 0.72 here.",
        {"first_output": 10.0},
    ),
)
