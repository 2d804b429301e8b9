"""A recorded game is printed move by move."""

import io
import re

import msgspec
import pytest
from rich.console import Console

from arena.base.protocol import SeatFault
from arena.base.record import GameRecord, Note
from arena.terminal.recorded_game import print_game
from tests.arena.runs import made_up_settings, play_out, schedule_of

RECORD = play_out(schedule_of(made_up_settings(3, "pot-de-vin/3"))[0])
FAULTY = msgspec.structs.replace(
    RECORD,
    faults=(SeatFault(1, 7, "timeout", "no answer\x1b[2J"), SeatFault(2, 20, "crash", "gone")),
    notes=(Note(3, "I am [bold]bold[/] \x1b]0;title\x07"),),
)
MOVES = len(RECORD.actions)


def printed(record: GameRecord, seat: int | None = None, *, draws_moves: bool = False) -> str:
    console = Console(file=io.StringIO(), width=200)
    print_game(record, seat, console, {2: ["  | hi"]}, draws_moves=draws_moves)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_prints_moves_faults_notes_and_logs() -> None:
    text = printed(FAULTY)
    assert re.findall(r"^move (\d+) of", text, re.M) == [str(n + 1) for n in range(MOVES)]
    for expected in (
        "fault (timeout): no answer\\x1b[2J; a stand-in takes the bot's turns from now on",
        "note: I am [bold]bold[/] \\x1b]0;title\\x07",
    ):
        assert expected in text
    assert "\x1b" not in text
    assert text.index("  | hi") < text.index("move 3 of")
    assert text.count("hand of 0") <= 2
    assert printed(FAULTY, draws_moves=True).count("seat  player") == MOVES + 1


def test_end_explains_points_and_ranks() -> None:
    over = printed(RECORD)
    for name, points, rank in zip(RECORD.entrants, RECORD.points, RECORD.ranks, strict=True):
        assert re.search(rf"{rank}\. {re.escape(name)}, seat \d: {points} point", over)
        assert re.search(rf"{re.escape(name)}: {points} points?: ", over)


@pytest.mark.parametrize("seat", [None, 0])
def test_moves_show_consequences(seat: int | None) -> None:
    text = printed(RECORD, seat)
    assert " wins " in text
    for action in RECORD.actions:
        assert f": {action}\n" not in text


def test_hides_secrets_of_other_seats() -> None:
    record = play_out(schedule_of(made_up_settings(6, "pot-de-vin/6-teams"))[0])
    firsts = [re.findall("^move 1 of.*$", printed(record, seat), re.M)[0] for seat in range(6)]
    (line,) = re.findall("^move 1 of.*$", printed(record), re.M)
    assert re.search(r": discards [A-Z][a-z]+ \d+$", line)
    assert firsts.count(line) == 1
    assert [text.endswith(": discards a card") for text in firsts].count(True) == 5
