"""Tests of means whose opponents differ on every board, and of the weights of opponents."""

import math

import pytest

from arena.rating.board_points import BoardSample, BoardScores


def met_once(boards: int) -> BoardSample:
    """Return scores of "a" against two new opponents on each board: its points are 1, 2, 3 ..."""
    return BoardSample(
        [
            BoardScores((("a",), (f"b{board}",), (f"c{board}",)), (float(board),) * 9)
            for board in range(1, boards + 1)
        ]
    )


@pytest.mark.parametrize("boards", [3, 4])
def test_opponents_met_once_leave_the_standard_error_of_a_plain_mean(boards: int) -> None:
    estimate = met_once(boards).points_per_game["a"]
    assert estimate
    mean = (boards + 1) / 2
    squares = sum((board + 1 - mean) ** 2 for board in range(boards))
    assert estimate.mean == mean
    assert estimate.degrees == boards - 1
    assert estimate.error == pytest.approx(math.sqrt(squares / (boards - 1) / boards))


def test_two_boards_are_too_few_for_a_plain_mean() -> None:
    assert met_once(2).points_per_game["a"] is None


def test_a_score_has_no_wins_unless_they_are_given() -> None:
    sample = met_once(1)
    assert list(sample.wins()) == [("a", 0.0, 0), ("b1", 0.0, 0), ("c1", 0.0, 0)]
