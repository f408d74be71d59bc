"""Rooms outlive their server: closed, killed, or on a damaged disk."""

import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from class_rooms import CHOICE, ORDER, START, Clock, open_rooms, token
from hand_engine import until

from featdash.classroom.question import Answer
from featdash.classroom.registry import ROOMS, _phone
from featdash.classroom.room import LIFE, Room
from featdash.classroom.room_store import UNSEEN, RoomStore

ROOT = Path(__file__).resolve().parents[2]
CLASS = """
import sys, threading
from pathlib import Path
from class_rooms import CHOICE, Clock, open_rooms, token

def answer(number):
    while True:
        rooms.put_answer(code, "which", 1, ("NTK", "Algorithm 1")[number % 2], token(number)).result()
        print(number, flush=True)
        number += 8

with open_rooms(Path(sys.argv[1]), Clock()) as rooms:
    code, secret = rooms.create()
    rooms.commands(code, secret).open(CHOICE)
    print(code, secret, flush=True)
    for number in range(8):
        threading.Thread(target=answer, args=(number,), daemon=True).start()
    threading.Event().wait()
"""


def test_a_room_is_as_it_was_after_a_restart(tmp_path):
    clock = Clock()
    with open_rooms(tmp_path, clock) as rooms:
        code, secret = rooms.create()
        host = rooms.commands(code, secret)
        host.show("scene 3")
        host.open(CHOICE, 60)
        for number, value in enumerate(("NTK", None, "Algorithm 1")):
            rooms.put_answer(code, "which", 1, value, token(number)).result()
        rooms.join(code, token(3))
        host.lock(True)
        before = rooms.view(code)
    with open_rooms(tmp_path, clock) as rooms:
        after = rooms.view(code)
        assert after.version == before.version + UNSEEN
        assert {**vars(after), "version": 0} == {**vars(before), "version": 0}
        rooms.put_answer(code, "which", 1, "NTK", token(3)).result()  # it was in before the door was locked
        host = rooms.commands(code, secret)
        host.close()
        host.again()
        rooms.put_answer(code, "which", 2, "NTK", token(0)).result()
    with open_rooms(tmp_path, clock) as rooms:
        host = rooms.commands(code, secret)
        host.close()
        host.reveal()
        said = rooms.visible_answers(code)
        assert [one.value for one in said if one.round == 2] == ["NTK"]
        assert sorted(str(one.value) for one in said if one.round == 1) == ["Algorithm 1", "NTK", "NTK", "None"]
        [second] = [one for one in said if one.round == 2]
        assert [one.value for one in said if one.phone == second.phone] == ["NTK", "NTK"]  # the rounds are paired
        assert rooms.commands(code, secret[:-1]) is None


def test_the_last_answer_counts_on_disk_too_and_an_order_keeps_its_kind(tmp_path):
    clock = Clock()
    with open_rooms(tmp_path, clock) as rooms:
        code, secret = rooms.create()
        rooms.commands(code, secret).open(ORDER)
        for value in (["a", "b", "c"], ["c", "b", "a"]):
            rooms.put_answer(code, "rank", 1, value, token(1)).result()
    with open_rooms(tmp_path, clock) as rooms:
        host = rooms.commands(code, secret)
        host.close()
        host.show("")
        assert [one.value for one in host.answers()] == [("c", "b", "a")]


def test_no_answer_that_was_acknowledged_is_lost_when_the_server_is_killed(tmp_path):
    environment = {"PYTHONPATH": f"{ROOT}:{ROOT / 'tests' / 'toys'}"}
    command = [sys.executable, "-c", CLASS, str(tmp_path)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as server:
        code, secret = server.stdout.readline().split()
        acknowledged = [int(server.stdout.readline()) for _ in range(100)]
        server.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in server.stdout.read().splitlines() if line]
    with open_rooms(tmp_path, Clock()) as rooms:
        assert rooms.view(code).status == "open"
        assert rooms.view(code).answer_count >= len(acknowledged)
        host = rooms.commands(code, secret)
        host.close()
        host.reveal()
        given = {one.phone: one.value for one in rooms.visible_answers(code)}
        [room] = rooms._rooms.values()
        for number in acknowledged:
            assert given[_phone(room, token(number))] == ("NTK", "Algorithm 1")[number % 2]


