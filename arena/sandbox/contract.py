"""What a sandbox is: a way to start a bot's command with walls round it.

The levels of the box are three; another one (containers, isolate) is a class like theirs that a
plugin registers: see `arena.plugins`. At the start of a run `arena.sandbox.probe` attacks it.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Protocol

import msgspec

from arena.record import Entrant

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


class Walls(msgspec.Struct, frozen=True):
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

    def enclose(self, entrant: Entrant, walls: Walls) -> Enclosed:
        """Return how this bot is started.

        Raises:
            OSError: its program is not there.
            SandboxError: it cannot be done, which is no fault of the bot.
        """
        ...

    def remedy(self, said: str) -> str:
        """Return what to do about walls that did not stand, given what was said; may be empty."""
        ...
