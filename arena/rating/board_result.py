"""Results of complete boards.

The games of a board share one deal, so together they are one result. The sides of a board are
ordered by the sum of their placement scores over the rotations, then by the sum of their points.
Sides that are equal in both are tied. A game that counts as several wins by its own rules
(`win_weight`) has that weight in the placement scores.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter, itemgetter
from typing import TypeVar

import msgspec

from arena.record import AnyResult
from engine import Variant

ResultT = TypeVar("ResultT", bound=AnyResult)


class BoardResult(msgspec.Struct, frozen=True):
    """The sides of a complete board and their ranks."""

    variant: str
    sides: tuple[tuple[str, ...], ...]
    """The entrants of each side, in the order of the board's places."""
    ranks: tuple[int, ...]
    """By side, from 1; tied sides share a rank."""


def placement_scores(ranks: Sequence[int], sides: Sequence[Sequence[int]]) -> list[float]:
    """Return the placement score of each side in a game with these `ranks` by seat.

    The last side scores 0, the next 1, and so on. Sides that share a rank share the mean.
    """
    of_side = [ranks[side[0]] for side in sides]
    return [
        sum([other > rank for other in of_side]) + (of_side.count(rank) - 1) / 2 for rank in of_side
    ]


def board_result(records: Sequence[AnyResult], variant: Variant) -> BoardResult:
    """Return the result of a complete board from its `records`, one per rotation."""
    n, sides = variant.seats, variant.sides
    first = min(records, key=attrgetter("rotation"))
    entrants, turned = first.entrants, first.rotation
    names = tuple([tuple([entrants[(place + turned) % n] for place in side]) for side in sides])
    of_sides = _seats_of_sides(n, sides)
    ranks = tuple([of_sides[one.rotation % n](one.ranks) for one in records])
    scores = _placements(ranks, tuple([record.win_weight for record in records]))
    points = [of_sides[one.rotation % n](one.points) for one in records]
    totals = list(zip(scores, map(sum, zip(*points, strict=True)), strict=True))
    place_of = sorted(totals, reverse=True).index
    return BoardResult(variant.id, names, tuple([1 + place_of(total) for total in totals]))


@lru_cache
def _seats_of_sides(
    seats: int, sides: Sequence[Sequence[int]]
) -> list[Callable[[Sequence[int]], tuple[int, ...]]]:
    """Return by rotation a function that takes of each side what is at the seat of one member.

    The members of a side have the same rank and the same points.
    """
    return [itemgetter(*[(side[0] + turned) % seats for side in sides]) for turned in range(seats)]


@lru_cache(maxsize=1 << 16)
def _placements(ranks: Sequence[Sequence[int]], weights: Sequence[int]) -> list[float]:
    """Return the placement score of each side on a board. Few boards differ.

    Args:
        ranks: by game, the ranks of the sides.
        weights: by game, its win weight.
    """
    return [sum(scores) for scores in zip(*map(_weighted, ranks, weights), strict=True)]


@lru_cache(maxsize=1 << 12)
def _weighted(ranks: Sequence[int], weight: int) -> list[float]:
    """Return the placement score of each side in a game. Few games differ."""
    sides = [(side,) for side in range(len(ranks))]
    return [weight * score for score in placement_scores(ranks, sides)]


def group_boards(
    records: Iterable[ResultT], variants: Mapping[str, Variant]
) -> Iterator[tuple[Variant, list[ResultT]]]:
    """Yield the boards of `variants`, incomplete ones included.

    `records` come in schedule order, board by board.
    """
    for (variant_id, _), group in groupby(records, key=lambda one: (one.variant, one.board)):
        if variant_id in variants:
            yield variants[variant_id], list(group)


def complete_results(
    records: Iterable[AnyResult], variants: Mapping[str, Variant]
) -> Iterator[BoardResult]:
    """Yield the results of the complete boards of `variants`, in the order of `records`."""
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield board_result(board, variant)
