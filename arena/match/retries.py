"""Games played until each has a record: void games are played again, one at a time.

Where a process breaks, all its games are void if it is not certain which of them broke it
(`verdict`). Each is played again by other processes, since no process meets a deal twice, and a bot
that broke gets a new process for each game. If the bot breaks again, it is charged in that game. If
it does not, it is charged in the game that is the suspect. So every broken process costs its bot a
game: otherwise leaving a lost game would pay. It costs at most as many replays as games were under
way together, and one more.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from arena.match.commands import Void
from arena.match.dispatcher import Dispatcher, EarlierAttempts
from arena.match.driver import Driver
from arena.match.seats import Player
from arena.match.settings import MatchSettings
from arena.match.transport import Transport
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
    games: Sequence[Game],
    players: Mapping[str, Player],
    settings: MatchSettings,
    open_transport: OpenTransport = local_processes,
) -> Iterator[tuple[GameRecord, Observations]]:
    """Yield the record of each game as it finishes, and what was seen that the record has not.

    Raises:
        Stopped: the games are no longer wanted.
    """
    attempts = EarlierAttempts()
    dispatcher = Dispatcher(players, settings, attempts)
    with Driver(dispatcher, open_transport(settings)) as driver:
        yield from driver.play(games)
    attempts.fresh = frozenset(dispatcher.broken)
    alone = msgspec.structs.replace(settings, tables=1, always_charge=True)
    again = driver.void
    while again:
        void, again = again, []
        with Driver(Dispatcher(players, alone, attempts), open_transport(alone)) as driver:
            for one in void:
                played = list(driver.play([one.game]))
                if not played:  # the host stalled
                    again.append(one)
                for record, seen in played:
                    if _is_owed(one, record):
                        again.append(_charge(one, attempts))
                    else:
                        yield record, seen


def _is_owed(void: Void, record: GameRecord) -> bool:
    """Return whether the suspect of a void game has no fault in its replay."""
    return bool(void.charge) and not record.faults_of(record.entrants.index(void.suspect))


def _charge(void: Void, attempts: EarlierAttempts) -> Void:
    """Have the suspect of a game charged instead of playing, and return the game."""
    assert void.charge
    attempts.charges[void.game.key, void.suspect] = void.charge
    return Void(void.game)


def play_games(
    games: Sequence[Game],
    players: Mapping[str, Player],
    settings: MatchSettings,
    open_transport: OpenTransport = local_processes,
) -> Iterator[GameRecord]:
    """Yield the record of each game as it finishes; see `watch_games`."""
    for record, _ in watch_games(games, players, settings, open_transport):
        yield record
