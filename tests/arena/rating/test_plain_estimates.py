"""Tests of means whose opponents differ on every board, and of the weights of opponents."""

import math

import pytest

from arena.rating.board_sample import BoardSample, BoardScore


def met_once(boards: int) -> list[BoardScore]:
    """Return scores of "a" against two new opponents on each board: its points are 1, 2, 3 ..."""
    found = []
    for board in range(boards):
        names = ("a", f"b{board}", f"c{board}")
        for name in names:
            others = tuple(other for other in names if other != name)
            found.append(BoardScore(name, others, (), (float(board + 1),)))
    return found


@pytest.mark.parametrize("boards", [3, 4])
def test_opponents_met_once_leave_the_standard_error_of_a_plain_mean(boards: int) -> None:
    scores = met_once(boards)
    estimate = BoardSample(scores).estimates([score.mean_points for score in scores])["a"]
    assert estimate
    mean = (boards + 1) / 2
    squares = sum((board + 1 - mean) ** 2 for board in range(boards))
    assert estimate.mean == mean
    assert estimate.degrees == boards - 1
    assert estimate.error == pytest.approx(math.sqrt(squares / (boards - 1) / boards))


def test_two_boards_are_too_few_for_a_plain_mean() -> None:
    scores = met_once(2)
    assert BoardSample(scores).estimates([1.0] * len(scores))["a"] is None


def test_a_score_has_no_wins_unless_they_are_given() -> None:
    score = BoardScore("a", ("b",), (), (1.0,))
    assert (score.wins, score.chances) == (0.0, 0)
