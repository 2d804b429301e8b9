"""The types that plugins implement, with their data: sandbox, schedule and executor.

`arena.plugins` builds on this module: its hooks return these types. The built-in implementations
are in `arena.sandbox`, `arena.schedule` and `arena.tournament.executors`.
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
"""Stands for the strongest built-in sandbox that works."""

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
"""Attacks that the probe tries before a run. Each one shows whether some part of a sandbox is
broken."""


class Bounds(msgspec.Struct, frozen=True):
    """Resources that a bot may use."""

    memory_mib: Annotated[int, msgspec.Meta(ge=1)] = 1024
    """Memory of all the bot's processes. A single process may reserve twice as much."""
    processes: Annotated[int, msgspec.Meta(ge=1)] = 256
    """Number of the bot's processes and threads."""
    file_mib: Annotated[int, msgspec.Meta(ge=1)] = 16
    """Size of each file the bot writes."""


class SandboxSettings(msgspec.Struct, frozen=True):
    """The sandbox of a run, as stored in the run's settings."""

    level: str = "none"
    promise: str = ""
    bounds: Bounds = Bounds()
    readable: tuple[str, ...] = ()
    """Files and folders that bots may read besides what they need to start."""
    withstood: tuple[str, ...] = ()
    """Attacks of the probe that failed."""


IN_PROCESS = SandboxSettings(
    "in-process", "trusted bots in the processes of the arena, without limits and isolation"
)
"""Marks a run that plays bots without limits. No sandbox has this name."""


class SandboxedCommand(msgspec.Struct, frozen=True):
    """The command that starts a bot in its sandbox."""

    command: Sequence[str]
    folder: str
    """Working directory of the command."""
    environment: Mapping[str, str]
    announces: bool = True
    """Whether the sandbox writes an empty line to stdout just before it starts the bot.

    The line tells a broken bot from a broken sandbox. Bots can't fake a broken sandbox, because
    they start after the line."""
    contains: bool = False
    """Whether all the bot's processes end together with the command."""
    limits: Mapping[str, int] = {}
    """Resource limits to set once the process runs, such as `{"fsize": 1024}` (Linux)."""
    files: tuple[int, ...] = ()
    on_end: Callable[[], object] | None = None
    """Called after all processes have ended, to release the command's resources."""
    own_tasks: int = 0
    """Number of processes that belong to the sandbox itself rather than to the bot."""


class Sandbox(Protocol):
    """Starts bots in a sandbox. It must be stateless, because each worker has its own."""

    name: str
    """The level as users type it."""
    promise: str
    """A few words about it for the leaderboard."""
    denies: frozenset[Attack]
    """Attacks that the sandbox must stop. The probe tries them."""

    def missing(self) -> str | None:
        """Return what the sandbox lacks on this machine and how to fix that, or None."""
        ...

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        """Return how to start a bot.

        Raises:
            OSError: the bot's program does not exist.
            SandboxError: the sandbox cannot be set up. Trying a harmless program tells
                whether this is the bot's fault.
        """
        ...

    def remedy(self, said: str) -> str:
        """Return how to fix a broken sandbox that printed `said`, or an empty string."""
        ...


# -- schedules ---------------------------------------------------------------------------------

Group = tuple[str, ...]
"""The entrants of a board, by place."""


class Field(msgspec.Struct, frozen=True):
    """The entrants that play a variant."""

    variant: Variant
    entrants: tuple[str, ...]
    """Sorted. At least as many as the variant has seats."""
    challengers: tuple[str, ...] = ()
    """The challengers among the entrants, sorted."""
    joined: tuple[str, ...] = ()
    """Entrants that joined after the run had begun, in order. A schedule may keep most boards of
    the field before them."""

    def before(self, newcomers: int) -> "Field":
        """Return the field without its last `newcomers` entrants."""
        gone = self.joined[len(self.joined) - newcomers :]
        return Field(
            self.variant,
            tuple([name for name in self.entrants if name not in gone]),
            tuple([name for name in self.challengers if name not in gone]),
            self.joined[: len(self.joined) - newcomers],
        )


