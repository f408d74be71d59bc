"""What can be taken away: nothing is built before it is asked for, and each file once."""

import threading

import pytest
from app_pages import open_page, press, words

from featdash.ui.kit.shared import FileCache
from featdash.ui.page import below, take_away, taken_run

pytestmark = pytest.mark.usefixtures("visit")
PAGE = "pages/lab.py"
FILES = ["One HTML file", "Notebook (.ipynb)", "Numbers (JSON)", "Settings (JSON)", "Citation (BibTeX)"]


@pytest.fixture
def built(monkeypatch):
    """The names of what has been built of a run."""
    found = []
    for name in ("html_file", "notebook", "citation", "shown_pictures", "code_of"):
        kept = getattr(taken_run, name)

        def build(*arguments, name=name, kept=kept, **named):
            found.append(name)
            return kept(*arguments, **named)

        monkeypatch.setattr(taken_run, name, build)
    return found


def files(app):
    return [one.label for one in app.get("download_button")]


def test_a_page_at_rest_builds_nothing(built):
    app = open_page(PAGE)
    assert not app.exception
    assert files(app) == []
    assert built == []


@pytest.mark.parametrize("query", [{"mode": "explore"}, {"story": "race", "scene": "4"}], ids=str)
def test_take_away_offers_files_data_and_link_of_what_is_on_show(built, query):
    app = open_page(PAGE, **query)
    if "story" in query:
        press(app, "Show me")
    app.session_state["takeaway@"] = True
    app.run()
    assert not app.exception
    assert not {"html_file", "notebook", "shown_pictures"} & set(built), "files are built when they are asked for"
    assert files(app)[: len(FILES)] == FILES
    assert len(files(app)) == len(FILES) + (6 if "mode" in query else 1), "and the data of each picture on the stage"
    link = app.code[-1].value
    assert all(f"{name}={value}" in link for name, value in query.items())


def test_before_the_answer_a_scene_gives_its_link_away_and_nothing_of_its_run():
    app = open_page(PAGE, story="race", scene="4")
    for key, value in (("takeaway@", True), ("explanation@", True)):
        app.session_state[key] = value
    for tab in (below.DATA, below.CLAIMS):
        app.session_state["race.below@"] = tab
        app.run()
        assert not app.exception
        assert files(app) == []
        assert not app.dataframe
        assert {take_away.UNANSWERED, below.UNANSWERED} <= {one.value for one in app.markdown}
        assert "story=race&scene=4" in app.code[-1].value
    press(app, "Show me")
    assert "| What is claimed |" in words(app)
    assert files(app)[: len(FILES)] == FILES


def test_the_tab_shows_numbers_and_citation(built):
    app = open_page(PAGE)
    app.session_state["race.below@"] = below.DATA
    app.run()
    assert not app.exception
    assert not {"html_file", "notebook", "shown_pictures"} & set(built)
    assert "@misc{featdash-race-" in "".join(one.value for one in app.code)
    assert len(app.dataframe) == 6


def test_a_file_is_built_once_for_all_who_ask_at_the_same_time():
    cache, begun = FileCache(), []

    def build():
        begun.append(1)
        return b"file"

    askers = [threading.Thread(target=cache.file, args=("key", build)) for _ in range(20)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join()
    assert cache.file("key", build) == b"file"
    assert len(begun) == 1


def test_files_are_forgotten_in_their_turn_and_a_large_one_is_not_kept():
    cache, begun = FileCache(10), []

    def build(size):
        begun.append(size)
        return bytes(size)

    for key, size in (("a", 6), ("b", 6), ("b", 6), ("a", 6), ("large", 11), ("large", 11)):
        assert len(cache.file(key, lambda size=size: build(size))) == size
    assert begun == [6, 6, 6, 11, 11]


def test_a_file_that_cannot_be_built_is_tried_again():
    cache = FileCache()
    with pytest.raises(ValueError, match="why"):
        cache.file("key", lambda: (_ for _ in ()).throw(ValueError("why")))
    assert cache.file("key", lambda: b"file") == b"file"
