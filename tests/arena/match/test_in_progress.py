"""How many games are under way at a time, and who is asked while a bot thinks."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.match import in_progress
from arena.match.driver import TABLES, Room
from arena.match.in_progress import SAMPLE_S, THINKING_S, Request, Table, TableBot
from arena.match.referee import referee
from arena.match.retries import play_games
from arena.match.seat_messages import SeatMessages
from arena.match.settings import MatchSettings
from arena.process.bot_process import BotProcess
from arena.protocol import Limits, Message, Turn
from tests.arena.playing import (
    PATIENT,
    WAIT_S,
    by_name,
    code,
    first,
    heard,
    make_game,
    program,
    spy,
)

pytestmark = pytest.mark.usefixtures("toys", "long_grace", "no_stalls")


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
    monkeypatch.setattr(in_progress, "THINKING_S", thinking_s)
    entrants = by_name(spy(folder), first())
    games = [make_game("high-card/2", number, ("spy", "first")) for number in range(TABLES + 4)]
    assert len(list(play_games(games, entrants, MatchSettings(PATIENT, tables=tables)))) == len(
        games
    )
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


def test_a_bot_is_looked_at_when_it_thinks_when_it_may_be_late_and_when_it_is() -> None:
    bot = TableBot(first(), Limits(start_ms=8_000))
    bot.requests.append(None)
    bot.start_clock(10.0, 0.0)
    assert bot.next_look == bot.deadline == 18.0
    table = Table(1, make_game("high-card/2", 1, ("first", "other")), referee)
    asked = next(table.refereeing)
    table.turns[asked.seat] = SeatMessages(1, "full", Limits(move_ms=1_000))
    bot.requests[0] = Request(table, asked)
    bot.start_clock(20.0, 0.0)
    looks = []
    for _ in range(3):
        looks.append(bot.next_look)
        bot.look()
    assert looks == [20.0 + THINKING_S, 20.0 + SAMPLE_S, 21.0]


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
    assert len(list(play_games(games, entrants, MatchSettings(PATIENT)))) == 9
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
    monkeypatch.setattr(in_progress, "THINKING_S", 0.3)  # a busy machine is no thinking bot
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
    records = list(
        play_games(games, by_name(first(), first("other"), slows), MatchSettings(PATIENT))
    )
    assert [record.faults for record in records] == [()] * 8
    assert found_with
    assert beside == []
