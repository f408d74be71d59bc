"""What the curves against width claim, and what they do not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **Infinite width.** The widest network has 1000 neurons. The NTK of the theorems has infinitely many; ours is still
  falling where the picture ends.
- **All layers trained.** Algorithm 1 moves its first layer once. A network whose layers are all trained for long may
  need fewer neurons; there is none here.
- **The rate of Theorem 1.** Its bound is for the mean absolute error, has constants that nobody knows, and adds a term
  in $n$. The dotted line has only its slope; no curve here follows it over its whole length.
- **A law in $d$.** Ten dimensions, and twenty in a «Try». That fewer neurons do as well in any dimension is what the
  theorem says for enough samples, not what is measured.
- **Few draws.** There are five seeds, and at 10 neurons the standard deviation is 0.13: it matters which ten they are.
"""
CUBIC = {"target": "transfer", "d": 20, "seeds": (0, 7, 11)}


def _risk(method: str, width: int, text: str) -> Figure:
    return Figure(f"risk.{method}.{width}", text)


CLAIMS = (
    Claim(
        "theorem",
        r"Algorithm 1's mean absolute error is above that of the noise by at most the order of "
        r"$\sqrt{d r^p \kappa^{2p}/n} + \sqrt{r^p \kappa^{2p}/m} + n^{-1/4}$: the width stands in the second term, "
        r"beside no $d$.",
        "Damian, Lee, Soltanolkotabi, COLT 2022, Theorem 1, under Assumptions 1 and 2, for $n$ of the order of "
        r"$d^2 \kappa^2 r$ at least and $d$ of that of $\kappa r^{3/2}$; constants and logarithms are not named.",
        check="tests/theory/test_theorems.py",
    ),
    Claim(
        "theorem",
        r"With infinitely many samples and between $d^k$ and $d^{k+1}$ neurons, random features fit the polynomials up "
        r"to degree $k$ and the NTK those up to $k + 1$, and no more.",
        r"Ghorbani, Mei, Misiakiewicz, Montanari, Annals of Statistics 2021: inputs uniform on a sphere, "
        r"$d \to \infty$, a factor $d^\delta$ away from both ends. Drawn here for Gaussian inputs, $d = 10$, with the "
        "limit that the samples set.",
        check="tests/theory/test_predictions.py",
    ),
    Claim(
        "measured",
        "With thirty neurons that one step has turned the risk is {}; with 1000 random features it is {}, with "
        "the NTK of 1000 neurons {}.",
        "Five means of five seeds each; 20 000 test samples.",
        figures=(
            _risk("algorithm1", 30, "0.16 to 0.35"),
            _risk("random_features", 1000, "0.49 to 0.55"),
            _risk("ntk", 1000, "0.44 to 0.50"),
        ),
    ),
    Claim(
        "measured",
        "Algorithm 1's risk is {} with 10 neurons, {} with 100 and {} with 300, and stays at {} with 1000.",
        "Eight means of five seeds each.",
        figures=(
            _risk("algorithm1", 10, "0.34 to 0.61"),
            _risk("algorithm1", 100, "0.07 to 0.13"),
            _risk("algorithm1", 300, "0.051 to 0.079"),
            _risk("algorithm1", 1000, "0.049 to 0.089"),
        ),
    ),
    Claim(
        "measured",
        "The step turns few neurons as well as many: the alignment after it is {} with 30 neurons and {} with 1000.",
        "Six means of five seeds each.",
        figures=(Figure("alignment.30", "0.917 to 0.945"), Figure("alignment.1000", "0.917 to 0.936")),
    ),
    Claim(
        "measured",
        "With n = 1000 Algorithm 1's risk is {} with 100 neurons and {} with 1000: more neurons do not make up "
        "for missing samples.",
        "Six means of five seeds each.",
        {"n": 1000},
        (_risk("algorithm1", 100, "0.36 to 0.59"), _risk("algorithm1", 1000, "0.25 to 0.47")),
    ),
    Claim(
        "measured",
        "On He₃/√6 at d = 20, which shows the step no direction, the risk is {} with thirty neurons and {} with "
        "1000; that of the NTK of 1000 is {}.",
        "Six means of three seeds each.",
        CUBIC,
        (
            _risk("algorithm1", 30, "0.91 to 1.00"),
            _risk("algorithm1", 1000, "0.31 to 0.54"),
            _risk("ntk", 1000, "0.67 to 0.78"),
        ),
    ),
    Claim(
        "open",
        "How many neurons Algorithm 1 needs for a given risk, with constants.",
        "The theorem names an order from above; no bound from below is known to us.",
    ),
)
