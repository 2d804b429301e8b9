"""The types that plugins implement: sandbox, schedule and executor, with their data.

They are below `arena.plugins`, whose hooks name them. The built-in implementations are in
`arena.sandbox`, `arena.schedule` and `arena.tournament.executors`.
"""

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
"""The level that stands for the strongest built-in sandbox that works."""

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
"""The attacks that the probe tries before a run: each tells a broken part of a sandbox."""


class Bounds(msgspec.Struct, frozen=True):
    """The resources that a bot may use."""

    memory_mib: Annotated[int, msgspec.Meta(ge=1)] = 1024
    """Memory of all processes of the bot. A single process may reserve twice as much."""
    processes: Annotated[int, msgspec.Meta(ge=1)] = 256
    """Number of processes and threads of the bot."""
    file_mib: Annotated[int, msgspec.Meta(ge=1)] = 16
    """Size of each file that the bot writes."""


class SandboxSettings(msgspec.Struct, frozen=True):
    """The sandbox of a run, as data. It is part of the run's settings."""

    level: str = "none"
    """The name of the sandbox."""
    promise: str = ""
    """The promise of the sandbox."""
    bounds: Bounds = Bounds()
    readable: tuple[str, ...] = ()
    """Files and folders that bots may read in addition to what they need to start."""
    withstood: tuple[str, ...] = ()
    """The attacks of the probe that failed."""


IN_PROCESS = SandboxSettings(
    "in-process", "trusted bots in the processes of the arena, without limits and isolation"
)
"""Marks a run whose bots were played without limits. No sandbox has this name."""


class SandboxedCommand(msgspec.Struct, frozen=True):
    """The command that starts a bot in its sandbox."""

    command: Sequence[str]
    folder: str
    """The working directory of the command."""
    environment: Mapping[str, str]
    announces: bool = True
    """Whether the sandbox writes an empty line to stdout just before it starts the bot.

    The line distinguishes a broken bot from a broken sandbox. A bot cannot fake a broken sandbox,
    since it starts after the line.
    """
    contains: bool = False
    """Whether all processes of the bot end with the command."""
    limits: Mapping[str, int] = {}
    """Resource limits of the process, such as `{"fsize": 1024}`, set once it runs (Linux)."""
    files: tuple[int, ...] = ()
    """Descriptors that the command inherits."""
    on_end: Callable[[], object] | None = None
    """Called when all processes have ended, to give back what the command was lent."""
    own_tasks: int = 0
    """Processes in that tree that belong to the sandbox."""


class Sandbox(Protocol):
    """Starts bots in a sandbox. It has no state, since each worker has its own."""

    name: str
    """The level as users type it."""
    promise: str
    """A few words about it for the leaderboard."""
    denies: frozenset[Attack]
    """The attacks that must fail. The probe tries them."""

    def missing(self) -> str | None:
        """Return what this machine lacks for the sandbox and how to fix that, or None."""
        ...

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        """Return how to start a bot.

        Raises:
            OSError: the program of the bot does not exist.
            SandboxError: the sandbox cannot be set up. A trial with a harmless program tells
                whether the bot is the reason.
        """
        ...

    def remedy(self, said: str) -> str:
        """Return what to do about a broken sandbox that printed `said`, or an empty text."""
        ...


# -- schedules ---------------------------------------------------------------------------------

Group = tuple[str, ...]
"""The entrants of a board, by place."""


class Field(msgspec.Struct, frozen=True):
    """The entrants of a variant."""

    variant: Variant
    entrants: tuple[str, ...]
    """Sorted. There are at least as many as the variant has seats."""
    challengers: tuple[str, ...] = ()
    """The entrants that are challengers, sorted."""
    joined: tuple[str, ...] = ()
    """The entrants that came when the run had begun, in that order. A schedule may keep for them
    most boards of the field without them."""

    def before(self, newcomers: int) -> "Field":
        """Return the field without its last `newcomers`."""
        gone = self.joined[len(self.joined) - newcomers :]
        return Field(
            self.variant,
            tuple([name for name in self.entrants if name not in gone]),
            tuple([name for name in self.challengers if name not in gone]),
            self.joined[: len(self.joined) - newcomers],
        )


