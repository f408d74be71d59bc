"""Numbers and ranges as a sentence writes them, and what they hold."""

import pytest

from featdash.recipes.claim import NUMBER, Claim, Figure, stated_ends, value_of


@pytest.mark.parametrize(
    ("text", "value"),
    [("−0.46", -0.46), ("3·10⁻⁶", 3e-6), ("14 000", 14_000), ("52 %", 0.52), ("½", 0.5), ("10³", 1000)],
)
def test_numbers_are_read_as_they_are_written(text, value):
    assert value_of(NUMBER.fullmatch(text)) == pytest.approx(value)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("0.06", (0.055, 0.065)),
        ("2·10⁻⁸", (1.5e-8, 2.5e-8)),
        ("0.04 to 0.08", (0.035, 0.085)),
        ("−0.55 to −0.4", (-0.555, -0.35)),
        ("10⁻⁸ to 2·10⁻⁷", (0.5e-8, 2.5e-7)),
        ("5700 to 14 000", (5699.5, 14_000.5)),
    ],
)
def test_an_end_is_as_exact_as_it_is_written(text, ends):
    assert stated_ends(text) == pytest.approx(ends)


@pytest.mark.parametrize("text", ["some", "0.2 to", "0.2 to some", "0.3 to 0.2", "0.2 to 0.2", "0.1 to 0.2 to 0.3", ""])
def test_what_is_no_number_or_range_is_one_sentence(text):
    with pytest.raises(ValueError, match=r"^text must be "):
        Figure("mean", text)


def test_a_figure_holds_what_rounds_into_its_range():
    figure = Figure("mean", "0.4 to 0.6")
    assert [value for value in (0.34, 0.36, 0.5, 0.64, 0.66) if figure.holds(value)] == [0.36, 0.5, 0.64]


def test_a_claim_is_of_a_known_kind_and_has_a_place_for_each_figure():
    figure = Figure("mean", "0.4 to 0.6")
    assert Claim("measured", "It is {}.", "seed 0", figures=(figure,)).text == "It is 0.4 to 0.6."
    with pytest.raises(ValueError, match="kind must be one of theorem, published, measured, open, got 'guessed'"):
        Claim("guessed", "It is so.", "seed 0")
    with pytest.raises(ValueError, match=r"a \{\} for each figure, got 0 for 1"):
        Claim("measured", "It is so.", "seed 0", figures=(figure,))
