"""A recorded game is stepped through on the whole screen by keys, or printed."""

import io
import re
from collections.abc import Iterable

import msgspec
import pytest
from rich.console import Console

from arena.base.protocol import SeatFault
from arena.base.record import GameRecord, Note
from arena.terminal.recorded_game import Replay
from arena.terminal.replay_screen import ReplayScreen, print_game, typed_keys
from tests.arena.runs import made_up_settings, play_out, schedule_of

RECORD = play_out(schedule_of(made_up_settings(3, "pot-de-vin/3"))[0])
FAULTY = msgspec.structs.replace(
    RECORD,
    faults=(SeatFault(1, 7, "timeout", "no answer\x1b[2J"), SeatFault(2, 20, "crash", "gone")),
    notes=(Note(3, "I am [bold]bold[/] \x1b]0;title\x07"),),
)
MOVES = len(RECORD.actions)


def shown(keys: Iterable[str], record: GameRecord = RECORD, seat: int | None = None) -> list[str]:
    """Return what is shown for each position that these keys lead to."""
    replay = Replay(record)
    told = ["\n".join(replay.told(seat))]
    for key in keys:
        told.append(replay.press(key) or "\n".join(replay.told(seat)))
    return told


def moves(keys: Iterable[str], record: GameRecord = RECORD) -> list[int]:
    """Return the moves that are shown; 0 is the start."""
    found = [re.match(r"\s*move (\d+) of", text) for text in shown(keys, record)]
    return [int(match[1]) if match else 0 for match in found]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["", "b", "b"], [0, 1, 0, 0]),
        (["e", "n", "9999"], [0, MOVES, MOVES, MOVES]),
        (["9", "s"], [0, 9, 0]),
        (["f", "f"], [0, 8, 21]),
        (["e", "F"], [0, MOVES, 21]),
        (["down", "down", "up"], [0, 3, 6, 3]),
        ([], [0]),
    ],
)
def test_keys_lead_to_moves_and_not_beyond(keys: list[str], expected: list[int]) -> None:
    assert moves(keys, FAULTY) == expected


def test_the_end_tells_points_and_places_and_how_they_came_about() -> None:
    over = shown(["e"])[1].replace("\n", " ")
    for name, points, rank in zip(RECORD.entrants, RECORD.points, RECORD.ranks, strict=True):
        assert re.search(rf"{rank}\. {re.escape(name)}, seat \d: {points} point", over)
        assert re.search(rf"{re.escape(name)}: {points} points?: ", over)


@pytest.mark.parametrize("seat", [None, 0])
def test_moves_have_their_consequences_and_no_raw_actions(seat: int | None) -> None:
    text = "\n".join(shown([""] * MOVES, seat=seat)).replace("\n", " ")
    assert " wins " in text
    for action in RECORD.actions:
        assert f": {action} " not in text


def test_a_secret_of_another_seat_stays_one() -> None:
    record = play_out(schedule_of(made_up_settings(6, "pot-de-vin/6-teams"))[0])
    acting = Replay(record)
    acting.go(1)
    line = acting.told()[0]
    assert re.search(r": discards [A-Z][a-z]+ \d+$", line)
    told = [acting.told(seat)[0] for seat in range(6)]
    assert told.count(line) == 1
    assert [text.endswith(": discards a card") for text in told].count(True) == 5


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("f", "fault (timeout), a stand-in plays from here on: no answer\\x1b[2J"),
        ("4", "note: I am [bold]bold[/] \\x1b]0;title\\x07"),
        ("up", "no round before"),
    ],
)
def test_what_a_key_tells(key: str, text: str) -> None:
    told = shown([key], FAULTY)[-1]
    assert text in told
    assert "\x1b" not in told


def test_elsewhere_than_in_a_terminal_a_game_is_printed() -> None:
    console = Console(file=io.StringIO(), width=80)
    print_game(Replay(FAULTY), None, console, {2: ["  | hi"]})
    assert isinstance(console.file, io.StringIO)
    printed = console.file.getvalue()
    assert re.findall(r"^move (\d+) of", printed, re.M) == [str(n + 1) for n in range(MOVES)]
    assert printed.index("  | hi") < printed.index("move 3 of")


def screen(sent: Iterable[str], height: int = 24) -> list[str]:
    """Return the rows of the screen after a terminal has `sent` these keys."""
    console = Console(file=io.StringIO(), width=80, height=height)
    shown = ReplayScreen(Replay(FAULTY), None, console)
    waiting = iter(sent)

    def read() -> str:
        for text in waiting:
            return text
        raise EOFError

    for key in typed_keys(read):
        shown.press(key)
    console.print(shown.page(), end="")
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().rstrip("\n").split("\n")


def test_the_screen_has_the_rows_of_the_terminal_and_scrolls() -> None:
    assert len(screen(["f"])) <= 24
    rows = screen(["f"], height=12)
    assert len(rows) == 12
    assert "more: PgDn" in rows[-1]
    below = screen(["f", "\x1b[6~"], height=12)
    assert below[:2] == rows[:2]
    assert below[2:] != rows[2:]
    assert rows[1].count("✗") == 1  # the other is where the game is
    assert "\x1b" not in "".join(rows)


def test_keys_of_the_screen_need_no_enter_and_show_what_one_seat_sees() -> None:
    for sent, move in ((["\x1b[C", "\x1b[C\x1b[C", "\x1b[D"], 2), (["1", "2", "\r"], 12)):
        assert f"move {move} of {MOVES}" in screen(sent)[0]
    assert "seat 1's view" in screen(["v", "v"])[0]
    hands = [row for row in screen(["v", "v"]) if row.startswith("hand of ")]
    assert [hand.split()[2] for hand in hands] == ["1"]
