"""Shares of a board: how often each side was placed before each other one.

A complete board has a game for each seat, in which everybody sits once in every seat. Shares are
exact: they are kept as integers over a common whole. `docs/scores.md`, section 2, defines them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import NamedTuple, Protocol, TypeVar

from arena.record import AnyResult
from engine import Variant

ResultT = TypeVar("ResultT", bound=AnyResult)
by_rotation = attrgetter("rotation")


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
    first, *_ = games = sorted(records, key=by_rotation)
    of_sides = seats_of_sides(variant.seats, variant.sides)
    ranks = tuple([of_sides[one.rotation](one.ranks) for one in games])
    before, whole = _placed_before(ranks, tuple([one.win_weight for one in games]))
    sides = sides_of(first.entrants, variant)
    return BoardShares(variant.id, first.board, sides, before, whole, tuple(challengers))


def sides_of(entrants: Sequence[str], variant: Variant) -> tuple[tuple[str, ...], ...]:
    """Return the sides of `entrants`, who are given by place."""
    if variant.teams is None:
        return tuple(zip(entrants, strict=True))
    return tuple([tuple([entrants[place] for place in side]) for side in variant.sides])


@lru_cache
def seats_of_sides(
    seats: int, sides: Sequence[Sequence[int]]
) -> list[Callable[[Sequence[int]], tuple[int, ...]]]:
    """Return by rotation a function that takes of each side what is at the seat of one member.

    The members of a side have the same rank and the same points.
    """
    return [itemgetter(*[(side[0] + turned) % seats for side in sides]) for turned in range(seats)]


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
    before = list(map(sum, zip(*map(placed_before, ranks, weights), strict=True)))
    rows = [tuple(before[start : start + size]) for start in range(0, size * size, size)]
    return tuple(rows), 2 * sum(weights)


@lru_cache(maxsize=1 << 12)
def placed_before(ranks: Sequence[int], weight: int) -> list[int]:
    """Return what a game adds to `BoardShares.before`, row by row. Few games differ.

    Args:
        ranks: of the sides.
        weight: its win weight.
    """
    return [
        weight * (2 * (own < other) + (own == other)) if one != place else 0
        for one, own in enumerate(ranks)
        for place, other in enumerate(ranks)
    ]


def group_boards(
    records: Iterable[ResultT], variants: Mapping[str, Variant]
) -> Iterator[tuple[Variant, list[ResultT]]]:
    """Yield the boards of `variants`, incomplete ones included.

    `records` come in schedule order, board by board.
    """
    for (variant_id, _), group in groupby(records, key=attrgetter("variant", "board")):
        if variant_id in variants:
            yield variants[variant_id], list(group)


def complete_shares(
    records: Iterable[AnyResult], variants: Mapping[str, Variant]
) -> Iterator[BoardShares]:
    """Yield the shares of the complete boards of `variants`.

    `records` come in schedule order, board by board.
    """
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield board_shares(board, variant)
