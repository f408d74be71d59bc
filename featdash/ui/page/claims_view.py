"""Claims on the page: those of a lesson, and the page of all claims.

A sign and a word show the kind of a claim, never colour alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from featdash.recipes.claim import KINDS, Claim, claims_of
from featdash.recipes.experiment import Entry, find_experiment
from featdash.ui.kit import glossary, layout, link

SIGNS = {"theorem": "∎", "published": "❝", "measured": "◉", "open": "?"}
WORDS = {"theorem": "theorem", "published": "published", "measured": "measured\u00a0here", "open": "open"}
PATH = "claims"
STYLE = "h2 {font-size: 1rem !important; padding: 0.5rem 0 0 !important;}"
LONGEST_SEARCH = 100  # letters
NOTHING = " Choose other kinds or lessons, or search for fewer words."
FORMULA = re.compile(r"[$\\{}]")
CHECK, PLACES = "Check it", {"open": "See the lesson"}


def table(claims: Sequence[Claim]) -> None:
    """The claims of a lesson, with the kind of each and what it rests on."""
    rows = [f"| {kind_of(one)} | {_cell(one.text)} | {_cell(one.basis)} |" for one in claims]
    glossary.text("\n".join(["| Kind | What is claimed | It rests on |", "| --- | --- | --- |", *rows]))


def kind_of(claim: Claim) -> str:
    """The kind as the pages show it: a sign and a word."""
    return f"{SIGNS[claim.kind]}\u00a0{WORDS[claim.kind]}"


def address_query(experiment: str, claim: Claim, first: bool) -> dict[str, str]:
    """The settings of a claim as an address names them; `first` : whether the lesson is the first of its page.

    The seed is always among them: an address that names no setting would leave the visitor's settings as they are.
    """
    entry = find_experiment(experiment)
    seed = next(name for name in ("seed", "seeds") if hasattr(entry.spec(), name))
    values = {seed: getattr(entry.spec(), seed)} | settings_of(entry, claim)
    part = {} if first else {"part": experiment}
    return part | link.query(entry, values, always=(seed,))


def settings_of(entry: Entry, claim: Claim) -> dict[str, Any]:
    """Field -> value of the settings that a claim names, including those of a preset."""
    spec, default = claim.recipe(entry), entry.spec()
    return {name: one for name, one in vars(spec).items() if name in claim.settings or one != getattr(default, name)}


def every_claim(pages: Mapping[str, Sequence[Any]]) -> None:
    """The page of all claims, by kind and lesson, each with a link to the place where it can be checked.

    pages : url path -> its lessons, in their order.
    """
    st.html(f"<style>{STYLE}</style>")
    layout.heading("Claims: what these pages say, and how we know")
    glossary.text("\n".join(f"- **{SIGNS[kind]} {WORDS[kind]}**: {about}" for kind, about in KINDS.items()))
    claims_by_lesson = {one.experiment.name: _claims_of_lesson(one) for lessons in pages.values() for one in lessons}
    wanted, count = _filters(pages), 0
    for path, lessons in pages.items():
        for lesson in lessons:
            name = lesson.experiment.name
            title = title_of(path, lessons, lesson)
            claims = [claim for claim in claims_by_lesson[name] if wanted(name, title, claim)]
            if claims:
                st.markdown(f"## {title}")
                first = lesson is lessons[0]
                glossary.text("\n\n".join(_paragraph(path, name, claim, first) for claim in claims))
            count += len(claims)
    st.caption(f"{count} of {sum(map(len, claims_by_lesson.values()))} claims.{'' if count else NOTHING}")
    glossary.whole()


def title_of(path: str, lessons: Sequence[Any], lesson: Any) -> str:
    """The name of a lesson's page, followed by the lesson's own if the page has several."""
    page = layout.page_title(path)
    return page if len(lessons) == 1 else f"{page} · {lesson.experiment.title}"


def promises(lesson: Any) -> list[Claim]:
    """What each «Try» of a lesson says will happen, as measurements: each has a test that reads its run."""
    basis = "What «Try: {}» promises, with the seeds of its settings. Each «Try» has a test of its sentence."
    return [Claim("measured", one.expect, basis.format(one.label), one.values) for one in lesson.text.trials]


def _claims_of_lesson(lesson: Any) -> list[Claim]:
    return [*claims_of(lesson.experiment.name), *promises(lesson)]


def _filters(pages: Mapping[str, Sequence[Any]]) -> Callable[[str, str, Claim], bool]:
    """Whether a claim is to be shown, by its experiment and its lesson's title: each, unless some are asked for."""
    titles = {one.experiment.name: title_of(path, part, one) for path, part in pages.items() for one in part}
    kind, lesson, search = st.columns([6, 3, 3], vertical_alignment="bottom")
    kinds = kind.pills(
        "Kinds",
        list(KINDS),
        selection_mode="multi",
        format_func=lambda name: f"{SIGNS[name]} {WORDS[name]}",
        help="Show only claims of these kinds; if you choose none, all are shown.",
        wrap=True,
        key="kinds",
        bind="query-params",
    )
    names = lesson.multiselect(
        "Lessons",
        list(titles),
        format_func=titles.__getitem__,
        placeholder="all lessons",
        help="Show only the claims of these lessons; if you choose none, all are shown.",
        key="lessons",
        bind="query-params",
    )
    asked = search.text_input(
        "Words",
        type="search",
        live=True,
        max_chars=LONGEST_SEARCH,
        placeholder="such as NTK, or noise",
        help="Show only claims with all of these words, or parts of words, in them, in what they rest on, "
        "or in the name of their lesson.",
        key="words",
        bind="query-params",
    )
    parts = _searched(asked or "").split()

    def wanted(experiment: str, title: str, claim: Claim) -> bool:
        told = _searched(f"{title} {claim.text} {claim.basis}")
        of_kind = not kinds or claim.kind in kinds
        return of_kind and (not names or experiment in names) and all(part in told for part in parts)

    return wanted


def _searched(text: str) -> str:
    """A text as it is searched: in lower case, without the marks of formulas."""
    return FORMULA.sub("", text).casefold()


def _paragraph(path: str, experiment: str, claim: Claim, first: bool) -> str:
    """One claim, what it rests on, and the link to its place."""
    check = f" Test: `{claim.check}`." if claim.check else ""
    address = link.address(path, address_query(experiment, claim, first))
    place = f"[{PLACES.get(claim.kind, CHECK)} →]({address})"
    return f"**{kind_of(claim)}**  {claim.text}  \n:small[{claim.basis}{check}] {place}"


def _cell(text: str) -> str:
    """Text for a cell of a Markdown table: a bar would end it."""
    return text.replace("|", "\\|").replace("\n", " ")
