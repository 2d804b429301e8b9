"""Games are played by processes, and whatever a bot does, the game of the others goes on."""

import json
import os
import re
import select
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena import driver, process
from arena.bot import Bot
from arena.driver import TABLES, Room, Stopped, play_games
from arena.in_process import play_in_process
from arena.process import BotProcess
from arena.protocol import LINE_BYTES, Fault, FaultKind, Limits, Message, Ready, Turn
from arena.record import Entrant, Game, GameRecord
from arena.referee import final_ranks
from tests.arena.playing import (
    NEEDS_PROC,
    PATIENT,
    WAIT_S,
    First,
    as_json,
    bundled,
    by_name,
    children,
    code,
    first,
    last_then_first,
    make_game,
    plug_in,
    program,
)
from tests.engine.high_card import Deal

CARDS = Deal((1, 2, 3, 4, 5, 10, 11, 12, 6, 7, 8, 9))
"""The middle seat, where the bad bots sit, wins with these, and the first seat comes last."""
SEATS = ("first", "bad", "other")
SHORT = Limits(start_ms=120_000, move_ms=1_000)
"""For bots that are late; the others answer at once, and still have a thousand times that."""


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    plug_in(monkeypatch)
    # A busy machine may need long to end a process; what is tested here does not depend on it.
    monkeypatch.setattr(process, "EXIT_GRACE_S", WAIT_S)


def play_with(bad: Entrant, limits: Limits = PATIENT, tables: int | None = None) -> GameRecord:
    """Return the record of one game in which a bad bot sits between two others."""
    entrants = by_name(first("first"), msgspec.structs.replace(bad, name="bad"), first("other"))
    (record,) = play_games([make_game("high-card/3", 1, SEATS, CARDS)], entrants, limits, tables)
    return record


def play_here(*bot_classes: type[Bot]) -> GameRecord:
    """Return the record of the same game, played without processes."""
    return play_in_process(make_game("high-card/3", 1, SEATS, CARDS), bot_classes)


# -- games -------------------------------------------------------------------------------------


def test_games_are_played_and_recorded_each_once() -> None:
    games = [make_game("high-card/3", number, SEATS) for number in range(12)]
    entrants = by_name(first("first"), first("bad"), first("other"))
    records = list(play_games(games, entrants, PATIENT))
    assert sorted(record.key for record in records) == sorted(game.key for game in games)
    assert as_json(records) == as_json(play_in_process(game, [First] * 3) for game in games)


def test_no_games_need_no_processes() -> None:
    nobody = Entrant("nobody", ("no-such-program",), ".", "")
    assert list(play_games([], by_name(nobody), PATIENT)) == []


@pytest.mark.parametrize("tables", [1, 3, 8])
def test_records_do_not_depend_on_how_many_games_are_under_way(tables: int) -> None:
    names = ("random", "first", "unlucky")
    games = [make_game("high-card/3", number, names) for number in range(9)]
    assert as_json(play_games(games, unlucky(), PATIENT, tables)) == expected_of_unlucky(games)


@pytest.mark.parametrize("tables", [1, 8])
def test_records_of_long_games_do_not_depend_on_it_either(tables: int) -> None:
    names = ("random", "first", "unlucky")
    games = [make_game("pot-de-vin/3", number, names) for number in range(3)]
    assert as_json(play_games(games, unlucky(), PATIENT, tables)) == expected_of_unlucky(games)


def unlucky() -> dict[str, Entrant]:
    """Return a random bot, one that takes the first action, and one that its dice may crash."""
    crashing = program("unlucky", "crashes_on_bad_luck")
    command = (sys.executable, "-B", "-P", "-m", "arena.bot", "crashes_on_bad_luck.py")
    return by_name(bundled("random"), first(), msgspec.structs.replace(crashing, command=command))


_unlucky: dict[str, bytes] = {}


def expected_of_unlucky(games: Sequence[Game]) -> list[bytes]:
    """Return the records of games that are each played alone: with a room for every game."""
    for game in games:
        if game.key not in _unlucky:
            with Room(unlucky(), PATIENT, 1, charge=True) as room:
                (_unlucky[game.key],) = as_json(room.play([game]))
    expected = sorted(_unlucky[game.key] for game in games)
    crashed = sum(b"bad luck" in record for record in expected)
    assert 0 < crashed < len(expected), "the test wants games with and without a crash"
    return expected


# -- what bots hear ----------------------------------------------------------------------------


def spy(folder: Path, name: str = "spy") -> Entrant:
    """Return a bot that writes what it hears into `heard.jsonl` in its folder."""
    folder.mkdir(exist_ok=True)
    return program(name, "keeps_a_log", folder)


