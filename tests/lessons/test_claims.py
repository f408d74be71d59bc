"""Every claim of every lesson: its numbers are those of the run or the table it names, and its link leads there."""

import dataclasses
import re
from pathlib import Path

import pytest
from claim_numbers import ends, numbers_in, parse, settings_of, spec_of, summary_for
from summary_paths import value_at
from trial_runs import PARTS

from featdash.recipes.claim import KINDS, Claim, Figure, claims_of, limits_of
from featdash.ui import link
from featdash.ui.claims_view import address_query

ROOT = Path(__file__).resolve().parents[2]
CLAIMS = [(name, claim) for name in PARTS for claim in claims_of(name)]
IDS = [f"{name}-{claim.kind}-{claim.text[:40]}" for name, claim in CLAIMS]
WITH_FIGURES = [(name, claim) for name, claim in CLAIMS if claim.figures]
LEVELS = {0.25, 0.5, 0.75, 1.0}  # at which reaches are read, that is predicted for kernels, at which nothing is learned
SEEDS = re.compile(r"\b[Ss]eeds? (\d+)(?: to (\d+))?((?:, \d+)*(?: and \d+)?)")


@pytest.mark.parametrize("name", PARTS)
def test_every_lesson_has_claims_of_several_kinds_and_three_to_five_limits(name):
    bullets = re.findall(r"^- \*\*[^*]+\.\*\* \S", limits_of(name), re.MULTILINE)
    assert 3 <= len(bullets) <= 5
    assert len(bullets) == limits_of(name).count("\n- ")
    kinds = {claim.kind for claim in claims_of(name)}
    assert {"measured", "open"} <= kinds


@pytest.mark.parametrize(("name", "claim"), WITH_FIGURES, ids=[f"{n}-{c.text[:50]}" for n, c in WITH_FIGURES])
def test_the_figures_of_a_claim_are_those_of_its_run(name, claim):
    for figure in claim.figures:
        low, high = ends(figure)
        found = value_at(summary_for(name, claim, figure), figure.path)
        assert low <= found <= high, f"{figure.path} is {found}, and the claim says {figure.stated}"
        assert low <= parse(figure.stated) <= high
        assert high - low <= max(0.7 * abs(parse(figure.stated)), 0.1) or figure.low is None


@pytest.mark.parametrize(("name", "claim"), CLAIMS, ids=IDS)
def test_a_measured_sentence_has_no_number_that_nobody_checks(name, claim):
    if claim.kind != "measured":
        return
    assert claim.figures
    each = [claim.settings, *({**claim.settings, **figure.settings} for figure in claim.figures)]
    known = set().union(*(settings_of(name, spec_of(name, settings)) for settings in each))
    assert set(numbers_in(claim.sentence.replace("{}", ""))) <= known | LEVELS


@pytest.mark.parametrize(("name", "claim"), CLAIMS, ids=IDS)
def test_a_measured_claim_names_the_seeds_that_its_figures_have(name, claim):
    if claim.kind != "measured":
        return
    said = SEEDS.search(claim.basis)
    assert said, f"the basis must name the seeds, got {claim.basis!r}"
    first, last, more = said.groups()
    told = set(range(int(first), int(last) + 1)) if last else {int(first)}
    told |= {int(one) for one in re.findall(r"\d+", more)}
    used = set()
    for figure in claim.figures:
        spec = spec_of(name, {**claim.settings, **figure.settings})
        used |= set(spec.seeds) if hasattr(spec, "seeds") else {spec.seed}
    assert used == told


@pytest.mark.parametrize(("name", "claim"), CLAIMS, ids=IDS)
def test_the_link_of_a_claim_opens_its_settings(name, claim):
    entry = PARTS[name].experiment
    spec, notes = link.spec_from_query(entry.spec(), address_query(name, claim, first=False))
    assert not notes
    assert spec == spec_of(name, claim.settings)


@pytest.mark.parametrize("claim", [claim for _, claim in CLAIMS if claim.check], ids=lambda claim: claim.check)
def test_the_test_that_a_claim_names_is_there(claim):
    assert (ROOT / claim.check).is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_met(kind):
    assert any(claim.kind == kind for _, claim in CLAIMS)


def test_theorems_and_published_numbers_name_their_source():
    for name, claim in CLAIMS:
        if claim.kind in ("theorem", "published"):
            assert re.search(r"(19|20)\d\d|Slides|Counting|[Dd]erived by us|reply|Standard", claim.basis), (
                name,
                claim.text,
            )


def test_a_false_figure_is_found_out():
    claim = CLAIMS[[name for name, _ in CLAIMS].index("race")][1]
    assert claim.kind == "theorem"
    measured = next(claim for name, claim in CLAIMS if name == "race" and claim.kind == "measured")
    wrong = dataclasses.replace(measured.figures[0], stated="0.047")
    low, high = ends(wrong)
    assert not low <= value_at(summary_for("race", measured, wrong), wrong.path) <= high


def test_a_claim_needs_a_known_kind_and_a_figure_for_each_place():
    with pytest.raises(ValueError, match="kind must be one of"):
        Claim("rumour", "It is so.", "hearsay")
    with pytest.raises(ValueError, match="for each figure"):
        Claim("measured", "It is {}.", "Seed 0.")


def test_a_path_that_leads_nowhere_is_one_sentence():
    rows = {"rows": [{"n": 1, "mean": 2.0}, {"n": 1, "mean": 3.0}], "name": "x"}
    assert value_at(rows, "rows.1.mean") == 3
    for path, said in (("rows[n=1].mean", "chooses 2"), ("row.0", "row is not"), ("name", "lead to a number")):
        with pytest.raises(ValueError, match=said):
            value_at(rows, path)


@pytest.mark.parametrize(
    ("text", "value"), [("−0.46", -0.46), ("3·10⁻⁶", 3e-6), ("14 000", 14_000), ("52 %", 0.52), ("½", 0.5)]
)
def test_numbers_are_read_as_they_are_written(text, value):
    assert parse(text) == pytest.approx(value)
    assert numbers_in(f"Algorithm 1 has {text} of $10^3$") == pytest.approx([value])


def test_a_figure_is_as_exact_as_it_is_written():
    assert ends(Figure("x", "0.06")) == pytest.approx((0.055, 0.065))
    assert ends(Figure("x", "2·10⁻⁸")) == pytest.approx((1.5e-8, 2.5e-8))
