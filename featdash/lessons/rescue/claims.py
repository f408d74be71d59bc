"""What «Transform the label» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

DAMIAN = "Damian, Pillaud-Vivien, Lee, Bruna, COLT 2024"
LIMITS = r"""
- **That any transform helps.** It must have a correlation with z, or with z² − 1 for an even target. A transform
  between two signs sees nothing, and which transform that is depends on the noise.
- **How to find the transform.** The threshold is set by hand. The conditional mean knows the target's curve and its
  noise beforehand, and stands for the best that can be had.
- **That plain labels can never do.** They fail in one step from this start. A second look at each sample, more steps or
  a larger n are other ways.
- **The power of d.** That n grows like d is read off from two dimensions whose points coincide; it is not proved.
- **Several directions.** All targets here follow one; with more, some may be hidden behind others.
"""


SOFTMAX = {"transforms": ("none", "sign_threshold", "softmax")}


def _cosine(transform: str, d: int, ratio: int, text: str) -> Figure:
    return Figure(f"cosines[transform={transform},d={d},ratio={ratio}].cosine", text)


def _row(transform: str, what: str, text: str) -> Figure:
    return Figure(f"variants.{transform}.{what}", text)


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
        "theorem",
        r"For He₃/√6 $\mathbb{E}\,e^{\rho y}$ is infinite for every $\rho \ne 0$: uncut, the weights of a softmax head "
        "have no mean.",
        r"Gaussian inputs: in the exponent $\rho z^3/\sqrt6$ outgrows $-z^2/2$ at one end. Derived by us.",
        check="tests/learners/test_label_transform.py",
    ),
    Claim(
        "published",
        "Pretrained transformers with softmax attention find the direction of a new single-index target from fewer "
        "samples than a correlational-statistical-query algorithm needs, because softmax transforms the labels.",
        "Nishikawa, Song, Oko, Wu, Suzuki, ICML 2025, from the abstract. Our softmax head is one transform of the "
        "label: a reduction of ours, without their pretraining.",
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
        "On He₃/√6 without noise Algorithm 1 ends at {}; with the threshold in its step at {}, with the conditional "
        "mean at {}.",
        "Seeds 0 to 4; d = 40, n = 10 000, τ = 1.",
        figures=(
            _row("none", "excess_risk", "0.52 to 0.71"),
            _row("sign_threshold", "excess_risk", "0.007 to 0.032"),
            _row("conditional_mean", "excess_risk", "0.005 to 0.013"),
        ),
    ),
    Claim(
        "measured",
        "The alignment with u is {} with plain labels and {} with the threshold.",
        "Seeds 0 to 4; d = 40, n = 10 000, no noise.",
        figures=(_row("none", "alignment", "0.11 to 0.18"), _row("sign_threshold", "alignment", "0.959 to 0.983")),
    ),
    Claim(
        "measured",
        "With a softmax head in its step Algorithm 1 ends at {}, with an alignment of {}.",
        "Seeds 0 to 4, 7 and 11; d = 40, n = 10 000, ρ = 2, labels cut off at ±3, no noise.",
        SOFTMAX,
        (_row("softmax", "excess_risk", "0.025 to 0.089"), _row("softmax", "alignment", "0.87 to 0.94")),
    ),
    Claim(
        "measured",
        "At $n = 10 d$ one average of the softmax head has a mean cosine with u of {} in 100 dimensions and {} in 400.",
        "Seeds 0 to 4, 7 and 11; ρ = 2, labels cut off at ±3.",
        SOFTMAX,
        (_cosine("softmax", 100, 10, "0.56 to 0.68"), _cosine("softmax", 400, 10, "0.60 to 0.66")),
    ),
    Claim(
        "measured",
        "With label noise 1 the threshold ends at {}, plain labels at {}.",
        "Seeds 0 to 4, 21 and 22; d = 40, n = 10 000, τ = 1.",
        {"noise": 1.0},
        (_row("sign_threshold", "excess_risk", "0.16 to 0.47"), _row("none", "excess_risk", "0.74 to 0.96")),
    ),
    Claim(
        "measured",
        "With label noise 0.1 a threshold of 0.82, the height of the humps, sees hardly anything: it ends at {}.",
        "Seeds 0 to 4, 21 and 22; d = 40, n = 10 000.",
        {"noise": 0.1, "threshold": 0.82},
        (_row("sign_threshold", "excess_risk", "0.81 to 1.07"),),
    ),
    Claim(
        "measured",
        "At $n = 10 d$ one average of the thresholded labels has a mean cosine with u of {} in 100 dimensions and {} "
        "in 400; of plain labels {} and {}.",
        "Seeds 0 to 4; 20 repeats each; a standard error of about 0.01, of plain labels 0.03.",
        figures=(
            _cosine("sign_threshold", 100, 10, "0.826 to 0.841"),
            _cosine("sign_threshold", 400, 10, "0.834 to 0.847"),
            _cosine("none", 100, 10, "0.17 to 0.24"),
            _cosine("none", 400, 10, "0.07 to 0.14"),
        ),
    ),
    Claim(
        "measured",
        "On He₄/√24 the alignment is {} with plain labels, {} with a threshold of 1.25 and {} with the conditional "
        "mean.",
        "Seeds 0 to 4; d = 40, n = 10 000, no noise.",
        {"target": "He4(z1)/sqrt(24)", "threshold": 1.25, "repeats": 4},
        (
            _row("none", "alignment", "0.11 to 0.33"),
            _row("sign_threshold", "alignment", "0.37 to 0.56"),
            _row("conditional_mean", "alignment", "0.70 to 0.82"),
        ),
    ),
    Claim(
        "open",
        "How to choose the threshold from the sample alone, when the curve is not known, and what the rescue needs in "
        "networks that are trained for many steps.",
        "Not measured here. A loss other than the squared one, and samples that are seen again, transform labels too.",
    ),
)
