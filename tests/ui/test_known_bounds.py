"""The reading group's table: each row is whole, leads to a lesson that can run it, and tells no bound as a law."""

import re
from dataclasses import fields
from urllib.parse import parse_qsl, urlsplit

import pytest
from app_pages import open_page

from featdash.lessons import PAGES, lessons_of
from featdash.recipes.experiment import find_experiment
from featdash.ui.kit import link
from featdash.ui.story.known_bounds import BOUNDS, TABLE, KnownBound, cells

HOMES = {part.experiment.name: page for page in PAGES for part in lessons_of(page)}
NAMES = [f"{one.experiment}-{one.samples}" for one in TABLE]


@pytest.mark.parametrize("one", TABLE, ids=NAMES)
def test_a_row_has_all_its_fields(one):
    texts = {part.name: getattr(one, part.name) for part in fields(KnownBound) if part.type == "str"}
    assert len(texts) == len(fields(KnownBound)) - 1
    assert all(text.strip() for text in texts.values())
    assert all(text.count("$") % 2 == 0 and "|" not in text for text in texts.values())
    assert re.search(r"\b(19|20)\d\d\b", one.source), "a source has its year"


@pytest.mark.parametrize("one", TABLE, ids=NAMES)
def test_the_link_of_a_row_leads_to_a_lesson_with_its_settings(one):
    address = re.search(r"\]\(([^)]+)\)", cells(one, HOMES)[-1])[1]
    page, query = urlsplit(address).path, dict(parse_qsl(urlsplit(address).query))
    assert query.pop("part") in {part.experiment.name for part in lessons_of(page)}
    entry = find_experiment(one.experiment)
    spec, notes = link.spec_from_query(entry.spec(), query)
    assert not notes
    assert spec == entry.recipe(one.settings)


@pytest.mark.parametrize("one", TABLE, ids=NAMES)
def test_what_a_bound_is_stands_beside_its_samples_and_no_word_makes_it_a_law(one):
    samples = cells(one, HOMES)[1]
    assert samples.endswith(f"**{BOUNDS[one.bound]}**")
    told = f"{one.result} {one.samples} {one.visible}"
    assert not re.search(r"\bneeds?\b|\btakes?\b|\bgrows? like\b|\bonly\b", told)
    assert one.bound != "enough" or "necessary" not in samples


def test_one_step_and_kernels_come_before_the_limits_of_all_algorithms():
    order = [one.experiment for one in TABLE]
    assert order.index("latent") < order.index("sweep") < order.index("more-steps") < order.index("rescue")


@pytest.mark.usefixtures("visit")
def test_the_page_for_teachers_shows_every_row():
    app = open_page("pages/for_teachers.py")
    assert not app.exception
    (table,) = [one.value for one in app.markdown if one.value.startswith("| Result |")]
    assert len(table.splitlines()) == 2 + len(TABLE)
    assert all(
        f"]({address})" in table for one in TABLE for address in [link.address(HOMES[one.experiment], one.query())]
    )
    assert all(line.count("|") == 7 for line in table.splitlines())


def test_a_bound_of_no_kind_is_refused():
    row = {part.name: getattr(TABLE[0], part.name) for part in fields(KnownBound)}
    with pytest.raises(ValueError, match="bound must be one of enough"):
        KnownBound(**row | {"bound": "law"})
