"""Games are played by processes, and whatever a bot does, the game of the others goes on."""

import json
import os
import re
import select
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena import process
from arena import tables as tables_module
from arena.bot import Bot
from arena.driver import TABLES, Room, Stopped
from arena.in_process import play_in_process
from arena.playing import play_games, watch_games
from arena.process import BotProcess
from arena.protocol import LINE_BYTES, Fault, FaultKind, Limits, Message, Ready, SeatFault, Turn
from arena.record import Entrant, Game, GameRecord, Seen
from arena.referee import final_ranks
from arena.stalls import Stalls
from arena.tables import TableBot
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
    monkeypatch.setattr(Stalls, "excuses", lambda *_: False)


def watch_with(
    bad: Entrant, limits: Limits = PATIENT, tables: int | None = None
) -> tuple[GameRecord, Seen]:
    """Return the record of one game with a bad bot in the middle, and what was seen."""
    entrants = by_name(first("first"), msgspec.structs.replace(bad, name="bad"), first("other"))
    (played,) = watch_games([make_game("high-card/3", 1, SEATS, CARDS)], entrants, limits, tables)
    return played


def play_with(bad: Entrant, limits: Limits = PATIENT, tables: int | None = None) -> GameRecord:
    """Return its record."""
    return watch_with(bad, limits, tables)[0]


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


@pytest.mark.parametrize("tables", [1, 3, 8, 32, None])
def test_records_do_not_depend_on_how_many_games_are_under_way(tables: int) -> None:
    names = ("random", "first", "unlucky")
    games = [make_game("high-card/3", number, names) for number in range(9)]
    assert as_json(play_games(games, unlucky(), PATIENT, tables)) == expected_of_unlucky(games)


@pytest.mark.parametrize("tables", [1, 8, None])
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
                (_unlucky[game.key],) = as_json([record for record, _ in room.play([game])])
    expected = sorted(_unlucky[game.key] for game in games)
    crashed = sum(b'"crash"' in record for record in expected)
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
    assert hello["limits"] == msgspec.structs.asdict(PATIENT)
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
    together, alone = heard(tmp_path)
    assert [message["table"] for message in together if message["type"] == "start"] == [1, 2, 3]
    ends = [message for message in together if message["type"] == "end"]
    assert [end | {"table": 0} for end in ends] == [
        {"type": "end", "table": 0, "points": [], "ranks": [], "faults": []}
    ] * 3
    assert sorted(end["table"] for end in ends) == [1, 2, 3]
    kinds = [message["type"] for message in alone]
    assert kinds == ["hello", *["start", *["turn"] * 4, "end"] * 3, "bye"]
    points = [message["points"] for message in alone if message["type"] == "end"]
    assert points == [list(record.points) for record in records]


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
        assert fault.text == "exited with code 1"


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


def opened(
    folder: Path, monkeypatch: pytest.MonkeyPatch, thinking_s: float, tables: int | None
) -> list[int]:
    """Play games and return how many were under way whenever another one began."""
    monkeypatch.setattr(tables_module, "THINKING_S", thinking_s)
    entrants = by_name(spy(folder), first())
    games = [make_game("high-card/2", number, ("spy", "first")) for number in range(TABLES + 4)]
    assert len(list(play_games(games, entrants, PATIENT, tables))) == len(games)
    (messages,) = heard(folder)
    return open_at_each_start(messages)


