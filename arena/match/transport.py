"""The settings of a match, and the transport of messages to the processes of its bots."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import msgspec

from arena.base.contracts import SandboxSettings
from arena.base.protocol import DEFAULT_LIMITS, Limits
from arena.base.record import Entrant
from arena.match.charging import EXCUSED_SHARE
from arena.process.usage import Usage

MAX_GAMES = 16
"""Games under way at a time, while bots answer at once."""


class MatchSettings(msgspec.Struct, frozen=True):
    """The settings of a match. Only `limits` and `sandbox` change a record."""

    limits: Limits = DEFAULT_LIMITS
    sandbox: SandboxSettings = SandboxSettings()
    tables: int | None = None
    """Games under way at a time; None adapts it to the bots."""
    waiting_games: int = 0
    """Games under way at a time with bots that wait for another machine.

    Without any, such a bot is played like a bot that thinks: one game at a time.
    """
    always_charge: bool = False
    """Whether a broken process is charged in all its games.

    Otherwise a game is replayed where it is not certain that it broke the process.
    """
    excused_share: float = EXCUSED_SHARE
    """A time-out is excused if the machine took this share of the bot's time from it."""


class Process(Protocol):
    """A process of a bot: `arena.process.bot_process.BotProcess`, a remote or a scripted one."""

    on_stderr: Callable[[bytes], object] | None
    """Called with what the bot writes to stderr, and with nothing at its end. A line that the bot
    has written before an answer comes before that answer is read."""

    def read_lines(self) -> list[bytes] | None:
        """Return the whole lines that have come, without their ends; None at the end of output."""
        ...

    @property
    def half_line(self) -> bytes:
        """The part of a line that has come."""
        ...

    @property
    def too_long(self) -> bytes | None:
        """The start of a line that is longer than allowed."""
        ...

    @property
    def last_words(self) -> str:
        """The end of its log, printable."""
        ...

    def usage(self) -> Usage | None:
        """Return what it has used, or None if the system does not tell."""
        ...

    def quick_usage(self) -> Usage:
        """Return what it has used, at least."""
        ...

    def freeze(self) -> bool:
        """Stop it and all that it has started; return whether that was seen to be so."""
        ...

    def thaw(self) -> None:
        """Let it run again."""
        ...

    def excess(self) -> str | None:
        """Return the bound that it exceeds in words, or None."""
        ...

    def has_exited(self) -> bool:
        """Return whether it has ended, without waiting."""
        ...

    def exit_text(self) -> str:
        """Return how it ended, after it has exited."""
        ...

    def kill(self) -> None:
        """End it and all processes that it has started."""
        ...


ProcessT = TypeVar("ProcessT", bound=Process)


class Transport(Protocol[ProcessT]):
    """Starts processes, carries messages to them, and waits for theirs.

    `arena.process.local.LocalProcesses` is the one of this machine.
    """

    @property
    def cores(self) -> int:
        """The number of cores that the processes share with the referee."""
        ...

    def now(self) -> float:
        """Return the time in seconds; it never goes back."""
        ...

    def queued_s(self) -> float:
        """Return for how long the referee has waited for a core, zero if the system is silent."""
        ...

    def start(self, entrant: Entrant) -> ProcessT:
        """Start a process of a bot.

        Raises:
            OSError: its command cannot be started.
            BotError: its command or its files prevent its sandbox.
            ArenaError: another one cannot be started here, which is no fault of the bot.
        """
        ...

    def obstacle(self, process: ProcessT) -> str | None:
        """Return why a killed process never ran: its bot prevents its sandbox. None if it ran.

        Raises:
            SandboxError: the sandbox cannot be set up here, which is no fault of the bot.
        """
        ...

    def put(self, process: ProcessT, line: bytes) -> None:
        """Have one or more lines, with their ends, sent with the next `flush`."""
        ...

    def flush(self) -> None:
        """Send what was put."""
        ...

    def wait(self, wait_s: float) -> Sequence[ProcessT]:
        """Wait for at most `wait_s`, and return the processes that can be read or have exited."""
        ...

    def await_exit(self, process: ProcessT) -> None:
        """Have `wait` return a process, whose output has ended, when it has exited.

        A second call does nothing.
        """
        ...

    def end(self, process: ProcessT) -> None:
        """Kill a process and forget it, without waiting until it is gone."""
        ...

    def let_go(self, process: ProcessT, grace_s: float) -> None:
        """Let a process leave without waiting for it. It is killed if it takes over `grace_s`."""
        ...

    def await_leaving(self, grace_s: float = 0.0) -> None:
        """Kill the processes that were let go and are still there after `grace_s`."""
        ...

    def close(self) -> None:
        """Leave nothing behind: no process that was let go, and nothing that is open."""
        ...

    def dismiss(self, processes: Sequence[ProcessT], grace_s: float) -> Sequence[ProcessT]:
        """Let processes leave and kill them; return those that did not leave within `grace_s`."""
        ...
