"""Play games with bot processes.

This module is never compiled, because a compiled generator that is garbage-collected doesn't end
its processes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from arena.base.record import Game, GameRecord, Observations
from arena.match.bot_log import OnLog
from arena.match.driver import Driver
from arena.match.match_state import MatchHooks
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from arena.process.local import LocalProcesses

OpenTransport = Callable[[MatchSettings], LocalProcesses]


def local_processes(settings: MatchSettings, orders: int | None = None) -> LocalProcesses:
    """Return a transport that runs bot processes on this machine.

    `orders` is a file descriptor that becomes readable when the games should stop.
    """
    return LocalProcesses(settings.limits, settings.sandbox, orders)


def watch_games(
    games: Iterable[Game],
    players: Mapping[str, Player],
    settings: MatchSettings,
    open_transport: OpenTransport = local_processes,
    on_log: OnLog | None = None,
) -> Iterator[tuple[GameRecord, Observations]]:
    """Play games and yield the record and observations of each game when it ends.

    `on_log` is called with each line that a bot writes to stderr.

    Raises:
        Stopped: the worker was ordered to stop.
    """
    with Driver(players, settings, open_transport(settings), MatchHooks(on_log=on_log)) as driver:
        yield from driver.play_all(games)
