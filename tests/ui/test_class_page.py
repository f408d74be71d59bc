"""Host and wall of a class without a browser: who commands, what is shown when, and what reaches nobody too early."""

import json
from urllib.parse import urlsplit

import pytest
from app_pages import come_to_rest, open_page, words

from featdash import classroom
from featdash.classroom.room import RoomView
from featdash.figures.prediction import HIDDEN
from featdash.lessons import PAGES, lessons_of
from featdash.runs.run import Run
from featdash.runs.service import RunService
from featdash.stories.lecture import WORDS, link_of
from featdash.stories.story import Scene
from featdash.ui.classroom import page as class_page
from featdash.ui.classroom import position
from featdash.ui.classroom.controls import counts_line
from featdash.ui.classroom.join_card import host_of, is_alone, join_address, qr_code
from featdash.ui.classroom.position import ClassPlace, place_in
from featdash.ui.classroom.stage import COMES
from featdash.ui.classroom.wall import GONE, NO_SCENE, counts_text, has_begun, outcome_text
from featdash.ui.kit.plain_text import plain_text

pytestmark = pytest.mark.usefixtures("visit")
PARTS = {part.experiment.name: part for page in PAGES for part in lessons_of(page)}
PAGE, TOKEN = "pages/class.py", "t" * 30
SECRET = 0.1234321  # a guess that stands in no other number of the page


def press(app, label):
    next(button for button in app.button if button.label == label).click()
    return app.run()


def host(story=None):
    """A host with an open room: the page, and the room's code."""
    app = press(open_page(PAGE), "Open a room")
    assert not app.exception
    code = app.session_state["class.key@"][0]
    if story:
        app.selectbox(key="class.story@").select(story).run()
        assert not app.exception
    return app, code


def at_number(app):
    """On to the scene of the race that asks for a number."""
    return press(press(app, "Next"), "Next")


def wall(code):
    return open_page(PAGE, wall=code)


def answer(code, value, number=0):
    view = classroom.rooms().view(code)
    classroom.rooms().put_answer(code, view.question.id, view.round, value, f"{TOKEN}{number}").result()


def everything(app):
    """All that the page has sent to the browser: its words, its HTML and its pictures."""
    sent = [str(block.proto) for block in app.main]
    return "\n".join(sent)


def enabled(app):
    names = ("Open", "Close", "Ask again", "Show me", "Back", "Next")
    return {button.label for button in app.button if button.label in names and not button.disabled}


def test_the_page_begins_with_one_sentence_and_one_button():
    app = open_page(PAGE)
    assert not app.exception
    assert app.button[0].label == "Open a room"
    assert "answers each question on its phones before the run is shown" in words(app)


def test_a_room_goes_through_two_rounds_and_no_button_comes_too_early():
    app, code = host("race")
    assert enabled(app) == {"Open", "Next"}
    app = press(app, "Open")
    assert enabled(app) == {"Close"}
    answer(code, "all three")
    answer(code, None, 1)
    app = app.run()
    assert "**2 of 2** answered" in words(app)
    app = press(app, "Close")
    assert enabled(app) == {"Ask again", "Show me", "Next"}
    app = press(app, "Ask again")
    answer(code, "only one of them")
    app = press(press(app, "Close"), "Show me")
    assert enabled(app) == {"Next"}
    assert classroom.rooms().view(code).status == "revealed"
    assert "Only one does: Algorithm 1." in words(app)
    app = press(app, "Next")
    assert place_in(classroom.rooms().view(code).place).answers_known == (1,)
    app = press(app, "Back")
    assert "Only one does: Algorithm 1." in words(app), "what the class has seen stays seen"


def test_the_coloured_button_is_what_the_advice_says():
    app, code = host("race")
    app = press(app, "Open")
    answer(code, "only one of them")
    app = press(app.run(), "Close")
    assert "Most are right: show the answer and go on." in words(app)
    coloured = {one.label for one in app.button if one.proto.type == "primary"}
    assert coloured & {"Ask again", "Show me", "Next"} == {"Show me"}