class Schedule(msgspec.Struct, frozen=True):
    """A kind of schedule."""

    name: str
    summary: str
    """One line on which entrants meet."""
    blocks: Callable[[Field, random.Random], Iterator[Sequence[Group]]]
    """Yields endless blocks, each a sequence of groups. No entrant is in two groups of a block.

    All blocks have the same number of groups. Raises `SettingsError` if it cannot seat the field.
    """
    takes_challengers: bool = False
    boards_per_deal: int = 1
    """Consecutive boards of a variant that share a deal, and the seeds of the bots by seat."""


# -- executors ---------------------------------------------------------------------------------


class Lane(NamedTuple):
    """Batches that the same bot processes may play, one after the other.

    The boards of a portion are shared out among the workers. A lane has the boards of one worker in
    one rotation, so its games are of different boards.
    """

    turn: int
    """Boards with the same deal in the portion before these. Nearly always 0."""
    rotation: int
    worker: int
    """The number of the worker for which the boards were chosen. Of the batches with this number,
    one is under way at a time, in schedule order, also when another worker plays them."""


class Batch(msgspec.Struct, frozen=True, tag="batch", tag_field="type"):
    """Games that the same bot processes can play, since no two have the same deal."""

    games: tuple[Game, ...]
    entrants: tuple[Entrant, ...]
    """The entrants of these games."""
    limits: Limits
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    withdrawn: dict[str, str] = {}
    """The reason for each of these entrants that is withdrawn."""
    lane: Lane | None = None
    """Bot processes may be kept for the next batch of this lane. They must be frozen meanwhile, if
    the sandbox can do that. None means that they must end with the batch.
    """


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="type"):
    """A game that has ended."""

    key: str
    record: msgspec.Raw
    seen: Observations = NO_OBSERVATIONS


class Executor(AbstractContextManager["Executor"], Protocol):
    """Carries batches to the processes that play them. They all end with its context.

    The built-in ones are in `arena.tournament.executors`.
    """

    @property
    def width(self) -> int:
        """The number of batches that it plays at the same time."""
        ...

    def wake(self, games: Sequence[str]) -> None:
        """Start what takes long to start, before more is known of a new run than its `games`.

        A game is named by its id, or by that of one of its variants.
        """
        ...

    def expect(self, variants: Sequence[str]) -> None:
        """Prepare for batches of these variants, while their bots are tried out."""
        ...

    @property
    def games_at_once(self) -> int:
        """The games of a batch that it plays at the same time, if bots wait for another machine."""
        ...

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of the batches as they end, in any order, each exactly once.

        The executor takes a batch when it can play it. None means that there is no batch now. It
        asks again when more games have ended. If none is under way, the run is over.
        """
        ...

    def hand_out(self) -> None:
        """Take batches for what is idle, if games that were yielded make that possible.

        Call it before these games are stored, which waits for the disk. Otherwise it is done after
        that.
        """
        ...


class ExecutorSettings(msgspec.Struct, frozen=True):
    """The settings of an executor. None of them changes the results."""

    workers: int | None = None
    """Batches at the same time. None stands for one for each core that there is."""
    tables: int | None = None
    """Games at a time in each worker. None adapts it to the bots."""
    waiting_games: int = 0
    """Games at a time in each worker of bots that wait for another machine."""
    pin: bool = True
    """Whether each worker and its bots stay on one core."""
    scheduler: str | None = None
    """The address of the cluster's scheduler, for executors that have one."""
    logs: str = ""
    """The folder for what bots write to stderr. Empty keeps no logs."""


class ExecutorKind(msgspec.Struct, frozen=True):
    """A kind of executor, for `machine.executor`."""

    name: str
    summary: str
    """One line on where the games are played."""
    open: Callable[[ExecutorSettings, Callable[[str], object]], Executor]
    """Returns an executor, given a function that is called with each notice for the user.

    Imports what the executor needs. Raises `SettingsError` if that is missing.
    """
