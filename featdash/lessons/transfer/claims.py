"""What transfer claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **Transfer to any task.** The new target has the same directions as the old one. A target with other directions gets
  nothing from the frozen layer, and nothing here measures tasks that share only some of their directions.
- **A gain over every other way.** The new head is not compared with a network trained on both targets together, nor
  with fine-tuning of the first layer.
- **Independence of $d$.** Theorem 3 has no $d$, but all runs here have $d = 10$ unless you change it: this page does
  not measure that the head's samples do not grow with $d$.
- **The authors' settings.** Neither width nor seeds of Figure 2 are stated. That width 100 without preprocessing
  meets its points is our finding, not theirs.
"""


def _mean(n: int, N: int, text: str) -> Figure:
    return Figure(f"statistics[n={n},N={N}].mean", text)


def _paper(n: int, N: int, text: str) -> Figure:
    return Figure(f"figure2[n={n},N={N}].mean", text)


CLAIMS = (
    Claim(
        "theorem",
        r"With the first layer kept, a new head needs $N$ samples of the new target: its error is at most "
        r"$\tilde O(\sqrt{r^p \kappa^{2p}/\min(m, N)} + N^{-1/4})$, with no $d$ in it.",
        r"Damian, Lee, Soltanolkotabi, COLT 2022, Theorem 3: the new target looks at the same directions, the layer "
        r"was pretrained on $n \ge \tilde\Omega(d^2\kappa^2 r)$ samples of a target that meets Assumption 2; noise ±ς.",
        check="tests/theory/test_theorems.py",
    ),
    Claim(
        "published",
        "With N = 10⁴ the paper has a risk of {} after n = 10³ pretraining samples, {} after 10⁴ and {} after 10⁵.",
        "Damian, Lee, Soltanolkotabi, COLT 2022, Figure 2, read off the vector figure; width and seeds are not stated.",
        {"preset": "figure2-unprocessed"},
        (_paper(1000, 10_000, "0.255"), _paper(10_000, 10_000, "0.055"), _paper(100_000, 10_000, "0.019")),
    ),
    Claim(
        "measured",
        "Without preprocessing at width 100 ours are {}, {} and {} at the same places.",
        "Eight means of ten seeds each; 10⁵ test samples.",
        {"preset": "figure2-unprocessed"},
        (
            _mean(1000, 10_000, "0.22 to 0.30"),
            _mean(10_000, 10_000, "0.041 to 0.081"),
            _mean(100_000, 10_000, "0.016 to 0.024"),
        ),
    ),
    Claim(
        "measured",
        "As the paper prints Algorithm 1, at width 1000, most of the gain has come by n = d⁴: with N = 10⁴ the risk "
        "is {} after n = 10, {} after 10², {} after 10³, {} after 10⁴ and {} after 10⁵.",
        "Five means of three seeds each.",
        figures=(
            _mean(10, 10_000, "0.65 to 1.06"),
            _mean(100, 10_000, "0.17 to 0.28"),
            _mean(1000, 10_000, "0.046 to 0.080"),
            _mean(10_000, 10_000, "0.024 to 0.032"),
            _mean(100_000, 10_000, "0.017 to 0.025"),
        ),
    ),
    Claim(
        "measured",
        "On a layer that has seen one sample the head learns little: its risk is {} at N = 10⁴.",
        "Five means of three seeds each.",
        figures=(_mean(1, 10_000, "0.83 to 1.04"),),
    ),
    Claim(
        "open",
        "How many samples the head needs as d grows, and what a layer gives a target that shares only some directions.",
        "Not measured here; the theorem answers the first up to constants.",
        {"d": 30},
    ),
)
