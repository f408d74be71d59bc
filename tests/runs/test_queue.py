"""Who waits, who owns, who may pause and stop: fair queues and limits."""

import pytest
from hand_engine import HandEngine, meanwhile, spec, until

from featdash.recipes.events import Progress
from featdash.recipes.version import run_id
from featdash.runs.execution import Outcome
from featdash.runs.limits import Limits, QueueFull
from featdash.runs.queue import AWAY, FAVOURED, Queue, Sessions, Waiting
from featdash.runs.service import RunService
from featdash.runs.store import Store


def test_queue_caps_by_session_and_in_all(engine, tmp_path):
    service = RunService(engine, Store(tmp_path), Limits(session_queue=2, queue=3))
    running = service.submit("count", spec(0), "a")
    waiting = [service.submit("count", spec(seed), "a") for seed in (1, 2)]
    with pytest.raises(QueueFull, match=r"^you have 2 runs in the queue, the limit is 2; "):
        service.submit("count", spec(3), "a")
    service.submit("count", spec(3), "b")
    with pytest.raises(QueueFull, match=r"^the queue holds 3 runs, the limit is 3; "):
        service.submit("count", spec(4), "c")
    assert service.submit("count", spec(1), "c") == waiting[0]  # joining takes no room
    engine.end(running)
    service.submit("count", spec(4), "c")
    service.close()


def test_places_in_the_queue_are_told_and_kept_up_to_date(service, engine):
    names = [service.submit("count", spec(seed), session) for seed, session in enumerate("aaab")]
    places = [service.get(name).place for name in names]
    assert places == [None, 2, 3, 1]  # b has had no turn yet
    assert service.get(names[1]).queue_length == 3
    before = [service.get(name) for name in names]
    engine.end(names[0])
    assert [service.get(name).status for name in names] == ["done", "queued", "queued", "running"]
    assert [service.get(name).place for name in names] == [None, 1, 2, None]
    assert all(service.get(name) != view for name, view in zip(names, before, strict=True))


def test_sessions_take_turns_and_visitors_come_before_sweeps():
    queue = Queue()
    queue.serve("b")
    waiting = [Waiting("s1", "a", True, 0), Waiting("a1", "a", False, 1), Waiting("a2", "a", False, 2)]
    waiting += [Waiting("b1", "b", False, 3), Waiting("c1", "c", False, 4), Waiting("b2", "b", False, 5)]
    for one in waiting:
        queue.put(one)
    assert [one.run_id for one in queue] == ["a1", "c1", "b1", "a2", "b2", "s1"]


def test_who_teaches_comes_first_with_sweeps_too():
    teachers = {"t"}
    queue = Queue(teachers.__contains__)
    queue.serve("t")
    waiting = [Waiting("a1", "a", False, 0), Waiting("a2", "a", False, 1), Waiting("as", "a", True, 2)]
    waiting += [Waiting("ts", "t", True, 3), Waiting("t1", "t", False, 4), Waiting("t2", "t", False, 5)]
    for one in waiting:
        queue.put(one)
    assert [one.run_id for one in queue] == ["t1", "t2", "ts", "a1", "a2", "as"]
    teachers.clear()
    assert [one.run_id for one in queue] == ["a1", "t1", "a2", "t2", "as", "ts"]


def test_runs_of_others_wait_behind_the_lecturer_until_the_room_ends(service, engine):
    names = [service.submit("count", spec(seed), session) for seed, session in enumerate("abcl")]
    assert [service.get(name).place for name in names] == [None, 1, 2, 3]
    service.favour("l")
    assert [service.get(name).place for name in names] == [None, 2, 3, 1]
    service.submit("count", spec(2), "l")  # a student's run that the lecturer wants as well
    assert [service.get(name).place for name in names] == [None, 3, 1, 2]
    service.favour("l")  # as a page says at each look
    assert [service.get(name).place for name in names] == [None, 3, 1, 2]
    service.favour("l", False)
    assert [service.get(name).place for name in names] == [None, 1, 2, 3]
    service.favour("l")
    engine.end(names[0])
    assert [service.get(name).status for name in names] == ["done", "queued", "running", "queued"]


def test_a_queue_that_is_full_of_others_runs_takes_the_lecturers(engine, tmp_path):
    service = RunService(engine, Store(tmp_path), Limits(session_queue=2, queue=3))
    for seed in range(4):
        service.submit("count", spec(seed), f"student {seed}")
    with pytest.raises(QueueFull, match="the queue holds 3 runs"):
        service.submit("count", spec(4), "l")
    service.favour("l")
    names = [service.submit("count", spec(seed), "l") for seed in (4, 5)]
    assert [service.get(name).place for name in names] == [1, 2]
    with pytest.raises(QueueFull, match="you have 2 runs in the queue"):
        service.submit("count", spec(6), "l")
    service.close()


