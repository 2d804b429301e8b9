"""The result of a finished game as data [11]."""

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


def describe(position: Position) -> Result:
    """Return the result of a game that is over."""
    scores = scores_of(position)
    return Result(ranks=tuple(rank(scores)), keys=tuple(scores))