def heard(folder: Path) -> list[list[dict[str, Any]]]:
    """Return what the processes of a spy heard, one after the other."""
    processes: list[list[dict[str, Any]]] = []
    for line in (folder / "heard.jsonl").read_text().splitlines():
        message = json.loads(line)
        if message["type"] == "hello":
            processes.append([])
        processes[-1].append(message)
    return processes


def test_a_bot_hears_of_its_seat_and_nothing_of_who_the_others_are(tmp_path: Path) -> None:
    names = ("anna-1", "spy", "cleo-3", "dora-4")
    games = [make_game("high-card/4-teams", 1, names)]
    entrants = by_name(first("anna-1"), spy(tmp_path), first("cleo-3"), first("dora-4"))
    (record,) = play_games(games, entrants, PATIENT)
    ((hello, start, *turns, end, bye),) = heard(tmp_path)
    assert hello["protocol"] == 1
    assert hello["bot"] == "spy"
    assert hello["limits"] == {"start_ms": 120_000, "move_ms": 120_000}
    assert start == {
        "type": "start",
        "table": 1,
        "game": "high-card",
        "variant": "high-card/4-teams",
        "seat": 1,
        "seats": 4,
        "teams": [[0, 2], [1, 3]],
        "seed": games[0].seeds[1],
    }
    assert [turn["turn"] for turn in turns] == [1, 2, 3, 4]
    assert {(turn["type"], turn["table"], turn["clock_ms"]) for turn in turns} == {
        ("turn", 1, 120_000)
    }
    assert all(turn["view"]["seat"] == 1 for turn in turns)
    assert end == {
        "type": "end",
        "table": 1,
        "points": list(record.points),
        "ranks": list(record.ranks),
        "faults": [],
    }
    assert bye == {"type": "bye"}
    text = (tmp_path / "heard.jsonl").read_text()
    assert not [name for name in names if name != "spy" and name in text]


def test_bots_hear_of_their_own_faults_only(tmp_path: Path) -> None:
    entrants = by_name(spy(tmp_path, "first"), program("bad", "breaks_the_rules"), first("other"))
    list(play_games([make_game("high-card/3", 1, SEATS, CARDS)], entrants, PATIENT))
    (messages,) = heard(tmp_path)
    assert messages[-2]["type"] == "end"
    assert messages[-2]["faults"] == []
    assert messages[-2]["ranks"] == [2, 3, 1]


def test_games_under_way_when_a_bot_breaks_are_void_and_played_again_alone(tmp_path: Path) -> None:
    entrants = by_name(spy(tmp_path, "first"), program("bad", "crashes_in_act"), first("other"))
    games = [make_game("high-card/3", number, SEATS) for number in range(3)]
    records = list(play_games(games, entrants, PATIENT, 3))
    assert [[fault.kind for fault in record.faults] for record in records] == [["crash"]] * 3
    together, *alone = heard(tmp_path)
    assert [message["table"] for message in together if message["type"] == "start"] == [1, 2, 3]
    ends = [message for message in together if message["type"] == "end"]
    assert [end | {"table": 0} for end in ends] == [
        {"type": "end", "table": 0, "points": [], "ranks": [], "faults": []}
    ] * 3
    assert sorted(end["table"] for end in ends) == [1, 2, 3]
    assert len(alone) == 3
    for messages, record in zip(alone, records, strict=True):
        kinds = [message["type"] for message in messages]
        assert kinds == ["hello", "start", *["turn"] * 4, "end", "bye"]
        assert messages[-2]["points"] == list(record.points)


@pytest.mark.parametrize("bad", ["crashes_in_act", "crashes_at_once", "no_such_program"])
def test_a_bot_hears_the_end_of_a_game_only_if_it_heard_the_start(tmp_path: Path, bad: str) -> None:
    broken = (
        Entrant("bad", ("no-such-program-of-anybody",), ".", "")
        if bad == "no_such_program"
        else program("bad", bad)
    )
    entrants = by_name(spy(tmp_path, "first"), broken, first("other"))
    games = [make_game("high-card/3", number, SEATS) for number in range(2)]
    assert len(list(play_games(games, entrants, PATIENT))) == 2
    for messages in heard(tmp_path):
        under_way: set[int] = set()
        for message in messages:
            if message["type"] == "start":
                under_way.add(message["table"])
            elif message["type"] in ("turn", "end"):
                assert message["table"] in under_way, message["type"]
                if message["type"] == "end":
                    under_way.remove(message["table"])


