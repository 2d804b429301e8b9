"""Points and wins over boards, with their standard errors, and the gain of duplicate play.

The board is the unit, since its games share one deal. Boards have independent deals, so the boards
of an entrant are independent except for the opponents. Strong and weak opponents make boards
differ, but hardly change the mean, because the schedule spreads opponents evenly. Their part is
removed before the error is computed: a value is fitted by least squares as the sum of the effects
of the entrant, its opponents and its partners, and the residuals give the error. The variance from
opponents that the schedule could not spread evenly is added again.

A shared win counts in parts. A game that counts as several wins by its own rules (`win_weight`)
has that weight in the wins and in the chances to win.
"""

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, repeat
from operator import sub

import msgspec

from arena.base.record import AnyResult
from arena.rating.estimates import (
    MIN_DEGREES,
    Estimate,
    LeastSquares,
    combine,
    effects_matrix,
    share_interval,
)
from engine import Variant

MIN_DEGREES_OF_GAIN = 30.0
"""Degrees of freedom of all entrants below which the gain of duplicate play is not estimated. At
this number its relative error is about a quarter."""


class BoardScores(msgspec.Struct, frozen=True, gc=False):
    """The points and wins of the entrants of a board, who sat once in every seat."""

    sides: tuple[tuple[str, ...], ...]
    points: tuple[float, ...]
    """By entrant, in the order of the sides, then by seat: n numbers for each, with n seats."""
    wins: tuple[float, ...] = ()
    """By entrant, its shares of the wins, by win weight."""
    chances: int = 0
    """The games of the board, by win weight."""
    won: tuple[tuple[int, float], ...] = ()
    """Game by game: the number of an entrant that has won, and its share, by win weight."""

    @property
    def names(self) -> tuple[str, ...]:
        """The entrants, in the order of the sides."""
        return tuple(chain.from_iterable(self.sides))


