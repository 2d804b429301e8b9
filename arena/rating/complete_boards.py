"""Complete boards: the shares of their entrants.

A complete board has a game for each seat, in which every entrant sits once in every seat. Its games
share one deal, so together they are one result: sides are ordered by their placements over the
rotations, or by the sum of their points, as the contest has it; sides that are equal are tied.
Shares are exact: they are kept as integers over a common whole (`docs/ratings.md`). A
game that counts as several wins by its own rules (`win_weight`) has that weight in placements.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple, TypeVar

from arena.base.record import AnyResult
from arena.rating.certificate import Result
from arena.rating.points import faulty_seats
from engine import Variant

ResultT = TypeVar("ResultT", bound=AnyResult)
by_rotation = attrgetter("rotation")
RankedBoard = tuple[str, tuple[tuple[int, tuple[str, ...]], ...]]
"""The variant of a board and its sides, sorted: of each its rank, from 1, and its entrants."""


class BoardShares(NamedTuple):
    """The shares of the sides of a complete board."""

    variant: str
    number: int
    sides: tuple[tuple[str, ...], ...]
    """The entrants of each side."""
    before: tuple[tuple[int, ...], ...]
    """`before[a][b]`: the games in which side a was placed before side b, each with twice its win
    weight, and tied games with once their win weight. By points: 2 if a has more, 1 if they tie."""
    whole: int
    """The value of `before[a][b]` if side a had always been placed before side b."""

    @property
    def game(self) -> str:
        """The game of the variant."""
        return self.variant.partition("/")[0]

    @property
    def entrants(self) -> frozenset[str]:
        """All who sat at the board."""
        return frozenset(chain.from_iterable(self.sides))

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks of the sides, from 1; tied sides share a rank."""
        placed = list(map(sum, self.before))
        place_of = sorted(placed, reverse=True).index
        return tuple([1 + place_of(total) for total in placed])

    @property
    def ranked(self) -> RankedBoard:
        """The result, which is equal for boards that say the same of all ratings."""
        sides = zip(self.ranks, map(tuple, map(sorted, self.sides)), strict=True)
        return self.variant, tuple(sorted(sides))

    def share_of(self, entrant: str) -> Fraction:
        """Return the share of opponents that an entrant, with its side, was placed before."""
        place = next(place for place, side in enumerate(self.sides) if entrant in side)
        return Fraction(sum(self.before[place]), self.whole * (len(self.sides) - 1))


@lru_cache(maxsize=1 << 14)  # boards of the same entrants share their sides in memory
def sides_of(entrants: tuple[str, ...], variant: Variant) -> tuple[tuple[str, ...], ...]:
    """Return the sides of `entrants`, who are given by place."""
    return tuple([tuple([entrants[place] for place in side]) for side in variant.sides])


@lru_cache(maxsize=1 << 12)  # few games differ, and few boards: they share it in memory
def _sum_of(
    tables: tuple[tuple[tuple[int, ...], ...], ...],
) -> tuple[tuple[int, ...], ...]:
    """Return the sum of the `tables` of a board's games, by two sides."""
    return tuple([tuple(map(sum, zip(*rows, strict=True))) for rows in zip(*tables, strict=True)])


@lru_cache(maxsize=1 << 12)
def placed_before(ranks: tuple[int, ...], weight: int) -> tuple[tuple[int, ...], ...]:
    """Return what a game with these `ranks` of sides and this win weight adds to `before`."""
    rows = [[weight * (2 * (own < other) + (own == other)) for other in ranks] for own in ranks]
    for side, row in enumerate(rows):
        row[side] = 0
    return tuple(map(tuple, rows))


def group_boards(
    records: Iterable[ResultT], variants: Mapping[str, Variant]
) -> Iterator[tuple[Variant, list[ResultT]]]:
    """Yield the boards of `variants`, incomplete ones included.

    `records` come in schedule order, board by board.
    """
    for (variant_id, _), group in groupby(records, key=attrgetter("variant", "board")):
        if variant_id in variants:
            yield variants[variant_id], list(group)


# -- boards from their games -----------------------------------------------------------------------


def board_shares(
    games: Sequence[AnyResult], variant: Variant, result: Result = "placement"
) -> BoardShares:
    """Return the shares of a complete board from its `games`, one per rotation.

    `result` ranks its sides.
    """
    first = min(games, key=by_rotation)
    if result == "points":
        before, whole = placed_before(_ranks_by_points(games, variant), 1), 2
    else:
        tables = [placed_before(_ranks_of_sides(game, variant), game.win_weight) for game in games]
        before = _sum_of(tuple(sorted(tables)))
        whole = 2 * sum([game.win_weight for game in games])
    return BoardShares(variant.id, first.board, sides_of(first.entrants, variant), before, whole)


def _ranks_of_sides(game: AnyResult, variant: Variant) -> tuple[int, ...]:
    """Return the ranks of the sides of a board in a game; the members of a side share theirs."""
    seats = variant.seats
    return tuple([game.ranks[(side[0] + game.rotation) % seats] for side in variant.sides])


def _ranks_by_points(games: Iterable[AnyResult], variant: Variant) -> tuple[int, ...]:
    """Return what orders sides as the sums of their points over the rotations do, the most first.

    The members of a side have the same points. A side with a fault has at most the least points of
    all in that game, since it is last.
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
    """Yield the shares of the complete boards of `variants`. See `board_shares`.

    `records` come in schedule order, board by board.
    """
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield board_shares(board, variant, result)
