"""Standard errors and 95% intervals of means over boards, and what duplicate play saves.

The board is the unit: its games share one deal. Boards have deals of their own, so those of one
entrant are independent but for the opponents, whom the schedule spreads evenly. Strong and weak
opponents make boards differ, and yet the mean hardly depends on them, since everybody meets all.
So their part is taken out first: a value is fitted by least squares as the sum of what the
entrant, its opponents and its partners contribute, and what is left over tells the error. What the
schedule could not make even is added again.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95
FEWEST_DEGREES = 2.0
"""Degrees of freedom below which nothing is said: the interval would be wider than helpful."""
FEWEST_DEGREES_OF_GAIN = 30.0
"""Those of all entrants from which on the gain of duplicate play is told, to about a quarter."""


class Sat(NamedTuple):
    """What an entrant made of a board, on which it sat once in every seat."""

    name: str
    opponents: tuple[str, ...]
    partners: tuple[str, ...]
    points: tuple[float, ...]
    """By seat."""


class Estimate(NamedTuple):
    """A mean, its standard error, and the degrees of freedom behind that."""

    mean: float
    error: float
    degrees: float

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the bounds of the t-interval."""
        half = quantile(self.degrees, confidence) * self.error
        return self.mean - half, self.mean + half


def quantile(degrees: float, confidence: float = CONFIDENCE) -> float:
    """Return the half width of an interval that holds so much of a t-distribution.

    It is Fisher's expansion: for 95% at 2 degrees 1% off, for more confidence at few degrees worse.
    """
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    square = z * z
    terms = (
        z,
        z * (square + 1) / 4,
        z * ((5 * square + 16) * square + 3) / 96,
        z * (((3 * square + 19) * square + 17) * square - 15) / 384,
        z * ((((79 * square + 776) * square + 1482) * square - 1920) * square - 945) / 92160,
    )
    return math.fsum([term / degrees**power for power, term in enumerate(terms)])


def share_interval(share: Estimate | None, boards: int) -> tuple[float, float] | None:
    """Return Wilson's interval of a share, which stays between 0 and 1.

    The share is as sure as if so many independent games had been played as give its error. One
    that never varied is as sure as one game a board makes it.
    """
    if share is None:
        return None
    mean = min(1.0, max(0.0, share.mean))
    spread = mean * (1 - mean)
    variance = share.error * share.error
    games = spread / variance if variance and spread else float(boards)
    square = quantile(share.degrees) ** 2 / games
    centre = (mean + square / 2) / (1 + square)
    half = math.sqrt(square * spread + square * square / 4) / (1 + square)
    return max(0.0, centre - half), min(1.0, centre + half)


def combine(parts: Iterable[tuple[float, Estimate | None]]) -> Estimate | None:
    """Return the weighted mean of independent estimates, or None if one is missing.

    The degrees of freedom are those of Welch and Satterthwaite.
    """
    known = [(weight, one) for weight, one in parts if weight]
    whole = math.fsum([weight for weight, _ in known])
    means, squares, per_degree = [], [], []
    for weight, one in known:
        if one is None:
            return None
        share = weight / whole
        square = (share * one.error) ** 2
        means.append(share * one.mean)
        squares.append(square)
        per_degree.append(square * square / one.degrees)
    if not known:
        return None
    variance, lost = math.fsum(squares), math.fsum(per_degree)
    degrees = variance * variance / lost if lost else min(one.degrees for _, one in known if one)
    return Estimate(math.fsum(means), math.sqrt(variance), degrees)


