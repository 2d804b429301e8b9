"""Compute the results of complete boards.

A board is complete when every bot has played the board's deal from every seat. The results of
boards are stored exactly, as integers with a common denominator (see `docs/ratings.md`).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, TypeVar

from arena.base.record import AnyResult
from arena.rating.certificate import Result
from arena.rating.points import faulty_seats
from engine import Variant

ResultT = TypeVar("ResultT", bound=AnyResult)
by_rotation = attrgetter("rotation")
# The variant of a board, and the rank (starting at 1) and bots of each side.
RankedBoard = tuple[str, tuple[tuple[int, tuple[str, ...]], ...]]


class BoardShares(NamedTuple):
    variant: str
    number: int
    sides: tuple[tuple[str, ...], ...]
    # For each game, `before[a][b]` grows by twice the win weight if side a finished ahead of
    # side b, and by the win weight if they tied. In contests decided by points, it is 2 if
    # side a has more points, 1 if the points are equal, and otherwise 0. `whole` is the greatest
    # possible value.
    before: tuple[tuple[int, ...], ...]
    whole: int
    is_sample: bool = True  # whether the board is an independent sample for confidence intervals

    @property
    def ranks(self) -> tuple[int, ...]:
        placed = list(map(sum, self.before))
        place_of = sorted(placed, reverse=True).index
        return tuple([1 + place_of(total) for total in placed])

    @property
    def ranked(self) -> RankedBoard:
        sides = zip(self.ranks, map(tuple, map(sorted, self.sides)), strict=True)
        return self.variant, tuple(sorted(sides))

    def share_of(self, entrant: str) -> Fraction:
        place = next(place for place, side in enumerate(self.sides) if entrant in side)
        return Fraction(sum(self.before[place]), self.whole * (len(self.sides) - 1))


@lru_cache(maxsize=1 << 14)  # saves memory for boards of the same bots
def sides_of(entrants: tuple[str, ...], variant: Variant) -> tuple[tuple[str, ...], ...]:
    return tuple([tuple([entrants[place] for place in side]) for side in variant.sides])


@lru_cache(maxsize=1 << 12)  # saves memory, because few results differ
def _sum_of(
    tables: tuple[tuple[tuple[int, ...], ...], ...],
) -> tuple[tuple[int, ...], ...]:
    return tuple([tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*tables, strict=True)])


@lru_cache(maxsize=1 << 12)
def placed_before(ranks: tuple[int, ...], weight: int) -> tuple[tuple[int, ...], ...]:
    rows = [[weight * (2 * (own < other) + (own == other)) for other in ranks] for own in ranks]
    for side, row in enumerate(rows):
        row[side] = 0
    return tuple(map(tuple, rows))


def group_boards(
    records: Iterable[ResultT], variants: Mapping[str, Variant]
) -> Iterator[tuple[Variant, list[ResultT]]]:
    """Group the game records of `variants` by board. The records must be in schedule order."""
    for (variant_id, _), group in groupby(records, key=attrgetter("variant", "board")):
        if variant_id in variants:
            yield variants[variant_id], list(group)


# -- boards from their games -----------------------------------------------------------------------


def board_shares(
    games: Sequence[AnyResult], variant: Variant, result: Result = "placement"
) -> BoardShares:
    first = min(games, key=by_rotation)
    if result == "points":
        before, whole = placed_before(_ranks_by_points(games, variant), 1), 2
    else:
        seats = variant.seats
        tables = [
            placed_before(
                tuple([game.ranks[(side[0] + game.rotation) % seats] for side in variant.sides]),
                game.win_weight,
            )
            for game in games
        ]
        before = _sum_of(tuple(sorted(tables)))
        whole = 2 * sum([game.win_weight for game in games])
    sides = sides_of(first.entrants, variant)
    return BoardShares(variant.id, first.board, sides, before, whole, not variant.has_one_deal)


def _ranks_by_points(games: Iterable[AnyResult], variant: Variant) -> tuple[int, ...]:
    """Rank the sides by their total points. A side that commits a fault in a game gets the lowest
    number of points in that game.
    """
    totals = [0] * len(variant.sides)
    for game in games:
        faulty, least = faulty_seats(game), min(game.points)
        for number, side in enumerate(variant.sides):
            seats = [(place + game.rotation) % variant.seats for place in side]
            totals[number] += game.points[seats[0]] if faulty.isdisjoint(seats) else least
    return tuple([-total for total in totals])


def read_boards(
    records: Iterable[AnyResult], variants: Mapping[str, Variant], result: Result = "placement"
) -> Iterator[BoardShares]:
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield board_shares(board, variant, result)
