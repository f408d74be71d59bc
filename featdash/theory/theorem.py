"""What a theorem says of a visitor's setting: its conditions, whether they are met, and its bound in numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["holds", "fails", "unknown"]

SOURCE = "Damian, Lee, Soltanolkotabi (COLT 2022), PMLR 178:5413-5452"


@dataclass(frozen=True)
class Assumption:
    """One condition of a theorem: LaTeX, whether the visitor's setting meets it, and why, in a sentence."""

    name: str
    latex: str
    status: Status
    because: str


@dataclass(frozen=True)
class FirstStep:
    """How a run trains the first layer; the defaults are those of the lessons that offer no choice.

    eta : η₁, None where it is what brings the rows of W¹ to RMS norm 1.
    remove_linear : line 1; biases : "redrawn" after the step with b = 0, or "kept" from before it.
    count : how often it is taken; activation : "relu", or another one in the step.
    """

    eta: float | None = None
    remove_linear: bool = True
    biases: str = "redrawn"
    count: int = 1
    activation: str = "relu"


AS_PRINTED = FirstStep()


@dataclass(frozen=True)
class Term:
    """One summand of a bound: its symbols, the same with numbers, and its value; None where κ is infinite."""

    latex: str
    in_numbers: str
    value: float | None


@dataclass(frozen=True)
class Theorem:
    """A theorem with numbers.

    statement : LaTeX of the conclusion in symbols; with_numbers : its right side with the visitor's numbers.
    terms : the summands of the right side; bound : their sum, or None where it is not defined.
    says : what `bound` bounds, and that it is known up to its constant.
    applies : "fails" if any assumption does, else "unknown" if any is, else "holds".
    assumption_results : a sentence that names the assumptions that fail, or else those that cannot be checked.
    """

    number: int
    title: str
    statement: str
    assumptions: tuple[Assumption, ...]
    terms: tuple[Term, ...]
    bound: float | None
    says: str
    source: str = SOURCE

    @property
    def with_numbers(self) -> str:
        return " + ".join(term.in_numbers for term in self.terms)

    @property
    def applies(self) -> Status:
        statuses = {assumption.status for assumption in self.assumptions}
        return next((status for status in ("fails", "unknown") if status in statuses), "holds")

    @property
    def assumption_results(self) -> str:
        applies, total = self.applies, len(self.assumptions)
        if applies == "holds":
            return f"All conditions hold, {total} of {total}." if total > 1 else "The condition holds."
        names = [assumption.name for assumption in self.assumptions if assumption.status == applies]
        if applies == "fails":
            return f"Of {total} conditions {len(names)} fail{'s' * (len(names) == 1)}: {', '.join(names)}."
        holding = sum(assumption.status == "holds" for assumption in self.assumptions)
        return f"Of {total} conditions {holding} hold; these cannot be checked: {', '.join(names)}."
