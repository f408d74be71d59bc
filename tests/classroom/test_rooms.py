"""The rooms of a server: codes, secrets, limits, and what is told to whom before the reveal."""

import hashlib
import re

import pytest
from class_rooms import CHOICE, NUMBER, ORDER, START, token

from featdash import classroom
from featdash.classroom.refusal import BadValue, NotOpen, UnknownRoom
from featdash.classroom.registry import IDLE, LETTERS, ROOMS, ROOMS_OF_ADDRESS, ROOMS_OF_VISITOR, WRONG_SECRET
from featdash.classroom.registry import open_rooms as rooms_of_environment
from featdash.classroom.room import EMPTY, LIFE


def test_a_code_is_four_letters_and_case_does_not_matter(rooms):
    code, secret = rooms.create()
    assert re.fullmatch(f"[{LETTERS}]{{4}}", code)
    assert not set(LETTERS) & set("AEIOUQ")
    assert rooms.view(code.lower()) == rooms.view(f" {code} ") == rooms.view(code)
    assert rooms.commands(code.lower(), secret)


def test_only_the_secret_opens_the_room_and_a_wrong_one_costs_time(rooms, tmp_path):
    code, secret = rooms.create()
    other, other_secret = rooms.create()
    assert len(secret) >= 43  # 256 bits
    for wrong in ("", "x", secret[:-1], other_secret, secret.swapcase(), "\ud800"):
        assert rooms.commands(code, wrong) is None
    assert rooms.commands("ZZZZ", secret) is None
    assert rooms.slept == [WRONG_SECRET] * 7
    assert rooms.commands(code, secret)
    assert rooms.commands(other, other_secret)
    assert len(rooms.slept) == 7
    rooms.close()
    on_disk = b"".join(path.read_bytes() for path in tmp_path.glob("rooms.sqlite*"))
    assert secret.encode() not in on_disk
    assert hashlib.sha256(secret.encode()).hexdigest().encode() in on_disk


def test_tokens_are_not_kept_and_differ_from_room_to_room(rooms, room, tmp_path):
    phones = set()
    for code, host in (room, (lambda code, secret: (code, rooms.commands(code, secret)))(*rooms.create())):
        host.open(CHOICE)
        rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
        host.close()
        host.reveal()
        phones |= {one.phone for one in rooms.visible_answers(code)}
        assert token(1) not in host.csv()
    assert len(phones) == 2
    rooms.close()
    assert token(1).encode() not in b"".join(path.read_bytes() for path in tmp_path.glob("rooms.sqlite*"))


def test_a_server_holds_fifty_rooms_and_drops_one_that_nobody_uses(rooms, clock):
    codes = [rooms.create()[0] for _ in range(ROOMS)]
    with pytest.raises(ValueError, match=r"^this server holds 50 rooms, the limit is 50; end one, or wait$"):
        rooms.create()
    rooms.join(codes[0], token(1))
    clock.now += EMPTY - 1
    for code in codes[1:]:
        rooms.join(code, token(1))
    clock.now += IDLE + 2 - EMPTY
    assert rooms.create()
    assert [rooms.view(code) is not None for code in codes] == [False] + [True] * 49
    with pytest.raises(ValueError, match="holds 50 rooms"):
        rooms.create()


def test_one_browser_and_one_network_open_a_few_rooms_and_leave_places_for_others(rooms):
    for _ in range(ROOMS_OF_VISITOR):
        rooms.create("me", "192.0.2.1")
    with pytest.raises(ValueError, match=r"^this browser has opened 3 rooms, the limit is 3; end one, or wait$"):
        rooms.create("me", "192.0.2.1")
    for number in range(ROOMS_OF_ADDRESS - ROOMS_OF_VISITOR):
        code, secret = rooms.create(f"{number}", "192.0.2.1")
    with pytest.raises(ValueError, match=r"^your network has opened 12 rooms, the limit is 12; end one, or wait$"):
        rooms.create("other", "192.0.2.1")
    assert rooms.create("other", "192.0.2.2")
    rooms.commands(code, secret).end()
    assert rooms.create("another", "192.0.2.1")


def test_a_room_that_no_phone_joins_ends_soon_but_not_under_its_host(rooms, clock):
    empty, watched, joined = (rooms.create() for _ in range(3))
    rooms.join(joined[0], token(1))
    host = rooms.commands(*watched)
    for _ in range(3):
        clock.now += EMPTY / 2
        host.touch()
    assert [rooms.view(code) is not None for code, _ in (empty, watched, joined)] == [False, True, True]
    clock.now += EMPTY
    assert rooms.view(watched[0]) is None
    assert rooms.view(joined[0])


