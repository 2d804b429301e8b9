"""Points per game and win shares of entrants over variants, with their intervals."""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import NamedTuple

from arena.rating.board_sample import BoardSample, BoardScores
from arena.rating.board_shares import by_rotation, sides_of
from arena.rating.counts import Counts, wins_by_seat
from arena.rating.intervals import Estimate, combine, share_interval
from arena.record import AnyResult
from engine import Variant

Interval = tuple[float, float] | tuple[None, None]
"""Its bounds; None after too few boards."""


def board_scores(records: Sequence[AnyResult], variant: Variant) -> BoardScores:
    """Return the scores of the entrants on a complete board, from its `records`."""
    games = sorted(records, key=by_rotation)
    places = _places(variant.seats, variant.sides)
    points = tuple(chain.from_iterable([one.points for one in games]))
    wins, won = _wins(
        tuple(
            [
                at(wins_by_seat(one, variant))
                for at, one in zip(places.by_rotation, games, strict=True)
            ]
        )
    )
    chances = sum([one.win_weight for one in games])
    sides = sides_of(games[0].entrants, variant)
    return BoardScores(sides, places.by_entrant(points), wins, chances, won)


class _Places(NamedTuple):
    """Takes numbers by seat and gives them by entrant, in the order of the sides."""

    by_rotation: Sequence[Callable[[Sequence[float]], tuple[float, ...]]]
    """For the numbers of one game, by its rotation."""
    by_entrant: Callable[[Sequence[float]], tuple[float, ...]]
    """For those of all rotations together, to those of each entrant by seat."""


@lru_cache
def _places(seats: int, sides: Sequence[Sequence[int]]) -> _Places:
    places, own = [place for side in sides for place in side], range(seats)
    return _Places(
        [itemgetter(*[(place + turned) % seats for place in places]) for turned in own],
        itemgetter(*[(seat - place) % seats * seats + seat for place in places for seat in own]),
    )


@lru_cache(maxsize=1 << 16)
def _wins(
    games: Sequence[Sequence[float]],
) -> tuple[tuple[float, ...], tuple[tuple[int, float], ...]]:
    """Return `BoardScores.wins` and `won` from the wins of each game. Few boards differ."""
    wins = [0.0] * len(games)
    won = [(number, own) for game in games for number, own in enumerate(game) if own]
    for number, own in won:
        wins[number] += own
    return tuple(wins), tuple(won)


class VariantMeans:
    """The points per game and the win shares in a variant, with their errors, by entrant."""

    def __init__(self, sample: BoardSample, counts: Mapping[str, Counts]) -> None:
        """Take the scores of all boards of the variant, and the counts of their games."""
        self.boards = sample.boards
        self.counts = counts
        self.points: dict[str, Estimate | None] = {}
        self.wins: dict[str, Estimate | None] = {}
        if sample:
            self.points = sample.points_per_game
            self.wins = sample.estimates(array("d", self._linear_shares(sample)))

    def _linear_shares(self, sample: BoardSample) -> Iterator[float]:
        """Yield the win share on each board, with the ratio of sums linearised at its mean."""
        means = {
            name: (counts.wins / counts.chances, counts.chances / self.boards[name])
            for name, counts in self.counts.items()
            if name in self.boards
        }
        for name, wins, chances in sample.wins():
            share, mean_chances = means[name]
            yield share + (wins - share * chances) / mean_chances


def points_interval(name: str, means: Sequence[VariantMeans]) -> Interval:
    """Return the 95 % interval of the points per game of `name` over several variants."""
    parts = [one for one in means if name in one.boards]
    whole = combine([(one.counts[name].games, one.points[name]) for one in parts])
    return whole.interval() if whole else (None, None)


def wins_interval(name: str, means: Sequence[VariantMeans]) -> Interval:
    """Return the 95 % interval of the win share of `name` over several variants."""
    parts = [one for one in means if name in one.boards]
    whole = combine([(one.counts[name].chances, one.wins[name]) for one in parts])
    boards = sum([one.boards[name] for one in parts])
    return share_interval(whole, boards) or (None, None)
