"""The limits of a bot: its time for an answer, its bank, and the log that is kept of it."""

import pytest

from arena.base.protocol import Limits
from arena.base.record import Timing
from arena.match.seat_messages import SeatMessages
from tests.arena.bad_bots import watch_with
from tests.arena.playing import code

pytestmark = pytest.mark.usefixtures("toys")


def turns_with(limits: Limits) -> SeatMessages:
    return SeatMessages(1, "none", limits)


def test_without_a_bank_there_is_the_same_time_for_each_answer() -> None:
    turns = turns_with(Limits(move_ms=700))
    turns.count(0.6, 0)
    assert turns.clock_ms == 700


def test_a_bank_is_used_up_by_answers_and_filled_by_increments() -> None:
    turns = turns_with(Limits(move_ms=2_000, bank_ms=3_000, increment_ms=100))
    assert turns.clock_ms == 2_000
    turns.count(1.5, 0)
    assert turns.clock_ms == 1_600
    turns.count(1.6, 0)
    assert turns.clock_ms == 100
    turns.count(0.2, 0)  # heard late, as it may be
    assert turns.clock_ms == 0


def test_what_answers_take_is_counted() -> None:
    turns = turns_with(Limits())
    assert turns.timing == Timing(0, 0, 0)
    for taken_s in (0.25, 0.5, 0.125):
        turns.count(taken_s, 0)
    assert turns.timing == Timing(3, 875_000, 500_000, (250, 500, 125))


def test_times_of_quick_answers_are_not_kept_one_by_one() -> None:
    turns = turns_with(Limits())
    turns.count(0.009, 0)
    assert turns.timing == Timing(1, 9_000, 9_000)


def test_a_bot_that_logs_a_lot_has_only_so_much_kept() -> None:
    logs = "import sys\nsys.stderr.write('a' * 1000 + 'b' * 10)\nsys.exit(1)"
    for kept, expected in ((10, "b" * 10), (0, ""), (20, "a" * 10 + "b" * 10)):
        limits = Limits(120_000, 120_000, stderr_bytes=kept)
        _, seen = watch_with(code("bad", logs), limits)
        assert seen.evidence[0].stderr == expected
