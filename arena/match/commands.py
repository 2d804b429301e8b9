"""Commands of the dispatcher to its driver, and what the driver reports. Processes have numbers."""

from typing import NamedTuple

import msgspec

from arena.base.protocol import Act, Hello
from arena.base.record import Entrant, GameRecord, Observations
from arena.match.charging import Cause


class StartProcess(msgspec.Struct, frozen=True):
    """Start a bot's process and greet it; report `not_started` if that fails."""

    process: int
    entrant: Entrant
    hello: Hello


class Send(msgspec.Struct, frozen=True, gc=False):
    """Send the line of a message to a process, if it is still there."""

    process: int
    line: bytes


class Kill(msgspec.Struct, frozen=True):
    """Kill a process that has broken, and report `broke`. Without a text it exited by itself."""

    process: int
    cause: Cause
    text: str = ""
    came: bytes = b""
    """The line that the bot sent."""


class Dismiss(msgspec.Struct, frozen=True):
    """Let a process leave that has done nothing wrong."""

    process: int


class Inspect(msgspec.Struct, frozen=True):
    """Report `inspected` with this act of a process, and what is seen of it.

    The act is illegal, or the bot has taken long for it.
    """

    process: int
    act: Act
    line: bytes
    now: float


class Measure(msgspec.Struct, frozen=True):
    """Report `measured` with what a process has used."""

    process: int


class TooLate(msgspec.Struct, frozen=True):
    """Report `too_late` about a process whose time is over, now that it was measured."""

    process: int
    came: bytes
    """The part of its answer that has come."""


class Freeze(msgspec.Struct, frozen=True):
    """Stop a process and all that it has started, and report `froze` with what it has used."""

    process: int


class Thaw(msgspec.Struct, frozen=True):
    """Let a process run again."""

    process: int


class RecordGame(msgspec.Struct, frozen=True):
    """Keep the record of a game that is over."""

    record: GameRecord
    seen: Observations


Command = (
    StartProcess | Send | Kill | Dismiss | Inspect | Measure | TooLate | Freeze | Thaw | RecordGame
)


class ProcessFacts(NamedTuple):
    """The facts that a driver sees of a process that has done something wrong."""

    stderr: str = ""
    """The end of its log."""
    cpu_ms: int | None = None
    """None if the system does not tell."""
    memory_kib: int | None = None


class Breakage(NamedTuple):
    """The end of a broken process, which the driver has killed."""

    cause: Cause
    text: str
    came: bytes
    facts: ProcessFacts
