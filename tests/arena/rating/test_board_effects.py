"""The normal equations of boards are those of their scores, one by one."""

import random

import pytest

from arena.rating.least_squares import board_matrix, effects_matrix


@pytest.mark.parametrize("side_of", [(0, 1), (0, 1, 2), (0, 0, 1, 1), (0, 1, 2, 0, 1, 2), (0,) * 3])
def test_the_matrix_of_boards_is_that_of_their_scores(side_of: tuple[int, ...]) -> None:
    """By the definition, each score is taken apart into its effects."""
    rng, n, places = random.Random(1), 7, range(len(side_of))
    boards = [rng.sample(range(n), len(side_of)) for _ in range(40)]
    scores = []
    for board in boards:
        for own in places:
            partners = [at for at in places if side_of[at] == side_of[own] and at != own]
            opponents = [at for at in places if side_of[at] != side_of[own]]
            scores.append(
                [board[own]]
                + [n + board[at] for at in opponents]
                + [2 * n + board[at] for at in partners]
            )
    width = (3 if side_of.count(0) > 1 else 2) * n
    at_places = [[board[at] for board in boards] for at in places]
    assert board_matrix(n, at_places, side_of) == effects_matrix(scores, width)