class BoardSample:
    """The scores of all entrants on all boards of a variant.

    With n seats, a score takes 10 + 8 n bytes, and 8 / n for its board. A board has as many
    scores as games.
    """

    def __init__(
        self, boards: Iterable[BoardScores] = (), challengers: Collection[str] = ()
    ) -> None:
        """Take `boards`, and the entrants that the schedule seats apart from the others."""
        self._challengers = frozenset(challengers)
        self._sides: tuple[tuple[str, ...], ...] = ()
        """Those of the first board."""
        self._numbers: dict[str, int] = {}
        """By entrant, from 0, in the order in which they came."""
        self._entrants = array("H")
        """The number of the entrant of each score."""
        self._points, self._wins = array("d"), array("d")
        """Of each score: the points by seat; the wins."""
        self._chances = array("q")
        """Of each board."""
        for board in boards:
            self.add(board)

    def add(self, board: BoardScores) -> None:
        """Add a board. All have sides of the same sizes, and come before the first estimate."""
        self._sides = self._sides or board.sides
        names, numbers = board.names, self._numbers
        self._entrants.extend([numbers.setdefault(name, len(numbers)) for name in names])
        self._points.extend(board.points)
        self._wins.extend(board.wins or [0.0] * len(names))
        self._chances.append(board.chances)

    def __len__(self) -> int:
        return len(self._wins)

    @cached_property
    def names(self) -> list[str]:
        """The entrants, sorted."""
        return sorted(self._numbers)

    @cached_property
    def boards(self) -> Counter[str]:
        """By entrant, the number of its boards."""
        return Counter(self._own_names())

    def _own_names(self) -> Iterator[str]:
        """Yield the entrant of each score."""
        return map(list(self._numbers).__getitem__, self._entrants)

    @property
    def seats(self) -> int:
        """The number of seats; 0 without boards."""
        return sum(map(len, self._sides))

    @cached_property
    def points(self) -> "Sequence[array[float]]":
        """By seat, the points of each score."""
        return [self._points[seat :: self.seats] for seat in range(self.seats)]

    @cached_property
    def mean_points(self) -> "array[float]":
        """The points per game of each score."""
        seats = self.seats
        rows = zip(*[iter(self._points)] * seats, strict=True)
        return array("d", (math.fsum(points) / seats for points in rows))

    @cached_property
    def points_per_game(self) -> "dict[str, Estimate | None]":
        """The estimates of the points per game."""
        return self.estimates(self.mean_points)

    def wins(self) -> Iterable[tuple[str, float, int]]:
        """Yield of each score its entrant, its wins and its chances."""
        return zip(self._own_names(), self._wins, self._chances_of_scores(), strict=True)

    def _chances_of_scores(self) -> Iterator[int]:
        return chain.from_iterable(map(repeat, self._chances, repeat(self.seats)))

    def count(self, *tables: Mapping[str, "EntrantCounts"]) -> None:
        """Count the games, points and chances of all boards in each of `tables`, by entrant."""
        boards, points, chances = [[0] * len(self._numbers) for _ in range(3)]
        of_scores = map(sum, zip(*[iter(self._points)] * max(1, self.seats), strict=True))
        for own, score, more in zip(
            self._entrants, of_scores, self._chances_of_scores(), strict=True
        ):
            boards[own] += self.seats
            points[own] += score
            chances[own] += more
        for name, *totals in zip(self._numbers, boards, map(int, points), chances, strict=True):
            for table in tables:
                table[name].add_totals(*totals)

    @cached_property
    def _columns(self) -> "Sequence[array[int]]":
        """The effects whose sum each score is: of its entrant, its opponents and its partners."""
        if not self:
            return [array("H")]
        n, seats = len(self.names), self.seats
        place = {name: index for index, name in enumerate(self.names)}
        own = array("H", [place[name] for name in self._own_names()])
        lineups, partners = _lineups(self._sides), len(self._sides[0]) - 1
        firsts = [0] + [n] * (seats - 1 - partners) + [2 * n] * partners
        found = []
        for column, first in enumerate(firsts):
            effects = array("H", bytes(2 * len(own)))
            for entrant, lineup in enumerate(lineups):
                met = own[lineup[column] :: seats]
                effects[entrant::seats] = array("H", [first + meeting for meeting in met])
            found.append(effects)
        return found

    @cached_property
    def _width(self) -> int:
        return (3 if any(len(side) > 1 for side in self._sides) else 2) * len(self.names)

    @cached_property
    def _matrix(self) -> list[list[int]]:
        return effects_matrix(self._columns, self._width)

    @cached_property
    def _equations(self) -> LeastSquares:
        return LeastSquares(self._matrix)

    @cached_property
    def _own(self) -> "Mapping[str, array[int]]":
        """By entrant, the places of its scores."""
        found = [array("L") for _ in self.names]
        for index, score in enumerate(self._columns[0]):
            found[score].append(index)
        return dict(zip(self.names, found, strict=True))

    def estimates(self, values: Sequence[float]) -> dict[str, Estimate | None]:
        """Return the mean of `values`, one for each of the scores, by entrant.

        Entrants with too few boards have None.
        """
        right = [0.0] * self._width
        for value, *columns in zip(values, *self._columns, strict=True):
            for column in columns:
                right[column] += value
        effects = self._equations.solve(right)
        parts = [map(effects.__getitem__, column) for column in self._columns]
        fitted = map(math.fsum, zip(*parts, strict=True))
        squares_of = array("d", [residual**2 for residual in map(sub, values, fitted)])
        uneven = self._unevenness(effects)
        free = len(values) - self._equations.rank
        found: dict[str, Estimate | None] = {}
        for name, own in self._own.items():
            degrees = len(own) * free / len(values)
            if degrees >= MIN_DEGREES:
                mean = math.fsum(map(values.__getitem__, own)) / len(own)
                squares = math.fsum(map(squares_of.__getitem__, own))
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
        variances = [_variance([effects[column] for column in class_]) for class_ in classes]
        found = {}
        for index, name in enumerate(self.names):
            terms = []
            meetings = self._matrix[index]  # how often it met each other one
            for columns, variance in zip(classes, variances, strict=True):
                met = [meetings[column] for column in columns if column % n != index]
                mean = math.fsum(met) / max(1, len(met))
                terms.append(variance * math.fsum([(meeting - mean) ** 2 for meeting in met]))
            found[name] = math.fsum(terms) / self.boards[name] ** 2
        return found


def _lineups(sides: Sequence[Sequence[str]]) -> list[list[int]]:
    """Return for each entrant of a board its place, then those of its opponents and partners."""
    places = iter(range(sum(map(len, sides))))
    numbered = [[next(places) for _ in side] for side in sides]
    return [
        [
            own,
            *[place for other in numbered if other is not side for place in other],
            *[place for place in side if place != own],
        ]
        for side in numbered
        for own in side
    ]


def duplicate_gain(sample: BoardSample) -> float | None:
    """Return the number of games on separate deals that tell as much as one game on a board.

    It is the variance of a single game, without the advantage of its seat, over the number of
    games of a board and the variance of the board's mean. None if there are too few boards.
    """
    if not sample:
        return None
    known = {
        name: estimate for name, estimate in sample.points_per_game.items() if estimate is not None
    }
    degrees = math.fsum([bot_mean.degrees for bot_mean in known.values()])
    squares = math.fsum(
        [bot_mean.error**2 * sample.boards[name] ** 2 for name, bot_mean in known.items()]
    )
    if not squares or degrees < MIN_DEGREES_OF_GAIN:
        return None
    between = squares / sum([sample.boards[name] for name in known])
    return (between + _variance_within(sample)) / (sample.seats * between)


