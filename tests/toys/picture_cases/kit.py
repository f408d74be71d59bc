"""The pictures that every lesson may draw."""

import re

import numpy as np
from alt_claims import near, says
from hypothesis import strategies as st
from picture_case import EXTREME, LOOK, MODEST, case, numbers

from featdash.figures import energy as hermite_energy
from featdash.figures.guessed_number import guessed_number
from featdash.figures.guesses import Guesses
from featdash.figures.votes import Votes, votes_picture


@case(hermite_energy.target_energy)
def _(draw):
    energy = numbers(draw, draw(st.integers(1, 5)), EXTREME)
    picture = hermite_energy.target_energy(energy, theme=LOOK)
    if not energy.any():
        assert "no energy" in picture.alt
        return picture
    says("energy, #", picture.alt, energy.max())
    named = [int(k) for k in re.findall(r"\d+", picture.alt.split("degree")[1])]
    assert all(near(energy[k], energy.max()) for k in named)
    assert all(energy[k] < energy.max() for k in range(len(energy)) if k not in named)
    return picture


def class_rounds(draw, values):
    """Answers of one round or two, and how many were not sure in each."""
    rounds = draw(st.lists(st.lists(values, max_size=30).map(tuple), min_size=1, max_size=2))
    return tuple(rounds), tuple(draw(st.integers(0, 3)) for _ in rounds)


@case(guessed_number)
def guessed_number_case(draw):
    log = draw(st.booleans())
    rounds, unsure = class_rounds(draw, st.sampled_from((*MODEST, -2.0, 1e-9)) | st.floats(-10, 10))
    truth = draw(st.none() | st.sampled_from(MODEST))
    picture = guessed_number(Guesses(rounds, unsure, 0.03, 1.0, log), truth, "The class", LOOK)
    count = len(rounds[-1])
    told = f"{count} guesses" if count > 1 else "one guess" if count else "no guesses"
    assert picture.alt.startswith(f"The class made {told}")
    if count > 1:
        says("half of them up to #", picture.alt, float(np.median(rounds[-1])))
    if truth is not None:
        says("Measured: #", picture.alt, truth)
    return picture


@case(votes_picture)
def votes_case(draw):
    options = ("A", "B", "C")
    rounds, unsure = class_rounds(draw, st.sampled_from(options))
    counts = tuple(tuple(chosen.count(one) for one in options) for chosen in rounds)
    picture = votes_picture(Votes(options, counts, unsure, draw(st.sampled_from(("", "B")))), "The class", LOOK)
    answers = len(rounds[-1]) + unsure[-1]
    told = f"{answers} answers" if answers > 1 else "one answer" if answers else "no answers"
    assert f"The class gave {told}" in picture.alt
    return picture
