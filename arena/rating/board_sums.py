"""The boards behind a score, as exact sums over the boards of each lineup.

The sums are of integers, so they do not depend on the order in which boards come. A look at a run
costs as much as there are lineups, however many boards were played. `docs/scores.md`, section 3,
has the normal equations.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, combinations, combinations_with_replacement
from operator import add, attrgetter
from typing import TypeVar

from arena.rating.complete_boards import BoardShares

Number = TypeVar("Number", int, float)
Side = tuple[int, ...]
"""The numbers of the entrants of a side, sorted."""


def _products(shares: Sequence[int]) -> list[int]:
    """Return by two sides, and each with itself, the product of their shares."""
    return [share * other for share, other in combinations_with_replacement(shares, 2)]


@lru_cache(maxsize=1 << 12)
def _pairs_of_sides(order: tuple[int, ...]) -> list[int]:
    """Return the places of two sides in flat rows, for all sides in this `order`."""
    return [first * len(order) + other for first, other in combinations(order, 2)]


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

    def add_all(self, other: "Meeting") -> None:
        """Add the boards of another one."""
        self.boards += other.boards
        self.before += other.before
        self.squares += other.squares


class _Meetings(dict[tuple[Side, Side, int], Meeting]):
    """Meetings by their sides and `BoardShares.whole`."""

    def __missing__(self, key: tuple[Side, Side, int]) -> Meeting:
        found = self[key] = Meeting(key[:2], key[2])
        return found


@lru_cache
def _pairs_of_members(sizes: tuple[int, ...]) -> tuple[list[tuple[int, int]], list[int]]:
    """Return all pairs of entrants of sides of these `sizes`, each also with itself, as places in
    the lineup, and the place of their sides among the pairs of sides."""
    places = iter(range(sum(sizes)))
    sides = [[next(places) for _ in range(size)] for size in sizes]
    found = [
        ((entrant, other), number)
        for number, (side, other_side) in enumerate(combinations_with_replacement(sides, 2))
        for entrant in side
        for other in other_side
        if entrant <= other
    ]
    return [pair for pair, _ in found], [number for _, number in found]


class BoardLineup:
    """Boards of the same sides, with the same total of win weights and the same challengers."""

    __slots__ = (
        "_more_products",
        "boards",
        "cells",
        "challengers",
        "denominator",
        "others",
        "pairs",
        "parts",
        "place",
        "shares",
        "sides",
    )

    def __init__(self, place: tuple[tuple[Side, ...], int, Side], size: int) -> None:
        """Begin without boards.

        Args:
            place: its sides, `BoardShares.whole` and the challengers. Lineups are sorted by it.
            size: the number of all entrants.
        """
        self.place = place
        self.sides, whole, self.challengers = place
        self.others = len(self.sides) - 1
        """The number of sides that a side meets."""
        self.parts = len(self.challengers) or 1
        """A board counts for each of its bots by one over this number."""
        self.denominator = whole * self.others
        """The denominator of a share, which is a whole number in `sums`."""
        self.boards = 0
        self.shares: tuple[int, ...] = ()
        """By side, the sum of its shares as whole numbers."""
        self._more_products: tuple[int, ...] = ()
        """`products`, once there are two boards."""
        pairs, self.pairs = _pairs_of_members(tuple(map(len, self.sides)))
        """By cell, the place of the two sides in `products`."""
        members = list(chain.from_iterable(self.sides))
        if len(members) == len(self.sides):  # sorted, as the sides are
            both = combinations_with_replacement(members, 2)
            self.cells = tuple([a * size + b for a, b in both])
            """By two entrants, and each with itself, their cell in `square`."""
        else:
            found = [(members[first], members[other]) for first, other in pairs]
            self.cells = tuple([a * size + b if a < b else b * size + a for a, b in found])

    @property
    def products(self) -> Sequence[int]:
        """By two sides, and each with itself: the sum of the products of their shares."""
        return self._more_products or _products(self.shares)

    def counts_for(self, entrant: int) -> bool:
        """Return whether a board counts for the score of an entrant of the lineup."""
        return not self.challengers or entrant in self.challengers

    def members(self) -> list[tuple[int, int]]:
        """Return the entrants, each with the number of its side."""
        return [(entrant, number) for number, side in enumerate(self.sides) for entrant in side]

    def add(self, shares: tuple[int, ...]) -> None:
        """Add a board, given the share of each side as a whole number."""
        if self.boards:
            self._more_products = tuple(map(add, self.products, _products(shares)))
            shares = tuple(map(add, self.shares, shares))
        self.shares = shares
        self.boards += 1

    def add_all(self, other: "BoardLineup") -> None:
        """Add the boards of another one with the same sides."""
        if self.boards:
            self._more_products = tuple(map(add, self.products, other.products))
            self.shares = tuple(map(add, self.shares, other.shares))
        else:
            self._more_products, self.shares = other._more_products, other.shares
        self.boards += other.boards


class _Sides(dict[tuple[str, ...], Side]):
    """Sides by the names of their members."""

    def __init__(self, numbers: Mapping[str, int]) -> None:
        """Take the number of each entrant."""
        self._numbers = numbers

    def __missing__(self, names: tuple[str, ...]) -> Side:
        found = self[names] = tuple(sorted([self._numbers[name] for name in names]))
        return found


class BoardSums:
    """Boards of a field, to which more can be added."""

    def __init__(self, entrants: Iterable[str], boards: Iterable[BoardShares] = ()) -> None:
        """Make sums over `boards` for `entrants`, who include all that ever sit at them."""
        self.names = sorted(entrants)
        self.boards = 0
        self._number = {name: index for index, name in enumerate(self.names)}
        self._sides = _Sides(self._number)
        self._lineups: dict[tuple[tuple[Side, ...], int, Side], BoardLineup] = {}
        self._sorted: list[BoardLineup] = []
        self._meetings = _Meetings()
        for board in boards:
            self.add(board)

    def add(self, board: BoardShares) -> None:
        """Add a complete board."""
        unsorted = list(map(self._sides.__getitem__, board.sides))
        sides = tuple(sorted(unsorted))
        challengers = self._sides[board.challengers] if board.challengers else ()
        order, before, whole = tuple(map(unsorted.index, sides)), board.before, board.whole
        shares = tuple([sum(before[side]) for side in order])
        self._lineup_at((sides, whole, challengers)).add(shares)
        flat, meetings = list(chain.from_iterable(before)), self._meetings
        for both, cell in zip(combinations(sides, 2), _pairs_of_sides(order), strict=True):
            meeting, value = meetings[*both, whole], flat[cell]
            meeting.boards += 1
            meeting.before += value
            meeting.squares += value * value
        self.boards += 1

    def add_all(self, other: "BoardSums") -> None:
        """Add the boards of another one, whose entrants are all among those of this one."""
        numbers = [self._number.get(name, -1) for name in other.names]

        def renumbered(side: Side) -> Side:
            return tuple([numbers[entrant] for entrant in side])

        for meeting in other.meetings():
            one, another = map(renumbered, meeting.sides)
            self._meetings[one, another, meeting.whole].add_all(meeting)
        for (sides, whole, challengers), lineup in other._lineups.items():
            place = tuple(map(renumbered, sides)), whole, renumbered(challengers)
            self._lineup_at(place).add_all(lineup)
        self.boards += other.boards

    def _lineup_at(self, place: tuple[tuple[Side, ...], int, Side]) -> BoardLineup:
        lineup = self._lineups.get(place)
        if lineup is None:
            lineup = self._lineups[place] = BoardLineup(place, len(self.names))
        return lineup

    def lineups(self) -> Sequence[BoardLineup]:
        """Return all lineups, sorted, so that sums over them do not depend on when they came."""
        if len(self._sorted) != len(self._lineups):
            self._sorted = sorted(self._lineups.values(), key=attrgetter("place"))
        return self._sorted

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
            steps = [same if is_same else apart for is_same in _same_side(len(lineup.sides))]
            for cell, pair in zip(lineup.cells, lineup.pairs, strict=True):
                cells[cell] += steps[pair]
        return square(cells, size), scale

    def right_side(self) -> list[float]:
        """Return the sum of the shares of each entrant above one half, exactly rounded."""
        above: dict[int, list[int]] = {}
        for lineup in self._lineups.values():
            half = lineup.boards * lineup.denominator
            sums = above.get(2 * lineup.denominator)
            if sums is None:
                sums = above[2 * lineup.denominator] = [0] * len(self.names)
            for side, share in zip(lineup.sides, lineup.shares, strict=True):
                for entrant in side:
                    sums[entrant] += 2 * share - half
        columns = zip(*above.values(), strict=True)
        return [float(sum(map(Fraction, column, above))) for column in columns]


@lru_cache
def _same_side(sides: int) -> list[bool]:
    return [side == other for side, other in combinations_with_replacement(range(sides), 2)]


def square(cells: Sequence[Number], size: int) -> list[list[Number]]:
    """Return the symmetric matrix of `size` rows whose upper triangle is in flat `cells`."""
    rows = [list(cells[start : start + size]) for start in range(0, size * size, size)]
    for index, row in enumerate(rows):
        for other in range(index):
            row[other] = rows[other][index]
    return rows
