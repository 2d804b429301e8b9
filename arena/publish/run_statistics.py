"""Collect statistics that aren't in the leaderboard, game by game."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, TypeVar

import msgspec

from arena.base.record import GameRecord, Observations, Timing
from arena.check.fault_groups import FaultGroups, faults_of
from arena.check.fault_report import CardStyle, fault_card
from arena.publish.notable_games import (
    OF_A_RUN,
    BotBoard,
    Extremes,
    Notable,
    Scale,
    WorstBoards,
    games_of_bots,
    margins_of_bots,
    notable_games,
    point_scales,
    worst_boards,
)
from arena.rating.points import Counts, win_shares
from engine import Variant

# -- times of answers ------------------------------------------------------------------------------


BINS_PER_DECADE = 40
"""Number of bins for response times between 1 ms and 10 ms, 10 ms and 100 ms, and so on. Each bin
is 6% wide.
"""


class AnswerTimes(msgspec.Struct, frozen=True):
    mean_ms: float
    worst_ms: float


class Timings:
    def __init__(self) -> None:
        self.answers = 0
        self.total_us = 0
        self.worst_us = 0
        self._games: Counter[int] = Counter()  # games by bin of their mean

    def add(self, timing: Timing) -> None:
        if not timing.answers:
            return
        self.answers += timing.answers
        self.total_us += timing.total_us
        self.worst_us = max(self.worst_us, timing.worst_us)
        mean = max(1.0, timing.total_us / timing.answers)
        self._games[round(math.log10(mean) * BINS_PER_DECADE)] += 1

    @property
    def mean_ms(self) -> float:
        return self.total_us / max(1, self.answers) / 1000

    @property
    def worst_ms(self) -> float:
        return self.worst_us / 1000

    @property
    def in_short(self) -> AnswerTimes | None:
        return AnswerTimes(self.mean_ms, self.worst_ms) if self.answers else None

    @property
    def figures_ms(self) -> tuple[float, float, float]:
        """Mean, median and longest response time, in ms. The median is that of the games' means."""
        return self.mean_ms, self.quantile_ms(0.5), self.worst_ms

    def quantile_ms(self, share: float) -> float:
        return 10 ** (quantile(self._games, share) / BINS_PER_DECADE) / 1000


def quantile(counts: Mapping[int, int], share: float) -> float:
    """Return a quantile of a distribution, given as a count for each value.

    Raises `ValueError` if `counts` is empty.
    """
    wanted = share * sum(counts.values())
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen >= wanted:
            return value
    raise ValueError("no counts")


# -- statistics ------------------------------------------------------------------------------------


MAX_FAULT_REPORTS = 30
"""Maximum number of fault reports shown per bot. All faults are counted and listed."""


class BotFault(NamedTuple):
    key: str
    title: str
    variant: str
    seat: int
    move: int
    kind: str
    text: str
    report: str | None


KindT = TypeVar("KindT")


def _by_bot_and_variant(kind: Callable[[], KindT]) -> dict[str, dict[str, KindT]]:
    return defaultdict(lambda: defaultdict(kind))