class Schedule(msgspec.Struct, frozen=True):
    name: str
    summary: str
    """One line that says which entrants meet."""
    blocks: Callable[[Field, random.Random], Iterator[Sequence[Group]]]
    """Yields blocks of groups forever. No entrant appears twice in a block.

    All blocks have the same number of groups. Raises `SettingsError` if it cannot seat the
    field."""
    takes_challengers: bool = False
    boards_per_deal: int = 1
    """How many consecutive boards of a variant share a deal and the bots' seeds by seat."""


# -- executors ---------------------------------------------------------------------------------


class Lane(NamedTuple):
    """Batches that the same bot processes may play one after another.

    The boards of a portion are divided among the workers. A lane holds one worker's boards in
    one rotation, so each of its games is on a different board.
    """

    turn: int
    """Number of earlier boards in the portion with the same deal. Nearly always 0."""
    rotation: int
    worker: int
    """The worker that these boards were chosen for. Batches with the same number are played one at
    a time, in schedule order, even if another worker plays them."""


class Batch(msgspec.Struct, frozen=True, tag="batch", tag_field="type"):
    """Games that the same bot processes can play, because no two share a deal."""

    games: tuple[Game, ...]
    entrants: tuple[Entrant, ...]
    limits: Limits
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    withdrawn: dict[str, str] = {}
    """Withdrawn entrants of these games, with the reason for each."""
    lane: Lane | None = None
    """If set, bot processes may be kept for the lane's next batch, but must be frozen until then if
    the sandbox can do that. None means that they must end with the batch."""


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="type"):
    """A finished game."""

    key: str
    record: msgspec.Raw
    seen: Observations = NO_OBSERVATIONS


class Executor(AbstractContextManager["Executor"], Protocol):
    """Sends batches to the processes that play them. All processes end with its context.

    The built-in executors are in `arena.tournament.executors`.
    """

    @property
    def width(self) -> int:
        """Number of batches played concurrently."""
        ...

    def wake(self, games: Sequence[str]) -> None:
        """Start whatever is slow to start, as soon as a new run's `games` are known.

        `games` may contain ids of games or of their variants.
        """
        ...

    def expect(self, variants: Sequence[str]) -> None:
        """Prepare for batches of these variants while their bots are being introduced."""
        ...

    @property
    def games_at_once(self) -> int:
        """Number of concurrent games in a batch whose bots wait for another machine."""
        ...

    def play_batches(self, take: Callable[[], Batch | None]) -> Iterator[list[Played]]:
        """Yield the games of the batches as they end, in any order, each exactly once.

        The executor calls `take` whenever it can play another batch. If `take` returns None, the
        executor asks again when more games have ended. If none are in progress, the run is over.
        """
        ...

    def hand_out(self) -> None:
        """Take batches for idle workers, if the games just yielded make new batches available.

        Calling it is optional. Call it before storing these games, so that workers need not wait
        for the disk.
        """
        ...


class ExecutorSettings(msgspec.Struct, frozen=True):
    """Settings of an executor. They never affect results."""

    workers: int | None = None
    """Number of concurrent batches. None means one per core."""
    tables: int | None = None
    """Number of concurrent games per worker. None adapts it to the bots."""
    waiting_games: int = 0
    """Number of concurrent games per worker for bots that wait for another machine."""
    pin: bool = True
    """Whether each worker and its bots stay on one core."""
    scheduler: str | None = None
    """Address of the cluster's scheduler, for executors that use one."""
    logs: str = ""
    """Folder for what bots write to stderr. Empty keeps no logs."""


class ExecutorKind(msgspec.Struct, frozen=True):
    """A kind of executor, selected by `machine.executor`."""

    name: str
    summary: str
    """One line that says where games are played."""
    open: Callable[[ExecutorSettings, Callable[[str], object]], Executor]
    """Returns an executor, given its settings and a function to call with notices for the user.

    Imports what the executor needs. Raises `SettingsError` if that is missing."""