def test_neither_host_nor_wall_is_sent_an_answer_before_the_reveal_and_its_verdict_comes_last():
    app, code = host("race")
    app = press(at_number(app), "Open")
    projector = wall(code)
    for number in range(5):
        answer(code, SECRET, number)
    for stage in ("open", "closed"):
        assert classroom.rooms().view(code).status == stage
        for page in (app.run(), projector.run()):
            assert not page.exception
            told = everything(page)
            assert HIDDEN in told
            if stage == "closed" and page is app:  # the host sees how the round has come out
                assert "5 guesses · median 0.123" in words(page)
                told = told.replace(next(one.value for one in page.markdown if "median" in one.value), "")
            assert "0.123" not in told
            assert "guesses" not in told
        if stage == "open":
            press(app, "Close")
    press(app, "Show me")
    shown = everything(projector.run())
    assert "The class made 5 guesses, half of them up to 0.123" in shown
    assert HIDDEN not in shown
    assert "The NTK stops at" not in shown, "the curves are still falling"
    assert "The NTK stops at" in everything(come_to_rest(projector, "race"))


def test_the_wall_shows_how_to_join_and_counts_alone():
    app, code = host("race")
    press(app, "Open")
    answer(code, "all three")
    projector = wall(code)
    sent = "\n".join(block.value for block in projector.get("html"))
    assert f'<p class="code">{code}</p>' in sent
    assert "<b>1</b> of <b>1</b>" in sent
    assert "**1**\N{NO-BREAK SPACE}all three\N{EM SPACE}**2**\N{NO-BREAK SPACE}only one of them" in words(projector), (
        "by digits"
    )
    notes = "Say it with a picture first"
    assert notes in words(app)
    assert notes not in words(projector)


def test_host_and_wall_have_one_h1_each_with_a_scene_and_without():
    def h1_of(page):
        return [block.value for block in page.markdown if block.value.startswith("# ")]

    app = press(open_page(PAGE), "Open a room")
    code, _ = app.session_state["class.key@"]
    assert h1_of(app) == h1_of(wall(code)) == h1_of(wall("QQQQ")) == ["# A class"]
    app, code = host("race")
    assert h1_of(app) == h1_of(wall(code)) == ["# What can one gradient step learn that fixed kernels cannot?"]


def test_a_wall_without_a_room_is_one_sentence():
    app = wall("QQQQ")
    assert not app.exception
    assert GONE in words(app)


def test_a_stranger_commands_nothing_and_no_address_that_is_sent_holds_the_key():
    app, code = host("race")
    code, secret = app.session_state["class.key@"]
    assert press_labels(open_page(PAGE)) == {"Open a room", "Show its wall"}
    assert press_labels(open_page(PAGE, key=f"{code}.{secret}")) == {"Open a room", "Show its wall"}
    (link,) = [one.value for one in app.code if secret in one.value]
    assert urlsplit(link).fragment == f"key={code}.{secret}", "which a browser keeps to itself"
    assert secret not in link.partition("#")[0]


def press_labels(app):
    return {button.label for button in app.button}


def test_a_question_on_the_spot_keeps_the_scene_and_shows_bars_alone():
    app, code = host("race")
    app = press(app, "Ask yes / no")
    answer(code, "Yes")
    app = press(press(app, "Close"), "Show me")
    shown = everything(wall(code))
    assert "The class gave one answer: " in shown
    assert "✓" not in shown
    assert enabled(app) == {"Next"}
    app = press(app, "Ask A B C D")
    assert classroom.rooms().view(code).question.options == ("A", "B", "C", "D")
    press(app, "Close")


def test_a_question_on_the_spot_needs_no_story():
    app, code = host()
    press(app, "Ask A B C D")
    answer(code, "C")
    press(press(app, "Close"), "Show me")
    assert "The class gave one answer: " in everything(wall(code))
    assert not app.exception


def test_a_countdown_is_told_to_the_room():
    app, code = host("race")
    app.selectbox(key="class.countdown@").select("30 s").run()
    press(app, "Open")
    assert classroom.rooms().view(code).ends is not None
    assert " s** left" in words(app)


