"""The boards behind a score, as exact sums over the boards of each lineup.

The sums are of integers, so they do not depend on the order in which boards come. A look at a run
costs as much as there are lineups, however many boards were played. `docs/scores.md`, section 3,
has the normal equations.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from operator import add, attrgetter
from typing import NamedTuple, TypeVar

from arena.rating.board_shares import BoardShares

Number = TypeVar("Number", int, float)
Side = tuple[int, ...]
"""The numbers of the entrants of a side, sorted."""


class Result(NamedTuple):
    """What a board adds to sums. Its sides are numbered in the order of its lineup."""

    sums: tuple[int, ...]
    """By side: its share, as a whole number; then by two sides, and each with itself, the product
    of their shares."""
    meetings: tuple[tuple[int, int], ...]
    """By two sides: `BoardShares.before` of the first and the second, and its square."""


@lru_cache(maxsize=1 << 16)
def result_of(before: Sequence[Sequence[int]], order: Sequence[int]) -> Result:
    """Return what a board adds whose sides come in `order`. Few results differ."""
    shares = [sum(before[side]) for side in order]
    products = [one * other for one, other in combinations_with_replacement(shares, 2)]
    wins = [before[one][other] for one, other in combinations(order, 2)]
    return Result((*shares, *products), tuple([(value, value * value) for value in wins]))


class Meeting:
    """Two sides that met, on boards with the same total of win weights."""

    __slots__ = ("before", "boards", "sides", "squares", "whole")

    def __init__(self, sides: tuple[Side, Side], whole: int) -> None:
        """Begin without boards. `whole` is `BoardShares.whole`."""
        self.sides = sides
        self.whole = whole
        self.boards = 0
        self.before = 0
        """The sum of `BoardShares.before` of the first side and the second."""
        self.squares = 0
        """The sum of their squares."""


class Lineup:
    """Boards of the same sides, with the same total of win weights and the same challengers."""

    __slots__ = (
        "boards",
        "cells",
        "challengers",
        "denominator",
        "meetings",
        "place",
        "sides",
        "sums",
    )

    def __init__(self, place: tuple[tuple[Side, ...], int, Side], size: int) -> None:
        """Begin without boards.

        Args:
            place: its sides, `BoardShares.whole` and the challengers. Lineups are sorted by it.
            size: the number of all entrants.
        """
        self.place = place
        self.sides, whole, self.challengers = place
        self.denominator = whole * self.others
        """What a share is divided by, which is a whole number in `sums`."""
        self.boards = 0
        self.sums: Sequence[int] = ()
        """The sums over its boards of `Result.sums`."""
        self.meetings: list[Meeting] = []
        self.cells = self._cells(size)
        """By two entrants, and each with itself: their cell in a flat upper triangle of a square
        matrix, and the place of their sides in the products of `Result.sums`."""

    def _cells(self, size: int) -> list[tuple[int, int]]:
        pairs = combinations_with_replacement(self.sides, 2)
        return [
            (one * size + other if one < other else other * size + one, number)
            for number, (side, other_side) in enumerate(pairs)
            for one in side
            for other in other_side
            if side is not other_side or one <= other
        ]

    @property
    def others(self) -> int:
        """The number of sides that a side meets."""
        return len(self.sides) - 1

    @property
    def parts(self) -> int:
        """A board counts for each of its bots by one over this number."""
        return max(1, len(self.challengers))

    @property
    def shares(self) -> Sequence[int]:
        """By side, the sum of its shares as whole numbers."""
        return self.sums[: len(self.sides)]

    @property
    def products(self) -> Sequence[int]:
        """By two sides, and each with itself: the sum of the products of their shares."""
        return self.sums[len(self.sides) :]

    def counts_for(self, entrant: int) -> bool:
        """Return whether a board counts for the score of an entrant of the lineup."""
        return not self.challengers or entrant in self.challengers

    def members(self) -> list[tuple[int, int]]:
        """Return the entrants, each with the number of its side."""
        return [(one, number) for number, side in enumerate(self.sides) for one in side]

    def add(self, result: Result) -> None:
        """Add a board."""
        self.sums = list(map(add, self.sums, result.sums)) if self.boards else result.sums
        self.boards += 1
        for meeting, (before, square) in zip(self.meetings, result.meetings, strict=True):
            meeting.boards += 1
            meeting.before += before
            meeting.squares += square


class BoardSums:
    """Boards of a field, to which more can be added."""

    def __init__(self, entrants: Iterable[str], boards: Iterable[BoardShares] = ()) -> None:
        """Make sums over `boards` for `entrants`, who include all that ever sit at them."""
        self.names = sorted(entrants)
        self.boards = 0
        self._number = {name: index for index, name in enumerate(self.names)}
        self._lineups: dict[object, Lineup] = {}
        self._meetings: dict[object, Meeting] = {}
        self._known: dict[object, tuple[Lineup, tuple[int, ...]]] = {}
        """By sides as a board has them, whole and challengers: its lineup, and their order."""
        for board in boards:
            self.add(board)

    def add(self, board: BoardShares) -> None:
        """Add a complete board."""
        key = board.sides, board.whole, board.challengers
        lineup, order = self._known.get(key) or self._enter(board)
        lineup.add(result_of(board.before, order))
        self.boards += 1

    def _enter(self, board: BoardShares) -> tuple[Lineup, tuple[int, ...]]:
        """Return the lineup of a board, and the order of its sides in the lineup."""
        number = self._number
        sides = [tuple(sorted([number[name] for name in side])) for side in board.sides]
        order = tuple(sorted(range(len(sides)), key=sides.__getitem__))
        challengers = tuple(sorted([number[name] for name in board.challengers]))
        place = tuple([sides[side] for side in order]), board.whole, challengers
        if place not in self._lineups:
            lineup = self._lineups[place] = Lineup(place, len(self.names))
            lineup.meetings = [
                self._meetings.setdefault((pair, board.whole), Meeting(pair, board.whole))
                for pair in combinations(lineup.sides, 2)
            ]
        self._known[board.sides, board.whole, board.challengers] = self._lineups[place], order
        return self._lineups[place], order

    def lineups(self) -> list[Lineup]:
        """Return all lineups, sorted, so that sums over them do not depend on when they came."""
        return sorted(self._lineups.values(), key=attrgetter("place"))

    def meetings(self) -> list[Meeting]:
        """Return all meetings of two sides, sorted."""
        return sorted(self._meetings.values(), key=attrgetter("sides", "whole"))

    def matrix(self) -> tuple[list[list[int]], int]:
        """Return a multiple of the matrix of the normal equations, and the factor."""
        size = len(self.names)
        scale = math.lcm(*{lineup.others for lineup in self._lineups.values()})
        cells = [0] * (size * size)
        for lineup in self._lineups.values():
            same = scale * lineup.boards
            apart = -same // lineup.others
            is_same = [one == other for one, other in _with_replacement(len(lineup.sides))]
            for cell, pair in lineup.cells:
                cells[cell] += same if is_same[pair] else apart
        return square(cells, size), scale

    def right_side(self) -> list[float]:
        """Return the sum of the shares of each entrant above one half, exactly rounded."""
        above: dict[int, list[int]] = {}
        for lineup in self._lineups.values():
            half = lineup.boards * lineup.denominator
            sums = above.setdefault(2 * lineup.denominator, [0] * len(self.names))
            for side, share in zip(lineup.sides, lineup.shares, strict=True):
                for one in side:
                    sums[one] += 2 * share - half
        columns = zip(*above.values(), strict=True)
        return [float(sum(map(Fraction, column, above))) for column in columns]


@lru_cache
def _with_replacement(sides: int) -> list[tuple[int, int]]:
    return list(combinations_with_replacement(range(sides), 2))


def square(cells: Sequence[Number], size: int) -> list[list[Number]]:
    """Return the symmetric matrix of `size` rows whose upper triangle is in flat `cells`."""
    return [
        [cells[one * size + other if one < other else other * size + one] for other in range(size)]
        for one in range(size)
    ]
