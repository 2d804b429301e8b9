"""The types that plugins implement, with their data: sandbox, schedule and executor.

The hooks of `arena.plugins` return these types. The built-in implementations are in
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
"""The name for the strongest built-in sandbox that works."""

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
"""Attacks tried before a run. Each attack tests another part of a sandbox."""


class Bounds(msgspec.Struct, frozen=True):
    memory_mib: Annotated[int, msgspec.Meta(ge=1)] = 1024
    """Maximum memory of all the bot's processes. A single process may reserve twice as much."""
    processes: Annotated[int, msgspec.Meta(ge=1)] = 256
    """Maximum number of the bot's processes and threads."""
    file_mib: Annotated[int, msgspec.Meta(ge=1)] = 16
    """Maximum size of each file the bot writes."""


class SandboxSettings(msgspec.Struct, frozen=True):
    level: str = "none"
    promise: str = ""
    bounds: Bounds = Bounds()
    readable: tuple[str, ...] = ()
    """Files and folders that bots may read in addition to what they need to start."""
    withstood: tuple[str, ...] = ()


IN_PROCESS = SandboxSettings(
    "in-process", "trusted bots in the processes of the arena, without limits and isolation"
)
"""The settings of a run that plays trusted bots without limits. No sandbox has this name."""


class SandboxedCommand(msgspec.Struct, frozen=True):
    command: Sequence[str]
    folder: str
    environment: Mapping[str, str]
    announces: bool = True
    """Whether the sandbox writes an empty line to stdout just before it starts the bot.

    The line distinguishes a broken bot from a broken sandbox. Bots can't fake a broken sandbox,
    because they start after the line."""
    contains: bool = False
    """Whether all the bot's processes end together with the command."""
    limits: Mapping[str, int] = {}
    """Resource limits to set when the process runs, such as `{"fsize": 1024}` (Linux)."""
    files: tuple[int, ...] = ()
    on_end: Callable[[], object] | None = None
    """Called after all processes have ended, to release the command's resources."""
    own_tasks: int = 0
    """Number of processes that belong to the sandbox itself rather than to the bot."""


class Sandbox(Protocol):
    """Starts bots in a sandbox. It must be stateless, because each worker has its own."""

    name: str
    promise: str
    """A few words about the sandbox for the leaderboard."""
    denies: frozenset[Attack]
    """Attacks that the sandbox must block, which are tested before a run."""

    def missing(self) -> str | None:
        """Return what the sandbox lacks on this machine and how to fix that, or None."""
        ...

    def wrap(self, entrant: Entrant, sandbox: SandboxSettings) -> SandboxedCommand:
        """Return how to start a bot.

        Raise `OSError` if the bot's program does not exist, and `SandboxError` if the sandbox
        can't be set up. The arena then starts a harmless program to find out whether the bot is
        to blame.
        """
        ...

    def remedy(self, said: str) -> str:
        """Return how to fix a broken sandbox that printed `said`, or an empty string."""
        ...


# -- schedules ---------------------------------------------------------------------------------

Group = tuple[str, ...]
"""The entrants of a board, by place."""


class Field(msgspec.Struct, frozen=True):
    variant: Variant
    entrants: tuple[str, ...]
    """Entrants in alphabetical order, at least as many as the variant has seats."""
    challengers: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    """Entrants that joined after the run had begun, in order. A schedule may keep most boards of
    the smaller field."""

    def before(self, newcomers: int) -> "Field":
        """Return the field without its last `newcomers` entrants."""
        gone = self.joined[len(self.joined) - newcomers :]
        return Field(
            self.variant,
            tuple([name for name in self.entrants if name not in gone]),
            tuple([name for name in self.challengers if name not in gone]),
            self.joined[: len(self.joined) - newcomers],
        )


Pairing = Sequence[Group]
"""The groups of boards that begin in the same round. No entrant appears twice."""


class BoardScore(NamedTuple):
    """The result of a board."""

    entrants: Group
    scores: tuple[float, ...]
    """By place, the share of opponents that an entrant finished ahead of, from 0 to 1."""


class Schedule(msgspec.Struct, frozen=True):
    """Decides which entrants meet. Exactly one of `pairings` and `next_pairing` is set."""

    name: str
    summary: str
    """One line that says which entrants meet."""
    pairings: Callable[[Field, random.Random], Iterator[Pairing]] | None = None
    """Yields pairings forever, all with the same number of groups. Raises `SettingsError` if it
    cannot seat the field."""
    takes_challengers: bool = False
    boards_per_deal: int = 1
    """How many consecutive boards of a variant share a deal and the bots' seeds by seat."""
    next_pairing: Callable[[Field, random.Random, Sequence[BoardScore]], Pairing] | None = None
    """For a schedule that adapts to results: returns the next pairing, given the scores of all
    earlier boards of the variant in schedule order. Raises `SettingsError` if it cannot seat the
    field."""

    @property
    def adapts(self) -> bool:
        """Whether pairings depend on results."""
        return self.next_pairing is not None


# -- executors ---------------------------------------------------------------------------------


class Batch(msgspec.Struct, frozen=True, tag="batch", tag_field="type"):
    """One game on each of several boards, all in the same rotation and with different deals."""

    games: tuple[Game, ...]
    entrants: tuple[Entrant, ...]
    limits: Limits
    sandbox: SandboxSettings = msgspec.field(default=SandboxSettings(), name="walls")
    withdrawn: dict[str, str] = {}
    """Withdrawn entrants of these games, with the reason for each."""
    rotation: int | None = None
    """If set, bot processes may be kept for the worker's next batch of this rotation, but must be
    frozen until then if the sandbox can do that. None means that they must end with the batch,
    because other batches have the same deals."""
    worker: int = 0
    """The worker that should play it. A worker plays all rotations of some boards before its next
    boards, so that a kept process runs again only when the boards that it knows are over."""


class Played(msgspec.Struct, frozen=True, tag="played", tag_field="type"):
    key: str
    record: msgspec.Raw
    seen: Observations = NO_OBSERVATIONS


class Executor(AbstractContextManager["Executor"], Protocol):
    """Sends batches to the processes that play them. All processes end with its context."""

    @property
    def width(self) -> int:
        """Number of batches played concurrently."""
        ...

    def wake(self, games: Sequence[str]) -> None:
        """Start whatever is slow to start, as soon as the games of a new run are known.

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

        The executor calls `take` whenever it can play another batch. If `take` returns None, it
        calls `take` again when more games have ended. If no games are in progress, the run is
        over.
        """
        ...

    def hand_out(self) -> None:
        """Take batches for idle workers, if the games just yielded make new batches available.

        This call is optional. Made before the games are stored, it saves workers from waiting
        for the disk.
        """
        ...


class ExecutorSettings(msgspec.Struct, frozen=True):
    """Settings of an executor. They never affect results."""

    workers: int | None = None
    tables: int | None = None
    waiting_games: int = 0
    pin: bool = True
    scheduler: str | None = None
    logs: str = ""
    """Folder for what bots write to stderr. If empty, no logs are kept."""


class ExecutorKind(msgspec.Struct, frozen=True):
    """A kind of executor, selected by `machine.executor`."""

    name: str
    summary: str
    """One line that says where games are played."""
    open: Callable[[ExecutorSettings, Callable[[str], object]], Executor]
    """Function that returns an executor, given its settings and a function for notices to the user.

    It imports what the executor needs, and raises `SettingsError` if something is missing."""
