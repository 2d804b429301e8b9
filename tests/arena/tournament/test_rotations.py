"""Batches wait until the other rotations of their boards are over."""

from collections.abc import Iterable, Sequence

import msgspec
import pytest

from arena.base.contracts import Batch, Lane
from arena.base.protocol import DEFAULT_LIMITS
from arena.base.record import Game
from arena.tournament.backlog import WaitingBatches, lanes
from tests.arena.runs import made_up_settings, schedule_of, versions_settings

GAMES = schedule_of(made_up_settings(3, "pot-de-vin/3", rounds=21))  # seven boards of three games


def batch(*games: Game, lane: Lane | None = None) -> Batch:
    """Return a batch of these games."""
    return Batch(games, (), DEFAULT_LIMITS, lane=lane)


def parts(games: Iterable[Game], workers: int) -> list[Sequence[Game]]:
    """Return the games of all lanes."""
    return list(lanes(games, workers).values())


@pytest.mark.parametrize(("workers", "count"), [(1, 3), (2, 6), (4, 12), (7, 21), (50, 21)])
def test_parts_have_one_rotation_and_the_same_boards_in_each(workers: int, count: int) -> None:
    found = parts(GAMES, workers)
    assert len(found) == count
    assert sorted(game.key for part in found for game in part) == sorted(game.key for game in GAMES)
    boards = [frozenset(game.board for game in part) for part in found]
    assert all(len({game.rotation for game in part}) == 1 for part in found)
    assert all(boards.count(one) == 3 for one in boards)
    assert len(set().union(*boards)) == sum(map(len, set(boards)))


def test_parts_have_as_many_boards_of_each_variant() -> None:
    """Games of one variant may take much longer than those of another one."""
    other = [msgspec.structs.replace(game, variant="bribery/3", key=game.key[1:]) for game in GAMES]
    by_turns = [game for both in zip(GAMES, other, strict=True) for game in both]
    for workers in (1, 2, 3):
        found = lanes(by_turns, workers).items()
        boards = {(lane.worker, one.variant, one.board) for lane, games in found for one in games}
        for variant in {game.variant for game in by_turns}:
            sizes = [sum([one[:2] == (part, variant) for one in boards]) for part in range(workers)]
            assert max(sizes) - min(sizes) <= 1


def test_a_board_with_missing_rotations_keeps_its_part() -> None:
    """As in a run that is resumed."""
    missing = [game for game in GAMES if (game.board, game.rotation) not in ((1, 0), (3, 2))]
    boards = [{game.board for game in part} for part in parts(missing, 2)]
    assert sorted(map(sorted, boards)) == [
        [1, 3, 5, 7], [1, 5, 7], [2, 4, 6], [2, 4, 6], [2, 4, 6], [3, 5, 7]
    ]  # fmt: skip


def test_a_batch_waits_for_all_games_of_its_boards() -> None:
    first, second, third = GAMES[:3]
    other = GAMES[3]
    waiting = WaitingBatches()
    for one in (batch(first, other), batch(second), batch(third)):
        waiting.add(one)
    assert waiting.take() == batch(first, other)
    assert waiting.take() is None
    waiting.finish(other.key)
    assert waiting.take() is None
    waiting.finish(first.key)
    assert waiting.take() == batch(second)
    assert len(waiting) == 1


def test_a_batch_waits_for_all_earlier_ones_of_its_part() -> None:
    """A kept process would run while a deal that it has met is played in another rotation."""
    first, second, later, other = GAMES[0], GAMES[1], GAMES[3], GAMES[6]
    waiting = WaitingBatches()
    waiting.add(batch(first, lane=Lane(0, 0, worker=1)))
    waiting.add(batch(second, lane=Lane(0, 1, worker=1)))
    waiting.add(batch(later, lane=Lane(0, 0, worker=1)))
    waiting.add(batch(other, lane=Lane(0, 0, worker=0)))
    taken = [waiting.take(), waiting.take(), waiting.take()]
    assert [one and one.games for one in taken] == [(first,), (other,), None]
    waiting.finish(first.key)
    taken = [waiting.take(), waiting.take()]
    assert [one and one.games for one in taken] == [(second,), None]
    waiting.finish(second.key)
    taken = [waiting.take()]
    assert [one and one.games for one in taken] == [(later,)]


def test_a_lane_has_one_rotation_of_one_part() -> None:
    for workers in (1, 2, 7):
        for lane, games in lanes(GAMES, workers).items():
            assert {game.rotation for game in games} == {lane.rotation}
            assert {(game.board - 1) % workers for game in games} == {lane.worker}
            assert lane.turn == 0


def test_boards_of_two_variants_with_the_same_number_are_different() -> None:
    first = GAMES[0]
    other = msgspec.structs.replace(first, variant="bribery/3", key="other")
    waiting = WaitingBatches()
    waiting.add(batch(first))
    waiting.add(batch(other))
    assert waiting.take() == batch(first)
    assert waiting.take() == batch(other)


def test_boards_that_share_a_deal_are_played_one_after_the_other() -> None:
    """Its others would meet the deal twice in one process, or at the same time."""
    games = schedule_of(versions_settings(3))
    for workers in (1, 2, 5):
        found = parts(games, workers)
        waiting = WaitingBatches()
        for part in found:
            assert len({bytes(game.deal) for game in part}) == len(part)
            waiting.add(batch(*part))
        order = [(game.board % 2, game.rotation) for part in found for game in part]
        assert order == sorted(order, key=lambda one: (1 - one[0], one[1]))
        under_way = []
        while taken := waiting.take():
            under_way += [bytes(game.deal) for game in taken.games]
        assert len(under_way) == len(set(under_way))
