"""Bot processes that live on between rows of games.

A row is a batch of a run. The rows of a lane have no deal in common, so the same processes may play
them. Between two rows of their lane they are frozen, if the sandbox can do that. A process that
broke is not kept, and neither is one that cannot be frozen.

What waits is bounded in number, in memory and in the games that it has played. Where there is no
room, the processes of a row end with it, and the next row of the lane begins with new ones.
"""

import contextlib
import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import NamedTuple, Self

from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver, Idle
from arena.match.playing import OpenTransport
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from arena.record import Game, GameRecord, Observations

KIB = 1024


class Bounds(NamedTuple):
    """What the bots that wait for their next row may be and have, in one worker."""

    processes: int = 128
    games: int = 1_600
    """Games of a lane after which its processes leave. They may play the row to its end."""
    memory_kib: int | None = None
    """None stands for a quarter of the machine's memory, divided by its cores."""


def share_of_memory_kib() -> int:
    """Return a quarter of the memory of this machine, divided by the number of its cores."""
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return memory // 4 // (os.cpu_count() or 1) // KIB


class _Kept(NamedTuple):
    """What is kept of a lane between two rows."""

    driver: Driver
    games: int
    idle: Idle


class Lives:
    """Plays rows of games. Use it as a context: at its end no process is left."""

    def __init__(self, open_transport: OpenTransport, bounds: Bounds | None = None) -> None:
        """Begin without processes; None stands for the default bounds."""
        self._open = open_transport
        self._bounds = bounds or Bounds()
        self._memory_kib = self._bounds.memory_kib or share_of_memory_kib()
        self._lanes: dict[Hashable, _Kept] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        drivers = [kept.driver for kept in self._lanes.values()]
        self._lanes.clear()
        if kind is None:
            for driver in drivers:  # all leave at the same time
                driver.let_all_go()
        for driver in drivers:
            driver.__exit__(kind, error, trace)

    def watch_games(
        self,
        lane: Hashable | None,
        games: Sequence[Game],
        players: Mapping[str, Player],
        settings: MatchSettings,
    ) -> Iterator[tuple[GameRecord, Observations]]:
        """Yield the record of each game of a row as it finishes, with what else was seen.

        Args:
            lane: the lane of the row; None if its processes must end with it.
            games: the games. No process of the lane has met their deals.
            players: those that sit in the games, by name.
            settings: how the games are played. Only processes with the same settings go on.

        Raises:
            Stopped: the games are no longer wanted.
        """
        kept = self._lanes.pop((lane, settings), None)
        if kept:
            driver = kept.driver
            driver.enter(players)
        else:
            driver = Driver(Dispatcher(players, settings), self._open(settings))
        played = len(games) + (kept.games if kept else 0)
        with contextlib.ExitStack() as stack:
            stack.enter_context(driver)
            yield from driver.play_all(games)
            if lane is not None and played < self._bounds.games:
                idle = driver.rest()
                if self._has_room_for(idle):
                    self._lanes[lane, settings] = _Kept(driver, played, idle)
                    stack.pop_all()

    def _has_room_for(self, more: Idle) -> bool:
        idle = [more, *[kept.idle for kept in self._lanes.values()]]
        return (
            sum([one.processes for one in idle]) <= self._bounds.processes
            and sum([one.memory_kib for one in idle]) <= self._memory_kib
        )
