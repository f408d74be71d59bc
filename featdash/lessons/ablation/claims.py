"""What «Delete a line» claims, and what it does not show."""

from featdash.recipes.claim import Claim, Figure

LIMITS = r"""
- **That a line is needed for every target.** Each bar is one target, one size, one seed. Line 1 makes no clear
  difference for a target without linear part, and a large one for a target with one.
- **That the mirror copies are needed.** The paper says that its results hold for small starts without them too, and
  «no mirror, a/m» shows it. What fails is an output of size $\sqrt{m/2}$ at the start.
- **Small differences.** If two risks are closer than their standard errors, nobody can tell them apart; and these
  errors are those of the test sample alone.
- **Two changes at once.** One line is changed at a time; lines may stand in for one another.
"""


def _risk(variant: str, text: str) -> Figure:
    return Figure(f"variants.{variant}.excess_risk", text)


CLAIMS = (
    Claim(
        "published",
        "The symmetric start is for clarity: the results also hold for a small random start that is not symmetric.",
        "Damian, Lee, Soltanolkotabi, COLT 2022, section 2, in words.",
    ),
    Claim(
        "measured",
        "The intact algorithm ends at {}. Without mirror copies and with output weights ±1 it ends at {}, with λ₁ = "
        "0 at {}, with all biases at 0 at {}.",
        "Seeds 0 to 4 and 21; d = 10, n = 10⁴, m = 1000.",
        figures=(
            _risk("intact", "0.03 to 0.10"),
            _risk("no_symmetry", "0.4 to 1.1"),
            _risk("old_weights_kept", "0.14 to 0.29"),
            _risk("biases_not_drawn", "0.55 to 0.82"),
        ),
    ),
    Claim(
        "measured",
        "Without mirror copies but with output weights ±1/m it ends at {}, where the intact run ends at {}.",
        "Seeds 0 to 4; at each the two differ by less than the standard error of one, 0.01 to 0.02.",
        figures=(_risk("small_start", "0.03 to 0.12"), _risk("intact", "0.03 to 0.10")),
    ),
    Claim(
        "measured",
        "With all biases at 0 the neurons point the right way, with an alignment of {} as in the intact run, "
        "and still they cannot draw the function.",
        "Seeds 0 to 4.",
        figures=(Figure("variants.biases_not_drawn.alignment", "0.90 to 0.95"),),
    ),
    Claim(
        "measured",
        "For a target with a linear part, the risk is {} and without line 1 {}, and the neurons then collapse "
        "on one line: {} of their squared length lie along it, against {}.",
        "Seeds 0 to 4 and 21 to 23; the target «linear».",
        {"target": "linear"},
        (
            _risk("intact", "0.0059 to 0.0091"),
            _risk("linear_part_left", "0.012 to 0.027"),
            Figure("variants.linear_part_left.concentration", "0.962 to 0.979"),
            Figure("variants.intact.concentration", "0.44 to 0.56"),
        ),
    ),
    Claim(
        "open",
        "What each line costs as d and r grow: one dimension is run at a time.",
        "Not measured here.",
    ),
)