def test_a_full_disk_leaves_no_room_behind(rooms, monkeypatch):
    def full():
        file = connect()
        file.execute("PRAGMA query_only = ON")  # it reads, and writes nothing
        return file

    connect = rooms._store._connect
    monkeypatch.setattr(rooms._store, "_connect", full)
    rooms._store._file.execute("PRAGMA query_only = ON")
    for _ in range(ROOMS + 1):
        with pytest.raises(OSError, match="the server could not keep it"):
            rooms.create()
    monkeypatch.undo()
    rooms._store._file.execute("PRAGMA query_only = OFF")
    assert rooms.create()
    assert len(rooms._rooms) == 1


def test_a_room_is_gone_after_twelve_hours_and_when_its_host_ends_it(rooms, room, clock):
    code, host = room
    other, secret = rooms.create()
    host.end()
    host.end()
    assert rooms.view(code) is None
    for command in (host.close, host.reveal, host.answers, host.csv):
        with pytest.raises(ValueError, match="the room has ended; open another one"):
            command()
    clock.now = START + LIFE
    assert rooms.view(other) is None
    assert rooms.commands(other, secret) is None
    with pytest.raises(UnknownRoom, match=r"^There is no such room: the code is wrong, or the room has ended"):
        rooms.join(other, token(1))
    with pytest.raises(UnknownRoom):
        rooms.put_answer(other, "which", 1, "NTK", token(1)).result()


def test_an_old_host_does_not_command_a_new_room_of_the_same_code(rooms, room, monkeypatch):
    code, host = room
    host.end()
    monkeypatch.setattr("featdash.classroom.registry._draw_code", lambda: code)
    assert rooms.create()[0] == code
    with pytest.raises(ValueError, match="the room has ended"):
        host.show("x")
    host.end()
    assert rooms.view(code)


def test_nothing_of_the_answers_is_told_before_the_reveal(rooms, room):
    code, host = room
    host.open(CHOICE)
    rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
    for step in (lambda: None, host.close, host.again, host.close):
        step()
        assert rooms.visible_answers(code) is None
        assert host.answers() == []
        assert host.csv() == "question,round,value,seconds\r\n"
    host.reveal()
    assert [one.value for one in rooms.visible_answers(code)] == [one.value for one in host.answers()] == ["NTK"]


def test_the_table_has_all_questions_in_their_order_and_no_phone(rooms, room, clock):
    code, host = room
    for question, values in ((NUMBER, (20, 500.5)), (CHOICE, (None, "NTK")), (ORDER, (["b", "a", "c"],))):
        host.open(question)
        for number, value in enumerate(values):
            clock.now += 1.5
            rooms.put_answer(code, question.id, 1, value, token(number)).result()
        host.close()
        host.show("")
    assert host.csv().splitlines() == [
        "question,round,value,seconds",
        "many,1,20.0,1.5",
        "many,1,500.5,3.0",
        "which,1,not sure,1.5",
        "which,1,NTK,3.0",
        "rank,1,b > a > c,1.5",
    ]


def test_refusals_change_nothing(rooms, room):
    code, host = room
    with pytest.raises(NotOpen):
        rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
    host.open(CHOICE)
    with pytest.raises(BadValue):
        rooms.put_answer(code, "which", 1, "neither", token(1)).result()
    assert rooms.view(code).answer_count == 0
    assert rooms.is_in(code, token(1))
    assert not rooms.is_in(code, token(2))
    assert not rooms.is_in("ZZZZ", token(1))


def test_a_change_is_heard_once_by_each_listener(rooms, room):
    code, host = room
    heard = []
    for _ in range(3):
        rooms.on_change(heard.append)
    host.open(CHOICE)
    rooms.put_answer(code, "which", 1, "NTK", token(1)).result()
    host.end()
    assert heard == [code, code]


def test_the_servers_rooms_are_of_its_folder_and_come_back(tmp_path, monkeypatch):
    monkeypatch.setenv("FEATDASH_HOME", str(tmp_path / "home"))
    classroom.close()
    code, _ = classroom.rooms().create()
    assert classroom.rooms() is classroom.rooms()
    classroom.close()
    assert (tmp_path / "home" / "rooms.sqlite").exists()
    assert classroom.rooms().view(code)
    classroom.close()


def test_a_folder_that_cannot_be_used_is_replaced_and_said(tmp_path, caplog):
    (tmp_path / "file").write_text("")
    rooms = rooms_of_environment({"FEATDASH_HOME": str(tmp_path / "file")})
    assert rooms.create()
    rooms.close()
    assert "FEATDASH_HOME must be a folder that can be written" in caplog.text
