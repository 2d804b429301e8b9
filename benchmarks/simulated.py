"""Simulated fields of known strength, to see whether what the ratings say is true.

A bot adds its strength, its dice of each game (standard deviation 0.8) and the luck of its hand in
each deal (0.6, which moves round the table with the rotations). The sum orders the sides of a game.
In a field that is not transitive a bot also gains or loses against each other one at the table. A
bot may have a fault in a game, or on a whole deal; then its side is last.
"""

import math
import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, combinations
from statistics import NormalDist, fmean
from typing import NamedTuple

from arena.rating.complete_boards import BoardShares
from arena.schedule.pairing import balanced_pairings

DICE, LUCK = 0.8, 0.6
"""Standard deviations."""
NORMAL = NormalDist()
CYCLE = 0.6
"""The gain of a bot of a cycle against those that it beats, which they lose."""

Sides = tuple[tuple[int, ...], ...]
"""The numbers of the bots of each side of a table."""


class SimulatedField(NamedTuple):
    """Bots with known strengths."""

    name: str
    strengths: tuple[float, ...]
    seats: int = 3
    team_size: int = 1
    cycle: int = 0
    """The number of bots, from the first one on, that form a cycle: each beats the next half."""
    faults: tuple[float, ...] = ()
    """By bot: the probability of a fault in a game. Empty if there are none."""
    crashes: tuple[float, ...] = ()
    """By bot: the probability of a fault in all games of a board. Empty if there are none."""

    @property
    def bots(self) -> int:
        """The number of bots."""
        return len(self.strengths)

    @property
    def names(self) -> list[str]:
        """The names of the bots, in the order of their numbers."""
        return [f"bot-{number:02}" for number in range(self.bots)]

    def values(self, table: Sequence[int]) -> list[float]:
        """Return what the bots at a table add to their dice and luck."""
        if not self.cycle:
            return [self.strengths[bot] for bot in table]
        return [
            self.strengths[bot] + CYCLE * sum([self.gains(bot, other) for other in table])
            for bot in table
        ]

    def gains(self, one: int, other: int) -> int:
        """Return 1 if one beats the other in the cycle, -1 if it is beaten, else 0."""
        size = self.cycle
        if one == other or one >= size or other >= size:
            return 0
        ahead = (other - one) % size
        return (2 * ahead < size) - (2 * ahead > size)

    def lost(self, one: int) -> float:
        """Return the probability that a game is lost by a fault of a bot."""
        fault = self.faults[one] if self.faults else 0.0
        crash = self.crashes[one] if self.crashes else 0.0
        return 1 - (1 - fault) * (1 - crash)


# -- the truth ---------------------------------------------------------------------------------


def true_scores(field: SimulatedField) -> list[float]:
    """Return the true score of each bot: the mean of its shares over all tables."""
    if field.team_size == 1 and not field.cycle:  # then the others at a table do not matter
        field = field._replace(seats=2)
    return [
        fmean([true_share(field, sides) for sides in tables_of(field, bot)])
        for bot in range(field.bots)
    ]


def tables_of(field: SimulatedField, one: int) -> Iterator[Sides]:
    """Yield all tables of a bot, its own side first. Teams are two."""
    size = field.team_size
    rest = [other for other in range(field.bots) if other != one]
    for partners in combinations(rest, size - 1):
        others = [other for other in rest if other not in partners]
        for opponents in combinations(others, field.seats - size):
            yield (
                (one, *partners),
                *[opponents[start : start + size] for start in range(0, len(opponents), size)],
            )


def true_share(field: SimulatedField, sides: Sides) -> float:
    """Return the mean share of the first side of a table."""
    table = list(chain(*sides))
    values = dict(zip(table, field.values(table), strict=True))
    totals = [sum([values[bot] for bot in side]) for side in sides]
    lost = [1 - math.prod([1 - field.lost(bot) for bot in side]) for side in sides]
    spread = math.hypot(DICE, LUCK) * math.sqrt(2 * field.team_size)
    own = lost[0]
    return fmean(
        [
            (1 - own) * theirs
            + own * theirs / 2
            + (1 - own) * (1 - theirs) * NORMAL.cdf((totals[0] - total) / spread)
            for total, theirs in zip(totals[1:], lost[1:], strict=True)
        ]
    )


# -- boards ------------------------------------------------------------------------------------


def draw_bids(field: SimulatedField, sides: Sides, rng: random.Random) -> list[list[float]]:
    """Return by rotation what each bot of `sides` has in a game; a bot with a fault has -inf."""
    table = list(chain(*sides))
    seats = field.seats
    values = field.values(table)
    luck = [rng.gauss(0, LUCK) for _ in table]
    games = [
        [
            value + rng.gauss(0, DICE) + luck[(place + rotation) % seats]
            for place, value in enumerate(values)
        ]
        for rotation in range(seats)
    ]
    if field.faults or field.crashes:
        for place, one in enumerate(table):
            crashed = bool(field.crashes) and rng.random() < field.crashes[one]
            for bids in games:
                if crashed or (field.faults and rng.random() < field.faults[one]):
                    bids[place] = -math.inf
    return games


