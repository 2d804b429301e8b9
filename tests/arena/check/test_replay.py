"""A recorded game can be stepped through, as a script that types would do it."""

import io
import re
from collections.abc import Iterable

import msgspec
import pytest
from rich.console import Console

from arena.check.replay import Replay
from arena.commands.replay import step_through
from arena.protocol import SeatFault
from arena.record import Note
from tests.arena.runs import made_up_settings, play_out, schedule_of

RECORD = play_out(schedule_of(made_up_settings(3, "pot-de-vin/3"))[0])
FAULTY = msgspec.structs.replace(
    RECORD,
    faults=(SeatFault(1, 7, "timeout", "no answer\x1b[2J"), SeatFault(2, 20, "crash", "gone")),
    notes=(Note(3, "I am [bold]bold[/] \x1b]0;title\x07"),),
)
MOVES = len(RECORD.actions)


def shown(keys: Iterable[str], record: object = RECORD, seat: int | None = None) -> list[str]:
    """Return what is shown for each position that these keys lead to."""
    console = Console(file=io.StringIO(), width=80)
    waiting = iter(keys)
    assert isinstance(record, type(RECORD))
    step_through(Replay(record), seat, console, lambda: next(waiting, None))
    assert isinstance(console.file, io.StringIO)
    rule = "─" * 80
    return console.file.getvalue().split(rule)[1:]


def moves(keys: Iterable[str], record: object = RECORD) -> list[str]:
    """Return the first lines of what is shown."""
    return [text.strip().splitlines()[0] for text in shown(keys, record)]


def test_steps_lead_forward_and_back_and_not_beyond() -> None:
    title = f"{RECORD.title}: {MOVES} moves"
    first = moves([""])[1]
    assert first.startswith(f"move 1 of {MOVES}, seat ")
    assert re.search(r": plays [A-Z][a-z]+ \d+$", first)
    assert moves(["", "b", "b"]) == [title, first, title, title]
    last = moves(["e"])[1]
    assert last.startswith(f"move {MOVES} of {MOVES}")
    assert moves(["e", "n", "9999"])[1:] == [last] * 3
    assert moves(["9", "s"])[-1] == title


def test_the_end_tells_points_and_places_and_how_they_came_about() -> None:
    over = shown(["e"])[1].replace("\n", " ")
    for name, points, rank in zip(RECORD.entrants, RECORD.points, RECORD.ranks, strict=True):
        assert f"{name} {points} (place {rank})" in over
        assert re.search(rf"{re.escape(name)}: {points} points?: ", over)


def test_moves_have_their_consequences_and_no_raw_actions() -> None:
    for seat in (None, 0):
        text = "\n".join(shown([""] * MOVES, seat=seat)).replace("\n", " ")
        assert " wins " in text
        assert "is turned up, its character is trump" in text
        for action in RECORD.actions:
            assert f": {action} " not in text


def test_a_secret_of_another_seat_stays_one() -> None:
    record = play_out(schedule_of(made_up_settings(6, "pot-de-vin/6-teams"))[0])
    acting = Replay(record)
    acting.go(1)
    (line, *_) = acting.told()
    assert ": discards " in line
    assert re.search(r"[A-Z][a-z]+ \d+$", line)
    told = [acting.told(seat)[0] for seat in range(6)]
    assert [one == line for one in told].count(True) == 1
    assert [one.endswith(": discards a card") for one in told].count(True) == 5


def test_the_keys_are_told_on_request() -> None:
    assert "these keys" in shown(["?"])[0]


def test_faults_are_jumped_to_one_after_another() -> None:
    found = moves(["f", "f", "f"], FAULTY)
    assert found[1].startswith("move 8 of ")
    assert found[2].startswith("move 21 of ")
    assert len(found) == 3
    assert "no fault" in shown(["f", "f", "f"], FAULTY)[-1]
    assert (
        "fault (timeout), a stand-in plays from here: no answer\\x1b[2J" in shown(["f"], FAULTY)[1]
    )


def test_what_a_bot_says_does_not_steer_the_terminal() -> None:
    text = shown(["4"], FAULTY)[1]
    assert "note: I am [bold]bold[/] \\x1b]0;title\\x07" in text
    assert "\x1b" not in text


def test_unknown_keys_are_told_the_known_ones() -> None:
    assert "got 'jump', expected Enter" in shown(["jump"])[0]


@pytest.mark.parametrize("keys", [["q", "n"], []])
def test_it_ends_at_q_and_at_the_end_of_the_input(keys: list[str]) -> None:
    assert len(shown(keys)) == 1
