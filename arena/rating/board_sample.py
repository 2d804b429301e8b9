"""Means over boards with their standard errors, and the gain of duplicate play.

The board is the unit, since its games share one deal. Boards have independent deals, so the boards
of an entrant are independent except for the opponents. Strong and weak opponents make boards
differ, but hardly change the mean, because the schedule spreads opponents evenly. Their part is
removed before the error is computed: a value is fitted by least squares as the sum of the effects
of the entrant, its opponents and its partners, and the residuals give the error. The variance from
opponents that the schedule could not spread evenly is added again.
"""

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import sub
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
    """The scores of all entrants on all boards of a variant.

    With n seats, a score takes 16 + 10 n bytes. A complete board has as many scores as games.
    """

    def __init__(
        self, scores: Iterable[BoardScore] = (), challengers: Collection[str] = ()
    ) -> None:
        """Take the `scores`, and the entrants that the schedule seats apart from the others."""
        self.boards: Counter[str] = Counter()
        """By entrant, the number of its boards."""
        self.points: Sequence[array[float]] = ()
        """By seat, the points of each score."""
        self._challengers = frozenset(challengers)
        self._numbers: dict[str, int] = {}
        """By entrant, from 0, in the order in which they came."""
        self._seated: Sequence[array[int]] = ()
        """The number of the entrant of each score, then of its opponents, then of its partners."""
        self._partners = 0
        self._wins, self._chances = array("d"), array("q")
        for score in scores:
            self.add(score)

    def add(self, score: BoardScore) -> None:
        """Add a score. All have as many opponents and partners as the first, and come before the
        first estimate."""
        names = (score.name, *score.opponents, *score.partners)
        if not self._seated:
            self._partners = len(score.partners)
            self._seated = [array("H") for _ in names]
            self.points = [array("d") for _ in score.points]
        numbers = self._numbers
        for seated, name in zip(self._seated, names, strict=True):
            seated.append(numbers.setdefault(name, len(numbers)))
        for of_seat, points in zip(self.points, score.points, strict=True):
            of_seat.append(points)
        self._wins.append(score.wins)
        self._chances.append(score.chances)
        self.boards[score.name] += 1

    def __len__(self) -> int:
        return len(self._wins)

    @cached_property
    def names(self) -> list[str]:
        """The entrants, sorted."""
        return sorted(self._numbers)

    @cached_property
    def mean_points(self) -> "array[float]":
        """The points per game of each score."""
        seats = len(self.points)
        rows = zip(*self.points, strict=True)
        return array("d", (math.fsum(points) / seats for points in rows))

    @cached_property
    def points_per_game(self) -> "dict[str, Estimate | None]":
        """The estimates of the points per game."""
        return self.estimates(self.mean_points)

    def wins(self) -> Iterator[tuple[str, float, int]]:
        """Yield of each score its entrant, its wins and its chances."""
        names = list(self._numbers)
        own = (names[number] for number in self._seated[0])
        yield from zip(own, self._wins, self._chances, strict=True)

    @cached_property
    def _columns(self) -> "Sequence[array[int]]":
        """The effects whose sum each score is: of its entrant, its opponents and its partners."""
        n, opponents = len(self.names), len(self._seated) - 1 - self._partners
        firsts = [0] + [n] * opponents + [2 * n] * self._partners
        place = {name: index for index, name in enumerate(self.names)}
        found = []
        for seated, first in zip(self._seated, firsts, strict=True):
            effects = [first + place[name] for name in self._numbers]
            found.append(array("H", map(effects.__getitem__, seated)))
        return found

    def _effects_of_scores(self) -> Iterator[tuple[int, ...]]:
        return zip(*self._columns, strict=True)

    @cached_property
    def _width(self) -> int:
        return (3 if self._partners else 2) * len(self.names)

    @cached_property
    def _equations(self) -> LeastSquares:
        return LeastSquares(effects_matrix(self._effects_of_scores(), self._width))

    @cached_property
    def _own(self) -> "Mapping[str, array[int]]":
        """By entrant, the places of its scores."""
        found = [array("L") for _ in self.names]
        for index, one in enumerate(self._columns[0]):
            found[one].append(index)
        return dict(zip(self.names, found, strict=True))

    @cached_property
    def _meetings(self) -> Mapping[str, Counter[int]]:
        """By entrant, how often it met each other one, as the effects of these."""
        found = [Counter[int]() for _ in self.names]
        for one, *others in self._effects_of_scores():
            found[one].update(others)
        return dict(zip(self.names, found, strict=True))

    def estimates(self, values: Sequence[float]) -> dict[str, Estimate | None]:
        """Return the mean of `values`, one for each of the scores, by entrant.

        Entrants with too few boards have None.
        """
        right = [0.0] * self._width
        for columns, value in zip(self._effects_of_scores(), values, strict=True):
            for column in columns:
                right[column] += value
        effects = self._equations.solve(right)
        effect_of = effects.__getitem__
        scores = zip(self._effects_of_scores(), values, strict=True)
        residuals = array(
            "d", (value - math.fsum(map(effect_of, columns)) for columns, value in scores)
        )
        uneven = self._unevenness(effects)
        free = len(values) - self._equations.rank
        found: dict[str, Estimate | None] = {}
        for name, own in self._own.items():
            degrees = len(own) * free / len(values)
            if degrees >= MIN_DEGREES:
                mean = math.fsum(map(values.__getitem__, own)) / len(own)
                squares = math.fsum(residuals[index] ** 2 for index in own)
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
        classes = [
            [first + index for index in camp]
            for first in range(n, self._width, n)
            for camp in camps
        ]
        variances = [_variance([effects[column] for column in one]) for one in classes]
        found = {}
        for index, name in enumerate(self.names):
            terms = []
            meetings = self._meetings[name]
            for columns, variance in zip(classes, variances, strict=True):
                met = [meetings[column] for column in columns if column % n != index]
                mean = math.fsum(met) / max(1, len(met))
                terms.append(variance * math.fsum([(one - mean) ** 2 for one in met]))
            found[name] = math.fsum(terms) / self.boards[name] ** 2
        return found


def duplicate_gain(sample: BoardSample) -> float | None:
    """Return the number of games on separate deals that tell as much as one game on a board.

    It is the variance of a single game, without the advantage of its seat, over the number of
    games of a board and the variance of the board's mean. None if there are too few boards.
    """
    if not sample:
        return None
    known = {name: one for name, one in sample.points_per_game.items() if one is not None}
    degrees = math.fsum([one.degrees for one in known.values()])
    squares = math.fsum([one.error**2 * sample.boards[name] ** 2 for name, one in known.items()])
    if not squares or degrees < MIN_DEGREES_OF_GAIN:
        return None
    between = squares / sum([sample.boards[name] for name in known])
    return (between + _variance_within(sample)) / (len(sample.points) * between)


def _variance_within(sample: BoardSample) -> float:
    """Return the variance of the points of a game round its board's mean and its seat's."""
    means = sample.mean_points
    advantage = [math.fsum(map(sub, points, means)) / len(means) for points in sample.points]
    return math.fsum(
        (one - mean - more) ** 2
        for points, more in zip(sample.points, advantage, strict=True)
        for one, mean in zip(points, means, strict=True)
    ) / (len(means) * len(sample.points))


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
