"""Tests of the results of complete boards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.complete_boards import BoardResult, group_boards, read_board, read_boards
from tests.arena.rating.made_boards import TEAMS, THREE, board_won_by, partners_won, tied_board
from tests.arena.runs import hand_made


def test_ranks_by_seat_belong_to_the_entrants_in_these_seats() -> None:
    """Seat 0 wins and seat 2 loses each time: three games, each entrant once in each seat."""
    records = [hand_made((1, 2, 3), rotation=rotation) for rotation in range(3)]
    assert read_board(records, THREE).result == BoardResult(
        THREE.id, (("a",), ("b",), ("c",)), (1, 1, 1)
    )


@pytest.mark.parametrize(
    ("games", "ranks"),
    [  # the ranks by seat of each rotation, then the points; b sits at seat 0 in the last one
        ([(1, 2, 3), (2, 1, 3), (1, 3, 2)], (1, 2, 3)),
        ([(1, 2, 3), (2, 1, 3), (1, 3, 2), (100, 8, 7)], (1, 2, 3)),
        ([(1, 2, 3), (1, 2, 3), (1, 2, 3), (20, 8, 7)], (2, 1, 2)),
    ],
    ids=["placements are summed", "points do not outweigh them", "points decide between equals"],
)
def test_sides_are_ranked_by_their_placements_then_by_points(
    games: list[tuple[int, ...]], ranks: tuple[int, ...]
) -> None:
    points = [(9, 8, 7), (9, 8, 7), *(games[3:] or [(9, 8, 7)])]
    records = [
        hand_made(own, rotation=rotation, points=points[rotation])
        for rotation, own in enumerate(games[:3])
    ]
    assert read_board(records, THREE).result.ranks == ranks


def test_partners_are_one_side_whose_points_count_once() -> None:
    result = read_board(partners_won(), TEAMS).result
    assert result == BoardResult(TEAMS.id, (("a", "c"), ("b", "d")), (1, 2))


def test_a_game_that_counts_twice_weighs_twice() -> None:
    records = [
        hand_made((1, 2, 2), rotation=0, win_weight=2),  # a wins
        hand_made((1, 2, 2), rotation=1),  # c wins
        hand_made((1, 2, 2), rotation=2),  # b wins
    ]
    assert read_board(records, THREE).result.ranks == (1, 2, 2)


@given(st.permutations(range(3)))
def test_the_order_of_the_games_of_a_board_does_not_matter(order: list[int]) -> None:
    records = [
        hand_made(ranks, rotation=t) for t, ranks in enumerate([(1, 2, 3)] * 2 + [(2, 1, 3)])
    ]
    expected = read_board(records, THREE).result
    assert read_board([records[number] for number in order], THREE).result == expected


# -- boards of a run ---------------------------------------------------------------------------


def test_only_complete_boards_have_results() -> None:
    records = [*board_won_by("a", 1), *board_won_by("b", 2)[:2], *board_won_by("c", 3)]
    assert [len(board) for _, board in group_boards(records, {THREE.id: THREE})] == [3, 2, 3]
    results = [board.result for board in read_boards(records, {THREE.id: THREE})]
    assert results == [read_board(board_won_by(name, 1), THREE).result for name in "ac"]


def test_boards_of_other_variants_are_left_out() -> None:
    records = [*partners_won(), *tied_board(2)]
    assert [variant for variant, _ in group_boards(records, {THREE.id: THREE})] == [THREE]
