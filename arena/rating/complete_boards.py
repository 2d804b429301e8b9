"""Complete boards: the shares, points and wins of their entrants.

A complete board has a game for each seat, in which every entrant sits once in every seat. Its games
share one deal, so together they are one result: sides are ordered by their placements over the
rotations, or by the sum of their points, as the contest has it; sides that are equal are tied.
Shares are exact: they are kept as integers over a common whole (`docs/ratings.md`). A
game that counts as several wins by its own rules (`win_weight`) has that weight in placements.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from operator import add, attrgetter, itemgetter
from typing import NamedTuple, TypeVar

import msgspec

from arena.base.record import AnyResult
from arena.rating.certificate import Result
from arena.rating.points import BoardScores, faulty_seats, shares_of_win
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
        return ranks_of(tuple(map(sum, self.before)))

    @property
    def ranked(self) -> RankedBoard:
        """The result, which is equal for boards that say the same of all ratings."""
        sides = zip(self.ranks, map(tuple, map(sorted, self.sides)), strict=True)
        return self.variant, tuple(sorted(sides))

    def share_of(self, entrant: str) -> Fraction:
        """Return the share of opponents that an entrant, with its side, was placed before."""
        place = next(place for place, side in enumerate(self.sides) if entrant in side)
        return Fraction(sum(self.before[place]), self.whole * (len(self.sides) - 1))


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


@lru_cache(maxsize=1 << 12)
def placed_before(ranks: Sequence[int], weight: int) -> list[int]:
    """Return what a game adds to `BoardShares.before`, row by row. Few games differ.

    Args:
        ranks: of the sides.
        weight: its win weight.
    """
    return [
        weight * (2 * (own < other) + (own == other)) if seat != place else 0
        for seat, own in enumerate(ranks)
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


@lru_cache(maxsize=1 << 12)
def ranks_of(placed: Sequence[int]) -> tuple[int, ...]:
    """Return the ranks of sides, given the sum of the row of each in `BoardShares.before`. Few
    boards differ."""
    place_of = sorted(placed, reverse=True).index
    return tuple([1 + place_of(total) for total in placed])


# -- boards from their games -----------------------------------------------------------------------


KNOWN_GAMES, KNOWN_BOARDS = 1 << 12, 1 << 12
"""Outcomes that a reader remembers."""


class ReadBoard(msgspec.Struct, frozen=True, gc=False):
    """A complete board, taken apart."""

    shares: BoardShares
    scores: BoardScores


class _GameOutcome:
    """The outcome of a game for its sides and entrants. It is equal to itself only."""

    __slots__ = ("before", "weight", "won")

    def __init__(
        self, before: Sequence[int], weight: int, won: Sequence[tuple[int, float]]
    ) -> None:
        self.before = before
        """The summands of the game in `BoardShares.before`, row by row."""
        self.weight = weight
        """Its win weight."""
        self.won = won
        """The number of each winner, and its share, by win weight."""


class _BoardOutcome(msgspec.Struct, frozen=True, gc=False):
    """The outcome of all games of a board."""

    before: tuple[tuple[int, ...], ...]
    chances: int
    wins: tuple[float, ...]
    won: tuple[tuple[int, float], ...]


class BoardReader:
    """Takes the complete boards of a variant apart.

    Games with the same ranks say the same, so their outcomes are remembered, and so are those of
    boards, which differ more.
    """

    def __init__(self, variant: Variant, result: Result) -> None:
        self._variant = variant
        self._by_points = result == "points"
        seats, places = variant.seats, [place for side in variant.sides for place in side]
        self._places = places
        """By the number of an entrant in the order of the sides, its place on the board."""
        self._has_teams = variant.teams is not None
        self._rotations = list(range(seats))
        self._of_sides = seats_of_sides(seats, variant.sides)
        own = range(seats)
        self._by_entrant: Callable[[Sequence[int]], tuple[int, ...]] = itemgetter(
            *[(seat - place) % seats * seats + seat for place in places for seat in own]
        )
        """Takes the points by seat of one rotation after the other, and gives them by entrant."""
        self._game = lru_cache(KNOWN_GAMES)(self._outcome_of_game)
        self._board = lru_cache(KNOWN_BOARDS)(self._outcome_of_board)

    def read(self, games: Sequence[AnyResult]) -> ReadBoard:
        """Return a board from its `games`, one per rotation."""
        if [played.rotation for played in games] != self._rotations:
            games = sorted(games, key=by_rotation)
        game = self._game
        outcome = self._board(
            *[
                game(played.rotation, played.ranks, played.win_weight, faulty_seats(played))
                for played in games
            ]
        )
        first, variant = games[0], self._variant
        sides = sides_of(first.entrants, variant) if self._has_teams else tuple(zip(first.entrants))
        points = self._by_entrant(tuple(chain.from_iterable([played.points for played in games])))
        before, whole, chances = outcome.before, 2 * outcome.chances, outcome.chances
        if self._by_points:
            before, whole = self._before_by_points(games), 2
        return ReadBoard(
            BoardShares(variant.id, first.board, sides, before, whole),
            BoardScores(sides, points, outcome.wins, chances, outcome.won),
        )

    def _outcome_of_game(
        self, rotation: int, ranks: tuple[int, ...], weight: int, faulty: frozenset[int]
    ) -> _GameOutcome:
        shares = shares_of_win(ranks, faulty, self._variant.sides)
        seats = [(place + rotation) % len(ranks) for place in self._places]
        won = [
            (number, weight * shares[seat]) for number, seat in enumerate(seats) if seat in shares
        ]
        return _GameOutcome(placed_before(self._of_sides[rotation](ranks), weight), weight, won)

    def _outcome_of_board(self, *games: _GameOutcome) -> _BoardOutcome:
        size = len(self._variant.sides)
        flat = games[0].before
        for played in games[1:]:
            flat = list(map(add, flat, played.before))
        before = tuple(zip(*[iter(flat)] * size, strict=True))
        won = tuple(chain.from_iterable([played.won for played in games]))
        wins = [0.0] * len(self._places)
        for number, share in won:
            wins[number] += share
        chances = sum([game.weight for game in games])
        return _BoardOutcome(before, chances, tuple(wins), won)

    def _before_by_points(self, games: Sequence[AnyResult]) -> tuple[tuple[int, ...], ...]:
        """Return `BoardShares.before` by the points of the sides, summed over the rotations.

        The members of a side have the same points. A side with a fault has at most the least points
        of all in that game, since it is last.
        """
        totals = [0] * len(self._variant.sides)
        for played, of_sides in zip(games, self._of_sides, strict=True):
            faulty, least = faulty_seats(played), min(played.points)
            for number, (side, own) in enumerate(
                zip(self._variant.sides, of_sides(played.points), strict=True)
            ):
                seats = [(place + played.rotation) % len(played.points) for place in side]
                totals[number] += own if faulty.isdisjoint(seats) else least
        flat = placed_before(tuple([-total for total in totals]), 1)
        return tuple(zip(*[iter(flat)] * len(totals), strict=True))


@lru_cache(maxsize=64)
def reader_of(variant: Variant, result: Result) -> BoardReader:
    """Return the reader of the boards of a variant."""
    return BoardReader(variant, result)


def read_board(
    games: Sequence[AnyResult], variant: Variant, result: Result = "placement"
) -> ReadBoard:
    """Return a complete board from its `games`, one per rotation. `result` ranks its sides."""
    return reader_of(variant, result).read(games)


def board_shares(
    games: Sequence[AnyResult], variant: Variant, result: Result = "placement"
) -> BoardShares:
    """Return the shares of a complete board from its `games`. See `read_board`."""
    return read_board(games, variant, result).shares


def read_boards(
    records: Iterable[AnyResult], variants: Mapping[str, Variant], result: Result = "placement"
) -> Iterator[ReadBoard]:
    """Yield the complete boards of `variants`. See `read_board`.

    `records` come in schedule order, board by board.
    """
    for variant, board in group_boards(records, variants):
        if len(board) == variant.seats:
            yield read_board(board, variant, result)
