"""Results of complete boards.

The games of a board share one deal, so together they are one result. The sides of a board are
ordered by the sum of their placement scores over the rotations, then by the sum of their points.
Sides that are equal in both are tied. A game that counts as several wins by its own rules
(`win_weight`) has that weight in the placement scores.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec

from arena.record import GameRecord
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


def board_result(records: Sequence[GameRecord], variant: Variant) -> BoardResult:
    """Return the result of a complete board from its `records`, one per rotation."""
    n = variant.seats
    first = min(records, key=lambda record: record.rotation)
    totals = [(0.0, 0)] * len(variant.sides)
    for record in records:
        sides = [[(place + record.rotation) % n for place in side] for side in variant.sides]
        scores = placement_scores(record.ranks, sides)
        for number, side in enumerate(sides):
            score, points = totals[number]
            totals[number] = (
                score + record.win_weight * scores[number],
                points + record.points[side[0]],
            )
    places = [first.entrants[(place + first.rotation) % n] for place in range(n)]
    return BoardResult(
        variant=variant.id,
        sides=tuple([tuple([places[place] for place in side]) for side in variant.sides]),
        ranks=tuple([1 + sum([other > total for other in totals]) for total in totals]),
    )


def group_boards(
    records: Iterable[GameRecord], variants: Mapping[str, Variant]
) -> Iterator[tuple[Variant, list[GameRecord]]]:
    """Yield the boards of `variants`, incomplete ones included.

    `records` come in schedule order, board by board.
    """
    for (variant_id, _), group in groupby(records, key=lambda one: (one.variant, one.board)):
        if variant_id in variants:
            yield variants[variant_id], list(group)


def complete_results(
    records: Iterable[GameRecord], variants: Mapping[str, Variant]
) -> Iterator[BoardResult]:
    """Yield the results of the complete boards of `variants`, in the order of `records`."""
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield board_result(board, variant)
