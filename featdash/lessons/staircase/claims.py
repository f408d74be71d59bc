"""What the lesson on a stair claims, and what it does not show."""

from featdash.lessons.staircase.recipe import LOOSE, NONE
from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **The exponents of theory.** The conjecture is about large $d$ and about steps whose length is chosen for $d$. Here
  the length is the same at 20, 40 and 80 inputs, and the measured growth is slower than any power in the conjecture.
- **The leap alone.** A ReLU whose bias is 0 has no part of degree 3: it cannot see $x_1x_2x_3$ before the biases have
  moved. Part of the wait for that product alone comes from there, as the «Try» with drawn biases shows.
- **That a network must wait.** Other methods learn a product of three inputs at once, by looking at all products of
  three. The claim is about gradient descent on all layers of a network.
- **A limited sample.** Every step has fresh samples. If a network sees the same samples again and again, it may do
  better, or learn them by heart.
"""
CLAIMS = (
    Claim(
        "published",
        r"For a function of a few of $d$ inputs $\pm 1$, that each monomial adds one input at most to those before it "
        r"is necessary, and nearly sufficient, for a two-layer network to learn it from $O(d)$ samples by stochastic "
        "gradient descent.",
        "Abbe, Boix-Adserà, Misiakiewicz, COLT 2022, from the abstract: mean-field regime, large d; they call it the "
        "merged-staircase property.",
    ),
    Claim(
        "published",
        r"The time that stochastic gradient descent needs is conjectured to be $d^{\max(L, 2)}$, up to logarithms, $L$ "
        "being the leap.",
        "Abbe, Boix-Adserà, Misiakiewicz, COLT 2023, from the abstract: a conjecture for uniform ±1 and for Gaussian "
        "inputs, of which a version is proved for some functions of Gaussian inputs and a modified training.",
    ),
    Claim(
        "measured",
        r"With 80 inputs the full stair is learned after {} steps, without its middle after {}, and $x_1x_2x_3$ alone "
        "after {}.",
        "Seeds 0 to 4; each number is the median of three networks.",
        figures=(
            Figure("steps.x1+x1x2+x1x2x3.80", "300 to 350"),
            Figure("steps.x1+x1x2x3.80", "850 to 900"),
            Figure("steps.x1x2x3.80", "1500 to 1900"),
        ),
    ),
    Claim(
        "measured",
        r"From 20 to 80 inputs the steps of the full stair are multiplied by {}, without its middle by {}, and those "
        r"of $x_1x_2x_3$ alone by {}.",
        "Seeds 0 to 4; each number comes from medians of three networks.",
        figures=(
            Figure("growth.x1+x1x2+x1x2x3", "1.23 to 1.46"),
            Figure("growth.x1+x1x2x3", "1.63 to 1.73"),
            Figure("growth.x1x2x3", "2.2 to 3.5"),
        ),
    ),
    Claim(
        "measured",
        r"On the full stair the coefficient of $x_1$ is above ½ from step {} on, that of $x_1x_2$ from {} and that of "
        r"$x_1x_2x_3$ from {}.",
        "Seeds 0 to 4, one network each with 80 inputs; checked every ten steps.",
        figures=(
            Figure("half.x1+x1x2+x1x2x3.x1", "30"),
            Figure("half.x1+x1x2+x1x2x3.x1x2", "60"),
            Figure("half.x1+x1x2+x1x2x3.x1x2x3", "250 to 310"),
        ),
    ),
    Claim(
        "measured",
        r"Beside $x_1$, $x_2$ and $x_3$ the same product is learned after {} steps with 20 inputs, and after {} with "
        "80.",
        "Seeds 0 to 4; each number is the median of three networks.",
        {"targets": (LOOSE, NONE)},
        figures=(Figure(f"steps.{LOOSE}.20", "237 to 253"), Figure(f"steps.{LOOSE}.80", "237 to 253")),
    ),
    Claim(
        "theorem",
        r"Where all biases are 0, the expected gradient of $x_1x_2x_3$ at the start is 0 in every weight: only in "
        "the biases is it not.",
        r"Derived by us, for mirrored ReLU networks and uniform inputs: under $x \to -x$ the product changes its sign, "
        r"and what it is multiplied by does not, except for a part that is linear in $x$.",
        check="tests/lessons/test_staircase.py",
    ),
    Claim(
        "measured",
        r"With biases drawn at the start $x_1x_2x_3$ alone takes {} steps with 80 inputs, {} times as many as with 20.",
        "Seeds 0 to 4, 21 and 22; each number is the median of three networks.",
        {"biases": "drawn"},
        figures=(Figure("steps.x1x2x3.80", "700 to 890"), Figure("growth.x1x2x3", "1.7 to 2.2")),
    ),
    Claim(
        "open",
        "By which power of d the steps grow in this training, with ReLU, finite width and a rate that stays the same.",
        "Three dimensions with three networks each are too few to tell; no exponent is fitted.",
        {"dims": (20, 40, 80, 160)},
    ),
)
