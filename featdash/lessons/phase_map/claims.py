"""What the phase map claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **A phase transition.** The colours change gradually, and the lines are the orders of theory with their constants
  set to 1. The fitted powers are of levels that were chosen, ½ and ¼; another level has another power.
- **That a power below 2 contradicts theory.** The theorem is an upper bound, for large $d$; between $d = 5$ and 28 the
  risk also has a part from the noise in a fitted head, which grows more slowly.
- **The limit of large $d$.** The map ends at $d = 40$, where $d^4$ is two and a half million samples: in most rows the
  right-hand line, where a kernel would have learned everything, lies beyond the map.
- **Certainty of a cell.** Each is the mean of two seeds with 5000 test samples. Neighbouring cells differ by
  chance.
- **Another width or noise.** All cells have width 300 and noise 1 unless they are changed; the ratio depends on
  both.
"""


def _cell(d: int, n: int, name: str, text: str) -> Figure:
    return Figure(f"cells[d={d},n={n}].{name}", text)


CLAIMS = (
    Claim(
        "theorem",
        r"$n \gtrsim d^2 r$ samples are enough for the first step to find the subspace.",
        r"Damian, Lee, Soltanolkotabi, COLT 2022, Lemma 1 and Theorem 1, under Assumption 2: an order, with a power "
        r"of κ and unknown constants.",
        check="tests/theory/test_predictions.py",
    ),
    Claim(
        "published",
        r"For one large step, hard directions require $O(d^\ell)$ samples, where $\ell$ is the leap index of the "
        r"target. It is 2 for a bowl, so $d^2$ samples are necessary there.",
        "Dandi, Krzakala, Loureiro, Pesce, Stephan, JMLR 2024, from the abstract; Gaussian inputs, large d. It is "
        "about where neurons turn, not about the error; whether it covers each detail of Algorithm 1 is not checked "
        "here.",
    ),
    Claim(
        "measured",
        "At d = 10 the alignment is {} at n = 100, {} at n = 1000 and {} at n = 10⁴.",
        "Five means of two seeds each, width 300.",
        figures=(
            _cell(10, 100, "alignment", "0.1 to 0.5"),
            _cell(10, 1000, "alignment", "0.64 to 0.77"),
            _cell(10, 10_000, "alignment", "0.911 to 0.938"),
        ),
    ),
    Claim(
        "measured",
        "At d = 40, where $d^2 = 1600$, it is {} at n = 1000 and {} at n = 10⁴.",
        "Seven means of two seeds each, width 300.",
        figures=(_cell(40, 1000, "alignment", "0.08 to 0.34"), _cell(40, 10_000, "alignment", "0.56 to 0.73")),
    ),
    Claim(
        "measured",
        "Algorithm 1's risk over the NTK's is {} at d = 10 and {} at d = 40, for n = 10⁴; with n = 100 and d = 10 it "
        "is {}, because α and β cost more than the step gains.",
        "Seven means of two seeds each, width 300.",
        figures=(
            _cell(10, 10_000, "ratio", "0.07 to 0.29"),
            _cell(40, 10_000, "ratio", "0.38 to 0.51"),
            _cell(10, 100, "ratio", "0.9 to 1.3"),
        ),
    ),
    Claim(
        "measured",
        "On He₃/√6, which has no curvature on average, the alignment at n = 10⁴ is {} at d = 10 and {} at d = 20.",
        "Five means of two seeds each, width 300.",
        {"target": "transfer", "dimensions": (5, 7, 10, 14, 20)},
        (_cell(10, 10_000, "alignment", "0.17 to 0.34"), _cell(20, 10_000, "alignment", "0.11 to 0.23")),
    ),
    Claim(
        "measured",
        "Samples to an alignment of ½ grow like $d$ to the power {} over the dimensions from 5 to 40.",
        "Five maps of two seeds each; a least-squares line through the logarithms.",
        figures=(Figure("exponents.alignment.half.slope", "1.1 to 2.4"),),
    ),
    Claim(
        "measured",
        "Those to ¼ of the zero risk grow with the power {} for Algorithm 1; the NTK of 300 "
        "neurons comes to ¼ nowhere on the map.",
        "Five maps of two seeds each; d = 5 to 28, at d = 40 no n is enough.",
        figures=(Figure("exponents.algorithm1.quarter.slope", "0.8 to 1.9"),),
    ),
    Claim(
        "measured",
        "On He₃/√6 the NTK's samples to ¾ of the zero risk grow with the power {}; theory has the "
        "degree, $p = 3$, for kernels.",
        "Five maps of three seeds each, width 300; d = 5 to 14.",
        {"target": "transfer", "dimensions": (5, 7, 10, 14, 20), "seeds": (0, 7, 11)},
        (Figure("exponents.ntk.three_quarters.slope", "2.4 to 3.7"),),
    ),
    Claim(
        "open",
        "Where the edge of the coloured region lies for large d, and with which constant.",
        "Not measured here.",
    ),
)