def test_the_door_is_locked_and_the_room_ends_after_one_confirmation():
    app, code = host("race")
    app.toggle(key="class.locked@").set_value(True).run()
    assert classroom.rooms().view(code).locked
    app = press(app, "End it now")
    assert classroom.rooms().view(code) is None
    assert "Open a room" in press_labels(app)


def test_the_scene_asks_for_its_run_once_and_the_health_line_says_where_it_is_from():
    app, _ = host("race")
    assert "1 of 1 workers free" in words(app)
    assert "this scene's run is recorded" in words(app)


def test_a_room_that_the_server_has_forgotten_leads_back_to_the_beginning():
    app, code = host("race")
    classroom.rooms().commands(code, app.session_state["class.key@"][1]).end()
    app = app.run()
    assert not app.exception
    assert "Open a room" in press_labels(app)


def test_no_room_for_another_class_is_one_sentence(monkeypatch):
    def refuse(*_):
        raise ValueError("this server holds 50 rooms, the limit is 50; end one, or wait")

    app = open_page(PAGE)
    monkeypatch.setattr(type(classroom.rooms()), "create", refuse)
    assert "this server holds 50 rooms" in words(press(app, "Open a room"))


def test_one_browser_opens_three_rooms(monkeypatch):
    monkeypatch.setattr(class_page, "visitor", lambda: "me")
    for _ in range(3):
        host()
    assert "this browser has opened 3 rooms" in words(press(open_page(PAGE), "Open a room"))


def test_a_story_that_is_gone_is_one_sentence():
    app, code = host("race")
    key = app.session_state["class.key@"]
    classroom.rooms().commands(*key).show(
        json.dumps(vars(place_in(classroom.rooms().view(code).place)) | {"story": "x"})
    )
    app = app.run()
    assert not app.exception
    assert "The scene that this room shows is no longer there" in words(app)
    assert not wall(code).exception


def test_every_story_can_be_led_from_its_first_scene():
    app, code = host()
    options = app.selectbox(key="class.story@").options
    assert len(options) == len(position.stories(PARTS))
    for title in options[:4]:
        app.selectbox(key="class.story@").set_value(title).run()
        assert not app.exception
        assert place_in(classroom.rooms().view(code).place).number == 1


def view(**changes):
    known = {"status": "open", "round": 1, "answered": 17, "joined": 28, "ends": 100.0} | changes
    return RoomView(
        "BCDF", 1, known["status"], None, known["round"], known["answered"], known["joined"], False, "", known["ends"]
    )


def test_counts_and_seconds_are_told():
    assert counts_text(view(), 75.5) == (
        '<p class="featdash-count"><b>17</b> of <b>28</b></p><p class="featdash-count"><b>0:25</b></p>'
    )
    assert "0:00" in counts_text(view(), 300.0)
    assert "28</b> joined" in counts_text(view(status="wait", round=0), 0.0)
    assert "second vote" in counts_text(view(round=2), 0.0)
    assert counts_line(view(), 75.5) == "Open, round 1. **17 of 28** answered · **25 s** left"
    assert outcome_text(view(), None) == ""


def test_phones_go_to_the_server_of_the_page_under_its_path():
    assert join_address("http://host:8501/class?wall=BCDF") == "http://host:8501/join"
    assert join_address("https://school.example/feat/class", "BCDF") == "https://school.example/feat/join/BCDF"
    assert [is_alone(f"http://{name}/class") for name in ("127.0.0.1:8501", "localhost:1", "[::1]:80")] == [True] * 3
    assert [is_alone(f"http://{name}/class") for name in ("10.0.0.3:8501", "school.example", "[fd00::1]:80")] == [
        False
    ] * 3
    assert host_of("http://a.b:80/class") == "a.b"
    assert qr_code("http://host/join/BCDF").startswith("data:image/svg+xml")


def test_the_wall_draws_anew_when_the_run_that_it_lacks_has_begun():
    run = Run("a", "race", None, "running")
    ended = Run("a", "race", None, "failed")
    assert has_begun(None, run)
    assert has_begun(None, ended)
    assert has_begun(ended, run)
    assert not any(has_begun(*pair) for pair in ((None, None), (run, run), (run, ended), (ended, ended)))


