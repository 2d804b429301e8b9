"""How a game ended [7]."""

from collections.abc import Sequence

import msgspec


class Result(msgspec.Struct, frozen=True):
    """The result of a game: `points` by side, `seat_points` and `places` by seat."""

    points: tuple[int, ...]
    seat_points: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    """The seats with place 1."""
    win_weight: int
    """2 for a dominating win, when nobody else has a point; else 1 [R23]."""


def rank(points: Sequence[int]) -> list[int]:
    """Return the place of each side: 1 and the number of sides with more points [R22]."""
    return [1 + sum([other > own for other in points]) for own in points]


def win_weight(points: Sequence[int]) -> int:
    """Return how many wins the win counts as: two when nobody else has points [7, R23]."""
    return 2 if sum([each > 0 for each in points]) == 1 else 1


def describe(points: Sequence[int], side_of_seat: Sequence[int]) -> Result:
    """Return the result of a game that ended with these points by side."""
    ranks = rank(points)
    places = tuple([ranks[side] for side in side_of_seat])
    return Result(
        points=tuple(points),
        seat_points=tuple([points[side] for side in side_of_seat]),
        places=places,
        winners=tuple([seat for seat, place in enumerate(places) if place == 1]),
        win_weight=win_weight(points),
    )
