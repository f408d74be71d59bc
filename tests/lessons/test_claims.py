"""Every claim of every lesson: its numbers are those of the run or the table it names, and its link leads there."""

import dataclasses
import re
from pathlib import Path

import pytest
from claim_numbers import numbers_in, settings_of, summary_for
from trial_runs import PARTS

from featdash.recipes.claim import KINDS, Claim, claims_of, limits_of, value_at
from featdash.ui.kit import link
from featdash.ui.page.claims_view import address_query

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = [(name, claim) for name in PARTS for claim in claims_of(name)]
LEVELS = {0.25, 0.5, 0.75, 1.0}  # at which reaches are read, that is predicted for kernels, at which nothing is learned
SEEDS = re.compile(r"\bSeeds 0 to (\d+)\b")
LISTS = re.compile(r"\b(Five|Six|Seven|Eight|Nine) (?:means|maps) of (two|three|five|ten) seeds each\b")
COUNTS = {"two": 2, "three": 3, "five": 5, "ten": 10}
FEWEST = 5  # seeds, or lists of seeds, behind a range
LUCK = {  # figures that differ most from seed to seed: at the edge of what can be learned, or of one sample alone
    ("phase-map", "cells[d=10,n=100].alignment"),
    ("transfer-bench", "statistics[method=transfer,n=30,N=10000].mean"),
    ("recovery", "stages.3.mass_weighted_cosine"),
    ("smoothness", "fits.network.overshoot"),
}


@pytest.mark.parametrize("name", PARTS)
def test_every_lesson_has_claims_of_several_kinds_and_three_to_five_limits(name):
    bullets = re.findall(r"^- \*\*[^*]+\.\*\* \S", limits_of(name), re.MULTILINE)
    assert 3 <= len(bullets) <= 5
    assert len(bullets) == limits_of(name).count("\n- ")
    kinds = {claim.kind for claim in claims_of(name)}
    assert {"measured", "open"} <= kinds


def measured(name):
    """The measured claims of a lesson, each with the recipes of its runs."""
    entry = PARTS[name].experiment
    for claim in claims_of(name):
        if claim.kind == "measured":
            yield claim, [claim.recipe(entry), *(claim.recipe(entry, figure) for figure in claim.figures)]


@pytest.mark.parametrize("name", PARTS)
def test_the_figures_of_a_claim_are_those_of_its_run(name):
    found = [(figure, value_at(summary_for(name, one, figure), figure.path)) for one, figure in figures_of(name)]
    assert [f"{one.path} is {value}, the claim says {one.text}" for one, value in found if not one.holds(value)] == []


def figures_of(name):
    return [(claim, figure) for claim in claims_of(name) for figure in claim.figures]


@pytest.mark.parametrize("name", PARTS)
def test_a_range_is_no_wider_than_a_measurement_can_be(name):
    """Its ends differ by a factor of five at most, unless both are small beside 1."""
    for _, figure in figures_of(name):
        small, large = sorted((abs(figure.low), abs(figure.high)))
        narrow = figure.high - figure.low <= 0.15 or (figure.low * figure.high > 0 and large <= 5 * small)
        wide = " to " in figure.text and not narrow
        assert not wide or (name, figure.path) in LUCK, f"{name}: {figure.path}: {figure.text}"


@pytest.mark.parametrize("name", PARTS)
def test_a_measured_sentence_has_no_number_that_nobody_checks(name):
    for claim, specs in measured(name):
        assert claim.figures, claim.text
        known = set().union(*(settings_of(name, spec) for spec in specs))
        assert set(numbers_in(claim.sentence.replace("{}", ""))) <= known | LEVELS, claim.text


@pytest.mark.parametrize("name", PARTS)
def test_a_measured_claim_says_how_many_seeds_it_rests_on(name):
    for claim, specs in measured(name):
        for spec in specs:
            if hasattr(spec, "seeds"):
                said = LISTS.search(claim.basis)
                assert said, f"the basis must say how many lists of seeds there are, got {claim.basis!r}"
                assert COUNTS[said[2]] == len(spec.seeds), claim.text
            else:
                said = SEEDS.search(claim.basis)
                assert said, f"the basis must name the seeds, got {claim.basis!r}"
                assert int(said[1]) + 1 >= FEWEST, claim.text
                assert spec.seed == 0, claim.text


@pytest.mark.parametrize("name", PARTS)
def test_the_link_of_a_claim_opens_its_settings(name):
    entry = PARTS[name].experiment
    for claim in claims_of(name):
        spec, notes = link.spec_from_query(entry.spec(), address_query(name, claim, first=False))
        assert not notes, claim.text
        assert spec == claim.recipe(entry), claim.text


def test_the_test_that_a_claim_names_is_there():
    named = {claim.check for _, claim in CLAIMS if claim.check}
    assert named
    assert [check for check in named if not (ROOT / check).is_file()] == []


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_met(kind):
    assert any(claim.kind == kind for _, claim in CLAIMS)


def test_theorems_and_published_numbers_name_their_source():
    for name, claim in CLAIMS:
        if claim.kind in ("theorem", "published"):
            assert re.search(r"(1[6-9]|20)\d\d|Slides|Counting|[Dd]erived by us|reply|Standard", claim.basis), (
                name,
                claim.text,
            )


def test_a_false_figure_is_found_out():
    claim = CLAIMS[[name for name, _ in CLAIMS].index("race")][1]
    assert claim.kind == "theorem"
    measured = next(claim for name, claim in CLAIMS if name == "race" and claim.kind == "measured")
    wrong = dataclasses.replace(measured.figures[0], text="0.03 to 0.04")
    assert not wrong.holds(value_at(summary_for("race", measured, wrong), wrong.path))


def test_a_claim_needs_a_known_kind_and_a_figure_for_each_place():
    with pytest.raises(ValueError, match="kind must be one of"):
        Claim("rumour", "It is so.", "hearsay")
    with pytest.raises(ValueError, match="for each figure"):
        Claim("measured", "It is {}.", "Seed 0.")