def test_a_scene_without_a_recorded_run_is_computed_for_the_host_and_then_on_the_wall():
    settings = {"n": 1000, "width": 40, "holdout": 1000, "test": 1000, "steps": 1000}
    link = link_of([Scene("A", WORDS, "race", ("risk",), settings)])
    app, code = host()
    commands = classroom.rooms().commands(*app.session_state["class.key@"])
    commands.show(ClassPlace("kept", lecture_link=link).text())
    assert COMES in words(wall(code))
    app = app.run()
    assert not app.exception
    assert "this scene's run is kept here" in words(app)
    projector = wall(code)
    assert COMES not in words(projector)
    assert "featdash_chart" in everything(projector) or "Excess risk" in everything(projector)


def test_the_host_moves_a_scenes_setting_and_the_wall_shows_its_run():
    app, code = host("race")
    for _ in range(5):
        app = press(app, "Next")
    slider = "class.race.6.race.n"
    assert not any(one.key == slider for one in app.select_slider), "the question comes first"
    app = press(press(press(app, "Open"), "Close"), "Show me")
    before = classroom.rooms().view(code)
    app = app.select_slider(key=slider).set_value(1000).run()
    assert not app.exception
    view = classroom.rooms().view(code)
    assert place_in(view.place).settings == {"n": 1000}
    assert place_in(view.place).answers_known == (6,)
    assert (before.status, view.status) == ("revealed", "wait")
    assert "1000" in everything(wall(code))
    app = press(press(app, "Back"), "Next")
    assert place_in(classroom.rooms().view(code).place).settings == {}
    assert app.select_slider(key=slider).value == 100


def test_a_title_from_a_link_is_plain_text_for_host_and_wall():
    hostile = "![x](http://host/p.png)"
    app, code = host()
    commands = classroom.rooms().commands(*app.session_state["class.key@"])
    commands.show(ClassPlace("kept", lecture_link=link_of([Scene(hostile, WORDS, "race", ("risk",))])).text())
    for page in (app.run(), wall(code)):
        assert not page.exception
        assert hostile not in words(page)
        assert plain_text(hostile) in words(page)


def test_the_host_alone_sees_the_split_of_a_round_that_is_closed_with_advice():
    app, code = host("race")
    app = press(app, "Open")
    for index, value in enumerate(("all three", "only one of them", "all three", "all three")):
        answer(code, value, index)
    assert "right" not in "".join(one.value for one in app.run().markdown if "of 4" in one.value)
    app = press(app, "Close")
    split = "**1 of 4 right (25%).** Few are right: explain it once more, then ask again."
    assert split in words(app)
    assert "all three: 3 · only one of them: 1 · none of them: 0" in words(app)
    assert "of 4 right" not in everything(wall(code))
    assert "only one of them: 1" not in everything(wall(code))
    app = press(app, "Ask again")
    assert "of 4 right" not in words(app)


def test_a_wall_whose_lecture_is_gone_says_so():
    app, code = host()
    classroom.rooms().commands(*app.session_state["class.key@"]).show(ClassPlace("kept", lecture_link="melted").text())
    assert NO_SCENE in "".join(block.value for block in wall(code).get("html"))


def test_a_room_of_an_earlier_version_is_still_read():
    assert place_in('{"story":"race","number":2,"answers_known":[1]}') == ClassPlace("race", 2, (1,))
    assert place_in('{"story":"race","number":2,"told":[1],"plays":3}') == ClassPlace("race", 2, plays=3)
    assert place_in('{"story":"race"}') == ClassPlace("race")
    assert place_in("[]") is None


def test_the_runs_of_a_host_go_first_until_the_room_ends(monkeypatch):
    told = []
    monkeypatch.setattr(RunService, "favour", lambda _, session, on=True: told.append((session, on)))
    app, code = host("race")
    assert {on for _, on in told} == {False}, "a room without phones teaches nobody"
    classroom.rooms().join(code, TOKEN)
    app = app.run()
    assert told[-1][1] is True
    press(app, "End it now")
    assert told[-1][1] is False
    assert len({session for session, _ in told}) == 1