def test_a_lecturer_who_has_left_is_no_longer_favoured():
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    sessions.touch("l")
    assert sessions.favour("l", True)
    assert not sessions.favour("l", True)
    now[0] = AWAY
    assert sessions.is_favoured("l")
    now[0] = AWAY + 1
    assert not sessions.is_favoured("l")
    sessions.touch("l")
    assert sessions.is_favoured("l")
    for number in range(FAVOURED):
        sessions.favour(f"{number}", True)
    assert not sessions.is_favoured("l")


def test_two_threads_do_not_slip_into_the_last_place_of_the_queue(engine, tmp_path):
    others = []

    class Slow(Limits):
        def check_queue(self, of_session, of_all, of_address):
            if of_all == 0 and engine.jobs and not others:
                others.append(meanwhile(lambda: service.submit("count", spec(2), "b")))
            super().check_queue(of_session, of_all, of_address)

    service = RunService(engine, Store(tmp_path), Slow(queue=1))
    service.submit("count", spec(0), "a")
    service.submit("count", spec(1), "a")
    others[0][0].join()
    assert isinstance(others[0][1][0], QueueFull)
    assert [service.get(run_id("count", spec(seed))) is None for seed in range(3)] == [False, False, True]
    service.close()


def test_a_shared_run_stops_with_its_last_owner_only(service, engine):
    name = service.submit("count", spec(0), "lecturer")
    service.submit("count", spec(0), "student")
    assert [service.owns(name, session) for session in ("lecturer", "student", "passer-by")] == [True, True, False]
    assert service.stop(name, "passer-by") == "not yours"
    assert service.stop(name, "student") == "left"
    assert engine.calls == []
    assert service.stop(name, "student") == "not yours"
    assert service.stop(name, "lecturer") == service.stop(name, "lecturer") == "stops"
    assert engine.calls == [("stop", name)]
    assert service.get(name).status == "running"
    engine.end(name, Outcome("stopped"))
    assert (service.get(name).status, service.get(name).error) == ("stopped", None)


def test_a_queued_run_stops_at_once_and_the_operator_may_stop_any(service, engine):
    first, second, third = (service.submit("count", spec(seed), "a") for seed in range(3))
    assert service.stop(second) == "stops"
    assert service.get(second).status == "stopped"
    assert engine.calls == []
    engine.end(first)
    assert service.get(third).status == "running"


def test_a_deaf_run_is_killed_after_the_grace(engine, store):
    service = RunService(engine, store, Limits(grace=0.01))
    name = service.submit("count", spec(0), "a")
    service.stop(name)
    until(lambda: len(engine.calls) == 2)
    assert engine.calls == [("stop", name), ("kill", name)]
    service.close()


def test_a_queued_run_that_is_being_stopped_is_neither_begun_nor_joined(engine, tmp_path):
    armed, others = [], []

    def clock():
        if armed:
            armed.clear()
            engine.places = 2
            others.append(meanwhile(lambda: scheduler.join("none", "c")))  # and start what can be started
            others.append(meanwhile(lambda: scheduler.join(queued, "b")))
        return 100.0

    service = RunService(engine, Store(tmp_path), clock=clock)
    scheduler = service._scheduler
    running, queued = (service.submit("count", spec(seed), "a") for seed in range(2))
    armed.append(True)
    assert service.stop(queued, "a") == "stops"
    for thread, _ in others:
        thread.join()
    assert others[1][1] == [False]
    assert list(engine.jobs) == [running]
    assert service.get(queued).status == "stopped"
    service.close()


def test_a_run_submitted_while_it_stops_begins_anew(service, engine):
    name = service.submit("count", spec(0), "a")
    service.stop(name, "a")
    old = engine.jobs[name]
    assert service.submit("count", spec(0), "b") == name
    assert service.get(name).status == "queued"
    old[1](Progress(0.9, "late"))
    assert service.get(name).fraction == 0
    old[2](Outcome("stopped"))
    assert service.get(name).status == "running"
    engine.end(name)
    assert service.get(name).status == "done"


def test_a_run_that_waits_is_held_before_its_first_step(service, engine):
    """As one is that was stopped and asked for again a moment ago: its worker is not free yet."""
    name = service.submit("count", spec(0), "a")
    service.stop(name, "a")
    service.submit("count", spec(0), "a")
    assert not service.resume(name, "a")
    assert service.pause(name, "a")
    assert not service.pause(name, "b")
    assert (service.get(name).status, service.get(name).holds) == ("queued", True)
    engine.end(name, Outcome("stopped"))
    assert (service.get(name).status, service.get(name).holds) == ("paused", False)
    assert engine.calls[-1] == ("pause", name)
    assert service.resume(name, "a")
    assert service.get(name).status == "running"


