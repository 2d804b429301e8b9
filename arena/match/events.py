"""The commands that a match sends to its driver, and the events that the driver reports.

The driver runs the bot processes, executes the commands, and reports events to the match.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from arena.base.protocol import Hello
from arena.base.record import Entrant, GameRecord, Observations
from arena.match.match_state import Cause, ProcessFacts
from arena.match.seats import Player

# -- commands ------------------------------------------------------------------------------------


class StartProcess(NamedTuple):
    """Start a bot process, send it a `hello` message, and report a `Started` event."""

    process: int
    entrant: Entrant
    hello: Hello
    on_stderr: Callable[[bytes], object]
    """Called with each piece of the bot's stderr output, and with `b""` when the output ends."""


class Send(NamedTuple):
    """Send a line to a bot process, unless the process has ended."""

    process: int
    line: bytes


class Freeze(NamedTuple):
    process: int


class Thaw(NamedTuple):
    process: int


class Kill(NamedTuple):
    """Kill a bot process that has committed a fault, and report an `Exited` event."""

    process: int
    cause: Cause
    text: str
    came: bytes = b""
    """The invalid line that caused the fault, if any."""


class Dismiss(NamedTuple):
    process: int


class MeasureUsage(NamedTuple):
    """Measure the processor time of several bot processes, and report a `Usage` event for each."""

    # Process numbers, and whether to check if the bot is idle.
    processes: Sequence[tuple[int, bool]]


class Finished(NamedTuple):
    record: GameRecord
    seen: Observations


Command = StartProcess | Send | Freeze | Thaw | Kill | Dismiss | MeasureUsage | Finished

# -- events --------------------------------------------------------------------------------------


class Started(NamedTuple):
    process: int
    error: str = ""
    """The error message if the bot process failed to start, otherwise an empty string."""
    is_exact: bool = True
    cores: int = 1


class Line(NamedTuple):
    process: int
    line: bytes
    clock_s: float


class Exited(NamedTuple):
    """A bot process has exited or was killed because of a fault."""

    process: int
    cause: Cause
    text: str
    came: bytes
    clock_s: float
    facts: ProcessFacts


class Usage(NamedTuple):
    """The total processor time that a bot has used, in seconds."""

    process: int
    clock_s: float
    is_able: bool | None = None  # whether a thread is running or runnable; None: not checked


class Written(NamedTuple):
    """Reports that all pending lines have been written to the bot processes."""


class Tick(NamedTuple):
    """It is time to check the bots' time limits."""


class SetPlayers(NamedTuple):
    """Set the players for the next games. Running bots keep their processes."""

    players: Mapping[str, Player]


class StartBots(NamedTuple):
    """Start a process for every bot that doesn't have one."""


class PauseBots(NamedTuple):
    """Stop bots that have failed or haven't answered, and freeze all other bots until the next
    game.
    """


Observed = Started | Exited | Usage
Event = Line | Written | Observed | Tick | SetPlayers | StartBots | PauseBots
