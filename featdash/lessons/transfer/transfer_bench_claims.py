"""What the bench claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **A fair count of samples.** The frozen layer has seen $n$ samples of another target first. The bench asks what the
  layer is worth once you have it, not whether it is cheaper to collect those samples or more samples of the new target.
- **More than one draw.** Each curve is one seed. The first «Try» ends between 0.25 and 0.90, depending on the seed, and
  the risks of the second differ by up to 0.13 between the seeds 0, 7 and 11.
- **Fine-tuning.** The layer stays as it is. A layer trained on from there is not on this page.
- **A heavy tail tamed.** The squares of He₃ and He₆ are heavy-tailed: even predicting zero does not score exactly 1
  on a test sample.
"""


def _mean(method: str, n: int | None, N: int, text: str) -> Figure:
    return Figure(f"statistics[method={method},n={n},N={N}].mean", text)


CLAIMS = (
    Claim(
        "theorem",
        r"The new head's samples pay for degree and rank alone: $\tilde O(\sqrt{r^p \kappa^{2p}/\min(m, N)} + "
        r"N^{-1/4})$.",
        r"Damian, Lee, Soltanolkotabi, COLT 2022, Theorem 3: same directions, a layer pretrained on "
        r"$n \ge \tilde\Omega(d^2\kappa^2 r)$ samples of a target that meets Assumption 2; noise ±ς.",
        check="tests/theory/test_theorems.py",
    ),
    Claim(
        "measured",
        "On a pure cubic the frozen layer has a risk of {} at N = 1000 and {} at N = 10⁴; Algorithm 1 trained on those "
        "samples alone has {} and {}.",
        "Seeds 0 to 4, 21 and 22; d = 10, n = 10⁴ pretraining samples.",
        figures=(
            _mean("transfer", 10_000, 1000, "0.07 to 0.13"),
            _mean("transfer", 10_000, 10_000, "0.020 to 0.035"),
            _mean("algorithm1", None, 1000, "0.26 to 0.70"),
            _mean("algorithm1", None, 10_000, "0.10 to 0.30"),
        ),
    ),
    Claim(
        "measured",
        "Whether a layer of 30 pretraining samples has found the direction is a matter of luck: its head has {} at N = "
        "10⁴.",
        "Seeds 0 to 4.",
        {"n": 30},
        (_mean("transfer", 30, 10_000, "0.1 to 1.2"),),
    ),
    Claim(
        "theorem",
        "That Algorithm 1 from scratch learns the cubic at d = 10 at all is no success of its step, whose exact "
        r"gradient is zero: a share $8/(2d + 6)$ of the squared noise of the step lies along the direction, $0.31$ at "
        r"$d = 10$.",
        r"Gaussian inputs, $b = 0$, noise 1, the linear part known: $\mathbb{E}y^2 (u \cdot x)^2 = 8$ and "
        r"$\mathbb{E}y^2 \lVert x \rVert^2 = 2d + 6$. Derived by us; the risks as d grows are on «When it must fail».",
    ),
    Claim(
        "open",
        "How many samples of the new target a frozen layer is worth, when those of its pretraining are paid for as "
        "well.",
        "The bench compares heads on equal N; the two kinds of samples are not weighed against one another.",
    ),
)
