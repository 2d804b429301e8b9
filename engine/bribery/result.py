"""Result of a finished game of Bribery, as data [7]."""

from collections.abc import Sequence

import msgspec

from engine.bribery.scoring import rank, win_weight


class Result(msgspec.Struct, frozen=True):
    """The result of a game: `points` by side, `seat_points` and `places` by seat."""

    points: tuple[int, ...]
    seat_points: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    """The seats with place 1."""
    win_weight: int
    """2 for a dominating win, in which no other side has points, and else 1 [R23]."""


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
