"""The contracts of plugins: what a sandbox, a schedule and an executor are, as types.

They lie below `arena.plugins`, so that hooks can name them without knowing who implements them. The
built-in ones are in `arena.sandbox`, `arena.schedule` and `arena.tournament.executors`.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Literal, Protocol

import msgspec

from arena.protocol import Limits
from arena.record import NOTHING_SEEN, Entrant, Game, Seen
from engine import Variant

# -- sandboxes ---------------------------------------------------------------------------------

Attack = Literal[
    "take too much memory",
    "write too large a file",
    "raise its own limits",
    "gain privileges",
    "look into the referee",
    "see other processes",
    "read files outside its folder",
    "write into its folder",
    "write outside /tmp",
    "write settings of the system",
    "reach a server on this machine",
    "read the environment of the referee",
    "make namespaces of its own",
    "leave a process behind",
]
"""What the probe tries."""


class Bounds(msgspec.Struct, frozen=True):
    """How much of the machine a bot may take."""

    memory_mib: Annotated[int, msgspec.Meta(ge=1)] = 1024
    """What all processes of the bot hold in memory; one alone may ask for twice as much."""
    processes: Annotated[int, msgspec.Meta(ge=1)] = 256
    """Processes and threads of the bot."""
    file_mib: Annotated[int, msgspec.Meta(ge=1)] = 16
    """The largest file."""


class SandboxSettings(msgspec.Struct, frozen=True):
    """The walls of a run, as data: they are stamped on it."""

    level: str = "none"
    """The name of the sandbox."""
    promise: str = ""
    """What it says of itself."""
    bounds: Bounds = Bounds()
    readable: tuple[str, ...] = ()
    """Files and folders that every bot may read, beside what it needs to start."""
    withstood: tuple[Attack, ...] = ()
    """The attacks of the probe that failed, as they should."""


class Enclosed(msgspec.Struct, frozen=True):
    """How a bot's command is started inside its walls."""

    command: Sequence[str]
    folder: str
    """Where the command is started."""
    environment: Mapping[str, str]
    announces: bool = True
    """Whether an empty line comes on stdout when the walls stand, before the bot is started.

    Without it nobody could tell a bot that broke from walls that did not stand. A bot cannot
    feign the second, since it is not there yet.
    """
    contains: bool = False
    """Whether all processes of the bot end when the command does."""
    is_bounded: bool = True
    """Whether the referee looks after the bounds of the whole tree of processes."""
    own_tasks: int = 0
    """Processes in that tree that are the walls' own."""


class Sandbox(Protocol):
    """A way to start bots with walls round them. It has no state: workers have their own."""

    name: str
    """The level as people type it."""
    promise: str
    """What the leaderboard says of it, in a few words."""
    denies: frozenset[Attack]
    """The attacks that must fail; the probe tries them."""

    def lacks(self) -> str | None:
        """Say what this machine lacks for it and how to mend that; None when nothing."""
        ...

    def enclose(self, entrant: Entrant, sandbox: SandboxSettings) -> Enclosed:
        """Return how this bot is started.

        Raises:
            OSError: its program is not there.
            SandboxError: it cannot be done, which is no fault of the bot.
        """
        ...

    def remedy(self, said: str) -> str:
        """Return what to do about walls that did not stand, given what was said; may be empty."""
        ...


# -- schedules ---------------------------------------------------------------------------------

Group = tuple[str, ...]
"""The entrants of a board, by place."""


class Field(msgspec.Struct, frozen=True):
    """Those who play a variant."""

    variant: Variant
    entrants: tuple[str, ...]
    """Sorted, at least as many as the variant has seats."""
    challengers: tuple[str, ...] = ()
    """Those of them who were named as challengers, sorted."""


class Schedule(msgspec.Struct, frozen=True):
    """A kind of schedule."""

    name: str
    summary: str
    """Who plays whom, in one line."""
    blocks: Callable[[Field, random.Random], Iterator[Sequence[Group]]]
    """Yields blocks without end: the groups of each, by place, nobody in two of them.

    All blocks have equally many groups. Raises `SettingsError` for a field that it can't seat.
    """
    takes_challengers: bool = False


# -- executors ---------------------------------------------------------------------------------


class Batch(msgspec.Struct, frozen=True, tag="batch", tag_field="type"):
    """Games to be played by one generation of bot processes: no two have the same deal."""

    games: tuple[Game, ...]
    entrants: tuple[Entrant, ...]
    """Those who sit in these games."""
    limits: Limits
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    withdrawn: dict[str, str] = {}
    """Those of them who play no more, and why."""


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="type"):
    """A game is over."""

    key: str
    record: msgspec.Raw
    seen: Seen = NOTHING_SEEN


class Executor(AbstractContextManager["Executor"], Protocol):
    """Carries batches to where they are played. At the end of its context nothing of it is left.

    The first one is `arena.tournament.executors.local`: processes of this machine.
    """

    width: int
    """How many batches it plays at a time."""

    def play(self, batches: Iterable[Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of the batches as they are over, in any order, each exactly once.

        Batches are taken when there is room for them. None stands for none just now: the next one
        can be asked for when more games are over.
        """
        ...
