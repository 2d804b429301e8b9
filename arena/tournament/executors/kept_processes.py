"""Keep a worker's bot processes alive between batches of games.

A bot process is never reused for a deal that it has already played. If a bot computes between two
batches, the processor time is charged to the bot in its next game.
"""

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Self

from arena.base.record import Game, GameRecord, Observations
from arena.match.bot_log import OnLog
from arena.match.driver import Driver, OpenTransport, WaitingProcesses
from arena.match.match_state import MatchHooks
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from arena.process.host import share_of_memory_kib

MAX_WAITING = 128
"""Maximum number of waiting processes."""


class _IdleDriver(NamedTuple):
    driver: Driver
    idle: WaitingProcesses


class KeptProcesses:
    """Plays batches of games, reusing bot processes. The bot processes end when the context manager
    exits.
    """

    def __init__(self, open_transport: OpenTransport, on_log: OnLog | None = None) -> None:
        self._open = open_transport
        self._on_log = on_log
        self._kept: dict[tuple[int, MatchSettings], _IdleDriver] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        drivers = [kept.driver for kept in self._kept.values()]
        for driver in drivers if kind is None else ():  # stop all of them concurrently
            driver.let_all_go()
        for driver in drivers:
            driver.__exit__(kind, *more)
        self._kept.clear()

    def watch_games(
        self,
        rotation: int | None,
        games: Sequence[Game],
        players: Mapping[str, Player],
        settings: MatchSettings,
    ) -> Iterator[tuple[GameRecord, Observations]]:
        """Play a batch of games, and yield each game's record and observations when the game ends.

        `rotation` is the seat rotation of all games in the batch. The bot processes are reused
        for the next batch with the same rotation, or end after the batch if `rotation` is None.
        """
        kept = None if rotation is None else self._kept.pop((rotation, settings), None)
        hooks = MatchHooks(on_log=self._on_log)
        driver = kept.driver if kept else Driver(players, settings, self._open(settings), hooks)
        with contextlib.ExitStack() as stack:
            stack.enter_context(driver)
            driver.set_players(players)
            yield from driver.play_all(games)
            for waiting in self._kept.values():
                waiting.driver.enforce_limits()
            if rotation is not None:
                idle = driver.pause_bots()
                if self._has_room_for(idle):
                    self._kept[rotation, settings] = _IdleDriver(driver, idle)
                    stack.pop_all()

    def _has_room_for(self, more: WaitingProcesses) -> bool:
        idle = [more, *[kept.idle for kept in self._kept.values()]]
        return (
            sum([waiting.number for waiting in idle]) <= MAX_WAITING
            and sum([waiting.memory_kib for waiting in idle]) <= share_of_memory_kib()
        )
