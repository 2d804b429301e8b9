"""How far meetings depart from the strengths that fit all boards.

`docs/scores.md` has the formulas: section 4.
"""

import math
from collections import defaultdict
from collections.abc import Sequence

from arena.rating.board_sums import BoardSums

MIN_SQUARE = 1e-15
"""Below this, the square of interplay is what rounding leaves of 0."""


class Departures:
    """Sums over the boards on which two met: of z - 1/2 - the gap of their sides."""

    __slots__ = ("boards", "shares", "squares", "total")

    def __init__(self) -> None:
        self.boards = 0
        self.shares = 0.0
        """The sum of z."""
        self.total = 0.0
        self.squares = 0.0

    @property
    def variance(self) -> float:
        """The variance of the departure of a board. There are at least two."""
        mean = self.total / self.boards
        return (self.squares - self.total * mean) / (self.boards - 1)

    def square_of_mean(self) -> float:
        """Return the square of the mean, less the part that chance gives."""
        mean = self.total / self.boards
        return mean * mean - self.variance / self.boards


def departures(sums: BoardSums, strengths: Sequence[float]) -> dict[tuple[int, int], Departures]:
    """Return the departures by two entrants that met, the one with the smaller number first."""
    met: dict[tuple[int, int], Departures] = defaultdict(Departures)
    for meeting in sums.meetings():
        boards, before, whole = meeting.boards, meeting.before, meeting.whole
        one_side, other_side = meeting.sides
        gap = sum([strengths[one] for one in one_side]) - sum(
            [strengths[one] for one in other_side]
        )
        shares = before / whole
        total = shares - boards * (0.5 + gap)
        squares = (boards * meeting.squares - before * before) / (boards * whole * whole)
        squares += total * total / boards
        for one in one_side:
            for other in other_side:
                found = met[(one, other) if one < other else (other, one)]
                found.boards += boards
                found.shares += shares if one < other else boards - shares
                found.total += total if one < other else -total
                found.squares += squares
    return dict(met)


def interplay(sums: BoardSums, strengths: Sequence[float]) -> float:
    """Return how far meetings of two are, typically, from the fit, without their chance part."""
    met = departures(sums, strengths).values()
    parts = [each.square_of_mean() for each in met if each.boards > 1]
    square = math.fsum(parts) / max(1, len(parts))
    return math.sqrt(square) if square > MIN_SQUARE else 0.0
