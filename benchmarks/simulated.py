"""Simulate tournaments of bots with known strengths, to check what ratings claim.

The performance of a bot in a game is the sum of its strength, a random value per game (standard
deviation 0.8), and the luck of its hand in the deal (0.6), which moves around the table with the
rotations. The performances of the bots rank the sides. In a cyclic field, a bot also gains or
loses against each other bot at the table. If a bot has a fault in a game or on a whole board,
its side ranks last.
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
"""Standard deviations of a bot's random value per game and of the luck of a hand."""
NORMAL = NormalDist()
CYCLE = 0.6
"""Performance that a bot in a cycle gains against each bot that it beats."""

Sides = tuple[tuple[int, ...], ...]
"""Numbers of the bots on each side of a table."""


class SimulatedField(NamedTuple):
    name: str
    strengths: tuple[float, ...]
    seats: int = 3
    team_size: int = 1
    cycle: int = 0
    """Number of bots, from the first, that form a cycle. Each bot beats the next half of the cycle.
    """
    faults: tuple[float, ...] = ()
    """Probability of a fault in a game, by bot; empty if no bot has faults in single games."""
    crashes: tuple[float, ...] = ()
    """Probability of a fault in all games of a board, by bot; empty if no bot fails on whole
    boards."""

    @property
    def bots(self) -> int:
        return len(self.strengths)

    @property
    def names(self) -> list[str]:
        return [f"bot-{number:02}" for number in range(self.bots)]

    def values(self, table: Sequence[int]) -> list[float]:
        """Return each bot's performance at a table without chance."""
        if not self.cycle:
            return [self.strengths[bot] for bot in table]
        return [
            self.strengths[bot] + CYCLE * sum([self.gains(bot, other) for other in table])
            for bot in table
        ]

    def gains(self, one: int, other: int) -> int:
        """Return 1 if `one` beats `other` in the cycle, -1 if `one` loses, or 0."""
        size = self.cycle
        if one == other or one >= size or other >= size:
            return 0
        ahead = (other - one) % size
        return (2 * ahead < size) - (2 * ahead > size)

    def lost(self, one: int) -> float:
        """Return the probability that a bot loses a game by a fault."""
        fault = self.faults[one] if self.faults else 0.0
        crash = self.crashes[one] if self.crashes else 0.0
        return 1 - (1 - fault) * (1 - crash)


# -- the truth ---------------------------------------------------------------------------------


def true_scores(field: SimulatedField) -> list[float]:
    """Return each bot's true score: the bot's mean share over all tables."""
    if field.team_size == 1 and not field.cycle:  # then the others at a table do not matter
        field = field._replace(seats=2)
    return [
        fmean([true_share(field, sides) for sides in tables_of(field, bot)])
        for bot in range(field.bots)
    ]


def tables_of(field: SimulatedField, one: int) -> Iterator[Sides]:
    """Yield all tables of a bot, with the bot's own side first. Teams have two members."""
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
    """Return the expected share of a table's first side."""
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
    """Return each bot's performance in each rotation, or -inf for a bot with a fault."""
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
    """Return `BoardShares.before`, given the performances in each game, ordered by side."""
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
    """Boards of a simulated tournament in schedule order."""

    def __init__(self, field: SimulatedField, rng: random.Random) -> None:
        self.field = field
        self.rng = rng
        self.played = 0
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
        return tuple([tuple([numbers[seat] for seat in side]) for side in self._sides])


@lru_cache
def _schedule_of(bots: int, seats: int, team_size: int) -> _Schedule:
    return _Schedule(bots, seats, team_size)


# -- fields ------------------------------------------------------------------------------------


def with_gap(field: SimulatedField, gap: float) -> SimulatedField:
    """Scale strengths so that the best and worst true scores are `gap` apart per place."""
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
    """Return simulated fields with the given number of bots, by name."""
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
    """Return two equal bots, one of which is 4% better but loses 7.7% of its boards completely."""
    crash = 0.077
    share = 0.5 / (1 - crash)  # where it does not crash
    better = math.hypot(DICE, LUCK) * math.sqrt(2) * NORMAL.inv_cdf(share)
    return SimulatedField("rare-crash", (better, 0.0), seats, crashes=(crash, 0.0))