def test_an_answer_is_on_disk_before_it_is_acknowledged(tmp_path, rooms, room):
    code, host = room
    host.open(CHOICE)
    rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
    with sqlite3.connect(f"file:{tmp_path / 'rooms.sqlite'}?mode=ro", uri=True) as file:
        assert file.execute("SELECT value FROM answers").fetchall() == [('"NTK"',)]


def test_a_burst_shares_its_commits(rooms, room, monkeypatch):
    code, host = room
    host.open(CHOICE)
    store, commits, asked, told = rooms._store, [], [], []
    commit = store._commit

    def slow(statements):
        commits.append(len(statements))
        until(lambda: len(asked) == min(200, len(told) + 50))  # all the others have asked meanwhile
        return commit(statements)

    def answer(number):
        writing = rooms.put_answer(code, "which", 1, "NTK", token(number))
        asked.append(number)
        told.append(writing.result())

    monkeypatch.setattr(store, "_commit", slow)
    with ThreadPoolExecutor(50) as phones:
        list(phones.map(answer, range(200)))
    assert sum(commits) == 400  # each phone joins and answers
    assert len(commits) <= 12
    assert rooms.view(code).answer_count == 200


def test_a_disk_that_refuses_is_an_error_and_what_is_sent_again_is_kept(rooms, room):
    code, host = room
    host.open(CHOICE)
    file = rooms._store._file
    file.execute("ALTER TABLE answers RENAME TO away")
    with pytest.raises(OSError, match=r"the server could not keep it \(no such table: answers\); try again"):
        rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
    file.execute("ALTER TABLE away RENAME TO answers")
    rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
    told = []
    rooms.on_change(told.append)
    file.execute("ALTER TABLE rooms RENAME TO away")
    with pytest.raises(OSError, match=r"the class goes on, but a server that stops now forgets it \(no such table"):
        host.close()
    assert (rooms.view(code).status, told) == ("closed", [code]), "what the host hears is what the class sees"
    file.execute("ALTER TABLE away RENAME TO rooms")
    host.reveal()
    assert len(rooms.visible_answers(code)) == len(host.answers()) == 1


def test_who_no_longer_waits_for_an_answer_stops_no_other(rooms, room):
    code, host = room
    host.open(CHOICE)
    store = rooms._store
    with store._change:  # so that nothing is written yet
        gone = store._write()
        assert gone.cancel()
    rooms.put_answer(code, "which", 1, "NTK", token(2)).result(10)
    assert rooms.view(code).answer_count == 1


def test_a_damaged_file_is_moved_aside_and_a_damaged_row_left_out(tmp_path):
    clock = Clock()
    with open_rooms(tmp_path, clock) as rooms:
        codes = [rooms.create()[0] for _ in range(3)]
        for state, code in (("{", codes[0]), ('{"code": "XXXX"}', codes[1])):
            room = rooms._rooms[code]
            rooms._store._write(("UPDATE rooms SET state = ? WHERE id = ?", (state, room.id))).result()
    with open_rooms(tmp_path, clock) as rooms:
        assert [rooms.view(code) is not None for code in codes] == [False, False, True]
    (tmp_path / "rooms.sqlite").write_bytes(b"no database at all" * 1000)
    for name in ("rooms.sqlite-wal", "rooms.sqlite-shm"):
        (tmp_path / name).unlink(missing_ok=True)
    with open_rooms(tmp_path, clock) as rooms:
        assert rooms.view(codes[2]) is None
        assert rooms.create()


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE rooms SET created = 'soon' WHERE id = ?",
        "UPDATE rooms SET created = NULL WHERE id = ?",
        "UPDATE rooms SET state = json_set(state, '$.version', 'x') WHERE id = ?",
        "UPDATE rooms SET state = json_set(state, '$.status', 'melted') WHERE id = ?",
        "UPDATE rooms SET state = json_set(state, '$.round', 7) WHERE id = ?",
        "UPDATE rooms SET state = json_set(state, '$.question', NULL) WHERE id = ?",
    ],
)
def test_a_damaged_value_of_a_room_costs_that_room_alone(tmp_path, damage):
    with open_rooms(tmp_path, Clock()) as rooms:
        (code, secret), (other, _) = rooms.create(), rooms.create()
        rooms.commands(code, secret).open(CHOICE)
        rooms._store._write((damage, (rooms._rooms[code].id,))).result()
    with open_rooms(tmp_path, Clock()) as rooms:
        assert [rooms.view(one) is not None for one in (code, other)] == [False, True]
        assert rooms.create()


