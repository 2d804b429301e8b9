"""Batches cut into pieces by the time that games were measured to take."""

from collections.abc import Collection

import pytest

from arena.base.contracts import Batch, Lane
from arena.base.errors import ArenaError
from arena.extras.dask.pieces import INITIAL_GAME_S, MAX_LOSSES, Piece, Pieces
from tests.arena.runs import made_up_settings, schedule_of


def batch_of(part: int, boards: int = 30) -> Batch:
    """Return a batch of a game of each board."""
    run = made_up_settings(3, "pot-de-vin/3", rounds=boards * 3)
    games = [game for game in schedule_of(run) if game.rotation == 0]
    return Batch(tuple(games), run.entrants, run.limits, lane=Lane(0, 0, part))


def all_bots(batch: Batch) -> Collection[str]:
    return {entrant.name for entrant in batch.entrants}


def take(pieces: Pieces) -> Piece:
    piece = pieces.take(all_bots, (), ())
    assert piece
    return piece


def test_a_batch_is_cut_into_pieces_of_the_wanted_time_and_nothing_is_lost() -> None:
    pieces, batch = Pieces(piece_s=4 * INITIAL_GAME_S), batch_of(0)
    pieces.add(batch)
    first = take(pieces)
    assert len(first.batch.games) == 4
    pieces.measured(first, 4 * INITIAL_GAME_S / 2)  # twice as quick as supposed
    second = take(pieces)
    assert len(second.batch.games) == 8
    pieces.measured(second, 8 * INITIAL_GAME_S)
    third = take(pieces)
    assert len(third.batch.games) == 4
    games = [*first.batch.games, *second.batch.games, *third.batch.games]
    while pieces:
        games += take(pieces).batch.games
    assert games == [*batch.games]


def test_workers_take_their_own_parts_first_and_those_of_others_last() -> None:
    pieces = Pieces(piece_s=1e9)
    for part in range(3):
        pieces.add(batch_of(part))
    assert pieces.take(all_bots, (), None) is None
    parts = [pieces.take(all_bots, {1}, {0}) for _ in range(3)]
    assert [piece.part for piece in parts if piece] == [1, 2, 0]


def test_a_worker_that_cannot_run_a_bot_gets_the_games_without_it() -> None:
    run = made_up_settings(4, "pot-de-vin/3", rounds=36)
    games = [game for game in schedule_of(run) if game.rotation == 0]
    pieces = Pieces(piece_s=1e9)
    pieces.add(Batch(tuple(games), run.entrants, run.limits, lane=Lane(0, 0, 0)))
    without = pieces.take(lambda _: {"e1", "e2", "e3"}, (), ())
    assert without
    assert [*without.batch.games] == [left for left in games if "e4" not in left.entrants]
    assert all_bots(without.batch) == {"e1", "e2", "e3"}
    assert pieces.take(lambda _: {"e1", "e2", "e3"}, (), ()) is None
    assert pieces.take(lambda _: (), (), ()) is None
    assert [*take(pieces).batch.games] == [left for left in games if "e4" in left.entrants]
    assert not pieces


def test_a_piece_with_which_workers_are_lost_comes_back_until_the_run_gives_up() -> None:
    pieces = Pieces()
    pieces.add(batch_of(0, boards=1))
    for _ in range(MAX_LOSSES + 5):
        pieces.give_back(take(pieces), is_lost=False)
    for _ in range(MAX_LOSSES - 1):
        pieces.give_back(take(pieces))
    with pytest.raises(ArenaError, match="e1, e2, e3"):
        pieces.give_back(take(pieces))