@pytest.mark.parametrize("tables", [1, 3, 8])
def test_so_many_games_are_under_way_as_are_wanted(
    tables: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the bots think makes no difference then."""
    counts = opened(tmp_path, monkeypatch, 0.0, tables)
    assert counts[:tables] == list(range(tables))
    assert max(counts) == tables - 1


def test_one_game_is_under_way_when_bots_think(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert set(opened(tmp_path, monkeypatch, 0.0, None)) == {0}


def test_games_are_under_way_together_when_the_bots_have_shown_that_they_are_quick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = opened(tmp_path, monkeypatch, WAIT_S, None)
    assert counts[0] == 0
    assert max(counts) == TABLES - 1


class Asked:
    """What bots are asked and have not answered yet, watched from where it is sent and read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.unanswered: Counter[str] = Counter()
        self.beside_thinker: list[int] = []
        put, read_lines = BotProcess.put, BotProcess.read_lines

        def put_and_count(process: BotProcess, message: Message) -> None:
            put(process, message)
            if isinstance(message, Turn):
                self.unanswered[process.entrant.name] += 1
                self._note()

        def read_and_count(process: BotProcess) -> list[bytes] | None:
            lines = read_lines(process) or []
            self.unanswered[process.entrant.name] -= sum(b'"act"' in line for line in lines)
            return lines

        monkeypatch.setattr(BotProcess, "put", put_and_count)
        monkeypatch.setattr(BotProcess, "read_lines", read_and_count)

    def _note(self) -> None:
        thinker, others = self.unanswered["thinks"], self.unanswered.total()
        if thinker:
            self.beside_thinker.append(others - 1)


def test_nobody_is_asked_while_a_bot_thinks(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Asked(monkeypatch)
    names = [("first", "other"), ("thinks", "first"), ("other", "thinks")]
    games = [make_game("high-card/2", number, names[number % 3]) for number in range(9)]
    entrants = by_name(program("thinks"), first(), first("other"))
    assert len(list(play_games(games, entrants, PATIENT))) == 9
    assert asked.beside_thinker
    assert set(asked.beside_thinker) == {0}


SLOWS_DOWN = """
import pathlib, time
from polite import listen, say
gate, answered = pathlib.Path({gate!r}), 0
while (message := listen())["type"] != "bye":
    if message["type"] == "hello":
        say(type="ready", protocol=1)
    elif message["type"] == "turn":
        answered += 1
        while answered > 8 and not gate.exists():
            time.sleep(0.001)
        say(type="act", table=message["table"], turn=message["turn"], action=message["legal"][0])
"""


def test_when_a_bot_that_was_quick_is_found_thinking_nobody_is_asked_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables_module, "THINKING_S", 0.3)  # a busy machine is no thinking bot
    gate = tmp_path / "gate"
    asked = Asked(monkeypatch)
    look_at, put = Room._look_at, BotProcess.put
    found_with: list[int] = []  # so many requests to answer
    beside: list[str] = []

    def look_and_open(room: Room, bot: TableBot, now: float) -> None:
        look_at(room, bot, now)
        if room._is_thinking and not found_with:
            assert bot.entrant.name == "slows"
            found_with.append(asked.unanswered["slows"])
            gate.touch()

    def put_and_tell(process: BotProcess, message: Message) -> None:
        if isinstance(message, Turn) and found_with == [asked.unanswered["slows"]]:
            beside.append(process.entrant.name)
        put(process, message)

    monkeypatch.setattr(Room, "_look_at", look_and_open)
    monkeypatch.setattr(BotProcess, "put", put_and_tell)
    names = [("first", "slows"), ("first", "other")]
    # Sixteen turns: too few for it to be known as quick again.
    games = [make_game("high-card/2", number, names[number % 2]) for number in range(8)]
    slows = code("slows", SLOWS_DOWN.format(gate=str(gate)))
    records = list(play_games(games, by_name(first(), first("other"), slows), PATIENT))
    assert [record.faults for record in records] == [()] * 8
    assert found_with
    assert beside == []


# -- faults ------------------------------------------------------------------------------------

UNASKED = "answered something else than it was asked"
FAULTS: list[tuple[str, FaultKind, str, str]] = [
    ("crashes_in_act", "crash", "exited with code 1", ""),
    ("leaves", "crash", "exited with code 0", ""),
    ("kills_itself", "crash", "was ended by SIGKILL", ""),
    (
        "breaks_the_rules",
        "illegal",
        r"answered 'hide \x1b[31mall', which is not legal",
        r'.*"action": "hide \\\\u001b\[31mall".*',
    ),
    (
        "sends_broken_json",
        "malformed",
        "sent no message of the protocol: JSON is malformed: object keys must be strings",
        "{oops",
    ),
    ("answers_another_table", "malformed", UNASKED, '.*"table": 99.*'),
    ("answers_an_old_turn", "malformed", UNASKED, '.*"turn": 1.*'),
    (
        "is_ready_again",
        "malformed",
        "sent `ready` again, expected nothing but `act`",
        '.*"ready".*',
    ),
    (
        "counts_true",
        "malformed",
        "sent no message of the protocol: Expected `int`, got `bool` - at `$.table`",
        '.*"table": true.*',
    ),
    (
        "sends_a_long_line",
        "flood",
        f"sent a line of more than {LINE_BYTES} bytes",
        r"x{256}'\.\.\. \(\d+ bytes\)",
    ),
]
LATE: list[tuple[str, str]] = [
    ("falls_silent", ""),
    ("stops_in_mid_line", '{"type":"act",'),
    ("drips", ".+"),
]


def watch_turns(monkeypatch: pytest.MonkeyPatch, seen: Callable[[BotProcess, int], object]) -> None:
    """Call `seen` with the bot and the number of the turn whenever one is asked."""
    put = BotProcess.put

    def put_and_tell(self: BotProcess, message: Message) -> None:
        put(self, message)
        if isinstance(message, Turn):
            self.flush()
            seen(self, message.turn)

    monkeypatch.setattr(BotProcess, "put", put_and_tell)


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


def came_as(shown: str, pattern: str) -> bool:
    """Return whether what is shown is a quoted text like the pattern, which may end it itself."""
    return bool(re.fullmatch(pattern and f"'{pattern}'?", shown))


@pytest.mark.parametrize(
    ("name", "kind", "text", "came"), FAULTS, ids=[name for name, *_ in FAULTS]
)
def test_what_a_bad_bot_does_is_its_fault_and_a_stand_in_plays_on(
    name: str, kind: FaultKind, text: str, came: str
) -> None:
    record, seen = watch_with(program(name))
    assert record.faults == (SeatFault(1, 4, kind, text, ("hide 5", "hide 10", "hide 11")),)
    assert_stand_in_plays_on(record, turns=1)
    (evidence,) = seen.evidence
    assert evidence.seat == 1
    asked = json.loads(evidence.asked)
    assert (asked["type"], asked["turn"], asked["view"]["hand"]) == ("turn", 2, [5, 10, 11])
    assert came_as(evidence.came, came), evidence.came
    assert evidence.wall_ms is not None


@pytest.mark.parametrize(("name", "came"), LATE, ids=[name for name, *_ in LATE])
def test_a_late_bot_is_waited_for_as_long_as_its_limit_and_only_once(
    name: str, came: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    watch_turns(monkeypatch, lambda bot, turn: bot.entrant.name == "bad" and asked.append(turn))
    began = time.monotonic()
    record, seen = watch_with(program(name), SHORT)
    assert time.monotonic() - began >= 1.0
    assert asked == [1, 2]  # it was its only game, and it had answered in it: no doubt
    text = "no whole answer within 1000 ms"
    assert record.faults == (SeatFault(1, 4, "timeout", text, ("hide 5", "hide 10", "hide 11")),)
    assert_stand_in_plays_on(record, turns=1)
    (evidence,) = seen.evidence
    assert came_as(evidence.came, came), evidence.came
    assert evidence.wall_ms is not None
    assert evidence.wall_ms >= 1000


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
    assert fault.text == UNASKED
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
    assert (fault.text, fault.legal) == ("exited with code 3", ("hide 5", "hide 10"))


def test_the_end_of_its_stderr_is_recorded_with_every_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad" and turn == 2:
            wait_to_read(bot.stdout)  # its stderr came before

    watch_turns(monkeypatch, seen)
    (evidence,) = watch_with(program("sends_broken_json"))[1].evidence
    assert evidence.stderr == "this is not JSON"


# -- the start ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("crashes_at_once", "exited with code 1"),
        ("speaks_version_2", "speaks version 2 of the protocol, expected 1"),
        (
            "greets",
            "sent no message of the protocol: JSON is malformed: invalid character",
        ),
    ],
)
def test_a_bot_that_does_not_start_is_played_for_by_a_stand_in(name: str, text: str) -> None:
    record, seen = watch_with(program(name))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind, fault.text) == (1, 1, "start", text)
    (evidence,) = seen.evidence
    assert json.loads(evidence.asked)["type"] == "hello"
    assert_stand_in_plays_on(record, turns=0)


