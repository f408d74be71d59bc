"""What «Transform the label» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

DAMIAN = "Damian, Pillaud-Vivien, Lee, Bruna, COLT 2024"
LIMITS = r"""
- **That any transform helps.** It must have a correlation with z, or with z² − 1 for an even target. One that falls
  between two signs sees nothing, and which does depends on the noise.
- **How to find the transform.** The threshold is set by hand. The conditional mean knows the target's curve and its
  noise beforehand, and stands for the best that can be had.
- **That plain labels can never do.** They fail in one step from this start. A second look at each sample, more steps or
  a larger n are other ways.
- **The power of d.** That n grows like d is read from two dimensions that lie on one another, not proved.
- **Several directions.** All targets here follow one; with more, some may be hidden behind others.
"""


def _cosine(transform: str, d: int, ratio: int, stated: str, seed: int = 0) -> Figure:
    path = f"cosines[transform={transform},d={d},ratio={ratio}].cosine"
    return Figure(path, stated, settings={"seed": seed})


def _row(transform: str, what: str, stated: str, seed: int = 0) -> Figure:
    return Figure(f"variants.{transform}.{what}", stated, settings={"seed": seed})


CLAIMS = (
    Claim(
        "theorem",
        r"For He₃/√6 without noise and $\tau \ge 2/\sqrt6$ the linear part of $\mathrm{sign}(y)\,1\{|y| > \tau\}$ is "
        r"$2\varphi(a)\,u$, where $a \ge 2$ and $\mathrm{He}_3(a) = \sqrt6\,\tau$; that of $y$ is 0.",
        "Gaussian inputs, φ the normal density. Such labels are beyond the inner humps, where the cubic has its sign. "
        "Derived by us.",
        check="tests/learners/test_label_transform.py",
    ),
    Claim(
        "theorem",
        r"For an even target $\mathbb{E}\,T(y)\,x = 0$ whatever $T$: no transform gives it a linear part.",
        "Gaussian inputs, noise independent of them: x and −x have the same law and the same labels. Derived by us.",
        check="tests/learners/test_label_transform.py",
    ),
    Claim(
        "published",
        r"Efficient algorithms, within the statistical-query and the low-degree frameworks, need of the order of "
        r"$d^{k^\star/2}$ samples, $k^\star$ the generative exponent; a partial-trace estimator needs no more.",
        f"{DAMIAN}, from the abstract: Gaussian inputs, a single direction; to find it at all takes of the order of d. "
        "Both are statements on the order in d, and on these classes of algorithms.",
    ),
    Claim(
        "measured",
        "On He₃/√6 without noise Algorithm 1 ends at {}, {} and {}; with the threshold in its step at {}, {} and {}, "
        "with the conditional mean at {}, {} and {}.",
        "Seeds 0, 7 and 11; d = 40, n = 10 000, τ = 1.",
        figures=(
            _row("none", "excess_risk", "0.62"),
            _row("none", "excess_risk", "0.63", 7),
            _row("none", "excess_risk", "0.59", 11),
            _row("sign_threshold", "excess_risk", "0.02"),
            _row("sign_threshold", "excess_risk", "0.02", 7),
            _row("sign_threshold", "excess_risk", "0.02", 11),
            _row("conditional_mean", "excess_risk", "0.01"),
            _row("conditional_mean", "excess_risk", "0.01", 7),
            _row("conditional_mean", "excess_risk", "0.01", 11),
        ),
    ),
    Claim(
        "measured",
        "The alignment with u rises from {} with plain labels to {} with the threshold.",
        "Seed 0; d = 40, n = 10 000, no noise.",
        figures=(_row("none", "alignment", "0.17"), _row("sign_threshold", "alignment", "0.96")),
    ),
    Claim(
        "measured",
        "With label noise 1 the threshold ends at {}, {} and {}, plain labels at {}, {} and {}.",
        "Seeds 0, 7 and 11; d = 40, n = 10 000, τ = 1.",
        {"noise": 1.0},
        (
            _row("sign_threshold", "excess_risk", "0.20"),
            _row("sign_threshold", "excess_risk", "0.375", 7),
            _row("sign_threshold", "excess_risk", "0.29", 11),
            _row("none", "excess_risk", "0.86"),
            _row("none", "excess_risk", "0.89", 7),
            _row("none", "excess_risk", "0.79", 11),
        ),
    ),
    Claim(
        "measured",
        "With label noise 0.1 a threshold of 0.82, the height of the humps, sees nothing: it ends at {}, {} and {}.",
        "Seeds 0, 7 and 11; d = 40, n = 10 000.",
        {"noise": 0.1, "threshold": 0.82},
        (
            _row("sign_threshold", "excess_risk", "1.02"),
            _row("sign_threshold", "excess_risk", "0.975", 7),
            _row("sign_threshold", "excess_risk", "0.94", 11),
        ),
    ),
    Claim(
        "measured",
        "At $n = 10 d$ one average of the thresholded labels has a mean cosine with u of {} in 100 dimensions and {} "
        "in 400; of plain labels {} and {}.",
        "Seed 0; 20 repeats; a standard error of about 0.01, of plain labels 0.03.",
        figures=(
            _cosine("sign_threshold", 100, 10, "0.84"),
            _cosine("sign_threshold", 400, 10, "0.84"),
            _cosine("none", 100, 10, "0.22"),
            _cosine("none", 400, 10, "0.11"),
        ),
    ),
    Claim(
        "measured",
        "On He₄/√24 the alignment is {} with plain labels, {} with a threshold of 1.25 and {} with the conditional "
        "mean.",
        "Seed 0; d = 40, n = 10 000, no noise.",
        {"target": "He4(z1)/sqrt(24)", "threshold": 1.25, "repeats": 4},
        (
            _row("none", "alignment", "0.18"),
            _row("sign_threshold", "alignment", "0.41"),
            _row("conditional_mean", "alignment", "0.72"),
        ),
    ),
    Claim(
        "open",
        "How to choose the threshold from the sample alone, when the curve is not known, and what the rescue needs in "
        "networks that are trained for many steps.",
        "Not measured here. A loss other than the squared one, and samples that are seen again, transform labels too.",
    ),
)
