"""Tests of the results of complete boards."""

from fractions import Fraction

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.complete_boards import board_shares, group_boards, read_boards
from tests.arena.rating.made_boards import (
    TEAMS,
    THREE,
    board_won_by,
    faulted,
    partners_won,
    tied_board,
)
from tests.arena.runs import hand_made


def test_ranks_belong_to_entrants_by_seat() -> None:
    """Seat 0 wins and seat 2 loses each time: three games, each entrant once in each seat."""
    records = [hand_made((1, 2, 3), rotation=rotation) for rotation in range(3)]
    shares = board_shares(records, THREE)
    assert (shares.sides, shares.ranks) == ((("a",), ("b",), ("c",)), (1, 1, 1))


EQUAL = [(1, 2, 3), (1, 2, 3), (1, 2, 3)]


@pytest.mark.parametrize(
    ("games", "points", "by_placement", "by_points"),
    [  # the ranks by seat of each rotation, and the points of the last; b sits at seat 0 in it
        ([(1, 2, 3), (2, 1, 3), (1, 3, 2)], (9, 8, 7), (1, 2, 3), (1, 1, 1)),
        ([(1, 2, 3), (2, 1, 3), (1, 3, 2)], (90, 8, 7), (1, 2, 3), (2, 1, 2)),
        (EQUAL, (20, 8, 7), (1, 1, 1), (2, 1, 2)),
        (EQUAL, (9, 8, 7), (1, 1, 1), (1, 1, 1)),
    ],
    ids=["both are summed", "points do not outweigh placements", "ties stay ties", "all tied"],
)
def test_ranks_sides_by_placements_or_points(
    games: list[tuple[int, ...]],
    points: tuple[int, ...],
    by_placement: tuple[int, ...],
    by_points: tuple[int, ...],
) -> None:
    records = [
        hand_made(own, rotation=rotation, points=points if rotation == 2 else (9, 8, 7))
        for rotation, own in enumerate(games)
    ]
    assert board_shares(records, THREE).ranks == by_placement
    shares = board_shares(records, THREE, "points")
    assert shares.ranks == by_points
    below = {rank: sum([other > rank for other in by_points]) for rank in by_points}
    alike = {rank: by_points.count(rank) - 1 for rank in by_points}
    for name, rank in zip("abc", by_points, strict=True):
        assert shares.share_of(name) == Fraction(2 * below[rank] + alike[rank], 4)


def test_fault_gives_the_lowest_points() -> None:
    records = [hand_made((1, 2, 3), rotation=t, points=(9, 8, 7)) for t in range(3)]
    records[0] = faulted(records[0], 0)  # a has 7 of 9 points
    assert board_shares(records, THREE, "points").ranks == (3, 1, 1)
    partners = faulted(partners_won()[0], 2)
    team = msgspec.structs.replace(partners, points=(9, 3, 9, 3))
    assert board_shares([team, *partners_won()[1:]], TEAMS, "points").ranks == (1, 1)


def test_partners_form_one_side() -> None:
    shares = board_shares(partners_won(), TEAMS)
    assert shares.ranked == (TEAMS.id, ((1, ("a", "c")), (2, ("b", "d"))))


@given(st.permutations(range(3)))
def test_ignores_order_of_games(order: list[int]) -> None:
    records = [
        hand_made(ranks, rotation=t) for t, ranks in enumerate([(1, 2, 3)] * 2 + [(2, 1, 3)])
    ]
    expected = board_shares(records, THREE)
    assert board_shares([records[number] for number in order], THREE) == expected


# -- boards of a run ---------------------------------------------------------------------------


def test_only_complete_boards_have_results() -> None:
    records = [*board_won_by("a", 1), *board_won_by("b", 2)[:2], *board_won_by("c", 3)]
    assert [len(board) for _, board in group_boards(records, {THREE.id: THREE})] == [3, 2, 3]
    results = [board.ranked for board in read_boards(records, {THREE.id: THREE})]
    assert results == [board_shares(board_won_by(name, 1), THREE).ranked for name in "ac"]


def test_ignores_other_variants() -> None:
    records = [*partners_won(), *tied_board(2)]
    assert [variant for variant, _ in group_boards(records, {THREE.id: THREE})] == [THREE]