def test_a_bot_that_is_never_ready_is_waited_for_as_long_as_its_limit() -> None:
    record = play_with(program("is_never_ready"), Limits(start_ms=2_000, move_ms=120_000))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "start")
    assert fault.text == "not ready within 2000 ms"
    assert_stand_in_plays_on(record, turns=0)


def test_a_bot_whose_program_is_missing_is_played_for_by_a_stand_in() -> None:
    record = play_with(Entrant("bad", ("no-such-program-of-anybody", "-x"), ".", ""))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "start")
    text = "cannot start `no-such-program-of-anybody -x`: No such file or directory"
    assert fault.text == text
    assert_stand_in_plays_on(record, turns=0)


def test_bots_are_introduced_with_what_they_say_of_themselves(tmp_path: Path) -> None:
    entrants = by_name(
        spy(tmp_path), first(), program("crashes_at_once"), Entrant("gone", ("no-such",), ".", "")
    )
    with Room(entrants, PATIENT) as room:
        answers = room.introduce()
        charge = room.charge_of("crashes_at_once")
        assert charge
        assert charge.evidence.stderr == "no licence found"
    assert answers == {
        "spy": Ready(1, author="A\n  Spy"),
        "first": Ready(1),
        "crashes_at_once": Fault("start", "exited with code 1"),
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
        assert fault.text == "exited with code 0"