def _variance_within(sample: BoardSample) -> float:
    """Return the variance of the points of a game round its board's mean and its seat's."""
    means = sample.mean_points
    apart = [array("d", map(sub, points, means)) for points in sample.points]
    advantage = [math.fsum(own) / len(means) for own in apart]
    squares = [
        (value - more) ** 2 for own, more in zip(apart, advantage, strict=True) for value in own
    ]
    return math.fsum(squares) / (len(means) * sample.seats)


def _plain_estimate(values: Sequence[float]) -> Estimate | None:
    """Return the mean of `values` whose opponents' part cannot be removed, or None if too few."""
    boards = len(values)
    if boards <= MIN_DEGREES:
        return None
    return Estimate(math.fsum(values) / boards, math.sqrt(_variance(values) / boards), boards - 1)


def _variance(values: Sequence[float]) -> float:
    if len(values) < 2:
        return 0.0
    mean = math.fsum(values) / len(values)
    return math.fsum([(value - mean) ** 2 for value in values]) / (len(values) - 1)


# -- games, points, wins and faults of each entrant ------------------------------------------------


class Counts:
    """Games, points and wins: of an entrant, or of a seat."""

    def __init__(self) -> None:
        self.games = 0
        self.points = 0
        self.wins = 0.0
        self.chances = 0
        """Games, each counted with its win weight."""

    def add(self, record: AnyResult, seat: int, win_shares: Mapping[int, float]) -> None:
        """Count a game, played at `seat`."""
        self.games += 1
        self.points += record.points[seat]
        if seat in win_shares:
            self.wins += record.win_weight * win_shares[seat]
        self.chances += record.win_weight

    def add_totals(self, games: int, points: int, chances: int, wins: float = 0.0) -> None:
        """Add what was counted elsewhere."""
        self.games += games
        self.points += points
        self.chances += chances
        self.wins += wins

    @property
    def points_per_game(self) -> float:
        """The mean points of a game; 0 without games."""
        return self.points / max(1, self.games)

    @property
    def win_share(self) -> float:
        """Wins per chance; 0 without games."""
        return self.wins / max(1, self.chances)


class EntrantCounts(Counts):
    """The counts of an entrant in one table of the leaderboard."""

    def __init__(self) -> None:
        super().__init__()
        self.faults = 0
        """Games in which the bot itself had a fault."""
        self.is_withdrawn = False


NO_SEATS = frozenset[int]()


def win_shares(record: AnyResult, variant: Variant) -> Mapping[int, float]:
    """Return the share of each winning seat in the win. A side with a fault has not won."""
    return shares_of_win(record.ranks, faulty_seats(record), variant.sides)


def faulty_seats(record: AnyResult) -> frozenset[int]:
    """Return the seats that had a fault in a game."""
    return frozenset([fault.seat for fault in record.faults]) if record.faults else NO_SEATS


@lru_cache(maxsize=1 << 16)
def shares_of_win(
    ranks: Sequence[int], faulty: frozenset[int], sides: Sequence[Sequence[int]]
) -> Mapping[int, float]:
    """Return `win_shares` of a game with these `ranks`, by seat, and `faulty` seats."""
    winners = [side for side in sides if ranks[side[0]] == 1 and faulty.isdisjoint(side)]
    return {seat: 1 / len(winners) for side in winners for seat in side}


def count_wins(scores: BoardScores, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count the wins of a board in each of `tables`, which hold the counts by entrant.

    They are added game by game, so that thirds are rounded as such.
    """
    names = scores.names
    for number, share in scores.won:
        name = names[number]
        for table in tables:
            table[name].wins += share


def count_faults(record: AnyResult, *tables: Mapping[str, EntrantCounts]) -> None:
    """Count the faults of a game in each of `tables`, and note who was withdrawn."""
    for fault in record.faults:
        for table in tables:
            counts = table[record.entrants[fault.seat]]
            if fault.kind == "withdrawn":
                counts.is_withdrawn = True
            else:
                counts.faults += 1


# -- means over variants ---------------------------------------------------------------------------


Interval = tuple[float, float] | tuple[None, None]
"""Its bounds; None after too few boards."""


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
    parts = [part for part in means if name in part.boards]
    whole = combine([(part.counts[name].games, part.points[name]) for part in parts])
    return whole.interval() if whole else (None, None)


def wins_interval(name: str, means: Sequence[VariantMeans]) -> Interval:
    """Return the 95 % interval of the win share of `name` over several variants."""
    parts = [part for part in means if name in part.boards]
    whole = combine([(part.counts[name].chances, part.wins[name]) for part in parts])
    boards = sum([part.boards[name] for part in parts])
    return share_interval(whole, boards) or (None, None)
