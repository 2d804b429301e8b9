"""What a match and its driver tell each other. Commands go to the driver, and events to the match.

Bot processes are identified by numbers.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from arena.base.protocol import Hello, Ready
from arena.base.record import Entrant, GameRecord, Observations
from arena.match.match_state import Cause, Charge, ProcessFacts
from arena.match.seats import Player

# -- commands ------------------------------------------------------------------------------------


class StartProcess(NamedTuple):
    """Start a bot process, send `hello` to it, and report `Started`."""

    process: int
    entrant: Entrant
    hello: Hello
    on_stderr: Callable[[bytes], object]
    """Call this with all bytes the process writes to stderr, and with empty bytes at the end."""


class Send(NamedTuple):
    """Send a line to a process, if the process still exists."""

    process: int
    line: bytes


class Freeze(NamedTuple):
    process: int


class Thaw(NamedTuple):
    process: int


class Kill(NamedTuple):
    """Kill a process for a fault, and report `Exited` with the same cause."""

    process: int
    cause: Cause
    text: str
    came: bytes = b""
    """The invalid line, if the bot sent one."""


class Dismiss(NamedTuple):
    process: int


class AskUsage(NamedTuple):
    """Read the clocks of these processes before doing anything else, then report the `Usage` of
    each.
    """

    processes: Sequence[tuple[int, bool]]
    """For each process, its number and whether to report if it can run."""


class Introduced(NamedTuple):
    """A process is ready, or it broke. The driver has nothing to do."""

    process: int
    bot: str
    said: Ready | Charge
    """The bot's `ready`, or its fault."""


class Finished(NamedTuple):
    record: GameRecord
    seen: Observations


Command = StartProcess | Send | Freeze | Thaw | Kill | Dismiss | AskUsage | Introduced | Finished

# -- events --------------------------------------------------------------------------------------


class Started(NamedTuple):
    """A process was started, or failed to start."""

    process: int
    error: str = ""
    """Why the process could not be started. Empty if it was started."""
    is_exact: bool = True
    """Whether the process's clock includes child processes that have ended."""
    cores: int = 1


class Line(NamedTuple):
    process: int
    line: bytes
    clock_s: float
    """The bot's total processor time, in seconds."""


class Exited(NamedTuple):
    """A process exited, or was killed for a fault."""

    process: int
    cause: Cause
    text: str
    came: bytes
    clock_s: float
    facts: ProcessFacts


class Usage(NamedTuple):
    """The total processor time of a bot, in seconds."""

    process: int
    clock_s: float
    is_able: bool | None = None
    """Whether any thread of the bot is running or waiting for a core. None if not requested."""


class Written(NamedTuple):
    """The lines of all earlier `Send` commands have been written."""


class Tick(NamedTuple):
    """It is time to read all clocks."""


class Enter(NamedTuple):
    """Other players take part in the next games.

    A bot that is already running keeps its process, even if it isn't among the players. If a
    script takes the place of a bot, the bot's process exits.
    """

    players: Mapping[str, Player]


class Introduce(NamedTuple):
    """Start a process for every bot that has none."""


class Rest(NamedTuple):
    """There are no games for now, so freeze all processes.

    Processes that aren't ready exit, and so do all processes of a bot that broke. Such a bot
    begins the next games with a new process, as if it had not broken.
    """


Observed = Started | Exited | Usage
"""An observation about a process."""
Event = Line | Written | Observed | Tick | Enter | Introduce | Rest
