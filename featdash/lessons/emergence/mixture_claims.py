"""What «Digits and noise» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **The paper's experiment.** That one has MNIST, CIFAR10 and SVHN, with 28 × 28 pixels and more and with ResNets. On
  MNIST its authors call the difference less pronounced than on the others; ours is on 8 × 8 digits and pronounced.
- **That inputs alone are the reason.** The teacher was trained on digits. Gaussian inputs lie where it was never
  trained, and what it says there may be harder to copy than what it says on digits, whatever the inputs.
- **That it can get no further.** The student sees 1200 Gaussian inputs again and again. With more of them it may get
  further; we have not measured that.
- **Features.** You see accuracies here, and no neurons. The two other parts of this page show neurons.
"""


def _right(kind: str, step: int, text: str) -> Figure:
    return Figure(f"accuracy.{kind}.{step}", text)


CLAIMS = (
    Claim(
        "published",
        "A student of an equal mixture learns the part of CIFAR10 about as well as one that is trained on it directly; "
        "on the Gaussian part it learns more slowly and to a worse accuracy. On MNIST the trend is less significant.",
        "Shi, Wei, Liang, ICLR 2022, section 6 and Figure 4, in words; no numbers are read off the figure.",
    ),
    Claim(
        "published",
        "Without the structure of the inputs no polynomial algorithm of statistical queries learns even weakly.",
        "Shi, Wei, Liang, ICLR 2022, from the abstract: for their dictionary model, not for digits.",
    ),
    Claim(
        "measured",
        "After a hundred steps the student's accuracy is {} on new digits and {} on new Gaussian inputs.",
        "Seeds 0 to 4 and 21, a mean of 5 runs each; each judges on 597 digits and 2000 Gaussian inputs.",
        figures=(_right("digits", 100, "0.955 to 0.963"), _right("gaussian", 100, "0.602 to 0.641")),
    ),
    Claim(
        "measured",
        "At the end it is {} and {}; if you always name the teacher's most common class, you get {} on the second.",
        "Seeds 0 to 4, a mean of 5 runs each.",
        figures=(
            _right("digits", 1500, "0.964 to 0.979"),
            _right("gaussian", 1500, "0.63 to 0.69"),
            Figure("majority.gaussian", "0.19 to 0.26"),
        ),
    ),
    Claim(
        "measured",
        "A student of the digits alone reaches {}: the Gaussian half costs hardly anything on the digits.",
        "Seeds 0 to 4, 21 and 22, a mean of 5 runs each.",
        figures=(_right("alone", 1500, "0.966 to 0.978"),),
    ),
    Claim(
        "measured",
        "With the digits' covariance in the Gaussian inputs the second number is {}.",
        "Seeds 0 to 4, a mean of 5 runs each.",
        {"gaussian": "matched"},
        (_right("gaussian", 1500, "0.742 to 0.766"),),
    ),
    Claim(
        "open",
        "Which structure of real images it is that helps.",
        "The covariance is a part of it here; the paper's theory has patterns that go with the label.",
    ),
)
