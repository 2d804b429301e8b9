"""Broken processes and stalls: how games go on, and what that costs at most."""

import pytest

from arena.base.protocol import Limits
from arena.base.record import Entrant, GameRecord, Observations, Timing
from arena.match.charging import EXCUSED_SHARE, MAX_STALL_REPLAYS
from arena.match.in_process import play_in_process
from arena.match.playing import OpenTransport, local_processes, watch_games
from arena.match.seat_messages import SeatMessages
from arena.match.transport import MatchSettings
from tests.arena.bad_bots import SEATS, between_others
from tests.arena.jumping_clock import JUMPS_ONLY, JumpingClock
from tests.arena.playing import PATIENT, First, code, last_then_first, make_game, program

pytestmark = pytest.mark.usefixtures("toys")


def with_bad(
    bad: Entrant,
    games: int = 1,
    limits: Limits = PATIENT,
    open_transport: OpenTransport = local_processes,
    excused_share: float = EXCUSED_SHARE,
) -> list[tuple[GameRecord, Observations]]:
    """Return games in which this bot sits between two others."""
    scheduled = [make_game("high-card/3", number, SEATS) for number in range(games)]
    settings = MatchSettings(limits, excused_share=excused_share)
    return list(watch_games(scheduled, between_others(bad), settings, open_transport))


# -- the cost ----------------------------------------------------------------------------------


# -- stalls ------------------------------------------------------------------------------------


@pytest.mark.parametrize("times", range(MAX_STALL_REPLAYS + 1))
def test_a_game_that_the_host_stalled_is_played_again_at_most_twice(times: int) -> None:
    clock = JumpingClock(times, "bad")
    limits = Limits(120_000, 900)
    silent = program("falls_silent")
    ((record, seen),) = with_bad(silent, 1, limits, clock.open_transport, JUMPS_ONLY)
    assert clock.jumps == 0
    assert seen.stalls == times
    assert [fault.kind for fault in record.faults] == ["timeout"]  # its own, in the end
    assert record.actions == play_here_like(record).actions


def play_here_like(record: GameRecord) -> GameRecord:
    game = make_game("high-card/3", record.board, SEATS)
    return play_in_process(game, [First, last_then_first(1), First])


# -- limits ------------------------------------------------------------------------------------


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
        ((_, seen),) = with_bad(code("bad", logs), limits=limits)
        assert seen.evidence[0].stderr == expected
