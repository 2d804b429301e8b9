"""The program of a worker process: it reads batches from stdin and writes records to stdout.

Both are one JSON object a line, so that another executor can run a worker on another machine. A
worker ends when its input ends, even in the middle of a game: its parent process has ended then.
"""

import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from types import FrameType
from typing import NoReturn

import msgspec

from arena.contracts import Batch, Played
from arena.errors import ArenaError
from arena.match.retries import local_processes, watch_games
from arena.match.seats import Player, always
from arena.match.settings import MatchSettings
from arena.process.pipes import Stopped
from arena.protocol import Fault
from arena.record import write_record
from arena.sandbox.shield import hide


class Failed(msgspec.Struct, frozen=True, tag="failed", tag_field="type"):
    """The batch cannot be played; `text` tells the user why."""

    text: str


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="type"):
    """All games of the batch have ended."""


def main() -> None:
    """Play batches until the input ends.

    The arguments are the number of games at a time, or 0 to adapt it to the bots, and the number of
    games at a time of bots that wait for another machine.
    """
    tables, waiting_games = map(int, sys.argv[1:])
    signal.signal(signal.SIGTERM, _leave)
    orders = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb", buffering=0) as reports:
        for line in orders:
            batch = msgspec.json.decode(line, type=Batch)
            if batch.sandbox.level != "none":
                hide()
            try:
                for message in _reports_of(batch, tables or None, waiting_games, orders.fileno()):
                    reports.write(msgspec.json.encode(message) + b"\n")
            except (Stopped, BrokenPipeError):  # the parent process has ended
                return
            except ArenaError as error:
                reports.write(msgspec.json.encode(Failed(str(error))) + b"\n")
                return


def _reports_of(
    batch: Batch, tables: int | None, waiting_games: int, orders: int
) -> Iterator[Played | Done]:
    players: dict[str, Player] = {entrant.name: entrant for entrant in batch.entrants}
    for name, reason in batch.withdrawn.items():
        players[name] = always(Fault("withdrawn", reason))
    settings = MatchSettings(batch.limits, batch.sandbox, tables, waiting_games)
    transport = partial(local_processes, orders=orders)
    for record, seen in watch_games(batch.games, players, settings, transport):
        yield Played(record.key, msgspec.Raw(write_record(record)), seen)
    yield Done()


def _leave(signum: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + signum)  # as an exception, so that context managers end the bots


if __name__ == "__main__":
    main()
