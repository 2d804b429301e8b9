"""Games played to their end by processes of their bots.

It is not compiled: a compiled generator that is dropped does not end its processes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from arena.match.bot_log import OnLog
from arena.match.dispatcher import Dispatcher
from arena.match.driver import Driver
from arena.match.seats import Player
from arena.match.transport import MatchSettings, Transport
from arena.process.local import LocalProcesses
from arena.record import Game, GameRecord, Observations

OpenTransport = Callable[[MatchSettings], Transport[Any]]
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
    with Driver(Dispatcher(players, settings), open_transport(settings), on_log) as driver:
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
