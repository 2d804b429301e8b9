"""The results of each bot and the last games of a run, as plain data for pages."""

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator

import msgspec

from arena.base.record import GameRecord, Observations, read_record
from arena.publish.notable_games import BotBoard, Notable, notable_games, point_scales, worst_boards
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
        self._latest: list[tuple[int, PlayedGame]] = []
        self._by_bot: dict[str, list[tuple[int, PlayedGame]]] = defaultdict(list)

    def pass_on(self, games: Iterable[StoredGame]) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the record and the observations of each game.

        Raises:
            ValueError: a record cannot be read.
        """
        for game in games:
            record = read_record(game.record)
            self._keep(game.number, record)
            yield record, game.observations

    def all(self) -> tuple[PlayedGame, ...]:
        """Return the last games, the last one first."""
        return _newest_first(self._latest)

    def of(self, bot: str) -> tuple[PlayedGame, ...]:
        """Return the last games of a bot, the last one first."""
        return _newest_first(self._by_bot.get(bot, []))

    def _keep(self, number: int, record: GameRecord) -> None:
        lists = [(self._latest, MAX_LATEST)]
        lists += [(self._by_bot[name], MAX_LATEST_OF_BOT) for name in record.entrants]
        wanting = [
            (games, most) for games, most in lists if len(games) < most or number > games[0][0]
        ]
        if not wanting:
            return
        game = played_game(number, record)
        for games, most in wanting:
            heapq.heappush(games, (number, game))
            if len(games) > most:
                heapq.heappop(games)


def _newest_first(games: Iterable[tuple[int, PlayedGame]]) -> tuple[PlayedGame, ...]:
    return tuple([game for _, game in sorted(games, key=lambda entry: -entry[0])])


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
    scales = point_scales(statistics.points)
    causes = statistics.causes.groups(bot)
    return BotResults(
        withdrawn=statistics.withdrawn.get(bot, ""),
        opponents=tuple(sorted([pair for pair in pairs if pair.bot == bot], key=_ahead)),
        worst=tuple(worst_boards(statistics.worst_boards[bot].values(), scales)),
        notable=tuple(notable_games(statistics.extremes[bot].values(), scales)),
        faults=tuple(statistics.faults.get(bot, [])[: -MAX_FAULTS - 1 : -1]),
        causes=tuple(
            [
                FaultCause(
                    cause.kind,
                    cause.cause,
                    cause.size,
                    cause.first.key,
                    cause.first.title,
                    cause.first.move,
                )
                for cause in causes
            ]
        ),
        latest=latest.of(bot),
        times=statistics.times_of(bot),
    )


def _ahead(pair: Pair) -> tuple[float, str]:
    return pair.ahead, pair.opponent