def test_a_game_that_a_bot_broke_before_does_not_count_against_it_elsewhere() -> None:
    """A bot that breaks in one game is charged there, and plays the others to their end."""
    names = ("first", "unlucky")
    games = [make_game("high-card/2", number, names) for number in range(12)]
    records = list(play_games(games, unlucky(), PATIENT))
    crashed = [record for record in records if record.faults]
    assert 0 < len(crashed) < len(records)
    for record in crashed:
        (fault,) = record.faults
        assert (fault.seat, fault.kind) == (1, "crash")
        assert "bad luck in high-card/2" in fault.text


# -- how many tables ---------------------------------------------------------------------------


def open_at_each_start(messages: Sequence[dict[str, Any]]) -> list[int]:
    """Return how many games are under way at every start, as a bot hears it."""
    counts: list[int] = []
    under_way = 0
    for message in messages:
        if message["type"] == "start":
            counts.append(under_way)
            under_way += 1
        elif message["type"] == "end":
            under_way -= 1
    return counts


@pytest.mark.parametrize(
    ("thinking_s", "tables", "goes_on"),
    [(0.0, None, False), (WAIT_S, None, True), (0.0, 3, True), (0.0, 1, False)],
    ids=["bots that think", "quick bots", "three wanted", "one wanted"],
)
def test_games_are_under_way_together_unless_bots_think_or_a_number_is_wanted(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    thinking_s: float,
    tables: int | None,
    goes_on: bool,
) -> None:
    monkeypatch.setattr(driver, "THINKING_S", thinking_s)
    entrants = by_name(spy(tmp_path), first())
    games = [make_game("high-card/2", number, ("spy", "first")) for number in range(TABLES + 4)]
    list(play_games(games, entrants, PATIENT, tables))
    (messages,) = heard(tmp_path)
    opened = open_at_each_start(messages)
    at_first = tables or TABLES
    assert opened[:at_first] == list(range(at_first))
    assert max(opened) == at_first - 1
    assert any(opened[at_first:]) == goes_on


# -- faults ------------------------------------------------------------------------------------

ASKED = "asked for one of hide 5, hide 10, hide 11: "
ENDED = re.escape("; the end of its stderr: ")
FAULTS: list[tuple[str, FaultKind, str]] = [
    (
        "crashes_in_act",
        "crash",
        f"{ASKED}exited with code 1{ENDED}Traceback .*\nRuntimeError: I am lost",
    ),
    ("leaves", "crash", f"{ASKED}exited with code 0"),
    ("kills_itself", "crash", f"{ASKED}was ended by SIGKILL"),
    (
        "breaks_the_rules",
        "illegal",
        re.escape(f"{ASKED}answered 'hide \\x1b[31mall'"),
    ),
    (
        "sends_broken_json",
        "malformed",
        re.escape(f"{ASKED}expected `act`, got '{{oops': ") + ".*",
    ),
    (
        "answers_another_table",
        "malformed",
        re.escape(f"{ASKED}expected `act` for table 1, turn 2, got ") + "'.*\"table\": 99.*'",
    ),
    (
        "answers_an_old_turn",
        "malformed",
        re.escape(f"{ASKED}expected `act` for table 1, turn 2, got ") + "'.*\"turn\": 1.*'",
    ),
    (
        "is_ready_again",
        "malformed",
        re.escape(f"{ASKED}expected `act` for table 1, turn 2, got ") + "'.*\"ready\".*'",
    ),
    (
        "counts_true",
        "malformed",
        f"{ASKED}expected `act`, got '.*\"table\": true.*': " + re.escape("Expected `int`") + ".*",
    ),
    (
        "sends_a_long_line",
        "malformed",
        f"{ASKED}sent a line of more than {LINE_BYTES} bytes: 'x{{256}}'\\.\\.\\. .*",
    ),
]
LATE: list[tuple[str, FaultKind, str]] = [
    ("falls_silent", "timeout", f"{ASKED}no answer within 1000 ms; nothing came"),
    (
        "stops_in_mid_line",
        "timeout",
        re.escape(f"{ASKED}no answer within 1000 ms; of its answer came " + '\'{"type":"act",\''),
    ),
    ("drips", "timeout", f"{ASKED}no answer within 1000 ms; of its answer came '.*"),
]


def watch_turns(monkeypatch: pytest.MonkeyPatch, seen: Callable[[BotProcess, int], object]) -> None:
    """Call `seen` with the bot and the number of the turn whenever one is asked."""
    send = BotProcess.send

    def send_and_tell(self: BotProcess, message: Message) -> None:
        send(self, message)
        if isinstance(message, Turn):
            seen(self, message.turn)

    monkeypatch.setattr(BotProcess, "send", send_and_tell)


