"""Shared by all sessions: each picture is built once, keeps nobody else waiting, and the gallery has a bound."""

import threading
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from featdash.recipes.spec import Number
from featdash.runs.run import Run
from featdash.ui.kit import number_scale, shared
from featdash.ui.kit.shared import PictureCache, RenderedPicture, ViewerCount, weight
from featdash.ui.stage import live

PLATE = RenderedPicture(b"x" * 100, "A sentence.", {})


def test_a_picture_is_built_once_and_the_oldest_is_dropped():
    gallery, built = PictureCache(most=2 * weight(PLATE)), []
    for key in ("a", "b", "a", "c", "b"):
        gallery.picture(key, lambda key=key: built.append(key) or PLATE)
    assert built == ["a", "b", "c", "b"]


def test_a_picture_too_large_to_keep_is_built_for_each_who_asks():
    gallery, built = PictureCache(most=weight(PLATE) - 1), []
    for _ in range(2):
        assert gallery.picture("a", lambda: built.append("a") or PLATE) is PLATE
    assert built == ["a", "a"]


def test_keys_without_a_picture_have_a_bound_too():
    gallery, built = PictureCache(most=2 * weight(None)), []
    for key in (*range(100), 99, 98, 0):
        assert gallery.picture(key, lambda key=key: built.append(key)) is None
    assert built == [*range(100), 0]


