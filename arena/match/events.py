"""What a match tells its driver to do, and what the driver tells it. Processes have numbers."""

from collections.abc import Sequence
from typing import NamedTuple

from arena.base.protocol import Hello
from arena.base.record import Entrant, GameRecord, Observations
from arena.match.match_state import Cause, ProcessFacts, Table

# -- commands ------------------------------------------------------------------------------------


class StartProcess(NamedTuple):
    """Start a bot's process, greet it, and report `Started`."""

    process: int
    entrant: Entrant
    hello: Hello


class Send(NamedTuple):
    """Send a line to a process, if it is still there."""

    process: int
    line: bytes


class Freeze(NamedTuple):
    """Stop a process and all that it has started."""

    process: int


class Thaw(NamedTuple):
    """Let a process run again."""

    process: int


class Kill(NamedTuple):
    """Kill a process that has broken, and report `Exited` with the same cause."""

    process: int
    cause: Cause
    text: str
    came: bytes = b""
    """What the bot had sent, if that is the reason."""


class Dismiss(NamedTuple):
    """Let a process leave that has done nothing wrong."""

    process: int


class AskUsage(NamedTuple):
    """Read the clocks of processes, all before anything else, then report the `Usage` of each."""

    processes: Sequence[tuple[int, bool]]
    """Each with whether to report if it is able to run."""


class AskFacts(NamedTuple):
    """Report `Facts` about a process, which has given an illegal answer."""

    process: int


class Finished(NamedTuple):
    """A game is over."""

    record: GameRecord
    seen: Observations


class Interrupted(NamedTuple):
    """A process broke that played several games. Continue this one when no other is open."""

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
    """A process was started, or could not be: then `error` says why."""

    process: int
    error: str = ""
    is_exact: bool = True
    """Whether its clock counts all its processes, also those that have ended."""
    cores: int = 1
    """The number of cores that it may use."""


class Line(NamedTuple):
    """A process sent a line."""

    process: int
    line: bytes
    """Without its end."""
    clock_s: float
    """The processor time of the bot so far."""


class Exited(NamedTuple):
    """A process has ended, or was killed because it broke."""

    process: int
    cause: Cause
    text: str
    came: bytes
    clock_s: float
    facts: ProcessFacts


class Usage(NamedTuple):
    """What the clock of a process shows."""

    process: int
    clock_s: float
    is_able: bool | None = None
    """Whether a thread of it runs or waits for a core; None if that was not asked."""


class Facts(NamedTuple):
    """The answer to `AskFacts`."""

    process: int
    facts: ProcessFacts


class Written(NamedTuple):
    """All that was to be sent so far has been written."""


class Tick(NamedTuple):
    """The deadline of the match has come."""


Event = Started | Written | Line | Exited | Usage | Facts | Tick
