"""Means over boards with their standard errors, and the gain of duplicate play.

The board is the unit, since its games share one deal. Boards have independent deals, so the boards
of an entrant are independent except for the opponents. Strong and weak opponents make boards
differ, but hardly change the mean, because the schedule spreads opponents evenly. Their part is
removed before the error is computed: a value is fitted by least squares as the sum of the effects
of the entrant, its opponents and its partners, and the residuals give the error. The variance from
opponents that the schedule could not spread evenly is added again.
"""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple

from arena.rating.intervals import Estimate
from arena.rating.least_squares import LeastSquares, effects_matrix

MIN_DEGREES = 2.0
"""Degrees of freedom below which there is no estimate: its interval would be too wide to help."""
MIN_DEGREES_OF_GAIN = 30.0
"""Degrees of freedom of all entrants below which the gain of duplicate play is not estimated. At
this number its relative error is about a quarter."""


class BoardScore(NamedTuple):
    """The points and wins of an entrant on a board, on which it sat once in every seat."""

    name: str
    opponents: tuple[str, ...]
    partners: tuple[str, ...]
    points: tuple[float, ...]
    """By seat."""
    wins: float = 0.0
    """Its shares of the wins, by win weight."""
    chances: int = 0
    """The games of the board, by win weight."""

    @property
    def mean_points(self) -> float:
        """The points per game."""
        return math.fsum(self.points) / len(self.points)


class BoardSample:
    """The scores of all entrants on all boards of a variant."""

    def __init__(self, scores: Sequence[BoardScore], challengers: Collection[str] = ()) -> None:
        """Take the `scores`, and the entrants that the schedule seats apart from the others."""
        self.scores = scores
        self.names = sorted({score.name for score in scores})
        self.boards = Counter(score.name for score in scores)
        self._challengers = frozenset(challengers)
        number = {name: index for index, name in enumerate(self.names)}
        n = len(self.names)
        self._columns = [
            [number[score.name]]
            + [n + number[name] for name in score.opponents]
            + [2 * n + number[name] for name in score.partners]
            for score in scores
        ]
        self._width = 3 * n if any(score.partners for score in scores) else 2 * n
        self._equations = LeastSquares(effects_matrix(self._columns, self._width))

    def estimates(self, values: Sequence[float]) -> dict[str, Estimate | None]:
        """Return the mean of `values`, one for each of the scores, by entrant.

        Entrants with too few boards have None.
        """
        right = [0.0] * self._width
        for columns, value in zip(self._columns, values, strict=True):
            for column in columns:
                right[column] += value
        effects = self._equations.solve(right)
        residuals = [
            value - math.fsum([effects[column] for column in columns])
            for value, columns in zip(values, self._columns, strict=True)
        ]
        uneven = self._unevenness(effects)
        free = len(values) - self._equations.rank
        found: dict[str, Estimate | None] = {}
        for name in self.names:
            own = [index for index, score in enumerate(self.scores) if score.name == name]
            degrees = len(own) * free / len(values)
            if degrees >= MIN_DEGREES:
                mean = math.fsum([values[index] for index in own]) / len(own)
                squares = math.fsum([residuals[index] ** 2 for index in own])
                variance = squares / degrees / len(own) + uneven[name]
                found[name] = Estimate(mean, math.sqrt(variance), degrees)
            else:
                found[name] = _plain_estimate([values[index] for index in own])
        return found

    def _unevenness(self, effects: Sequence[float]) -> dict[str, float]:
        """Return by entrant the variance of its mean from opponents and partners met unevenly.

        The entrants to be met equally often are the challengers, and all others.
        """
        n = len(self.names)
        challenging = [name in self._challengers for name in self.names]
        camps = [[index for index in range(n) if challenging[index] == camp] for camp in (0, 1)]
        meetings: dict[str, Counter[int]] = {name: Counter() for name in self.names}
        for score, columns in zip(self.scores, self._columns, strict=True):
            meetings[score.name].update(columns[1:])
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
                met = [meetings[name][column] for column in columns if column % n != index]
                mean = math.fsum(met) / max(1, len(met))
                terms.append(variance * math.fsum([(one - mean) ** 2 for one in met]))
            found[name] = math.fsum(terms) / self.boards[name] ** 2
        return found


def duplicate_gain(sample: BoardSample) -> float | None:
    """Return the number of games on separate deals that tell as much as one game on a board.

    It is the variance of a single game, without the advantage of its seat, over the number of
    games of a board and the variance of the board's mean. None if there are too few boards.
    """
    if not sample.scores:
        return None
    means = [score.mean_points for score in sample.scores]
    estimates = sample.estimates(means)
    known = {name: one for name, one in estimates.items() if one is not None}
    degrees = math.fsum([one.degrees for one in known.values()])
    squares = math.fsum([one.error**2 * sample.boards[name] ** 2 for name, one in known.items()])
    if not squares or degrees < MIN_DEGREES_OF_GAIN:
        return None
    between = squares / sum([sample.boards[name] for name in known])
    seats = len(sample.scores[0].points)
    return (between + _variance_within(sample.scores, means)) / (seats * between)


def _variance_within(scores: Sequence[BoardScore], means: Sequence[float]) -> float:
    """Return the variance of the points of a game round its board's mean and its seat's."""
    seats = range(len(scores[0].points))
    advantage = [
        math.fsum([score.points[seat] - mean for score, mean in zip(scores, means, strict=True)])
        / len(means)
        for seat in seats
    ]
    return math.fsum(
        [
            (score.points[seat] - mean - advantage[seat]) ** 2
            for score, mean in zip(scores, means, strict=True)
            for seat in seats
        ]
    ) / (len(means) * len(seats))


def _plain_estimate(values: Sequence[float]) -> Estimate | None:
    """Return the mean of `values` whose opponents' part cannot be removed, or None if too few."""
    boards = len(values)
    if boards <= MIN_DEGREES:
        return None
    mean = math.fsum(values) / boards
    squares = math.fsum([(value - mean) ** 2 for value in values])
    return Estimate(mean, math.sqrt(squares / (boards - 1) / boards), boards - 1)


def _variance(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.fsum([(value - mean) ** 2 for value in values]) / (len(values) - 1)
