"""What a bad bot does is its fault, and a stand-in plays on."""

import json
import re
import time

import pytest

from arena.process.bot_process import BotProcess
from arena.protocol import MAX_LINE_BYTES, FaultKind, Limits, SeatFault
from arena.record import Entrant
from tests.arena.bad_bots import SHORT, assert_stand_in_plays_on, play_with, watch_with, watching
from tests.arena.playing import program, wait_to_read

pytestmark = pytest.mark.usefixtures("toys")

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
        f"sent a line of more than {MAX_LINE_BYTES} bytes",
        r"x{256}'\.\.\. \(\d+ bytes\)",
    ),
]
LATE: list[tuple[str, str]] = [
    ("falls_silent", ""),
    ("stops_in_mid_line", '{"type":"act",'),
    ("drips", ".+"),
]


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
def test_a_late_bot_is_waited_for_as_long_as_its_limit_and_only_once(name: str, came: str) -> None:
    asked: list[int] = []
    note = watching(lambda bot, turn: bot.entrant.name == "bad" and asked.append(turn))
    began = time.monotonic()
    record, seen = watch_with(program(name), SHORT, open_transport=note)
    assert time.monotonic() - began >= 1.0
    assert asked == [1, 2]  # it was its only game, and it had answered in it: no doubt
    text = "no whole answer within 1000 ms"
    assert record.faults == (SeatFault(1, 4, "timeout", text, ("hide 5", "hide 10", "hide 11")),)
    assert_stand_in_plays_on(record, turns=1)
    (evidence,) = seen.evidence
    assert came_as(evidence.came, came), evidence.came
    assert evidence.wall_ms is not None
    assert evidence.wall_ms >= 1000


def test_a_bot_that_closes_its_output_and_lives_on_is_too_late() -> None:
    record = play_with(program("closes_its_output"), SHORT)
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 4, "timeout")
    assert_stand_in_plays_on(record, turns=1)


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


def test_what_was_asked_is_recorded_also_of_a_bot_that_left_before_it_was_asked() -> None:
    """The text of a fault does not depend on who is quicker, the bot or the referee."""
    bad: list[BotProcess] = []

    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad":
            bad[:] = [bot]
        elif bot.entrant.name == "other" and turn == 2:
            wait_to_read(bad[0].stdout)  # it has left, and it is not its turn

    record = play_with(program("crashes_between_turns"), open_transport=watching(seen))
    (fault,) = record.faults
    assert (fault.text, fault.legal) == ("exited with code 3", ("hide 5", "hide 10"))


def test_the_end_of_its_stderr_is_recorded_with_every_fault() -> None:
    def seen(bot: BotProcess, turn: int) -> None:
        if bot.entrant.name == "bad" and turn == 2:
            wait_to_read(bot.stdout)  # its stderr came before

    _, observed = watch_with(program("sends_broken_json"), open_transport=watching(seen))
    (evidence,) = observed.evidence
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
    assert "2000 ms" in fault.text
    assert_stand_in_plays_on(record, turns=0)


def test_a_bot_whose_program_is_missing_is_played_for_by_a_stand_in() -> None:
    record = play_with(Entrant("bad", ("no-such-program-of-anybody", "-x"), ".", ""))
    (fault,) = record.faults
    assert (fault.seat, fault.action, fault.kind) == (1, 1, "start")
    assert "`no-such-program-of-anybody -x`: No such file or directory" in fault.text
    assert_stand_in_plays_on(record, turns=0)