def wait_to_read(fd: int) -> None:
    """Wait until there is something to read, or the other end is closed."""
    assert select.select([fd], [], [], WAIT_S)[0], "nothing came"


def assert_stand_in_plays_on(record: GameRecord, turns: int) -> None:
    """Hold that the bad bot took the last action for so many turns, and then a stand-in played."""
    expected = play_here(First, last_then_first(turns), First)
    assert record.actions == expected.actions
    assert record.points == expected.points
    assert record.detail == expected.detail
    assert expected.ranks[1] == 1
    assert record.ranks == final_ranks(expected.ranks, [(0,), (1,), (2,)], {1}) == (2, 3, 1)


@pytest.mark.parametrize(("name", "kind", "text"), FAULTS, ids=[name for name, *_ in FAULTS])
def test_what_a_bad_bot_does_is_its_fault_and_a_stand_in_plays_on(
    name: str, kind: FaultKind, text: str
) -> None:
    record = play_with(program(name))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 4, kind)
    assert re.fullmatch(text, fault.text, re.S), fault.text
    assert_stand_in_plays_on(record, turns=1)


@pytest.mark.parametrize(("name", "kind", "text"), LATE, ids=[name for name, *_ in LATE])
def test_a_late_bot_is_waited_for_as_long_as_its_limit_and_only_once(
    name: str, kind: FaultKind, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    watch_turns(monkeypatch, lambda bot, turn: bot.entrant.name == "bad" and asked.append(turn))
    began = time.monotonic()
    record = play_with(program(name), SHORT)
    assert time.monotonic() - began >= 1.0
    assert asked == [1, 2]  # it was its only game, and it had answered in it: no doubt
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 4, kind)
    assert re.fullmatch(text, fault.text, re.S), fault.text
    assert_stand_in_plays_on(record, turns=1)


def test_a_bot_that_closes_its_output_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "EXIT_GRACE_S", 0.01)
    record = play_with(program("closes_its_output"))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 4, "crash")
    assert_stand_in_plays_on(record, turns=1)
    assert "closed its output" in fault.text, fault.text


def test_a_bot_that_leaves_between_turns_is_charged_with_its_next_turn() -> None:
    record = play_with(program("crashes_between_turns"))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 7, "crash")
    assert "exited with code 3" in fault.text
    assert_stand_in_plays_on(record, turns=2)


def test_a_bot_that_speaks_unasked_is_charged_with_its_next_turn() -> None:
    record = play_with(program("speaks_unasked"))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 7, "malformed")
    assert "spoke without being asked: '" in fault.text
    assert_stand_in_plays_on(record, turns=2)