@pytest.mark.parametrize("damage", ["value = 'x'", "value = NULL", "value = '7'", "seconds = 'x'"])
def test_a_damaged_answer_costs_that_answer_alone(tmp_path, damage):
    with open_rooms(tmp_path, Clock()) as rooms:
        code, secret = rooms.create()
        rooms.commands(code, secret).open(CHOICE)
        for number in range(2):
            rooms.put_answer(code, "which", 1, "NTK", token(number)).result()
        phone = _phone(rooms._rooms[code], token(0))
        rooms._store._write((f"UPDATE answers SET {damage} WHERE phone = ?", (phone,))).result()
    with open_rooms(tmp_path, Clock()) as rooms:
        assert rooms.view(code).answer_count == 1
        host = rooms.commands(code, secret)
        host.close()
        host.reveal()
        assert "which,1,NTK" in host.csv()


def test_servers_on_one_folder_draw_different_codes(tmp_path, monkeypatch):
    drawn = iter(["BCDF", "BCDF", "GHJK"])
    monkeypatch.setattr("featdash.classroom.registry._draw_code", lambda: next(drawn))
    with open_rooms(tmp_path, Clock()) as ours, open_rooms(tmp_path, Clock()) as others:
        assert [ours.create()[0], others.create()[0]] == ["BCDF", "GHJK"]
    with open_rooms(tmp_path, Clock()) as heirs:
        assert heirs.view("BCDF")
        assert heirs.view("GHJK")


def test_rooms_of_a_server_that_is_there_are_left_to_it(tmp_path):
    clock = Clock()
    with open_rooms(tmp_path, clock) as ours:
        code, _ = ours.create()
        with open_rooms(tmp_path, clock) as others:
            assert others.view(code) is None
            other_code, _ = others.create()
            assert ours.view(other_code) is None
        assert ours.view(code)
    with open_rooms(tmp_path, clock) as heirs:
        assert heirs.view(code)
        assert heirs.view(other_code)


def test_what_is_over_leaves_the_disk(tmp_path):
    clock = Clock()
    with open_rooms(tmp_path, clock) as rooms:
        for _ in range(3):
            code, secret = rooms.create()
            host = rooms.commands(code, secret)
            host.open(CHOICE)
            rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
        host.end()
        assert counts(rooms) == [2, 2, 2]
        clock.now = START + LIFE
        assert rooms.view(code) is None
    with open_rooms(tmp_path, clock) as rooms:
        rooms.create()
        assert counts(rooms) == [1, 0, 0]


def counts(rooms):
    rooms._store._write().result()
    return [rooms._store._file.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in TABLES]


TABLES = ("rooms", "phones", "answers")


def test_a_closed_store_says_so_and_closes_twice(tmp_path):
    store = RoomStore(tmp_path)
    store.close()
    store.close()
    late = store.save_answer("r", Answer("q", 1, None, 0.0, "p"))
    with pytest.raises(OSError, match="shutting down"):
        late.result()


def test_a_folder_that_cannot_be_used_is_an_error(tmp_path):
    (tmp_path / "rooms.sqlite").mkdir()
    with pytest.raises(OSError, match=r"rooms\.sqlite"):
        RoomStore(tmp_path)


def test_a_thousand_phones_and_fifty_rooms_weigh_little():
    """What is in memory: the phones of each room and their answers to the question on show, and no others."""
    room = Room("r", "KMXT", "", START)
    for _ in range(5):
        room.open(CHOICE, START)
        for number in range(1000):
            room.join(f"{number:016d}", START)
            room.answer(room.question.id, 1, "NTK", f"{number:016d}", START)
        assert len([*room.all_answers()]) == 1000
        room.close()
        room.show("")
        assert not [*room.all_answers()]
    assert len(room.phones) == 1000
    assert ROOMS == 50


def test_threads_that_answer_while_the_host_commands_lose_nothing(rooms, room):
    code, host = room
    host.open(CHOICE)
    taken, gate = [], threading.Barrier(9)

    def answer(number):
        gate.wait()
        for more in range(50):
            try:
                rooms.put_answer(code, "which", 1, "NTK", token(number * 50 + more)).result()
            except ValueError:
                return
            taken.append(number * 50 + more)

    phones = [threading.Thread(target=answer, args=(number,)) for number in range(8)]
    for phone in phones:
        phone.start()
    gate.wait()
    until(lambda: taken)
    host.close()
    for phone in phones:
        phone.join()
    host.reveal()
    assert len(rooms.visible_answers(code)) == len(taken) == len(host.answers())
