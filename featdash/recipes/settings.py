"""Settings that many recipes share, each with its rule, label and help in one place; a recipe gives the default.

Each function returns a field of a Spec, as `setting` does.
"""

from __future__ import annotations

from typing import Any

from featdash.recipes.spec import Flag, Formula, Number, Width, setting
from featdash.recipes.whole_numbers import WholeNumbers

LARGEST_SEED = 2**31 - 1


def seed(
    about: str = "What all random draws begin with: the same seed gives the same numbers.", most: int = LARGEST_SEED
) -> Any:
    """What the random streams begin with; `most` : lower where a run counts up from it."""
    return setting(0, Number(0, most, whole=True), "Seed", about, "Repeats")


def seeds(default: tuple[int, ...], most: int) -> Any:
    """What each repeat begins with; most : how many there may be."""
    rule = WholeNumbers(Number(0, LARGEST_SEED, whole=True), most=most)
    return setting(default, rule, "Seeds", 'A list, or a range such as "0..9".', "Repeats")


def width(default: int, most: int, about: str = "Neurons, even; half of them are distinct.") -> Any:
    """m, the neurons of a network with the symmetric start."""
    return setting(default, Width(2, most), "Width m", about, "Method")


def target(
    default: str, label: str = "Target", about: str = "A name from the list, or a polynomial in z1, z2, ..."
) -> Any:
    """A target function by its name or its polynomial, as `resolve_target` reads it."""
    return setting(default, Formula(200), label, about)


def noise(default: float = 1.0, about: str = "Standard deviation of the Gaussian label noise.") -> Any:
    """ς, the standard deviation of the label noise."""
    return setting(default, Number(0, 10), "Label noise ς", about, "Data")


def fresh_data() -> Any:
    """Whether the head is fitted to new samples."""
    about = "The head is fitted to n new samples, not to those of the first step."
    return setting(False, Flag(), "Fresh data for the head", about, "Data")


def holdout(default: int, most: int) -> Any:
    """The samples that choose λ."""
    return setting(default, Number(10, most, whole=True), "Holdout samples", "They choose λ, for all alike.", "Data")


def test(default: int, most: int, about: str = "Noise-free; never used in fitting.") -> Any:  # noqa: PT028 (no test)
    """The samples that measure the risk."""
    return setting(default, Number(10, most, whole=True), "Test samples", about, "Data")