class Sample:
    """What all entrants made of all boards of a variant, as needed to judge means over boards."""

    def __init__(self, sats: Sequence[Sat], challengers: Collection[str] = ()) -> None:
        self.sats = sats
        self.names = sorted({sat.name for sat in sats})
        self.boards = Counter(sat.name for sat in sats)
        self._challengers = frozenset(challengers)
        number = {name: index for index, name in enumerate(self.names)}
        n = len(self.names)
        self._columns = [
            [number[sat.name]]
            + [n + number[name] for name in sat.opponents]
            + [2 * n + number[name] for name in sat.partners]
            for sat in sats
        ]
        self._width = 3 * n if any(sat.partners for sat in sats) else 2 * n

    def estimates(self, values: Sequence[float]) -> dict[str, Estimate | None]:
        """Return the mean of these values, one for each `Sat`, by entrant."""
        effects, rank = solve(self._columns, values, self._width)
        total = len(values)
        left = [
            value - math.fsum([effects[column] for column in columns])
            for value, columns in zip(values, self._columns, strict=True)
        ]
        uneven = self._unevenness(effects)
        found: dict[str, Estimate | None] = {}
        for name in self.names:
            own = [index for index, sat in enumerate(self.sats) if sat.name == name]
            boards = len(own)
            mean = math.fsum([values[index] for index in own]) / boards
            degrees = boards * (total - rank) / total
            squares = math.fsum([left[index] ** 2 for index in own])
            variance = 0.0
            if degrees >= FEWEST_DEGREES:
                variance = squares / degrees / boards + uneven[name]
            elif boards > FEWEST_DEGREES:  # too few boards to tell the opponents' part
                degrees = boards - 1
                squares = math.fsum([(values[index] - mean) ** 2 for index in own])
                variance = squares / degrees / boards
            else:
                found[name] = None
                continue
            found[name] = Estimate(mean, math.sqrt(variance), degrees)
        return found

    def _unevenness(self, effects: Sequence[float]) -> dict[str, float]:
        """Return by entrant the variance of a mean due to opponents and partners met unevenly.

        Those whom an entrant should meet equally often are all challengers, and all others.
        """
        n = len(self.names)
        challenging = [name in self._challengers for name in self.names]
        camps = [[index for index in range(n) if challenging[index] == camp] for camp in (0, 1)]
        together: dict[str, Counter[int]] = {name: Counter() for name in self.names}
        for sat, columns in zip(self.sats, self._columns, strict=True):
            together[sat.name].update(columns[1:])
        classes = [
            [first + index for index in camp]
            for first in range(n, self._width, n)
            for camp in camps
        ]
        variances = [_variance([effects[column] for column in one]) for one in classes]
        found = {}
        for index, name in enumerate(self.names):
            terms = []
            for columns, variance in zip(classes, variances, strict=True):
                met = [together[name][column] for column in columns if column % n != index]
                mean = math.fsum(met) / max(1, len(met))
                terms.append(variance * math.fsum([(one - mean) ** 2 for one in met]))
            found[name] = math.fsum(terms) / self.boards[name] ** 2
        return found

    def duplicate_gain(self) -> float | None:
        """Return how many games on deals of their own a game on a board is worth, for the points.

        That is the variance of a single game, a seat's own advantage taken out, over the number
        of games of a board and the variance of its mean. None if it can't be told.
        """
        if not self.sats:
            return None
        seats = range(len(self.sats[0].points))
        means = [math.fsum(sat.points) / len(seats) for sat in self.sats]
        estimates = self.estimates(means)
        known = {name: one for name, one in estimates.items() if one is not None}
        counted = sum([self.boards[name] for name in known])
        degrees = math.fsum([one.degrees for one in known.values()])
        boards = math.fsum([one.error**2 * self.boards[name] ** 2 for name, one in known.items()])
        if not boards or degrees < FEWEST_DEGREES_OF_GAIN:
            return None
        between = boards / counted
        advantage = [
            math.fsum([sat.points[seat] - mean for sat, mean in zip(self.sats, means, strict=True)])
            / len(means)
            for seat in seats
        ]
        within = math.fsum(
            [
                (sat.points[seat] - mean - advantage[seat]) ** 2
                for sat, mean in zip(self.sats, means, strict=True)
                for seat in seats
            ]
        ) / (len(means) * len(seats))
        return (between + within) / (len(seats) * between)


def _variance(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.fsum([(value - mean) ** 2 for value in values]) / (len(values) - 1)


def solve(
    columns: Sequence[Sequence[int]], values: Sequence[float], width: int
) -> tuple[list[float], int]:
    """Return the effects whose sums come nearest to the values, and how many of them are free.

    `columns[k]` are the numbers of the effects that make up `values[k]`. Effects that can't be
    told from others are 0.
    """
    rows = [[0.0] * (width + 1) for _ in range(width)]
    for own, value in zip(columns, values, strict=True):
        for column in own:
            row = rows[column]
            row[-1] += value
            for other in own:
                row[other] += 1.0
    pivots = []
    for column in range(width):  # Gauss and Jordan, on a matrix without negative eigenvalues
        pivot = rows[column]
        scale = pivot[column]
        if scale < 1e-7 * len(values) / width:
            continue
        pivots.append(column)
        rows[column] = pivot = [one / scale for one in pivot]
        for index, row in enumerate(rows):
            factor = row[column]
            if factor and index != column:
                rows[index] = [one - factor * other for one, other in zip(row, pivot, strict=True)]
    effects = [0.0] * width
    for column in pivots:
        effects[column] = rows[column][-1]
    return effects, len(pivots)
