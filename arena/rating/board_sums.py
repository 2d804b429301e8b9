"""The boards behind a score, and the exact sums over them.

`docs/scores.md`, section 3, has the normal equations.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from operator import attrgetter
from typing import NamedTuple

from arena.rating.board_shares import BoardShares


class Table(NamedTuple):
    """A board whose entrants are numbered."""

    place: tuple[str, int]
    """Its variant and number, by which boards are sorted."""
    sides: tuple[tuple[int, ...], ...]
    shares: tuple[float, ...]
    """By side: the share of the other sides that it was placed before."""
    before: tuple[tuple[float, ...], ...]
    """By two sides: the share of games in which one was placed before the other."""
    challengers: tuple[int, ...]
    """The entrants for whose score an extra board counts; none on a balanced board, which counts
    for all."""

    @property
    def parts(self) -> int:
        """It counts for each of them by one over this number."""
        return max(1, len(self.challengers))

    def counts_for(self, entrant: int) -> bool:
        """Return whether it counts for the score of an entrant at this table."""
        return not self.challengers or entrant in self.challengers


class BoardSums:
    """Boards of a field, to which more can be added."""

    def __init__(self, entrants: Iterable[str], boards: Iterable[BoardShares] = ()) -> None:
        """Make sums over `boards` for `entrants`, who include all that ever sit at them."""
        self.names = sorted(entrants)
        self._number = {name: index for index, name in enumerate(self.names)}
        self._tables: list[Table] = []
        self._above: dict[int, list[int]] = {}
        """By denominator: twice the sum of the shares above one half, by entrant."""
        self._met: dict[int, list[list[int]]] = {}
        """By the number of other sides: that many for each board on which two sat on one side, less
        the boards on which they sat on two."""
        for board in boards:
            self.add(board)

    def add(self, board: BoardShares) -> None:
        """Add a complete board."""
        sides = tuple([tuple([self._number[name] for name in side]) for side in board.sides])
        others = len(sides) - 1
        whole = board.whole * others
        self._tables.append(
            Table(
                (board.variant, board.number),
                sides,
                tuple([sum(row) / whole for row in board.before]),
                tuple([tuple([value / board.whole for value in row]) for row in board.before]),
                tuple([self._number[name] for name in board.challengers]),
            )
        )
        size = len(self.names)
        above = self._above.setdefault(whole, [0] * size)
        if others not in self._met:
            self._met[others] = [[0] * size for _ in range(size)]
        met = self._met[others]
        for side, before in zip(sides, board.before, strict=True):
            twice = 2 * sum(before) - whole
            for one in side:
                above[one] += twice
                row = met[one]
                for other_side in sides:
                    for other in other_side:
                        row[other] += others if other_side is side else -1

    def tables(self) -> Sequence[Table]:
        """Return all boards, sorted, so that sums over them do not depend on when they came."""
        self._tables.sort(key=attrgetter("place"))
        return self._tables

    def matrix(self) -> tuple[list[list[int]], int]:
        """Return a multiple of the matrix of the normal equations, and the factor."""
        scale = math.lcm(*self._met)
        size = range(len(self.names))
        return [
            [
                sum([scale // others * met[one][other] for others, met in self._met.items()])
                for other in size
            ]
            for one in size
        ], scale

    def right_side(self) -> list[float]:
        """Return the sum of the shares of each entrant above one half, exactly rounded."""
        wholes = [2 * whole for whole in self._above]
        columns = zip(*self._above.values(), strict=True)
        return [float(sum(map(Fraction, column, wholes))) for column in columns]
