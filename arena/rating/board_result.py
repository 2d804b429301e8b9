"""Results of complete boards.

The games of a board share one deal, so together they are one result. The sides of a board are
ordered by the sum of their placement scores over the rotations, then by the sum of their points.
Sides that are equal in both are tied. A game that counts as several wins by its own rules
(`win_weight`) has that weight in the placement scores.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from arena.rating.board_shares import BoardShares, board_shares, group_boards, seats_of_sides
from arena.record import AnyResult
from engine import Variant


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
    return result_of(board_shares(records, variant), records, variant)


def result_of(shares: BoardShares, records: Sequence[AnyResult], variant: Variant) -> BoardResult:
    """Return the result of a complete board from its `shares`, and the points in its `records`."""
    of_sides = seats_of_sides(variant.seats, variant.sides)
    points = [of_sides[one.rotation](one.points) for one in records]
    totals = tuple(map(sum, shares.before))
    ranks = ranks_of(totals, tuple(map(sum, zip(*points, strict=True))))
    return BoardResult(variant.id, shares.sides, ranks)


@lru_cache(maxsize=1 << 12)
def ranks_of(placed: Sequence[int], points: Sequence[int] | None = None) -> tuple[int, ...]:
    """Return the ranks of sides. Few boards differ.

    Args:
        placed: the sum of the row of each side in `BoardShares.before`, which is twice its
            placement score, summed over the games.
        points: those of each side; they decide between sides that are placed alike.
    """
    totals = list(zip(placed, points or placed, strict=True))
    place_of = sorted(totals, reverse=True).index
    return tuple([1 + place_of(total) for total in totals])


def complete_results(
    records: Iterable[AnyResult], variants: Mapping[str, Variant]
) -> Iterator[BoardResult]:
    """Yield the results of the complete boards of `variants`, in the order of `records`."""
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield board_result(board, variant)
