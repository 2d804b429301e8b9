"""Who plays the games of a run: an executor gets batches and gives back records, as plain data."""

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Protocol

import msgspec

from arena.protocol import Limits
from arena.record import NOTHING_SEEN, Entrant, Game, Seen
from arena.sandbox.contract import Walls


class Batch(msgspec.Struct, frozen=True, tag="batch", tag_field="type"):
    """Games to be played by one generation of bot processes: no two have the same deal."""

    games: tuple[Game, ...]
    entrants: tuple[Entrant, ...]
    """Those who sit in these games."""
    limits: Limits
    walls: Walls = Walls()
    withdrawn: dict[str, str] = {}
    """Those of them who play no more, and why."""


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="type"):
    """A game is over."""

    key: str
    record: msgspec.Raw
    seen: Seen = NOTHING_SEEN


class Executor(AbstractContextManager["Executor"], Protocol):
    """Carries batches to where they are played. At the end of its context nothing of it is left.

    The first one is `arena.workers`: processes of this machine.
    """

    width: int
    """How many batches it plays at a time."""

    def play(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of the batches as they are over, in any order, each exactly once.

        Batches are taken when there is room for them. None stands for none just now: the next one
        can be asked for when more games are over.
        """
        ...
