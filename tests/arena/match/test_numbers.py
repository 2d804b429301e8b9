"""Tests of the numbers that decide whether a late bot is charged."""

from arena.match.request_queue import HostStalls
from arena.match.verdict import Facts, judge


def ruling_after(stall_replays: int) -> str:
    """Return the ruling on a bot that is late while the host stalls once more."""
    verdict = judge(
        Facts(
            cause="timeout",
            was_ready=True,
            share="stalled",
            is_only_game=True,
            always_charge=False,
            stall_replays=[stall_replays],
        )
    )
    return verdict.rulings[0]


def test_a_game_is_replayed_twice_after_stalls_before_a_time_out_counts() -> None:
    assert [ruling_after(replays) for replays in range(4)] == [
        "stalled",
        "stalled",
        "charge",
        "charge",
    ]


def test_the_time_beyond_a_wait_is_a_stall() -> None:
    stalls = HostStalls()
    stalls.woke(wait_s=1.0, waited_s=1.5)
    assert stalls.total_s == 0.5


def test_short_delays_are_no_stalls() -> None:
    stalls = HostStalls()
    stalls.woke(wait_s=-1.0, waited_s=0.029)
    assert stalls.total_s == 0.0
    stalls.woke(wait_s=-1.0, waited_s=0.031)
    assert stalls.total_s == 0.031
