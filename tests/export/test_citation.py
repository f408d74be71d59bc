"""BibTeX of papers and runs: entries that close, plain text that LaTeX takes, keys that lessons know."""

import re

import pytest
from taken_runs import LESSONS

from featdash.export.citation import citation, entry, escape, run_entry
from featdash.export.document import Document, Words
from featdash.export.papers import PAPERS
from featdash.lessons.race.recipe import RaceSpec

WORDS = Words("Why?", "", "", "", ("damian2022",))
DOCUMENT = Document(
    "race",
    "Race",
    "0123456789abcdef",
    RaceSpec(target="He2(z1)/2 + z1**2", n=100),
    WORDS,
    link="http://host/lab?n=100&target=He2%28z1%29_x",
    code="abcdef012345",
    finished=1_700_000_000.0,
)


def surname_of(paper):
    """Of its first author."""
    return paper.fields["author"].partition(",")[0]


def fields(text):
    """name -> value of one entry, whose brackets must close."""
    assert text.count("{") - text.count(r"\{") == text.count("}") - text.count(r"\}")
    return dict(re.findall(r"^  (\w+) = \{(.*)\},$", text, re.MULTILINE))


def test_a_run_is_cited_with_its_settings_code_date_and_link():
    found = fields(run_entry(DOCUMENT, "2026-11-22"))
    assert found["year"] == "2023"
    assert found["title"] == "{FeatDash}: Race, run 0123456789abcdef"
    assert found["howpublished"] == r"\url{http://host/lab?n=100&target=He2%28z1%29_x}"
    for told in ("n = 100", "target = He2(z1)/2 + z1**2", r"step\_rule = rms", "code version abcdef012345"):
        assert told in found["note"]
    assert found["note"].endswith("computed on 2023-11-14; looked up on 2026-11-22")


def test_a_run_without_link_code_and_end_says_no_more_than_is_known():
    bare = Document("race", "Race", "0123456789abcdef", RaceSpec(), WORDS)
    text = run_entry(bare, "2026-11-22")
    assert "howpublished" not in text
    assert "code version" not in text
    assert "not finished" in text


def test_a_recorded_run_does_not_repeat_its_experiment_in_its_key():
    run = Document("race", "Race", "race-0123456789abcdef", RaceSpec(), WORDS)
    assert run_entry(run, "2026-11-22").startswith("@misc{featdash-race-0123456789abcdef,\n")


def test_plain_text_is_escaped_for_latex():
    assert escape(r"a_b % & # $ {x} ^ ~ < >") == (r"a\_b \% \& \# \$ \{x\} \^{} \~{} \textless{} \textgreater{}")
    assert escape("\\") == r"\textbackslash{}"


@pytest.mark.parametrize("key", PAPERS)
def test_every_paper_is_a_whole_entry_and_some_lesson_speaks_of_it(key):
    paper = PAPERS[key]
    found = fields(entry(paper.kind, key, paper.fields))
    assert {"author", "title", "year"} <= set(found)
    assert {"inproceedings": "booktitle", "article": "journal"}[paper.kind] in found
    assert key == f"{surname_of(paper).lower().replace(' ', '')}{found['year']}"
    assert any(key in lesson.text.papers for lesson in LESSONS.values())


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_names_known_papers_whose_author_its_words_name(name):
    text = LESSONS[name].text
    for key in text.papers:
        assert surname_of(PAPERS[key]) in text.reading + text.source
    named = {key for key, paper in PAPERS.items() if re.search(rf"\b{surname_of(paper)}\b", text.source)}
    assert bool(named) == bool(text.papers), "a source that names an author of the table has its key"


def test_the_papers_come_before_the_run():
    kinds = re.findall(r"^@(\w+)\{", citation(DOCUMENT, "2026-11-22"), re.MULTILINE)
    assert kinds == ["inproceedings", "misc"]
