"""Broken processes and stalls: how games go on, and what that costs at most."""

from collections import Counter

import pytest

from arena.base.protocol import Limits
from arena.base.record import Entrant, GameRecord, Observations, Timing
from arena.match.charging import EXCUSED_SHARE, MAX_STALL_REPLAYS
from arena.match.in_process import play_in_process
from arena.match.playing import OpenTransport, local_processes, play_games, watch_games
from arena.match.seat_messages import SeatMessages
from arena.match.transport import MatchSettings
from arena.process.bot_process import BotProcess
from arena.process.local import LocalProcesses
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


class CountedProcesses(LocalProcesses):
    """Processes of this machine, counted by entrant."""

    def __init__(self, settings: MatchSettings, started: Counter[str]) -> None:
        super().__init__(settings.limits, settings.sandbox)
        self._started = started

    def start(self, entrant: Entrant) -> BotProcess:
        """Start a process, also one that fails."""
        self._started[entrant.name] += 1
        return super().start(entrant)


@pytest.fixture
def started() -> Counter[str]:
    """How many processes were started, by entrant."""
    return Counter()


def counting(started: Counter[str]) -> OpenTransport:
    """Return what opens a transport that counts processes in `started`."""
    return lambda settings: CountedProcesses(settings, started)


def test_only_the_bot_that_broke_gets_a_new_process_for_each_game(started: Counter[str]) -> None:
    entrants = between_others(program("crashes_in_act"))
    games = [make_game("high-card/3", number, SEATS) for number in range(8)]
    settings = MatchSettings(PATIENT, tables=8)
    assert len(list(play_games(games, entrants, settings, counting(started)))) == 8
    assert started["bad"] == 9
    assert (started["first"], started["other"]) == (1, 1)


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


def test_a_bot_may_send_so_much_in_a_game() -> None:
    talks = """
from polite import listen, say
while True:
    message = listen()
    if message["type"] == "hello":
        say(type="ready", protocol=1)
    elif message["type"] == "turn":
        turn = {key: message[key] for key in ("table", "turn")}
        say(type="act", action=message["legal"][0], note="x" * 300, **turn)
"""
    small = Limits(120_000, 120_000, output_kib=1)
    for record, seen in with_bad(code("bad", talks), games=2, limits=small):
        (fault,) = record.faults
        assert (fault.kind, fault.text) == ("flood", "sent more than 1 KiB in one game")
        assert fault.action == 7
        assert "xxx" in seen.evidence[0].came


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


def test_what_the_answers_of_each_seat_took_is_kept_beside_the_record() -> None:
    ((record, seen),) = with_bad(program("bad", "crashes_in_act"))
    own = [seat for seat, name in enumerate(record.entrants) if name == "bad"]
    assert [fault.seat for fault in record.faults] == own
    assert [timing.answers for timing in seen.timings] == [4, 1, 4]
    assert all(0 <= timing.worst_us <= timing.total_us for timing in seen.timings)


def test_a_bot_that_logs_a_lot_has_only_so_much_kept() -> None:
    logs = "import sys\nsys.stderr.write('a' * 1000 + 'b' * 10)\nsys.exit(1)"
    for kept, expected in ((10, "b" * 10), (0, ""), (20, "a" * 10 + "b" * 10)):
        limits = Limits(120_000, 120_000, stderr_bytes=kept)
        ((_, seen),) = with_bad(code("bad", logs), limits=limits)
        assert seen.evidence[0].stderr == expected
