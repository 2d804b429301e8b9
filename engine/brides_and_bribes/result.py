"""Result of a finished game of Brides & Bribes, as data [11]."""

from collections.abc import Sequence

import msgspec

from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.scoring import Score, rank, score_seats


class Result(msgspec.Struct, frozen=True):
    """The result of a game, by seat."""

    ranks: tuple[int, ...]
    keys: tuple[Score, ...]
    """What the seats are ranked by."""


def scores_of(position: Position) -> list[Score]:
    """Return the score of each seat."""
    return score_seats(
        position.influence, position.spouse_seat, [len(cards) for cards in position.shops]
    )


def describe(scores: Sequence[Score]) -> Result:
    """Return the result of a game that ended with these scores by seat."""
    return Result(ranks=tuple(rank(scores)), keys=tuple(scores))
