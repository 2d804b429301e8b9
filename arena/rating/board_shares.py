"""Shares of a board: how often each side was placed before each other one.

A complete board has a game for each seat, in which everybody sits once in every seat. Shares are
exact: they are kept as integers over a common whole. `docs/scores.md`, section 2, defines them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple, Protocol

from arena.rating.board_result import group_boards
from arena.record import AnyResult
from engine import Variant


class RankedGame(Protocol):
    """What the shares of a board depend on of each of its games, as in a `GameRecord`."""

    @property
    def board(self) -> int: ...
    @property
    def rotation(self) -> int: ...
    @property
    def entrants(self) -> tuple[str, ...]: ...
    @property
    def ranks(self) -> tuple[int, ...]: ...
    @property
    def win_weight(self) -> int: ...


class BoardShares(NamedTuple):
    """The shares of the sides of a complete board."""

    variant: str
    number: int
    sides: tuple[tuple[str, ...], ...]
    """The entrants of each side."""
    before: tuple[tuple[int, ...], ...]
    """`before[a][b]`: the games in which side a was placed before side b, each with twice its win
    weight, and tied games with once their win weight."""
    whole: int
    """What `before[a][b]` would be if side a had always been placed before side b."""
    challengers: tuple[str, ...] = ()
    """The entrants for which an extra board counts; none on a board of the balanced schedule, which
    counts for all."""

    def share_of(self, entrant: str) -> Fraction:
        """Return the share of opponents that an entrant, with its side, was placed before."""
        place = next(place for place, side in enumerate(self.sides) if entrant in side)
        return Fraction(sum(self.before[place]), self.whole * (len(self.sides) - 1))


def board_shares(
    records: Sequence[RankedGame], variant: Variant, challengers: Sequence[str] = ()
) -> BoardShares:
    """Return the shares of a complete board from its `records`, one per rotation."""
    first = min(records, key=attrgetter("rotation"))
    entrants = first.entrants
    sides = tuple([tuple([entrants[seat] for seat in side]) for side in variant.sides])
    of_sides = [side[0] for side in sides]
    ranks = [(one.ranks, one.entrants.index) for one in records]
    before, whole = _placed_before(
        tuple([tuple([own[seat_of(name)] for name in of_sides]) for own, seat_of in ranks]),
        tuple([record.win_weight for record in records]),
    )
    return BoardShares(variant.id, first.board, sides, before, whole, tuple(challengers))


@lru_cache(maxsize=1 << 16)
def _placed_before(
    ranks: Sequence[Sequence[int]], weights: Sequence[int]
) -> tuple[tuple[tuple[int, ...], ...], int]:
    """Return `BoardShares.before` and `whole` of a board. Few boards differ.

    Args:
        ranks: by game, the ranks of the sides.
        weights: by game, its win weight.
    """
    size = len(ranks[0])
    before = list(map(sum, zip(*map(_weighted, ranks, weights), strict=True)))
    rows = [tuple(before[start : start + size]) for start in range(0, size * size, size)]
    return tuple(rows), 2 * sum(weights)


@lru_cache(maxsize=1 << 12)
def _weighted(ranks: Sequence[int], weight: int) -> list[int]:
    """Return what a game adds to `BoardShares.before`, row by row. Few games differ."""
    return [
        weight * (2 * (own < other) + (own == other)) if one != place else 0
        for one, own in enumerate(ranks)
        for place, other in enumerate(ranks)
    ]


def complete_shares(
    records: Iterable[AnyResult], variants: Mapping[str, Variant]
) -> Iterator[BoardShares]:
    """Yield the shares of the complete boards of `variants`.

    `records` come in schedule order, board by board.
    """
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield board_shares(board, variant)