@pytest.mark.parametrize("by", ["resume", "another who asks for it"])
def test_a_run_that_waits_is_no_longer_held(by, service, engine):
    busy, name = service.submit("count", spec(0), "a"), service.submit("count", spec(1), "a")
    assert service.pause(name, "a")
    if by == "resume":
        assert service.resume(name, "a")
    else:
        service.submit("count", spec(1), "b")
    assert not service.get(name).holds
    engine.end(busy)
    assert service.get(name).status == "running"


def test_the_engine_hears_pause_and_resume_in_the_order_in_which_they_were_said(service, engine, monkeypatch):
    others = []

    def pause(_, pause):
        if pause:
            others.append(meanwhile(lambda: service.resume(name, "a")))
        engine.calls.append("pause" if pause else "resume")

    monkeypatch.setattr(engine, "pause", pause)
    name = service.submit("count", spec(0), "a")
    assert service.pause(name, "a")
    others[0][0].join()
    assert others[0][1] == [True]
    assert engine.calls == ["pause", "resume"]
    assert service.get(name).status == "running"


def test_pause_and_resume_belong_to_owners_and_stop_the_clock(engine, tmp_path):
    now = [100.0]
    service = RunService(engine, Store(tmp_path), clock=lambda: now[0])
    name = service.submit("count", spec(0), "a")
    engine.emit(name, Progress(0.0, "begin"))
    now[0] += 4
    assert not service.pause(name, "b")
    assert service.pause(name, "a")
    assert service.get(name).status == "paused"
    now[0] += 1000
    assert not service.pause(name, "a")
    assert service.resume(name, "a")
    now[0] += 4
    engine.emit(name, Progress(0.5, "half"))
    view = service.get(name)
    assert (view.status, view.seconds, view.seconds_left) == ("running", 8.0, 8.0)
    assert engine.calls == [("pause", name), ("resume", name)]
    engine.end(name)
    assert service.get(name).seconds == 8.0
    service.close()


def test_a_shared_run_is_not_paused_and_a_paused_run_that_is_shared_goes_on(service, engine):
    name = service.submit("count", spec(0), "a")
    assert service.pause(name, "a")
    service.submit("count", spec(0), "a")  # the same visitor
    assert service.get(name).status == "paused"
    service.submit("count", spec(0), "b")
    assert service.get(name).status == "running"
    assert not service.pause(name, "a")
    assert not service.pause(name, "b")
    assert service.stop(name, "a") == "left"
    assert service.pause(name, "b")
    assert engine.calls == [("pause", name), ("resume", name), ("pause", name)]


def test_a_run_waits_in_the_turn_of_its_oldest_owner_left(engine, tmp_path):
    service = RunService(engine, Store(tmp_path), Limits(session_queue=1))
    service.submit("count", spec(0), "c")
    shared = service.submit("count", spec(1), "a")
    service.submit("count", spec(1), "b")
    with pytest.raises(QueueFull):
        service.submit("count", spec(2), "a")
    service.submit("count", spec(2), "b")
    assert service.stop(shared, "a") == "left"
    service.submit("count", spec(3), "a")
    with pytest.raises(QueueFull, match="you have 2 runs in the queue"):
        service.submit("count", spec(4), "b")
    service.close()


def test_owners_survive_a_restart(tmp_path):
    service = RunService(HandEngine(), Store(tmp_path))
    name = service.submit("count", spec(0), "a")
    for session in "bc":
        service.submit("count", spec(0), session)
    service.stop(name, "a")
    service.close()
    service = RunService(HandEngine(), Store(tmp_path))
    assert [service.owns(name, session) for session in "abc"] == [False, True, True]
    assert [service.stop(name, session) for session in "abc"] == ["not yours", "left", "stops"]
    service.close()


def test_a_run_far_beyond_the_time_limit_is_stopped_and_says_why(engine, tmp_path):
    now = [100.0]
    service = RunService(engine, Store(tmp_path), Limits(seconds=0.01), clock=lambda: now[0])
    name = service.submit("count", spec(0, seconds=0.01), "a")
    engine.emit(name, Progress(0.1, "begin"))
    now[0] += 0.05
    until(lambda: engine.calls)
    assert engine.calls == [("stop", name)]
    engine.end(name, Outcome("stopped"))
    rule = "a run must end within 0.04 s of computing, this one did not"
    assert (service.get(name).status, service.get(name).error) == ("stopped", f"{rule}; lower steps to 1")
    service.close()
