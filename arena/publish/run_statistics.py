"""Collect statistics about a run's games, such as response times and faults."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from typing import NamedTuple, TypeVar

import msgspec

from arena.base.record import GameRecord, Observations, Timing
from arena.check.fault_groups import FaultGroups, faults_of
from arena.check.fault_report import fault_card
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
from engine import Variant


class AnswerTimes(msgspec.Struct, frozen=True):
    mean_ms: float
    worst_ms: float


class Timings:
    def __init__(self) -> None:
        self.answers = self.total_us = self.worst_us = 0

    def add(self, timing: Timing) -> None:
        self.answers += timing.answers
        self.total_us += timing.total_us
        self.worst_us = max(self.worst_us, timing.worst_us)


MAX_FAULT_REPORTS = 30


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
        # How often each number of points was scored.
        self.points: dict[str, Counter[int]] = defaultdict(Counter)
        self.timings: dict[str, dict[str, Timings]] = _by_bot_and_variant(Timings)
        self.faults: dict[str, list[BotFault]] = defaultdict(list)
        self.causes = FaultGroups()
        self.withdrawn: dict[str, str] = {}
        # Games and boards with a fault are left out.
        self.extremes: dict[str, dict[str, Extremes]] = _by_bot_and_variant(Extremes)
        self.worst_boards: dict[str, dict[str, WorstBoards]] = _by_bot_and_variant(WorstBoards)
        self.games: Counter[str] = Counter()  # includes unfinished boards
        self.rules: dict[str, int] = {}
        # A withdrawal doesn't count as a fault.
        self.faulty: list[str] = []
        self.strengths: Mapping[str, float] = {}

    def times_of(self, bot: str) -> dict[str, AnswerTimes]:
        return {
            variant: AnswerTimes(own.total_us / own.answers / 1000, own.worst_us / 1000)
            for variant, own in self.timings[bot].items()
            if own.answers
        }

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


def collect_statistics(
    played: Iterable[tuple[GameRecord, Observations]],
    variants: Mapping[str, Variant],
    also: Callable[[Sequence[GameRecord], Variant], object] | None = None,
    strengths: Mapping[str, float] = {},
) -> RunStatistics:
    """Collect statistics about games. Games on the same board must be adjacent.

    `also` is called with the game records of each complete board.
    """
    # Points and response times come from complete boards only.
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
    statistics.points[variant.id].update(record.points)
    for name, timing in zip(record.entrants, seen.timings, strict=False):  # may be unknown
        statistics.timings[name][variant.id].add(timing)
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
        card = fault_card(record, fault, seen) if is_shown else None
        place = own.key, own.title, record.variant, fault.seat, own.move
        listed.append(BotFault(*place, fault.kind, fault.text, card))
    if known:
        statistics.faulty.append(record.key)