class RunStatistics:
    def __init__(self) -> None:
        self.seats: dict[str, dict[str, list[Counts]]] = defaultdict(dict)
        self.places: dict[str, Counter[int]] = defaultdict(Counter)
        self.points: dict[tuple[str, str], Counter[int]] = defaultdict(Counter)
        """Number of games in which a bot got a certain number of points, by variant."""
        self.timings: dict[str, dict[str, Timings]] = _by_bot_and_variant(Timings)
        self.faults: dict[str, list[BotFault]] = defaultdict(list)
        self.causes = FaultGroups()
        self.withdrawn: dict[str, str] = {}
        self.extremes: dict[str, dict[str, Extremes]] = _by_bot_and_variant(Extremes)
        """Extreme games for each bot and variant. Games with a fault are excluded."""
        self.worst_boards: dict[str, dict[str, WorstBoards]] = _by_bot_and_variant(WorstBoards)
        """Worst boards for each bot and variant. Boards with a fault are excluded."""
        self.games: Counter[str] = Counter()
        """Number of games by variant, including games of incomplete boards."""
        self.rules: dict[str, int] = {}
        self.faulty: list[str] = []
        """Keys of games with a fault that isn't a withdrawal, in schedule order."""
        self.strengths: Mapping[str, float] = {}

    def times_of(self, bot: str) -> dict[str, AnswerTimes]:
        own = self.timings[bot].items()
        return {variant: times for variant, each in own if (times := each.in_short)}

    @cached_property
    def scales(self) -> dict[str, Scale]:
        return point_scales(self.points)

    def notable_games_of(self, bot: str) -> list[Notable]:
        return notable_games(self.extremes[bot].values(), self.scales)

    def notable_games_of_run(self) -> list[Notable]:
        every = [games for own in self.extremes.values() for games in own.values()]
        return notable_games(every, self.scales, OF_A_RUN)

    def worst_boards_of(self, bot: str) -> list[BotBoard]:
        return worst_boards(self.worst_boards[bot].values(), self.scales)

    def seats_in(self, variant: str) -> list[Counts]:
        own = [by_variant[variant] for by_variant in self.seats.values() if variant in by_variant]
        found = [Counts() for _ in own[0]] if own else []
        for by_seat in own:
            for whole, part in zip(found, by_seat, strict=True):
                whole.add_all(part)
        return found


def collect_statistics(
    played: Iterable[tuple[GameRecord, Observations]],
    variants: Mapping[str, Variant],
    also: Callable[[Sequence[GameRecord], Variant], object] | None = None,
    strengths: Mapping[str, float] = {},
) -> RunStatistics:
    """Return the statistics of a run's games. Points, wins and times count on complete boards only.

    The games must be in schedule order. `also` is called with each complete board.
    """
    statistics = RunStatistics()
    statistics.strengths = strengths
    for (variant_id, _), group in groupby(
        played, key=lambda game: (game[0].variant, game[0].board)
    ):
        board = list(group)
        variant = variants[variant_id]
        statistics.rules[variant_id] = board[0][0].rules_version
        counts = len(board) == variant.seats
        for record, seen in board:
            statistics.games[variant_id] += 1
            _add_faults(statistics, record, seen)
            if counts:
                _add_game(statistics, record, seen, variant)
        records = [record for record, _ in board]
        if counts and also:
            also(records, variant)
        if counts and not any(record.faults for record in records):
            for name, margin in margins_of_bots(records, variant).items():
                statistics.worst_boards[name][variant_id].add(margin, records)
    return statistics


def _add_game(
    statistics: RunStatistics, record: GameRecord, seen: Observations, variant: Variant
) -> None:
    shares = win_shares(record, variant)
    for seat, name in enumerate(record.entrants):
        by_seat = statistics.seats[name].setdefault(
            variant.id, [Counts() for _ in range(variant.seats)]
        )
        by_seat[seat].add(record, seat, shares)
        statistics.points[variant.id, name][record.points[seat]] += 1
        statistics.places[name][record.ranks[seat]] += 1
        if seat < len(seen.timings):
            statistics.timings[name][variant.id].add(seen.timings[seat])
    if not record.faults:
        for name, game in games_of_bots(record, variant, statistics.strengths):
            statistics.extremes[name][variant.id].add(game)


def _add_faults(statistics: RunStatistics, record: GameRecord, seen: Observations) -> None:
    for fault in record.faults:
        if fault.kind == "withdrawn":
            statistics.withdrawn.setdefault(record.entrants[fault.seat], fault.text)
    known = faults_of(record, seen)
    for own in known:
        statistics.causes.add(own)
        listed, fault = statistics.faults[own.bot], own.fault
        is_shown = len(listed) < MAX_FAULT_REPORTS
        card = fault_card(record, fault, seen, CardStyle(hint="")) if is_shown else None
        place = own.key, own.title, record.variant, fault.seat, own.move
        listed.append(BotFault(*place, fault.kind, fault.text, card))
    if known:
        statistics.faulty.append(record.key)
