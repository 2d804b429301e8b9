"""The interfaces for plugins that provide sandboxes, schedules or executors."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Annotated, Literal, NamedTuple, Protocol

import msgspec

from arena.base.protocol import Limits
from arena.base.record import NO_OBSERVATIONS, Entrant, Game, Observations
from engine import Variant

# -- sandboxes ---------------------------------------------------------------------------------

AUTO = "auto"

Attack = Literal[
    "take too much memory",
    "look into the referee",
    "look into a rival",
    "make calls that no program needs",
    "see other processes",
    "read files outside its folder",
    "write outside /tmp",
    "reach a server on this machine",
]
"""Attacks for testing a sandbox before a run."""


class Bounds(msgspec.Struct, frozen=True):
    memory_mib: Annotated[int, msgspec.Meta(ge=1)] = 1024
    """Maximum total memory of the bot's processes, in MiB."""
    processes: Annotated[int, msgspec.Meta(ge=1)] = 256
    """Maximum number of processes and threads per bot."""
    file_mib: Annotated[int, msgspec.Meta(ge=1)] = 16
    """Maximum size of a file that the bot writes, in MiB."""


class SandboxSettings(msgspec.Struct, frozen=True):
    level: str = "none"
    promise: str = ""
    bounds: Bounds = Bounds()
    readable: tuple[str, ...] = ()
    """Additional files and folders that bots may read."""
    withstood: tuple[str, ...] = ()


IN_PROCESS = SandboxSettings(
    "in-process", "trusted bots in the processes of the arena, without limits and isolation"
)


class SandboxedCommand(msgspec.Struct, frozen=True):
    command: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    announces: bool = True
    """Whether the sandbox writes an empty line to stdout right before it starts the bot."""
    contains: bool = False
    """Whether the bot's processes end when the sandbox process ends."""
    limits: Mapping[str, int] = {}
    """Linux resource limits of the bot process, such as `{"nofile": 256}`."""
    files: tuple[int, ...] = ()
    on_end: Callable[[], object] | None = None
    """Function that releases the sandbox's resources after all processes of the bot have ended."""
    own_tasks: int = 0  # processes of the sandbox itself


class Sandbox(Protocol):
    """Starts bots in a sandbox. Implementations must be stateless."""

    name: str
    promise: str
    """A short description of the sandbox, shown on the leaderboard."""
    denies: frozenset[Attack]
    """Attacks that the sandbox must block."""

    def missing(self) -> str | None:
        """Return a message that says how to fix the sandbox, or None if the sandbox works."""
        ...

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        """Return the command that starts a bot in the sandbox.

        Raise `OSError` if the bot's program does not exist, and `SandboxError` if the sandbox
        can't be set up.
        """
        ...

    def remedy(self, said: str) -> str:
        """Return advice on how to fix the sandbox, based on the sandbox's error output.

        The advice may be an empty string.
        """
        ...


# -- schedules ---------------------------------------------------------------------------------

Group = tuple[str, ...]


class Field(msgspec.Struct, frozen=True):
    variant: Variant
    entrants: tuple[str, ...]
    """Names of the entrants in alphabetical order."""
    challengers: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    """Entrants that were added after the start of the run, in the order they were added."""

    def before(self, newcomers: int) -> "Field":
        gone = self.joined[len(self.joined) - newcomers :]
        return Field(
            self.variant,
            tuple([name for name in self.entrants if name not in gone]),
            tuple([name for name in self.challengers if name not in gone]),
            self.joined[: len(self.joined) - newcomers],
        )


Pairing = Sequence[Group]
"""Groups that play at the same time. No entrant is in two groups."""


class BoardScore(NamedTuple):
    entrants: Group
    scores: tuple[float, ...]
    """Each entrant's score from 0 to 1: the fraction of opponents that finished behind the entrant.
    """


class Schedule(msgspec.Struct, frozen=True):
    """Decides which entrants meet. Set either `pairings` or `next_pairing`."""

    name: str
    summary: str
    pairings: Callable[[Field, random.Random], Iterator[Pairing]] | None = None
    """Yields an endless sequence of pairings. All pairings have the same number of groups. Raises
    `SettingsError` if the schedule can't be played with the given bots."""
    takes_challengers: bool = False
    next_pairing: Callable[[Field, random.Random, Sequence[BoardScore]], Pairing] | None = None
    """Computes the next pairing from the scores of the previous boards. Raises `SettingsError` if
    the schedule can't be played with the given bots."""

    @property
    def adapts(self) -> bool:
        return self.next_pairing is not None


# -- executors ---------------------------------------------------------------------------------


class Batch(msgspec.Struct, frozen=True, tag="batch", tag_field="type"):
    """Games that one worker plays concurrently."""

    games: tuple[Game, ...]
    entrants: tuple[Entrant, ...]
    limits: Limits
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    withdrawn: dict[str, str] = {}
    """The reason for each withdrawal, by entrant."""
    rotation: int | None = None  # None: stop the bot processes at the end of the batch
    worker: int = 0
    """Index of the worker that plays the batch."""


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="type"):
    key: str
    record: msgspec.Raw
    seen: Observations = NO_OBSERVATIONS


class Executor(AbstractContextManager["Executor"], Protocol):
    """Sends batches of games to worker processes, and stops them at the end of the `with` block."""

    @property
    def width(self) -> int: ...

    def wake(self, games: Sequence[str]) -> None:
        """Start the worker processes for a run."""
        ...

    def expect(self, variants: Sequence[str]) -> None: ...

    @property
    def games_at_once(self) -> int:
        """The number of games per worker if bots mostly wait for GPUs or other machines."""
        ...

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        """Yield finished games in any order, each exactly once.

        `take` returns the next batch, or None if the next batch depends on unfinished games. The
        run is over when no games are in progress and there is no next batch.
        """
        ...

    def hand_out(self) -> None:
        """Send batches to idle workers."""
        ...


class ExecutorSettings(msgspec.Struct, frozen=True):
    workers: int | None = None
    tables: int | None = None
    waiting_games: int = 0
    pin: bool = True
    scheduler: str | None = None
    logs: str = ""
    """Folder for the logs of the bots' stderr, or an empty string if no logs are kept."""


class ExecutorKind(msgspec.Struct, frozen=True):
    """An executor that users can select with the `machine.executor` setting."""

    name: str
    summary: str
    open: Callable[[ExecutorSettings, Callable[[str], object]], Executor]
    """Opens the executor with the given settings and a function that shows messages to the user.
    Raises `SettingsError` if a dependency of the executor is not installed."""
