"""Tests of points per game and win shares with their intervals."""

from collections import defaultdict
from collections.abc import Sequence

import pytest

from arena.rating.board_points import (
    BoardSample,
    BoardScores,
    EntrantCounts,
    VariantMeans,
    count_wins,
    points_interval,
    wins_interval,
)
from arena.rating.complete_boards import read_board
from arena.rating.estimates import Estimate, share_interval
from arena.record import GameRecord
from tests.arena.rating.made_boards import THREE, board_won_by
from tests.arena.runs import hand_made


def means_of(boards: Sequence[Sequence[GameRecord]]) -> VariantMeans:
    """Return the means over boards for three."""
    counts: dict[str, EntrantCounts] = defaultdict(EntrantCounts)
    sample = BoardSample()
    for board in boards:
        scores = read_board(board, THREE).scores
        sample.add(scores)
        count_wins(scores, counts)
    sample.count(counts)
    return VariantMeans(sample, counts)


def test_board_scores_have_points_by_seat_and_weighted_wins() -> None:
    records = [
        hand_made((1, 2, 3), rotation=0, points=(9, 5, 1), win_weight=2),  # a b c
        hand_made((1, 1, 3), rotation=1, points=(8, 8, 2)),  # c a b
        hand_made((3, 2, 1), rotation=2, points=(0, 4, 7)),  # b c a
    ]
    assert read_board(records, THREE).scores == BoardScores(
        sides=(("a",), ("b",), ("c",)),
        points=(9, 8, 7, 0, 5, 2, 8, 4, 1),
        wins=(2 + 0.5 + 1, 0.0, 0.5),
        chances=4,
        won=((0, 2.0), (0, 0.5), (2, 0.5), (0, 1.0)),
    )


def test_the_same_entrants_on_all_boards_have_the_plain_standard_error() -> None:
    """The winner takes all games of a board: 12 boards for `a`, 4 for `b`, none for `c`."""
    means = means_of(
        [board_won_by("b" if number % 4 == 0 else "a", number) for number in range(16)]
    )
    share = means.wins["a"]
    assert share
    assert share.mean == pytest.approx(12 / 16)
    degrees = 16 * (48 - 3) / 48
    assert share.degrees == pytest.approx(degrees)
    assert share.error**2 == pytest.approx(16 * (12 / 16) * (4 / 16) / degrees / 16)
    assert wins_interval("a", [means]) == share_interval(share, 16)
    assert wins_interval("c", [means]) == share_interval(Estimate(0.0, 0.0, degrees), 16)


def test_points_that_never_vary_have_an_interval_without_width() -> None:
    boards = [
        [hand_made((1, 2, 3), board=number, rotation=t, points=(9, 6, 0)) for t in range(3)]
        for number in range(16)
    ]
    assert points_interval("a", [means_of(boards)]) == pytest.approx((5.0, 5.0))


def test_too_few_boards_have_no_interval() -> None:
    means = means_of([board_won_by("a", 1), board_won_by("b", 2)])
    assert points_interval("a", [means]) == wins_interval("a", [means]) == (None, None)
    assert points_interval("a", []) == wins_interval("a", []) == (None, None)


def test_win_weights_count_as_several_games() -> None:
    """With equal weights on all boards the estimate is that of single wins."""
    plain = [board_won_by("b" if number % 4 == 0 else "a", number) for number in range(16)]
    double = [
        [
            hand_made(one.ranks, rotation=one.rotation, board=one.board, win_weight=2)
            for one in board
        ]
        for board in plain
    ]
    assert means_of(double).wins["a"] == pytest.approx(means_of(plain).wins["a"])


def test_the_mean_of_a_share_is_wins_per_chance_with_unequal_weights() -> None:
    boards = [
        [
            hand_made((1, 2, 3), board=number, rotation=t, win_weight=1 + number % 3)
            for t in range(3)
        ]
        for number in range(18)
    ]
    means = means_of(boards)
    for name in "abc":
        share = means.wins[name]
        assert share
        assert share.mean == pytest.approx(1 / 3)
        assert share.error == pytest.approx(0.0, abs=1e-9)
