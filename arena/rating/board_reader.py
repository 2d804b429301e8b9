"""The games of complete boards, taken apart once for all that is computed from them."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import chain
from operator import add, itemgetter

import msgspec

from arena.rating.board_result import BoardResult, ranks_of
from arena.rating.board_sample import BoardScores
from arena.rating.board_shares import (
    BoardShares,
    by_rotation,
    placed_before,
    seats_of_sides,
    sides_of,
)
from arena.rating.counts import faulty_seats, shares_of_win
from arena.record import AnyResult
from engine import Variant

KNOWN_GAMES, KNOWN_BOARDS = 1 << 12, 1 << 12
"""Outcomes that a reader remembers."""


class ReadBoard(msgspec.Struct, frozen=True, gc=False):
    """A complete board, taken apart."""

    shares: BoardShares
    scores: BoardScores
    result: BoardResult


class _GameOutcome:
    """What the ranks of a game say of its sides and entrants. It is equal to itself only."""

    __slots__ = ("before", "weight", "won")

    def __init__(
        self, before: Sequence[int], weight: int, won: Sequence[tuple[int, float]]
    ) -> None:
        self.before = before
        """What the game adds to `BoardShares.before`, row by row."""
        self.weight = weight
        """Its win weight."""
        self.won = won
        """The number of each winner, and its share, by win weight."""


class _BoardOutcome(msgspec.Struct, frozen=True, gc=False):
    """What the ranks of all games of a board say."""

    before: tuple[tuple[int, ...], ...]
    chances: int
    wins: tuple[float, ...]
    won: tuple[tuple[int, float], ...]
    ranks: tuple[int, ...] | None
    """Of the sides; None if points have to decide between some."""


class BoardReader:
    """Takes the complete boards of a variant apart.

    Games with the same ranks say the same, so their outcomes are remembered, and so are those of
    boards, which differ more.
    """

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
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
        if [one.rotation for one in games] != self._rotations:
            games = sorted(games, key=by_rotation)
        game = self._game
        outcome = self._board(
            *[game(one.rotation, one.ranks, one.win_weight, faulty_seats(one)) for one in games]
        )
        first, variant = games[0], self._variant
        sides = sides_of(first.entrants, variant) if self._has_teams else tuple(zip(first.entrants))
        points = self._by_entrant(tuple(chain.from_iterable([one.points for one in games])))
        before, chances, ranks = outcome.before, outcome.chances, outcome.ranks
        if ranks is None:
            ranks = ranks_of(tuple(map(sum, before)), self._points_of_sides(points))
        return ReadBoard(
            BoardShares(variant.id, first.board, sides, before, 2 * chances),
            BoardScores(sides, points, outcome.wins, chances, outcome.won),
            BoardResult(variant.id, sides, ranks),
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
        for one in games[1:]:
            flat = list(map(add, flat, one.before))
        before = tuple(zip(*[iter(flat)] * size, strict=True))
        won = tuple(chain.from_iterable([one.won for one in games]))
        wins = [0.0] * len(self._places)
        for number, share in won:
            wins[number] += share
        totals = tuple(map(sum, before))
        ranks = ranks_of(totals) if len({*totals}) == size else None
        chances = sum([one.weight for one in games])
        return _BoardOutcome(before, chances, tuple(wins), won, ranks)

    def _points_of_sides(self, points: Sequence[int]) -> tuple[int, ...]:
        """Return the points of each side over all games, from those by entrant and seat.

        The members of a side have the same points.
        """
        seats, sides = len(self._places), self._variant.sides
        firsts = [self._places.index(side[0]) * seats for side in sides]
        return tuple([sum(points[first : first + seats]) for first in firsts])


def board_scores(games: Sequence[AnyResult], variant: Variant) -> BoardScores:
    """Return the scores of the entrants on a complete board, from its `games`."""
    return BoardReader(variant).read(games).scores
