"""One HTML file: whole, within its size, nothing asked of any host, nothing of a run taken for HTML."""

import base64
import functools
import gzip
import json
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest
from app_pages import inline_service
from taken_runs import LESSONS, LINK, options, recorded, taken

from featdash.export import html_file as files
from featdash.export.document import Document, Words
from featdash.export.slider import FilePicture, Slider, content
from featdash.lessons.race import panels as race
from featdash.lessons.race.numbers import Setting
from featdash.lessons.race.recipe import RaceSpec
from featdash.ui.page.taken_run import page_file

VOID = {"meta", "input", "br", "hr"}
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)> & \"quoted\" 'so'"
DAY = "2026-11-22"
NO_FILM = {"phases": [], "lines": []}


@pytest.fixture(scope="module", autouse=True)
def _private_service(tmp_path_factory):
    """What every file has, plotly.js, is compressed once for all of them."""
    with inline_service(tmp_path_factory.mktemp("home")), pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "_pack", functools.cache(files._pack))
        yield


class Reader(HTMLParser):
    """The elements of a file, whether they close, and the text of its scripts by their ids."""

    def __init__(self, file):
        super().__init__()
        self.elements, self.open, self.scripts, self.text = [], [], {}, ""
        self.feed(file.decode())
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "script":
            name = self.elements[-1][1].get("id", "")
            self.scripts[name] = self.scripts.get(name, "") + data
        else:
            self.text += data

    def all(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]

    def packed(self, name):
        return unpacked(self.scripts[name])


@functools.cache
def unpacked(script):
    return gzip.decompress(base64.b64decode(script)).decode()


def picture(alt="A line.", name="y"):
    figure = {"data": [{"type": "scatter", "x": [0, 1], "y": [0, 1]}], "layout": {"height": 100}}
    return content({"figure": figure, "alt": alt, "title": alt}, {name: [0.5, alt]})


def written(document=None, shown=None, sliders=(), timeline=NO_FILM):
    words = Words("Why?", "$x$", "Read.", "Paper.")
    document = document or Document("race", "Race", "0123456789abcdef", RaceSpec(), words)
    stage = files.Stage("function showStage() {}", b"var Plotly", timeline)
    return files.html_file(document, shown or [FilePicture("line", picture())], sliders, stage, DAY, "light")


@pytest.mark.parametrize("name", LESSONS)
def test_the_file_of_every_lesson_has_all_that_its_page_shows(name):
    run = taken(name)
    file = page_file(run, run.document(LINK))
    assert len(file) <= files.MOST
    read = Reader(file)
    phases = run.lesson.film
    rendered = {panel.name: panel.render(run.view) for panel in run.lesson.panels}
    shown = {name: one for name, one in rendered.items() if one}
    kept = json.loads(read.packed("data"))
    assert [one["panel"] for one in kept["pictures"]] == [one["data-of"] for one in read.all("details")] == list(shown)
    for one, page in zip(kept["pictures"], shown.values(), strict=True):
        table = one["rest"].pop("table")
        assert one["rest"] == json.loads(page.data), "a picture, film included, is that of the page"
        assert list(table) == list(page.table)
        assert escape(page.alt) in file.decode()
    told = kept["stage"]["timeline"]["phases"]
    assert [one["name"] for one in told] == [phase.name for phase in phases]
    moving = any("film" in one["rest"] for one in kept["pictures"])
    assert any(len(one["words"]) > 1 for one in told) == moving, "a phase in which nothing moves takes no time"
    assert "Plotly" in read.packed("plotly")
    for field, value in run.view.spec.to_mapping().items():
        assert field in read.text, (field, value)
    assert LESSONS[name].text.question.partition("$")[0].replace("\\*", "*") in read.text


