"""Commands from a match to its driver, and events that the driver reports to the match.

Bot processes are numbered.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from arena.base.protocol import Hello, Ready
from arena.base.record import Entrant, GameRecord, Observations
from arena.match.match_state import Cause, Charge, ProcessFacts
from arena.match.seats import Player

# -- commands ------------------------------------------------------------------------------------


class StartProcess(NamedTuple):
    """Start a bot's process, send its first message, and report `Started`."""

    process: int
    entrant: Entrant
    hello: Hello
    on_stderr: Callable[[bytes], object]
    """Called with everything the process writes to stderr, and with empty bytes at the end."""


class Send(NamedTuple):
    """Send a line to a process, if it still exists."""

    process: int
    line: bytes


class Freeze(NamedTuple):
    """Stop a process and all its children."""

    process: int


class Thaw(NamedTuple):
    """Let a frozen process continue."""

    process: int


class Kill(NamedTuple):
    """Kill a process for a fault, and report `Exited` with the same cause."""

    process: int
    cause: Cause
    text: str
    came: bytes = b""
    """The line that the bot sent, if that line is the fault."""


class Dismiss(NamedTuple):
    """Let a process exit that has done nothing wrong."""

    process: int


class AskUsage(NamedTuple):
    """Read the clocks of processes before doing anything else, then report each one's `Usage`."""

    processes: Sequence[tuple[int, bool]]
    """The number of each process, and whether to report if any of its threads can run."""


class Introduced(NamedTuple):
    """A bot process is ready, or it broke. The driver need not do anything."""

    process: int
    bot: str
    said: Ready | Charge
    """What the process sent when it was ready, or the fault for which it was ended."""


class Finished(NamedTuple):
    """A game is over."""

    record: GameRecord
    seen: Observations


Command = StartProcess | Send | Freeze | Thaw | Kill | Dismiss | AskUsage | Introduced | Finished

# -- events --------------------------------------------------------------------------------------


class Started(NamedTuple):
    """A process was started, or could not be."""

    process: int
    error: str = ""
    """Why the process could not be started; empty if it was."""
    is_exact: bool = True
    """Whether its clock counts all of the bot's processes, even those that have ended."""
    cores: int = 1
    """Number of cores the bot may use."""


class Line(NamedTuple):
    """A process sent a line."""

    process: int
    line: bytes
    """The line without its line feed."""
    clock_s: float
    """The bot's total processor time in seconds."""


class Exited(NamedTuple):
    """A process exited, or was killed for a fault."""

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


class Written(NamedTuple):
    """All lines of earlier `Send` commands have been written."""


class Tick(NamedTuple):
    """The deadline of the match has passed, or all clocks should be read for another reason."""


class Enter(NamedTuple):
    """The players of the next games. Bots that already have a process keep it.

    If a bot is replaced by a script, its process exits. A bot that isn't in the next games keeps
    its process.
    """

    players: Mapping[str, Player]


class Introduce(NamedTuple):
    """Start a process for every bot that has none."""


class Rest(NamedTuple):
    """There are no games for now, so freeze all processes.

    Processes that are not ready exit, and so do all processes of a bot that broke. That bot
    begins the next games with a new process, as if it had not broken.
    """


Observed = Started | Exited | Usage
"""Something the driver observed about a process."""
Event = Line | Written | Observed | Tick | Enter | Introduce | Rest