def test_what_was_asked_is_recorded_also_of_a_bot_that_left_before_it_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The text of a fault does not depend on who is quicker, the bot or the referee."""
    bad: list[BotProcess] = []

    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad":
            bad[:] = [bot]
        elif bot.entrant.name == "other" and turn == 2:
            wait_to_read(bad[0].stdout)  # it has left, and it is not its turn

    watch_turns(monkeypatch, seen)
    (fault,) = play_with(program("crashes_between_turns")).faults
    assert fault.text == "asked for one of hide 5, hide 10: exited with code 3"


def test_the_end_of_its_stderr_is_recorded_with_every_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad" and turn == 2:
            wait_to_read(bot.stdout)  # its stderr came before

    watch_turns(monkeypatch, seen)
    (fault,) = play_with(program("sends_broken_json")).faults
    assert fault.text.endswith("; the end of its stderr: this is not JSON"), fault.text


# -- the start ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("crashes_at_once", "exited with code 1; the end of its stderr: no licence found"),
        ("speaks_version_2", "expected `ready` with protocol 1, got '.*\"protocol\": 2.*'"),
        ("greets", "expected `ready`, got 'Welcome to my bot!': .*"),
    ],
)
def test_a_bot_that_does_not_start_is_played_for_by_a_stand_in(name: str, text: str) -> None:
    record = play_with(program(name))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "start")
    assert re.fullmatch(f"asked for one of .*: {text}", fault.text), fault.text
    assert_stand_in_plays_on(record, turns=0)


def test_a_bot_that_is_never_ready_is_waited_for_as_long_as_its_limit() -> None:
    record = play_with(program("is_never_ready"), Limits(start_ms=2_000, move_ms=120_000))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "start")
    assert fault.text.endswith(": no answer within 2000 ms; nothing came")
    assert_stand_in_plays_on(record, turns=0)


def test_a_bot_whose_program_is_missing_is_played_for_by_a_stand_in() -> None:
    record = play_with(Entrant("bad", ("no-such-program-of-anybody", "-x"), ".", ""))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "start")
    text = "cannot start `no-such-program-of-anybody -x`: No such file or directory"
    assert fault.text.endswith(f": {text}")
    assert_stand_in_plays_on(record, turns=0)


def test_bots_are_introduced_with_what_they_say_of_themselves(tmp_path: Path) -> None:
    entrants = by_name(
        spy(tmp_path), first(), program("crashes_at_once"), Entrant("gone", ("no-such",), ".", "")
    )
    with Room(entrants, PATIENT) as room:
        answers = room.introduce()
    assert answers == {
        "spy": Ready(1, author="A\n  Spy"),
        "first": Ready(1),
        "crashes_at_once": Fault(
            "start", "exited with code 1; the end of its stderr: no licence found"
        ),
        "gone": Fault("start", "cannot start `no-such`: No such file or directory"),
    }


# -- clocks ------------------------------------------------------------------------------------


def test_the_clock_of_a_question_runs_only_when_the_bot_could_think_on_it() -> None:
    """Twelve answers of a tenth of a second each are in time, with a limit of a second for one."""
    games = [make_game("high-card/2", number, ("thinks", "first")) for number in range(12)]
    entrants = by_name(program("thinks"), first())
    records = list(play_games(games, entrants, SHORT, tables=12))
    assert [record.faults for record in records] == [()] * 12


def test_the_start_of_a_bot_is_not_on_the_clock_of_its_first_move() -> None:
    slow_start = "import time, runpy; time.sleep(1.2); runpy.run_path('ten_lines/ten_lines.py')"
    assert play_with(code("slow", slow_start), SHORT).faults == ()


# -- nothing is left ---------------------------------------------------------------------------


@NEEDS_PROC
@pytest.mark.parametrize("bad", ["ten_lines/ten_lines", "crashes_in_act", "closes_its_output"])
def test_no_process_is_left_when_the_games_are_over(
    bad: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "EXIT_GRACE_S", 0.01)
    play_with(program("bad", bad))
    assert not children()


def some_games() -> Iterator[GameRecord]:
    """Return games of which those of the bad bot are to be played again alone."""
    names = [("first", "bad"), ("first", "other")]
    games = [make_game("high-card/2", number, names[number % 2]) for number in range(6)]
    entrants = by_name(first("first"), program("bad", "crashes_in_act"), first("other"))
    return play_games(games, entrants, PATIENT, 1)


@NEEDS_PROC
@pytest.mark.parametrize("played", range(6))
def test_no_process_is_left_when_nobody_wants_the_games_any_more(played: int) -> None:
    records = some_games()
    for _ in range(played + 1):
        next(records)
    assert children()
    records.close()  # type: ignore[attr-defined]
    assert not children()


@NEEDS_PROC
@pytest.mark.parametrize("kind", ["closed", "readable"])
def test_play_stops_when_the_orders_end(kind: str) -> None:
    orders, orderer = os.pipe()
    games = [make_game("high-card/2", number, ("first", "silent")) for number in range(3)]
    entrants = by_name(first("first"), program("silent", "falls_silent"))
    try:
        records = play_games(games, entrants, PATIENT, orders=orders)
        if kind == "readable":
            os.write(orderer, b"{}\n")
        else:
            os.close(orderer)
        with pytest.raises(Stopped):
            next(records)
        assert not children()
    finally:
        os.close(orders)
        if kind == "readable":
            os.close(orderer)


def test_play_stops_when_the_orders_end_also_where_a_game_is_played_again() -> None:
    orders, orderer = os.pipe()
    games = [make_game("high-card/2", number, ("first", "bad")) for number in range(2)]
    entrants = by_name(first("first"), program("bad", "crashes_in_act"))
    try:
        records = play_games(games, entrants, PATIENT, 1, orders)
        assert next(records).faults
        os.close(orderer)
        with pytest.raises(Stopped):
            next(records)
    finally:
        os.close(orders)


def test_every_broken_process_costs_its_bot_a_game() -> None:
    """Who leaves in company and plays on alone gains nothing by it."""
    leaver = msgspec.structs.replace(program("leaves_in_company"), name="bad")
    entrants = by_name(first("first"), leaver, first("other"))
    games = [make_game("high-card/3", number, SEATS) for number in range(3)]
    records = list(play_games(games, entrants, PATIENT, 3))
    assert sorted(record.key for record in records) == sorted(game.key for game in games)
    faults = [fault for record in records for fault in record.faults]
    assert faults, "at least one game is lost"
    for fault in faults:
        assert (fault.seat, fault.kind) == (1, "crash")
        assert fault.text.endswith("; it did not break when the game was played again alone")
