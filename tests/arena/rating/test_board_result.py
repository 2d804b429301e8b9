"""Tests of the results of complete boards."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.rating.complete_boards import (
    BoardResult,
    group_boards,
    placement_scores,
    read_board,
    read_boards,
)
from tests.arena.rating.made_boards import TEAMS, THREE, board_won_by, partners_won, tied_board
from tests.arena.runs import hand_made

ALONE = ((0,), (1,), (2,))
PAIRS = ((0, 2), (1, 3))


@pytest.mark.parametrize(
    ("ranks", "sides", "scores"),
    [
        ((1, 2, 3), ALONE, [2, 1, 0]),
        ((3, 1, 2), ALONE, [0, 2, 1]),
        ((1, 1, 3), ALONE, [1.5, 1.5, 0]),
        ((1, 2, 2), ALONE, [2, 0.5, 0.5]),
        ((1, 1, 1), ALONE, [1, 1, 1]),
        ((1, 2, 1, 2), PAIRS, [1, 0]),
        ((1, 1, 1, 1), PAIRS, [0.5, 0.5]),
        ((3, 1, 2, 3, 1, 2), ((0, 3), (1, 4), (2, 5)), [0, 2, 1]),
    ],
)
def test_the_last_side_scores_0_and_shared_ranks_share_the_mean(
    ranks: tuple[int, ...], sides: tuple[tuple[int, ...], ...], scores: list[float]
) -> None:
    assert placement_scores(ranks, sides) == scores


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_the_sum_of_placement_scores_is_constant(levels: list[int]) -> None:
    ranks = [1 + sum(other < level for other in levels) for level in levels]
    scores = placement_scores(ranks, [(seat,) for seat in range(len(ranks))])
    assert sum(scores) == len(ranks) * (len(ranks) - 1) / 2
    assert sorted(scores, reverse=True) == [
        score for _, score in sorted(zip(ranks, scores, strict=True))
    ]


# -- boards ------------------------------------------------------------------------------------


def test_ranks_by_seat_belong_to_the_entrants_in_these_seats() -> None:
    """Seat 0 wins and seat 2 loses each time: three games, each entrant once in each seat."""
    records = [hand_made((1, 2, 3), rotation=rotation) for rotation in range(3)]
    assert read_board(records, THREE).result == BoardResult(
        THREE.id, (("a",), ("b",), ("c",)), (1, 1, 1)
    )


def test_the_placement_scores_of_a_board_are_summed() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0),  # a b c sit there: a 2, b 1
        hand_made((2, 1, 3), rotation=1),  # c a b: a 2, c 1
        hand_made((1, 3, 2), rotation=2),  # b c a: b 2, a 1
    ]
    assert read_board(records, THREE).result.ranks == (1, 2, 3)


def test_points_decide_between_equal_scores() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0, points=(9, 8, 7)),
        hand_made((1, 2, 3), rotation=1, points=(9, 8, 7)),
        hand_made((1, 2, 3), rotation=2, points=(20, 8, 7)),  # b sits at seat 0
    ]
    assert read_board(records, THREE).result.ranks == (2, 1, 2)


def test_points_do_not_outweigh_placement() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0, points=(9, 8, 7)),
        hand_made((2, 1, 3), rotation=1, points=(9, 8, 7)),
        hand_made((1, 3, 2), rotation=2, points=(100, 8, 7)),  # b sits at seat 0
    ]
    assert read_board(records, THREE).result.ranks == (1, 2, 3)


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
