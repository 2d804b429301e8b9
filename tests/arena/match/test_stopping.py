"""No process is left when the games are over, or are no longer wanted."""

import os
from collections.abc import Iterator
from functools import partial

import pytest

from arena.base.record import GameRecord
from arena.match.playing import local_processes, play_games
from arena.match.settings import MatchSettings
from arena.process.pipes import Stopped
from tests.arena.bad_bots import SHORT, between_others, play_with
from tests.arena.playing import NEEDS_PROC, PATIENT, by_name, children, first, make_game, program

pytestmark = pytest.mark.usefixtures("toys")


@NEEDS_PROC
@pytest.mark.parametrize("bad", ["ten_lines/ten_lines", "crashes_in_act", "closes_its_output"])
def test_no_process_is_left_when_the_games_are_over(bad: str) -> None:
    play_with(program("bad", bad), SHORT)
    assert not children()


def some_games() -> Iterator[GameRecord]:
    """Return games of which those of the bad bot are to be played again alone."""
    names = [("first", "bad"), ("first", "other")]
    games = [make_game("high-card/2", number, names[number % 2]) for number in range(6)]
    entrants = between_others(program("bad", "crashes_in_act"))
    return play_games(games, entrants, MatchSettings(PATIENT, tables=1))


@NEEDS_PROC
@pytest.mark.parametrize("played", [0, 3, 5])
def test_no_process_is_left_when_the_games_are_no_longer_wanted(played: int) -> None:
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
        records = play_games(
            games, entrants, MatchSettings(PATIENT), partial(local_processes, orders=orders)
        )
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
