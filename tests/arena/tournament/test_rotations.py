"""No two rotations of a board are under way together, and no worker waits where others play."""

import random
from collections.abc import Sequence

import pytest

from arena.record import Game
from arena.tournament.rotations import Rotations
from tests.arena.runs import made_up_settings, schedule_of

GAMES = schedule_of(made_up_settings(5, "pot-de-vin/3", "pot-de-vin/4-teams", rounds=12))
"""Boards of three and of four rotations."""


def boards(games: Sequence[Game]) -> set[tuple[str, int]]:
    return {(game.variant, game.board) for game in games}


@pytest.mark.parametrize("workers", [1, 2, 3, 7, 1000])
@pytest.mark.parametrize("seed", range(3))
def test_games_under_way_are_of_different_boards_in_whatever_order_they_end(
    workers: int, seed: int
) -> None:
    """And there is something to do for each worker, as long as each of them has boards left."""
    dice = random.Random(seed)
    rotations = Rotations(GAMES, workers)
    under_way: list[Game] = []
    given: list[Game] = []
    batches: list[Sequence[Game]] = []
    while rotations.has_more or under_way:
        while games := rotations.next():
            assert len({game.rotation for game in games}) == 1
            assert len(boards(games)) == len(games)
            assert not boards(games) & boards(under_way)
            under_way += games
            given += games
            batches.append(games)
        dice.shuffle(under_way)
        rotations.finish(under_way.pop().key)
    assert sorted(game.key for game in given) == sorted(game.key for game in GAMES)
    assert len(batches) <= 4 * min(workers, len(boards(GAMES)))


def test_every_worker_has_a_part_of_the_boards_and_goes_on_with_its_next_rotation() -> None:
    rotations = Rotations(GAMES, 3)
    first = [rotations.next() for _ in range(3)]
    sizes = [len(games) for games in first]
    assert sum(sizes) == len(boards(GAMES))
    assert max(sizes) - min(sizes) <= 1
    assert rotations.next() == ()
    for game in first[1][1:]:
        rotations.finish(game.key)
    assert rotations.next() == (), "one of them is not over"
    rotations.finish(first[1][0].key)
    second = rotations.next()
    assert boards(second) == boards(first[1])
    assert {game.rotation for game in second} == {1}


def test_without_games_there_is_nothing_to_hand_out() -> None:
    rotations = Rotations((), 3)
    assert not rotations.has_more
    assert rotations.next() == ()
