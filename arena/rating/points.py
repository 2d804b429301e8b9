"""Compute the mean points and win shares of bots, with confidence intervals.

The games of a board share a deal and aren't independent, so each board counts as one
observation.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import fmean

from arena.base.record import AnyResult
from arena.rating.intervals import MIN_DEGREES, Estimate, combine, share_interval
from engine import Variant

# With fewer degrees of freedom, the variance reduction is not estimated.
MIN_DEGREES_OF_GAIN = 30.0


class VariantPoints:
    def __init__(self) -> None:
        self._points: dict[str, list[float]] = defaultdict(list)
        self._wins: dict[str, list[float]] = defaultdict(list)
        self._chances: dict[str, list[int]] = defaultdict(list)
        self._seats: list[float] = []
        self._squares = 0.0

    def add(self, games: Sequence[AnyResult], variant: Variant) -> None:
        seats, chances = variant.seats, sum([game.win_weight for game in games])
        points: dict[str, list[int]] = {
            games[0].entrants[place]: [0] * seats for place in chain.from_iterable(variant.sides)
        }
        wins = dict.fromkeys(points, 0.0)
        for game in games:
            for seat, name in enumerate(game.entrants):
                points[name][seat] = game.points[seat]
            for seat, share in win_shares(game, variant).items():
                wins[game.entrants[seat]] += game.win_weight * share
        self._seats = self._seats or [0.0] * seats
        for name, by_seat in points.items():
            mean = sum(by_seat) / seats
            self._points[name].append(mean)
            self._wins[name].append(wins[name])
            self._chances[name].append(chances)
            for seat, own in enumerate(by_seat):
                self._seats[seat] += own - mean
                self._squares += (own - mean) ** 2

    def boards_of(self, name: str) -> int:
        return len(self._points[name])

    def points_of(self, name: str) -> Estimate | None:
        return mean_estimate(self._points[name])

    def wins_of(self, name: str) -> Estimate | None:
        wins, chances = self._wins[name], self._chances[name]
        if not any(chances):
            return None
        mean, share = fmean(chances), math.fsum(wins) / sum(chances)
        # the ratio of two sums, linearised at its mean
        return mean_estimate(
            [share + (won - share * own) / mean for won, own in zip(wins, chances, strict=True)]
        )

    def duplicate_gain(self) -> float | None:
        """Return the factor by which playing each deal from every seat reduces the variance of mean
        points.

        Return None if there are too few boards.
        """
        known = [
            (estimate, len(values))
            for values in self._points.values()
            if (estimate := mean_estimate(values))
        ]
        squares = math.fsum([(estimate.error * boards) ** 2 for estimate, boards in known])
        if not squares or sum([boards - 1 for _, boards in known]) < MIN_DEGREES_OF_GAIN:
            return None
        between = squares / sum([boards for _, boards in known])
        scores, seats = sum(map(len, self._points.values())), len(self._seats)
        advantages = math.fsum([apart**2 for apart in self._seats]) / scores
        within = max(0.0, self._squares - advantages) / (scores * seats)
        return (between + within) / (seats * between)


def mean_estimate(values: Sequence[float]) -> Estimate | None:
    """Estimate the mean of independent values. Return None if there are too few values."""
    degrees = len(values) - 1
    if degrees < MIN_DEGREES:
        return None
    mean = fmean(values)
    variance = math.fsum([(value - mean) ** 2 for value in values]) / degrees
    return Estimate(mean, math.sqrt(variance / len(values)), degrees)


# -- games, points, wins and faults of each entrant ------------------------------------------------


class Counts:
    def __init__(self) -> None:
        self.games = 0
        self.points = 0
        self.wins = 0.0
        self.chances = 0
        """Number of games, weighted by `win_weight`."""
        self.faults = 0
        self.is_withdrawn = False

    def add(self, record: AnyResult, seat: int, win_shares: Mapping[int, float]) -> None:
        self.games += 1
        self.points += record.points[seat]
        if seat in win_shares:
            self.wins += record.win_weight * win_shares[seat]
        self.chances += record.win_weight

    @property
    def points_per_game(self) -> float:
        return self.points / max(1, self.games)

    @property
    def win_share(self) -> float:
        """Share of games won, from 0 to 1. It is 0 if no games were played."""
        return self.wins / max(1, self.chances)


def win_shares(record: AnyResult, variant: Variant) -> Mapping[int, float]:
    """Return each winning seat's share of the win. A side with a fault can't win."""
    faulty, ranks = faulty_seats(record), record.ranks
    winners = [side for side in variant.sides if ranks[side[0]] == 1 and faulty.isdisjoint(side)]
    return {seat: 1 / len(winners) for side in winners for seat in side}


def faulty_seats(record: AnyResult) -> frozenset[int]:
    return frozenset([fault.seat for fault in record.faults])


def count_game(record: AnyResult, variant: Variant, *tables: Mapping[str, Counts]) -> None:
    shares = win_shares(record, variant)
    for table in tables:
        for seat, name in enumerate(record.entrants):
            table[name].add(record, seat, shares)
        for fault in record.faults:
            counts = table[record.entrants[fault.seat]]
            if fault.kind == "withdrawn":
                counts.is_withdrawn = True
            else:
                counts.faults += 1


# -- means over variants ---------------------------------------------------------------------------


Interval = tuple[float, float] | tuple[None, None]


def intervals(
    name: str, variants: Iterable[tuple[VariantPoints, Mapping[str, Counts]]]
) -> tuple[Interval, Interval]:
    """Return the 95% intervals of a bot's points per game and of its win share."""
    played = [(own, counts[name]) for own, counts in variants if own.boards_of(name)]
    points = combine([(counts.games, own.points_of(name)) for own, counts in played])
    wins = combine([(counts.chances, own.wins_of(name)) for own, counts in played])
    boards = sum([own.boards_of(name) for own, _ in played])
    return points.interval() if points else (None, None), share_interval(wins, boards) or (
        None,
        None,
    )
