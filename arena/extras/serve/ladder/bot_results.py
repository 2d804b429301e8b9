"""Collect each bot's results and the latest games for the web pages."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

import msgspec

from arena.base.record import Entrant, GameRecord, Observations, read_record
from arena.check.fault_groups import FaultGroup
from arena.publish.notable_games import BotBoard, Notable
from arena.publish.run_statistics import AnswerTimes, BotFault, RunStatistics
from arena.rating.pairs import Pair
from arena.tournament.database import StoredGame

MAX_LATEST = 30
MAX_LATEST_OF_BOT = 15
MAX_FAULTS = 30


class PlayedGame(msgspec.Struct, frozen=True):
    key: str
    title: str
    entrants: tuple[str, ...]
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    faults: tuple[str, ...]


class FaultCause(msgspec.Struct, frozen=True):
    kind: str
    cause: str
    size: int
    key: str
    title: str
    move: int


class BotResults(msgspec.Struct, frozen=True):
    author: str = ""
    is_guest: bool = False
    withdrawn: str = ""
    opponents: tuple[Pair, ...] = ()
    worst: tuple[BotBoard, ...] = ()
    notable: tuple[Notable, ...] = ()
    faults: tuple[BotFault, ...] = ()
    causes: tuple[FaultCause, ...] = ()
    latest: tuple[PlayedGame, ...] = ()
    times: dict[str, AnswerTimes] = {}


class LatestGames:
    def __init__(self) -> None:
        self._latest = deque[PlayedGame](maxlen=MAX_LATEST)
        self._of_bots = defaultdict[str, deque[PlayedGame]](lambda: deque(maxlen=MAX_LATEST_OF_BOT))

    def pass_on(self, games: Iterable[StoredGame]) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield each game's record and observations.

        Raise `ValueError` if a game record is unreadable.
        """
        for game in games:
            record = read_record(game.record)
            played = played_game(record)
            self._latest.appendleft(played)
            for name in record.entrants:
                self._of_bots[name].appendleft(played)
            yield record, game.observations

    def all(self) -> tuple[PlayedGame, ...]:
        return tuple(self._latest)

    def of(self, bot: str) -> tuple[PlayedGame, ...]:
        return tuple(self._of_bots.get(bot, ()))


def played_game(record: GameRecord) -> PlayedGame:
    kinds = {fault.seat: str(fault.kind) for fault in record.faults}
    return PlayedGame(
        record.key,
        record.title,
        record.entrants,
        record.points,
        record.ranks,
        tuple([kinds.get(seat, "") for seat in range(len(record.entrants))]),
    )


def results_of(
    entrant: Entrant, statistics: RunStatistics, pairs: Iterable[Pair], latest: LatestGames
) -> BotResults:
    bot = entrant.name
    return BotResults(
        author=entrant.author,
        is_guest=entrant.guest,
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
