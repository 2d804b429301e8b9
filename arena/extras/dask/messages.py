"""Messages between the main process and Dask workers, as plain data with a version."""

import zlib
from typing import NamedTuple, TypeVar

import msgspec

from arena.base.contracts import Batch, Played, SandboxSettings
from arena.base.errors import ArenaError
from arena.base.protocol import Limits
from arena.base.record import Entrant

VERSION = 2
"""The version of these messages. Main process and workers must have the same."""
LEVEL = 1
"""Of compression. Records are mostly repetitions, so the quickest level is enough."""
CONNECT_S = 30.0
"""The time for one attempt to reach the scheduler."""


class ConnectionLost(Exception):
    """The scheduler cannot be reached any more. All tasks are lost."""


class TaskEnd(NamedTuple):
    """The end of a task."""

    number: int
    """The task, as `submit` has returned it."""
    result: bytes | None
    """None if it did not end well."""
    error: str = ""


class Versions(msgspec.Struct, frozen=True):
    """The versions on which records depend."""

    messages: int
    arena: str
    python: str
    """Major and minor version, since random generators and hashes may differ."""
    protocol: int
    rules: dict[str, int | None]
    """The version of the rules of each variant of the run; None if it is not installed."""


class SessionHello(msgspec.Struct, frozen=True):
    """The first message of a run to a worker."""

    session: str
    """The id of the main process."""
    variants: tuple[str, ...]
    sandbox: SandboxSettings
    tables: int | None
    waiting_games: int
    pin: bool
    keeps_logs: bool
    """Whether the worker sends what bots write to stderr."""


class Greeting(msgspec.Struct, frozen=True):
    """The answer of a worker to `SessionHello`."""

    name: str
    """The worker, for people."""
    machine: str
    """The same for workers that share cores."""
    versions: Versions
    obstacle: str = ""
    """Why the sandbox does not hold there. Empty if it does."""
    fingerprints: tuple[str, ...] = ()
    """Of the bots that the worker has for this session."""


class BotFile(msgspec.Struct, frozen=True):
    """A file of a bot."""

    path: str
    """Relative to the folder of the bot, with slashes."""
    mode: int
    data: bytes


class PackedBot(msgspec.Struct, frozen=True):
    """A bot that travels, with its files."""

    session: str
    entrant: Entrant
    """As in the main process: the worker puts its own folder and Python in their places."""
    python: str
    """The Python of the main process, as commands name it."""
    limits: Limits
    is_installed: bool = False
    """Whether it is a registered bot, which has to be installed on the worker."""
    files: tuple[BotFile, ...] = ()
    folders: tuple[str, ...] = ()


class Arrival(msgspec.Struct, frozen=True):
    """The answer of a worker to `PackedBot`."""

    obstacle: str = ""
    """Why the worker cannot run the bot. Empty if it can."""
    is_forgotten: bool = False
    """Whether the worker does not know the session. Then it has to be greeted again."""


class Work(msgspec.Struct, frozen=True):
    """Games to be played, by bots that the worker has."""

    session: str
    batch: Batch
    core: int
    """The place of the worker's first core among those of its machine."""


class WorkResult(msgspec.Struct, frozen=True):
    """The answer of a worker to `Work`."""

    played: tuple[Played, ...] = ()
    seconds: float = 0.0
    notices: tuple[str, ...] = ()
    """Sentences for the user."""
    failure: str = ""
    """Why the games cannot be played. Empty if they can."""
    broken: str = ""
    """Of a game that raised an exception: what reproduces it, as JSON."""
    is_forgotten: bool = False
    """Whether the worker does not know the session or one of the bots."""
    logs: dict[str, str] = {}
    """By bot, what was written to stderr since the last result, as it is stored."""


class Farewell(msgspec.Struct, frozen=True):
    """The last message of a worker in a run."""

    logs: dict[str, str] = {}
    """As in `WorkResult`, of bots that ended."""


MessageT = TypeVar("MessageT", bound=msgspec.Struct)


def pack(message: msgspec.Struct) -> bytes:
    """Return a message as compressed bytes, with the version of the messages in front."""
    return bytes([VERSION]) + zlib.compress(msgspec.json.encode(message), LEVEL)


def unpack(data: bytes, kind: type[MessageT]) -> MessageT:
    """Return the message of this `kind` in `data`.

    Raises:
        ArenaError: it has another version.
    """
    if data[0] != VERSION:
        raise ArenaError(
            f"got a message of version {data[0]}, expected {VERSION}: install the same version of "
            "bribe-arena on all machines of the cluster"
        )
    return msgspec.json.decode(zlib.decompress(data[1:]), type=kind)
