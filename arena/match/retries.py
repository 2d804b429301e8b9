"""Games played until each has a record: a void game is played again, alone.

Where a process breaks, all games under way in it are void, because it is not certain which of them
broke it (`arena.match.driver`). Each is played again, one at a time, by other processes: no process
meets a deal twice, and the bot that broke gets a new one for each game. If it breaks there too,
it is charged in that game. If it does not, it is charged all the same, in the game in which it was
asked when it broke: every broken process costs its bot a game, or leaving a lost one would pay. So
a process that breaks costs at most as many games again as are under way together, and one more.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from arena.contracts import SandboxSettings
from arena.match.driver import Room, Void
from arena.match.in_progress import Charge
from arena.protocol import Limits
from arena.record import Entrant, Game, GameRecord, Seen


def watch_games(
    games: Sequence[Game],
    entrants: Mapping[str, Entrant],
    limits: Limits,
    tables: int | None = None,
    orders: int | None = None,
    withdrawn: Mapping[str, str] | None = None,
    sandbox: SandboxSettings | None = None,
) -> Iterator[tuple[GameRecord, Seen]]:
    """Yield the record of each game as it finishes, and what was seen that the record has not.

    `arena.match.driver.Room` says what the arguments are.
    """
    stalls: Counter[str] = Counter()
    with Room(
        entrants, limits, tables, withdrawn=withdrawn, stalls=stalls, orders=orders, sandbox=sandbox
    ) as room:
        yield from room.play(games)
    again, broke = room.void, frozenset(room.broke)
    charges: dict[tuple[str, str], Charge] = {}
    while again:
        void, again = again, []
        with Room(
            entrants,
            limits,
            1,
            charge=True,
            charges=charges,
            withdrawn=withdrawn,
            fresh=broke,
            stalls=stalls,
            orders=orders,
            sandbox=sandbox,
        ) as room:
            for one in void:
                played = list(room.play([one.game]))
                if not played:  # the host stalled
                    again.append(one)
                for record, seen in played:
                    suspect, charge = one.suspect, one.charge
                    if charge and not record.faults_of(record.entrants.index(suspect)):
                        charges[record.key, suspect] = charge
                        again.append(Void(one.game))
                    else:
                        yield record, seen


def play_games(
    games: Sequence[Game],
    entrants: Mapping[str, Entrant],
    limits: Limits,
    tables: int | None = None,
    orders: int | None = None,
    sandbox: SandboxSettings | None = None,
) -> Iterator[GameRecord]:
    """Yield the record of each game as it finishes; see `watch_games`."""
    for record, _ in watch_games(games, entrants, limits, tables, orders, sandbox=sandbox):
        yield record