def test_a_picture_in_the_making_keeps_only_those_waiting_who_want_it():
    gallery, begun, go_on, built = PictureCache(), threading.Event(), threading.Event(), []

    def slow():
        begun.set()
        assert go_on.wait(30)
        built.append("slow")
        return PLATE

    threads = [threading.Thread(target=gallery.picture, args=("slow", slow)) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert begun.wait(30)
    assert gallery.picture("other", lambda: None) is None
    go_on.set()
    for thread in threads:
        thread.join(30)
    assert built == ["slow"]


def test_a_picture_that_failed_can_be_built_again():
    gallery = PictureCache()
    with pytest.raises(ZeroDivisionError):
        gallery.picture("a", lambda: 1 / 0)
    assert gallery.picture("a", lambda: PLATE) is PLATE


def test_an_audience_is_forgotten_when_it_no_longer_looks():
    now = [0.0]
    audience = ViewerCount(clock=lambda: now[0])
    for viewer in range(100):
        audience.watch(str(viewer))
    assert audience.interval(0.3) == pytest.approx(100 / shared.LOOKS, abs=0.01)
    for viewer in range(1000):
        audience.watch(str(viewer))
    assert audience.interval(0.3) == shared.SLOWEST < shared.WATCHING, "else one that looks so seldom does not count"
    now[0] += 2 * shared.WATCHING
    assert audience.interval(0.3) == 0.3


def test_all_sessions_together_look_no_more_often_than_the_server_can_draw():
    audience = ViewerCount(clock=lambda: 0.0)
    for viewers in range(1, 150):
        audience.watch(str(viewers))
        moving, still = audience.interval(live.MOVING), audience.interval(live.STILL)
        assert live.MOVING <= moving <= still
        assert viewers / moving <= max(shared.LOOKS * 1.05, 1 / live.MOVING)
    assert moving == still


@pytest.mark.parametrize("film", [(), ("a phase",)])
def test_a_run_is_looked_at_less_often_as_it_goes_on(film):
    part = SimpleNamespace(film=film)
    runs = [Run("a", "race", None, "running", seconds=age) for age in (0, 2, 4, 8, 100, 1000)]
    pauses = [live.pause_of_few(run, part, spent=0.01) for run in runs]
    assert pauses[0] == (live.MOVING if film else live.STILL)
    assert pauses == sorted(pauses)
    assert pauses[0] < pauses[3] < pauses[4] == pauses[5] == live.LONGEST < shared.SLOWEST


def test_a_slow_computer_is_left_most_of_its_time_to_compute():
    run, part = Run("a", "race", None, "running", seconds=0.5), SimpleNamespace(film=("a phase",))
    pauses = [live.pause_of_few(run, part, spent) for spent in (0.0, 0.02, 0.1, 10.0)]
    assert pauses == pytest.approx([live.MOVING, live.MOVING, 0.4, live.LONGEST])


def test_a_look_waits_for_an_end_that_comes_within_half_a_second_and_no_longer_than_that(monkeypatch):
    def seen(*states):
        """How far the run was when it was drawn, and how many of its states were not seen."""
        names = ("fraction", "seconds_left", "status")
        runs = [Run("a", "race", None, **dict(zip(names, (*state, "running"), strict=False))) for state in states]
        last = runs[-1]
        monkeypatch.setattr(live, "service", lambda: SimpleNamespace(get=lambda _: runs.pop(0) if runs else last))
        return live.at_its_end(last, most=0.1).fraction, len(runs)

    end = (1.0, None, "done")
    assert seen((0.5, 1.0), end) == (0.5, 1), "it is drawn as it is"
    assert seen((0.05, 0.1), end) == (0.05, 1), "so early nobody knows how long it takes"
    assert seen((0.5, None), end) == (0.5, 1)
    assert seen((0.8, 0.1, "paused"), end) == (0.8, 1)
    assert seen((0.8, 0.1), (0.9, 0.05), (1.0, 0.0), end) == (1.0, 0)
    assert seen((0.8, 0.1), (0.81, 1.0), end) == (0.81, 1), "it takes longer than it seemed"
    assert seen((0.9, 0.05)) == (0.9, 0), "it does not wait for ever"


def page_that_waits_for_an_end():
    import streamlit as st
    from streamlit.runtime.scriptrunner import get_script_run_ctx
    from streamlit.runtime.scriptrunner_utils.script_requests import RerunData

    from featdash.ui.stage import live

    if "waited" not in st.session_state:
        st.session_state["waited"] = True
        get_script_run_ctx().script_requests.request_rerun(RerunData())
        live.at_its_end(None, most=60)
        st.text("it has waited")
    st.text("drawn anew")


def test_a_look_that_waits_gives_way_to_what_the_visitor_asks_for(monkeypatch):
    run = Run("a", "race", None, "running", fraction=0.9, seconds_left=0.1)
    monkeypatch.setattr(live, "latest", lambda _: run)
    app = AppTest.from_function(page_that_waits_for_an_end).run()
    assert [text.value for text in app.text] == ["drawn anew"]


def test_whole_pages_are_drawn_one_after_the_other():
    now = [0.0]
    audience, drawn = ViewerCount(clock=lambda: now[0]), 0
    for theme in range(200):
        now[0] = theme / 4
        drawn += audience.may_draw(pause=1.0)
        assert drawn == theme // 4 + 1


def test_a_step_of_a_number_box_suits_its_range():
    assert number_scale.step_of(Number(1e-4, 1.0), 0.01) == pytest.approx(0.001)
    assert number_scale.step_of(Number(0, 10), 1.0) == pytest.approx(0.1)
    assert number_scale.step_of(Number(2, 4000, whole=True), 1000) == 100
    assert number_scale.step_of(Number(1, 9, whole=True), 3) == 1


def test_stops_of_a_slider_span_the_range_from_its_lower_end():
    stops = number_scale.round_stops(Number(1e-3, 10), 10)
    assert stops[0] == 1e-3
    assert stops[-1] == 10
    assert stops == sorted(stops)
    assert all(isinstance(stop, int) for stop in number_scale.round_stops(Number(1, 1000, whole=True), 1000))


def test_lists_of_numbers_are_read_back_as_they_were_written():
    for values in ([1, 3, 10], [200_000, 5], [0.5, 2]):
        assert number_scale.values_of(number_scale.text_of(values)) == values
    assert number_scale.values_of("0..9") == "0..9"
