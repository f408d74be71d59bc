"""The page of all claims, and what is said of each lesson below its pictures, without a browser."""

import re

import pytest
from app_pages import words
from streamlit.testing.v1 import AppTest
from trial_runs import PARTS

from featdash.lessons import PAGES
from featdash.recipes.claim import KINDS, Claim, claims_of, limits_of
from featdash.ui.kit import link
from featdash.ui.kit.glossary import WORDS as WORDS_EXPLAINED
from featdash.ui.kit.glossary import mark_words
from featdash.ui.page import below
from featdash.ui.page.claims_view import SIGNS, WORDS, address_query, kind_of, promises, table, title_of

OF_LESSON = {name: [*claims_of(name), *promises(part)] for name, part in PARTS.items()}
PLACES = {name: (path, [PARTS[one] for one in names]) for path, names in PAGES.items() for name in names}
EVERY = [claim for claims in OF_LESSON.values() for claim in claims]


def unmarked(text):
    """A text with no mark of the glossary's."""
    return re.sub(r"\[([^\]\[]*)\]\(#word-[\w-]+\)", r"\1", text)


def test_the_page_lists_every_claim_once_with_its_kind(visit):
    app = visit("pages/claims.py")
    assert not app.exception
    told = unmarked(words(app))
    for claim in EVERY:
        assert told.count(f"**{kind_of(claim)}**  {claim.text}  \n:small[") == 1
    assert f"{len(EVERY)} of {len(EVERY)} claims." in told


def test_kinds_and_lessons_can_be_asked_for(visit):
    app = visit("pages/claims.py")
    app.multiselect[0].set_value(["race"]).run()
    assert f"{len(OF_LESSON['race'])} of {len(EVERY)} claims." in words(app)
    app.multiselect[0].set_value(["race", "lemma"]).run()
    assert f"{len(OF_LESSON['race']) + len(OF_LESSON['lemma'])} of {len(EVERY)} claims." in words(app)


@pytest.mark.parametrize(
    ("asked", "parts"), [("NTK  noise", ["ntk", "noise"]), ("d^{p}", ["d^p"]), ("quasar", ["quasar"])]
)
def test_words_can_be_searched_for(visit, asked, parts):
    app = visit("pages/claims.py")
    app.text_input[0].set_value(asked).run()
    text = {name: f"{title_of(*PLACES[name], PARTS[name])} " for name in PARTS}
    plain = [
        re.sub(r"[$\\{}]", "", f"{text[name]}{one.text} {one.basis}").lower()
        for name, claims in OF_LESSON.items()
        for one in claims
    ]
    found = sum(all(part in one for part in parts) for one in plain)
    assert (found > 0) == (asked != "quasar")
    assert found < len(EVERY)
    assert f"{found} of {len(EVERY)} claims." in words(app)
    assert ("Choose other kinds or lessons" in words(app)) == (asked == "quasar")


@pytest.mark.parametrize(("name", "claim"), [(n, c) for n, part in PARTS.items() for c in promises(part)])
def test_the_link_of_a_promise_opens_the_settings_of_its_button(name, claim):
    entry = PARTS[name].experiment
    spec, notes = link.spec_from_query(entry.spec(), address_query(name, claim, first=True))
    assert not notes
    assert spec == entry.spec(**claim.settings)


def test_every_kind_has_a_sign_and_a_word_of_its_own():
    assert list(SIGNS) == list(WORDS) == list(KINDS)
    assert len(set(SIGNS.values())) == len(set(WORDS.values())) == len(KINDS)


def drawn(experiment):
    from trial_runs import PARTS

    from featdash.ui.kit.link import Home
    from featdash.ui.page.below import below

    below(None, PARTS[experiment], Home())


@pytest.mark.parametrize("experiment", PARTS)
def test_each_lesson_has_its_limits_and_a_row_for_each_claim(experiment):
    told = {}
    for name in (below.READING, below.LIMITS, below.CLAIMS):
        app = AppTest.from_function(drawn, args=(experiment,))
        app.session_state[f"{experiment}.below@"] = name
        app.run()
        assert not app.exception
        told[name] = [block.value for block in app.markdown]
        if name == below.READING:
            assert sum(part.proto.body.count("<dt>") for part in app.get("html")) == len(WORDS_EXPLAINED), (
                "the glossary"
            )
    assert told[below.LIMITS] == [mark_words(limits_of(experiment)).strip()]
    rows, way, _ = told[below.CLAIMS]
    assert way.endswith("](claims)")
    assert len(rows.splitlines()) == 2 + len(claims_of(experiment))
    for row in rows.splitlines()[2:]:
        assert row.replace("\\|", "").count("|") == 4


def test_the_lessons_of_every_page_are_listed():
    assert {name for names in PAGES.values() for name in names} == set(PARTS)


def test_a_bar_in_a_claim_does_not_end_its_cell(monkeypatch):
    told = []
    monkeypatch.setattr("featdash.ui.kit.glossary.text", told.append)
    table([Claim("open", "What is $|x|$?", "Not | known.")])
    assert told[0].splitlines()[2] == "| ?\u00a0open | What is $\\|x\\|$? | Not \\| known. |"