def before_of(games: Sequence[Sequence[float]], team_size: int) -> tuple[tuple[int, ...], ...]:
    """Return `BoardShares.before` of a board from what each bot has in its games, side by side."""
    seats = len(games)
    sides = range(seats // team_size)
    before = [[0] * len(sides) for _ in sides]
    for bids in games:
        totals = (
            bids
            if team_size == 1
            else [sum(bids[start : start + team_size]) for start in range(0, seats, team_size)]
        )
        for one, total in enumerate(totals):
            for other in range(one):
                if total > totals[other]:
                    before[one][other] += 2
                elif total < totals[other]:
                    before[other][one] += 2
                else:
                    before[one][other] += 1
                    before[other][one] += 1
    return tuple(map(tuple, before))


class Tournament:
    """Boards of a field in schedule order, with bots drawn for the names of the schedule."""

    def __init__(self, field: SimulatedField, rng: random.Random) -> None:
        """Begin a tournament whose chance is that of `rng`."""
        self.field = field
        self.rng = rng
        self.played = 0
        """The number of boards so far."""
        self._schedule = _schedule_of(field.bots, field.seats, field.team_size)
        self._drawn = rng.sample(range(field.bots), field.bots)
        self._names = field.names

    def boards(self, number: int) -> Iterator[BoardShares]:
        """Yield the next boards of the balanced schedule."""
        drawn = self._drawn
        for _ in range(number):
            sides = self._schedule[self.played]
            yield self.board(tuple([tuple([drawn[place] for place in side]) for side in sides]))

    def board(self, sides: Sides) -> BoardShares:
        """Play a board of these sides."""
        names = self._names
        self.played += 1
        return BoardShares(
            "simulated",
            self.played,
            tuple([tuple([names[bot] for bot in side]) for side in sides]),
            before_of(draw_bids(self.field, sides, self.rng), self.field.team_size),
            2 * self.field.seats,
        )


class _Schedule:
    """The tables of the balanced schedule, made when they are needed and then kept."""

    def __init__(self, bots: int, seats: int, team_size: int) -> None:
        sides = [range(start, seats, seats // team_size) for start in range(seats // team_size)]
        self._sides = sides
        parts = [([str(number) for number in range(bots)], seats)]
        self._pairings = balanced_pairings(sides, parts, bots // seats, random.Random(1))
        self._tables: list[Sides] = []

    def __getitem__(self, place: int) -> Sides:
        while len(self._tables) <= place:
            for group in next(self._pairings):
                self._tables.append(self.seated(list(map(int, group))))
        return self._tables[place]

    def seated(self, numbers: Sequence[int]) -> Sides:
        """Return the sides of a table, given its bots by place."""
        return tuple([tuple([numbers[seat] for seat in side]) for side in self._sides])


@lru_cache
def _schedule_of(bots: int, seats: int, team_size: int) -> _Schedule:
    return _Schedule(bots, seats, team_size)


# -- fields ------------------------------------------------------------------------------------


def with_gap(field: SimulatedField, gap: float) -> SimulatedField:
    """Return a field whose true scores from the best to the worst are `gap` apart a place.

    Its strengths are multiplied by the factor that is found by halving.
    """
    low, high = 0.0, 20.0
    for _ in range(50):
        factor = (low + high) / 2
        scaled = field._replace(
            strengths=tuple([factor * strength for strength in field.strengths])
        )
        scores = true_scores(scaled)
        if max(scores) - min(scores) < gap * (field.bots - 1):
            low = factor
        else:
            high = factor
    return scaled


def simulated_fields(bots: int, seats: int, team_size: int = 1) -> dict[str, SimulatedField]:
    """Return the fields of a size by name."""
    equal = SimulatedField("equal", (0.0,) * bots, seats, team_size)
    evenly = tuple([number / (bots - 1) for number in range(bots)])
    gaps = with_gap(equal._replace(name="gaps", strengths=evenly), min(0.06, 0.6 / bots))
    uneven = [0.0]
    for number in range(bots - 1):
        uneven.append(uneven[-1] + 0.3 * number / max(1, bots - 2))
    pairs = tuple([0.25 * (number // 2) for number in range(bots)])
    halves = tuple([float(2 * number >= bots) for number in range(bots)])
    fields = [
        equal,
        gaps,
        equal._replace(name="uneven", strengths=tuple(uneven)),
        equal._replace(name="cyclic", cycle=bots),
        equal._replace(name="pairs", strengths=pairs),
        with_gap(equal._replace(name="clusters", strengths=halves), 0.0501 / (bots - 1)),
        gaps._replace(name="faults", faults=(0.05,) * bots),
        gaps._replace(name="faulty", faults=tuple([0.05 * (k % 3 == 0) for k in range(bots)])),
        gaps._replace(name="deal-crash", crashes=(0.03,) * bots),
    ]
    if bots > 3:
        cycled = gaps.strengths[:-3] + (gaps.strengths[-2],) * 3
        last_first = cycled[::-1]
        fields.append(gaps._replace(name="top3cyc", strengths=last_first, cycle=3))
    if bots == 2:
        fields.append(rare_crash(seats))
    return {field.name: field for field in fields}


def rare_crash(seats: int) -> SimulatedField:
    """Return two equal bots, of which one is 4% better but for the 7.7% of boards that it loses."""
    crash = 0.077
    share = 0.5 / (1 - crash)  # where it does not crash
    better = math.hypot(DICE, LUCK) * math.sqrt(2) * NORMAL.inv_cdf(share)
    return SimulatedField("rare-crash", (better, 0.0), seats, crashes=(crash, 0.0))
