"""Exchange messages with a bot process over non-blocking pipes."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable
from typing import Self

from arena.base.contracts import SandboxSettings
from arena.base.errors import BotUnavailable, SandboxError
from arena.base.protocol import DEFAULT_LIMITS, Bye, Limits, Message, printable, shorten, write
from arena.base.record import Entrant
from arena.plugins import get_sandbox
from arena.process.sandboxed_processes import launch
from arena.process.usage import resident_kib
from arena.sandbox import process_tree
from arena.sandbox.cgroup import Home, our_home
from arena.sdk.bot_class import UNAVAILABLE

# A pipe holds this many bytes, and larger reads are slower.
READ_BYTES = 64 * 1024
# With a lower value, game records would depend on how busy the machine is.
EXIT_GRACE_S = 5.0  # after a bot has closed its stdout
# A process that has left the process group may keep writing to stderr.
LAST_READS = 16
# The exit code of a bot that is killed by a signal is 128 plus the number of the signal.
SIGNALLED = 128
BYE_GRACE_S = 1.0


class LineBuffer:
    def __init__(self, max_bytes: int) -> None:
        """Create a buffer for lines of up to `max_bytes` bytes, not counting the line feed."""
        self._max_bytes = max_bytes
        self.partial = b""
        self.too_long: bytes | None = None
        """The beginning of the first line that is longer than `max_bytes`. All later output is
        ignored."""

    def feed(self, data: bytes) -> list[bytes]:
        if self.partial:
            data = self.partial + data
        lines = data.split(b"\n")
        self.partial = lines.pop()
        if len(data) <= self._max_bytes:
            return lines
        if self.too_long is not None:
            self.partial = b""
            return []
        for number, line in enumerate([*lines, self.partial]):
            if len(line) > self._max_bytes:
                self.too_long, self.partial = line, b""
                self._max_bytes = -1  # so that later data needs no extra check
                return lines[:number]
        return lines


class BotProcess:
    """A running bot process. The context manager kills all of the bot's processes on exit."""

    def __init__(
        self,
        entrant: Entrant,
        limits: Limits = DEFAULT_LIMITS,
        sandbox: SandboxSettings | None = None,
        home: Callable[[], Home | None] = our_home,
    ) -> None:
        """Start a bot's command in a sandbox, and kill the bot when the calling thread exits.

        Raises:
            OSError: The bot's command can't be started.
            SandboxError: The sandbox can't be set up.
        """
        self.entrant = entrant
        self._stderr_bytes = limits.stderr_bytes
        self.sandbox = sandbox or SandboxSettings()
        self._sandboxed, self._popen, self._processes, self.mark = launch(
            entrant, self.sandbox, home
        )
        # This may be the id of a program that sets up the bot's sandbox.
        self.pid = self._popen.pid
        # Failures before the bot itself is running aren't the bot's fault.
        self.has_begun = not self._sandboxed.announces
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self.stdin, self.stdout, self.stderr = [pipe.fileno() for pipe in pipes if pipe]
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.unsent = b""
        self._lines = LineBuffer(limits.line_bytes)
        self._last_words = b""
        self.on_stderr: Callable[[bytes], object] | None = None
        """Called with each chunk that the bot writes to stderr, and with `b""` at the end."""
        self._is_over = False  # killed together with all its children
        self._on_end = self._sandboxed.on_end

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    # -- writing ------------------------------------------------------------------------------

    def send(self, message: Message) -> None:
        self.unsent += write(message)
        self.flush()

    def flush(self) -> bool:
        """Write as much as fits into the bot's stdin, and return whether everything was written."""
        unsent = self.unsent
        try:
            written = os.write(self.stdin, unsent)
        except BlockingIOError:
            return False
        except OSError:  # its input is closed; the end of its output follows
            written = len(unsent)
        if written == len(unsent):
            self.unsent = b""
            return True
        self.unsent = unsent[written:]
        return False

    # -- reading ------------------------------------------------------------------------------

    def read_lines(self) -> list[bytes] | None:
        """Return the complete lines received so far, or None if the bot has closed its output."""
        try:
            data = os.read(self.stdout, READ_BYTES)
        except BlockingIOError:
            return []
        if not data:
            return None
        lines = self._lines.feed(data)
        if not self.has_begun and lines:
            del lines[0]  # the announcement that the sandbox is set up
            self.has_begun = True
        return lines

    def read_stderr(self) -> bool:
        if self._popen.stderr is None or self._popen.stderr.closed:
            return False
        try:
            data = os.read(self.stderr, READ_BYTES)
        except BlockingIOError:
            return False
        if self.on_stderr:
            self.on_stderr(data)
        if self._stderr_bytes:
            self._last_words = (self._last_words + data)[-self._stderr_bytes :]
        return bool(data)

    @property
    def last_words(self) -> str:
        return printable(self._last_words.decode("utf-8", "backslashreplace")).strip()

    @property
    def half_line(self) -> bytes:
        return self._lines.partial

    @property
    def too_long(self) -> bytes | None:
        """The start of an overlong line, or None. No further output is read."""
        return self._lines.too_long

    # -- measuring ----------------------------------------------------------------------------

    @property
    def has_exact_clock(self) -> bool:
        return self._processes.has_exact_clock

    def clock_s(self) -> float:
        return self._processes.clock_s()

    def is_able(self) -> bool:
        return self._processes.is_able()

    def memory_kib(self) -> int:
        """Return the bot's memory usage in KiB, or 0 if it is unknown."""
        if self._popen.returncode is not None:
            return 0
        return self._processes.memory_kib(self.sandbox.bounds)

    def quick_memory_kib(self) -> int:
        """Return the memory usage of the bot's process tree in KiB.

        Orphaned processes are not included.
        """
        # This method is ten times faster than `memory_kib`.
        return sum(map(resident_kib, process_tree.descendants(self.pid)))

    # -- freezing -----------------------------------------------------------------------------

    def freeze(self) -> None:
        """Stop all processes of the bot. Messages to a frozen bot remain in the pipe."""
        if self._popen.returncode is None:
            self._processes.freeze()

    def thaw(self) -> None:
        if self._popen.returncode is None:
            self._processes.thaw()

    # -- its sandbox --------------------------------------------------------------------------

    def excess(self) -> str | None:
        if not self.has_begun:
            return None
        return self._processes.excess(self.sandbox.bounds, self._sandboxed.own_tasks)

    def check_sandbox(self) -> None:
        """Raise `SandboxError` if the bot process ended because its sandbox could not be set up."""
        if self.has_begun:
            return
        level = self.sandbox.level
        message = " ".join(self.last_words.split()) or "it wrote no error message"
        remedy = get_sandbox(level).remedy(message)
        raise SandboxError(
            f"the sandbox {level!r} of the bot {self.entrant.name!r} cannot be set up: {message}"
            + (f": {remedy}" if remedy else "")
        )

    # -- ending -------------------------------------------------------------------------------

    def exit_text(self, grace_s: float = EXIT_GRACE_S) -> str:
        """Return a description of how the bot ended. A bot that is still running after `grace_s`
        seconds is killed.
        """
        self.wait(time.monotonic() + grace_s)
        ended_by_itself = self.has_exited()
        if excess := self._processes.kernel_excess(self.sandbox.bounds):
            self.kill()
            return f"was killed because it {excess}"
        self.kill()
        if not ended_by_itself:
            return "closed its output but kept running"
        return _ending(self._popen.returncode, self._sandboxed.contains)

    def check_available(self) -> None:
        """Raise `BotUnavailable` if the bot has called `cannot_play`.

        The error message contains the last line of the bot's stderr.
        """
        # Sandboxed bots aren't trusted, so their exit codes are ignored.
        if self._popen.returncode == UNAVAILABLE and self.sandbox.level == "none":
            reason = (self.last_words.splitlines() or ["it gave no reason"])[-1]
            raise BotUnavailable(f"{self.entrant.name} cannot play: {shorten(reason)}")

    def hang_up(self) -> None:
        self.thaw()
        self.send(Bye())
        self.unsent = b""
        if self._popen.stdin:
            self._popen.stdin.close()

    def wait(self, deadline: float) -> bool:
        """Wait until the process has exited or the deadline has passed. Return whether it has
        exited.

        `deadline` is a time on the monotonic clock.
        """
        # A full stderr pipe would block the process.
        while not (has_exited := self.has_exited()) and time.monotonic() < deadline:
            if not self.read_stderr():
                time.sleep(0.001)
        return has_exited

    def has_exited(self) -> bool:
        if self._popen.returncode is not None:
            return True
        if hasattr(os, "waitid"):  # not reaped yet, its group keeps its id until `kill`
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, options) is not None
        return self._popen.poll() is not None

    def end(self, others: Iterable["BotProcess"] = ()) -> None:
        """Kill this bot and others without waiting. Call `BotProcess.kill` afterwards."""
        ending = [process for process in (self, *others) if not process._is_over]
        if ending:
            ending[0]._processes.kill([process._processes for process in ending[1:]])
        for process in ending:
            process._is_over = True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # the best option without /proc
            for _ in range(LAST_READS):  # a process that has left the group may keep writing
                if not process.read_stderr():
                    break

    def kill(self) -> None:
        """Kill the bot and its descendants, and wait until all of them have ended."""
        self.end()
        self._popen.wait()
        on_end, self._on_end = self._on_end, None
        if on_end:
            on_end()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe:
                pipe.close()


def dismiss(processes: Iterable[BotProcess], grace_s: float = BYE_GRACE_S) -> list[BotProcess]:
    """Tell bots to exit, and kill those still running after `grace_s` seconds. Return the killed
    bots.
    """
    leaving = list(processes)
    for process in leaving:
        process.hang_up()
    deadline = time.monotonic() + grace_s
    staying = [process for process in leaving if not process.wait(deadline)]
    kill_together(leaving)
    return staying


def kill_together(processes: Iterable[BotProcess]) -> None:
    killed = list(processes)
    for process in killed[:1]:
        process.end(killed[1:])
    for process in killed:
        process.kill()


def _ending(code: int, is_wrapped: bool) -> str:
    if is_wrapped and code - SIGNALLED in signal.valid_signals():
        code = SIGNALLED - code
    if code >= 0:
        return f"exited with code {code}"
    with contextlib.suppress(ValueError):
        return f"was killed by {signal.Signals(-code).name}"
    return f"was killed by signal {-code}"
