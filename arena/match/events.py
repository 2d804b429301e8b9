"""Commands from a match to its driver, and events the driver reports. Processes are numbered."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.base.protocol import Hello
from arena.base.record import Entrant, GameRecord, Observations
from arena.match.match_state import Cause, ProcessFacts, Table

# -- commands ------------------------------------------------------------------------------------


class StartProcess(NamedTuple):
    """Start a bot's process, send its first message, and report `Started`."""

    process: int
    entrant: Entrant
    hello: Hello


class Send(NamedTuple):
    """Send a line to a process, if it still exists."""

    process: int
    line: bytes


class Freeze(NamedTuple):
    """Stop a process and all its children."""

    process: int


class Thaw(NamedTuple):
    """Let a process continue."""

    process: int


class Kill(NamedTuple):
    """Kill a process that has broken, and report `Exited` with the same cause."""

    process: int
    cause: Cause
    text: str
    came: bytes = b""
    """What the bot sent, if that is the reason."""


class Dismiss(NamedTuple):
    """Let a process exit that has done nothing wrong."""

    process: int


class AskUsage(NamedTuple):
    """Read the clocks of processes before doing anything else, then report each one's `Usage`."""

    processes: Sequence[tuple[int, bool]]
    """Each process, and whether to report if any of its threads can run."""


class AskFacts(NamedTuple):
    """Report `Facts` about a process that gave an illegal answer."""

    process: int


class Finished(NamedTuple):
    """A game is over."""

    record: GameRecord
    seen: Observations


class Interrupted(NamedTuple):
    """A process that plays several games broke. Resume this game when no other is open."""

    table: Table


Command = (
    StartProcess
    | Send
    | Freeze
    | Thaw
    | Kill
    | Dismiss
    | AskUsage
    | AskFacts
    | Finished
    | Interrupted
)

# -- events --------------------------------------------------------------------------------------


class Started(NamedTuple):
    """A process was started. If that failed, `error` says why."""

    process: int
    error: str = ""
    is_exact: bool = True
    """Whether its clock counts all its processes, even those that have ended."""
    cores: int = 1
    """Number of cores the bot may use."""


class Line(NamedTuple):
    """A process sent a line."""

    process: int
    line: bytes
    """Without the line ending."""
    clock_s: float
    """The bot's total processor time."""


class Exited(NamedTuple):
    """A process exited, or was killed because it broke."""

    process: int
    cause: Cause
    text: str
    came: bytes
    clock_s: float
    facts: ProcessFacts


class Usage(NamedTuple):
    """The current reading of a process's clock."""

    process: int
    clock_s: float
    is_able: bool | None = None
    """Whether any of its threads is running or waiting for a core; None if not requested."""


class Facts(NamedTuple):
    """The response to `AskFacts`."""

    process: int
    facts: ProcessFacts


class Written(NamedTuple):
    """Everything queued so far has been written."""


class Tick(NamedTuple):
    """The deadline of the match has passed."""


Event = Started | Written | Line | Exited | Usage | Facts | Tick