@pytest.mark.parametrize("name", ["race", "recovery"])
def test_the_file_loads_nothing(name):
    run = taken(name)
    read = Reader(page_file(run, run.document(LINK)))
    policy = next(one["content"] for one in read.all("meta") if one.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")
    assert "http" not in policy
    assert {tag for tag, _ in read.elements} & {"link", "img", "iframe", "object", "embed", "source", "base"} == set()
    assert not any("src" in attributes for _, attributes in read.elements)


def test_nothing_of_a_run_or_of_its_words_is_taken_for_html():
    words = Words(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    document = Document("race", HOSTILE, HOSTILE, RaceSpec(), words, HOSTILE, HOSTILE, 0.0, HOSTILE)
    sliders = [Slider(HOSTILE, (HOSTILE, "b"), 0)]
    shown = [FilePicture(HOSTILE, picture(HOSTILE, HOSTILE), {(1,): picture(HOSTILE * 2)})]
    read = Reader(written(document, shown, sliders))
    assert len(read.all("script")) == 3
    assert read.all("img") == []
    assert not any(name.startswith("on") for _, attributes in read.elements for name in attributes)
    assert json.loads(read.all("input")[0]["data-stops"]) == [HOSTILE, "b"]
    assert [one["data-of"] for one in read.all("details")] == [HOSTILE]
    assert read.all("a") == [], "only an address of the web is one to follow"


def test_an_address_of_the_web_is_one_to_follow():
    words = Words("Why?", "", "", "")
    document = Document("race", "Race", "0" * 16, RaceSpec(), words, LINK)
    assert [one["href"] for one in Reader(written(document)).all("a")] == [LINK]


def test_the_pictures_stand_in_the_order_of_the_page():
    shown = [FilePicture(name, picture()) for name in "dabc"]
    assert [one["data-of"] for one in Reader(written(shown=shown)).all("details")] == list("dabc")


def test_a_file_that_is_too_large_goes_without_its_sliders_or_is_refused(monkeypatch):
    shown = [FilePicture("line", picture(), {(1,): picture("x" * 1000 + "".join(map(str, range(5000))))})]
    sliders = [Slider("λ", ("a", "b"), 0)]
    with_sliders = written(shown=shown, sliders=sliders)
    monkeypatch.setattr(files, "MOST", len(with_sliders) - 1)
    without = Reader(written(shown=shown, sliders=sliders))
    assert without.all("input") == []
    assert json.loads(without.packed("data"))["pictures"][0]["at_stops"] == {}
    monkeypatch.setattr(files, "MOST", 1000)
    with pytest.raises(ValueError, match=r"^the HTML file must have at most 0.001 MB, got .*; take the notebook or"):
        written(shown=shown, sliders=sliders)


def test_the_lab_has_a_slider_over_lambda_and_films_at_each_of_its_stops(monkeypatch):
    monkeypatch.setattr(race, "FACTORS", (0.01, 1.0))
    run = taken("race")
    read = Reader(page_file(run, run.document(f"{LINK}&seed=0")))  # not the file of another test
    (lam,) = read.all("input")
    assert json.loads(lam["data-stops"]) == ["0.01 × tuned λ", "1 × tuned λ"]
    assert lam["value"] == "1"
    at_stops = {one["panel"]: one["at_stops"] for one in json.loads(read.packed("data"))["pictures"] if one["at_stops"]}
    assert {name: set(stops) for name, stops in at_stops.items()} == {name: {"0"} for name in race.FILE_PANELS}
    assert any(path[0] == "film" for path, *_ in at_stops["race-risk"]["0"])


def test_a_slider_stands_at_the_visitors_own_strength():
    run = taken("race")
    own = replace(options("race"), setting=Setting(1.0, 0.02, 50.0))
    found = race.sliders(replace(run.view, options=own))
    (lam,) = found.controls
    assert lam.stops[lam.at] == "λ = 0.02"
    assert found.options((lam.at,)) == own
    assert race.sliders(replace(run.view, run=replace(recorded("race"), status="stopped"))) is None
