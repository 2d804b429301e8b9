"""A worker process: gets batches of games on stdin, plays them, writes the records to stdout.

Plain data in, plain data out, a JSON object a line, so that another executor can carry the work
elsewhere. A worker ends when its input does, also in the middle of a game: then whoever ordered
the games has gone.
"""

import os
import signal
import sys
from collections.abc import Iterator
from types import FrameType
from typing import NoReturn

import msgspec

from arena.driver import Stopped, play_games
from arena.errors import ArenaError
from arena.protocol import Limits
from arena.record import Entrant, Game, write_record


class Batch(msgspec.Struct, frozen=True, tag="batch", tag_field="type"):
    """Games to be played by one generation of bot processes: no two have the same deal."""

    games: tuple[Game, ...]
    entrants: tuple[Entrant, ...]
    """Those who sit in these games."""
    limits: Limits


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="type"):
    """A game is over."""

    key: str
    record: msgspec.Raw


class Failed(msgspec.Struct, frozen=True, tag="failed", tag_field="type"):
    """The batch can't be played; why is for the person who runs the arena."""

    text: str


class Done(msgspec.Struct, frozen=True, tag="done", tag_field="type"):
    """All games of the batch are over."""


def main() -> None:
    """Play batches until the input ends."""
    signal.signal(signal.SIGTERM, _leave)
    orders = sys.stdin.buffer
    with os.fdopen(os.dup(1), "wb", buffering=0) as reports:
        for line in orders:
            batch = msgspec.json.decode(line, type=Batch)
            try:
                for message in _play(batch, orders.fileno()):
                    reports.write(msgspec.json.encode(message) + b"\n")
            except (Stopped, BrokenPipeError):  # whoever ordered the games has gone
                return
            except ArenaError as error:
                reports.write(msgspec.json.encode(Failed(str(error))) + b"\n")
                return


def _play(batch: Batch, orders: int) -> Iterator[Played | Done]:
    entrants = {entrant.name: entrant for entrant in batch.entrants}
    for record in play_games(batch.games, entrants, batch.limits, orders=orders):
        yield Played(record.key, msgspec.Raw(write_record(record)))
    yield Done()


def _leave(signum: int, frame: FrameType | None) -> NoReturn:
    sys.exit(128 + signum)  # as an exception, so that the bots are ended on the way


if __name__ == "__main__":
    main()
