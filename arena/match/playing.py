"""Games played to their end by bot processes, which may live on between batches of games.

The batches of a lane have no deal in common, so the same processes may play them. Between two
batches of their lane they are frozen, if the sandbox can do that. A process that broke is not kept.

What waits is bounded in number, in memory and in the games that it has played. Where there is no
room, the processes of a batch end with it, and the next batch of the lane begins with new ones. A
bot that computes while it waits pays for that, or is killed.

It is not compiled: a compiled generator that is dropped does not end its processes.
"""

import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from arena.base.record import Game, GameRecord, Observations
from arena.match.bot_log import OnLog
from arena.match.driver import Driver, WaitingProcesses
from arena.match.match import Match
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from arena.process.host import share_of_memory_kib
from arena.process.local import LocalProcesses

OpenTransport = Callable[[MatchSettings], LocalProcesses]
"""Opens a transport for games with these settings."""


def local_processes(settings: MatchSettings, orders: int | None = None) -> LocalProcesses:
    """Return a transport to processes of this machine.

    `orders` is a file descriptor that becomes readable when the games are no longer wanted.
    """
    return LocalProcesses(settings.limits, settings.sandbox, orders)


def watch_games(
    games: Iterable[Game],
    players: Mapping[str, Player],
    settings: MatchSettings,
    open_transport: OpenTransport = local_processes,
    on_log: OnLog | None = None,
) -> Iterator[tuple[GameRecord, Observations]]:
    """Yield the record of each game as it finishes, and what was seen that the record has not.

    `on_log` is called with each line that a bot writes to stderr.

    Raises:
        Stopped: the games are no longer wanted.
    """
    with Driver(Match(players, settings), open_transport(settings), on_log) as driver:
        yield from driver.play_all(games)


def play_games(
    games: Iterable[Game],
    players: Mapping[str, Player],
    settings: MatchSettings,
    open_transport: OpenTransport = local_processes,
) -> Iterator[GameRecord]:
    """Yield the record of each game as it finishes; see `watch_games`."""
    for record, _ in watch_games(games, players, settings, open_transport):
        yield record


class WaitingBounds(NamedTuple):
    """The bounds of the bots of a worker that wait for their next batch."""

    processes: int = 128
    games: int = 1_600
    """Games of a lane after which its processes leave. They may play the batch to its end."""
    memory_kib: int | None = None
    """None stands for a quarter of the machine's memory, divided by its cores."""


class _Kept(NamedTuple):
    """The processes of a lane that are kept between two batches."""

    driver: Driver
    games: int
    idle: WaitingProcesses


class KeptProcesses:
    """Plays batches of games. Use it as a context: at its end no process is left."""

    def __init__(
        self,
        open_transport: OpenTransport,
        bounds: WaitingBounds | None = None,
        on_log: OnLog | None = None,
    ) -> None:
        """Begin without processes; `bounds` None stands for the default.

        `on_log` is called with each line that a bot writes to stderr.
        """
        self._open = open_transport
        self._on_log = on_log
        self._bounds = bounds or WaitingBounds()
        self._memory_kib = self._bounds.memory_kib or share_of_memory_kib()
        self._lanes: dict[Hashable, _Kept] = {}
        self._longest: dict[str, int] = {}
        """By variant: the most actions of a game so far."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        if kind is None:
            self._dismiss_all()
        for kept in self._lanes.values():
            kept.driver.__exit__(kind, *more)

    def _dismiss_all(self) -> None:
        drivers = [kept.driver for kept in self._lanes.values()]
        self._lanes.clear()
        for driver in drivers:  # all leave at the same time
            driver.let_all_go()
        for driver in drivers:
            with driver:
                pass

    def watch_games(
        self,
        lane: Hashable | None,
        games: Sequence[Game],
        players: Mapping[str, Player],
        settings: MatchSettings,
    ) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the record of each game of a batch as it finishes, with what else was seen.

        Args:
            lane: the lane of the batch; None if its processes must end with it.
            games: the games. No process of the lane has met their deals.
            players: those that sit in the games, by name.
            settings: how the games are played. Only processes with the same settings go on.

        Raises:
            Stopped: the games are no longer wanted.
        """
        if not (kept := self._lanes.pop((lane, settings), None)):
            driver = Driver(Match(players, settings), self._open(settings), self._on_log)
            kept = _Kept(driver, 0, WaitingProcesses(0, 0))
        driver = kept.driver
        played = kept.games + len(games)
        with contextlib.ExitStack() as stack:
            stack.enter_context(driver)
            driver.enter(players)
            for record, seen in driver.play_all(self._longest_first(games)):
                actions = max(len(record.actions), self._longest.get(record.variant, 0))
                self._longest[record.variant] = actions
                yield record, seen
            for waiting in self._lanes.values():
                waiting.driver.look()
            if lane is not None and played < self._bounds.games:
                idle = driver.rest()
                if self._has_room_for(idle):
                    self._lanes[lane, settings] = _Kept(driver, played, idle)
                    stack.pop_all()

    def _longest_first(self, games: Sequence[Game]) -> Sequence[Game]:
        """Return the games of a batch, those of variants with long games first.

        The end of the batch, when few games run side by side, is then short. Games of a variant
        run together, so a bot answers more requests each time that it has the core.
        """
        return sorted(games, key=lambda game: self._longest.get(game.variant, 0), reverse=True)

    def _has_room_for(self, more: WaitingProcesses) -> bool:
        idle = [more, *[kept.idle for kept in self._lanes.values()]]
        return (
            sum([waiting.number for waiting in idle]) <= self._bounds.processes
            and sum([waiting.memory_kib for waiting in idle]) <= self._memory_kib
        )
