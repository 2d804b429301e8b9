"""The results of each bot and the last games of a run, as plain data for pages."""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from arena.base.record import GameRecord, Observations, read_record
from arena.check.fault_groups import FaultGroup
from arena.publish.notable_games import BotBoard, Notable
from arena.publish.run_statistics import AnswerTimes, BotFault, RunStatistics
from arena.rating.pairs import Pair
from arena.tournament.database import StoredGame

MAX_LATEST = 30
"""Games on the list of last games."""
MAX_LATEST_OF_BOT = 15
"""Last games on the page of a bot."""
MAX_FAULTS = 30
"""Faults on the page of a bot; all are counted."""


class PlayedGame(msgspec.Struct, frozen=True):
    """A game in a list; all tuples are by seat."""

    number: int
    """Numbers grow in the order in which games are stored."""
    key: str
    title: str
    entrants: tuple[str, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[str, ...]
    """The kinds of faults, empty for none."""


class FaultCause(msgspec.Struct, frozen=True):
    """The faults of a bot that have one cause."""

    kind: str
    cause: str
    size: int
    key: str
    """The key of the first game."""
    title: str
    move: int


class BotResults(msgspec.Struct, frozen=True):
    """The results of a bot on its page, besides its rows in the tables."""

    author: str = ""
    is_guest: bool = False
    withdrawn: str = ""
    """Why it was withdrawn, or an empty text."""
    opponents: tuple[Pair, ...] = ()
    """Worst results first."""
    worst: tuple[BotBoard, ...] = ()
    notable: tuple[Notable, ...] = ()
    faults: tuple[BotFault, ...] = ()
    """The last ones, the last one first."""
    causes: tuple[FaultCause, ...] = ()
    latest: tuple[PlayedGame, ...] = ()
    """The last one first."""
    times: dict[str, AnswerTimes] = {}
    """By variant."""


class LatestGames:
    """Passes games on, and keeps the last ones: those of the run, and those of each bot."""

    def __init__(self) -> None:
        self._latest: dict[str, list[tuple[int, GameRecord]]] = defaultdict(list)
        """Heaps by bot, and that of the run by an empty text."""

    def pass_on(self, games: Iterable[StoredGame]) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the record and the observations of each game.

        Raises:
            ValueError: a record cannot be read.
        """
        for game in games:
            record = read_record(game.record)
            for name in ("", *record.entrants):
                latest = self._latest[name]
                heapq.heappush(latest, (game.number, record))
                if len(latest) > (MAX_LATEST_OF_BOT if name else MAX_LATEST):
                    heapq.heappop(latest)
            yield record, game.observations

    def of(self, bot: str = "") -> tuple[PlayedGame, ...]:
        """Return the last games of a bot, or of the run, the last one first."""
        games = sorted(self._latest.get(bot, []), reverse=True)
        return tuple([played_game(number, record) for number, record in games])


def played_game(number: int, record: GameRecord) -> PlayedGame:
    """Return the entry of a game in a list."""
    kinds = {fault.seat: str(fault.kind) for fault in record.faults}
    return PlayedGame(
        number,
        record.key,
        record.title,
        record.entrants,
        record.points,
        record.ranks,
        tuple([kinds.get(seat, "") for seat in range(len(record.entrants))]),
    )


def results_of(
    bot: str, statistics: RunStatistics, pairs: Iterable[Pair], latest: LatestGames
) -> BotResults:
    """Return what the page of a bot shows, from the statistics and pairs of its run."""
    return BotResults(
        withdrawn=statistics.withdrawn.get(bot, ""),
        opponents=tuple(sorted([pair for pair in pairs if pair.bot == bot], key=_ahead)),
        worst=tuple(statistics.worst_boards_of(bot)),
        notable=tuple(statistics.notable_games_of(bot)),
        faults=tuple(statistics.faults.get(bot, [])[: -MAX_FAULTS - 1 : -1]),
        causes=tuple([_cause(group) for group in statistics.causes.groups(bot)]),
        latest=latest.of(bot),
        times=statistics.times_of(bot),
    )


def _cause(group: FaultGroup) -> FaultCause:
    first = group.first
    return FaultCause(group.kind, group.cause, group.size, first.key, first.title, first.move)


def _ahead(pair: Pair) -> tuple[float, str]:
    return pair.ahead, pair.opponent
