"""A bot process with non-blocking I/O. It is always reaped."""

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
from arena.process.line_buffer import LineBuffer
from arena.process.sandboxed_processes import launch
from arena.process.usage import peaks_kib
from arena.sandbox import process_tree
from arena.sandbox.cgroup import Home, our_home
from arena.sdk.bot_class import UNAVAILABLE

READ_BYTES = 64 * 1024
"""The size of a pipe. Larger reads are slower."""
EXIT_GRACE_S = 5.0
"""Time between the end of a bot's output and its exit, before it is killed. If this were shorter,
the record would depend on how busy the machine is."""
LAST_READS = 16
"""Reads of stderr after a process ends, enough to drain the pipe."""
SIGNALLED = 128
"""A wrapper reports a signal that killed its bot as this number plus the signal."""
BYE_GRACE_S = 1.0


class BotProcess:
    """A running bot. As a context manager, it kills the process and its group on exit."""

    def __init__(
        self,
        entrant: Entrant,
        limits: Limits = DEFAULT_LIMITS,
        sandbox: SandboxSettings | None = None,
        home: Callable[[], Home | None] = our_home,
    ) -> None:
        """Start the command of `entrant` in a sandbox, or without one for None.

        `home` returns the place for the bot's control group, or None. A sandbox dies with the
        thread that started the bot, so start bots from a long-lived thread.

        Raises:
            OSError: the command can't be started.
            SandboxError: the sandbox can't be set up.
        """
        self.entrant = entrant
        self._stderr_bytes = limits.stderr_bytes
        self.sandbox = sandbox or SandboxSettings()
        launched = launch(entrant, self.sandbox, home)
        self._sandboxed, self._popen, self._processes, self.mark = launched
        self.pid = self._popen.pid
        """Id of its first process, which belongs to the sandbox if there is one."""
        self.has_begun = not self._sandboxed.announces
        """Whether the bot itself is running. Earlier failures aren't its fault."""
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self.stdin, self.stdout, self.stderr = [pipe.fileno() for pipe in pipes if pipe]
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.unsent = b""
        self._lines = LineBuffer(limits.line_bytes)
        self.too_long: bytes | None = None
        """Start of a line that exceeds the limit. Nothing is read after it."""
        self._last_words = b""
        self.on_stderr: Callable[[bytes], object] | None = None
        """Called with each piece of its log, and with empty bytes at the end."""
        self._is_over = False  # killed with all that it has started
        self._on_end = self._sandboxed.on_end

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    # -- writing ------------------------------------------------------------------------------

    def send(self, message: Message) -> None:
        """Send as much of a message as fits in the pipe. `flush` sends the rest."""
        self.unsent += write(message)
        self.flush()

    def flush(self) -> bool:
        """Send as much as fits in the pipe, and return whether everything was sent.

        Do nothing if the bot has exited.
        """
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
        """Return the complete lines received, without line ends; None at the end of output."""
        try:
            data = os.read(self.stdout, READ_BYTES)
        except BlockingIOError:
            return []
        if not data:
            return None
        buffer = self._lines
        lines = buffer.feed(data)
        self.too_long = buffer.too_long
        if not self.has_begun and lines:
            del lines[0]  # the announcement that the sandbox stands
            self.has_begun = True
        return lines

    def read_stderr(self) -> bool:
        """Read the bot's log and keep its end. Return False if there was nothing to read."""
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

    # -- measuring ----------------------------------------------------------------------------

    @property
    def has_exact_clock(self) -> bool:
        """Whether its clock covers all its processes, even those that have ended."""
        return self._processes.has_exact_clock

    def clock_s(self) -> float:
        """Return the CPU time of all its processes so far, in seconds."""
        return self._processes.clock_s()

    def is_able(self) -> bool:
        """Return whether any of its threads is running or waiting for a core."""
        return self._processes.is_able()

    def memory_kib(self) -> int:
        """Return its memory; 0 if it has exited or the system can't tell."""
        if self._popen.returncode is not None:
            return 0
        return self._processes.memory_kib(self.sandbox.bounds)

    def quick_memory_kib(self) -> int:
        """Return the memory of its first process and living descendants.

        Takes a tenth of the time of `memory_kib`, but misses memory that a bot hides.
        """
        return sum(peaks_kib(process_tree.descendants(self.pid)))

    # -- freezing -----------------------------------------------------------------------------

    def freeze(self) -> bool:
        """Stop all processes of the bot, and return whether all were seen to stop.

        With a control group they stay stopped. Without one, a bot that isn't isolated can get
        itself continued. Input sent in the meantime is buffered.
        """
        return self._popen.returncode is None and self._processes.freeze()

    def thaw(self) -> None:
        if self._popen.returncode is None:
            self._processes.thaw()

    # -- its sandbox --------------------------------------------------------------------------

    def excess(self) -> str | None:
        """Describe the bound that the bot exceeds, or return None.

        During sandbox setup, part of what is measured belongs to the sandbox.
        """
        if not self.has_begun:
            return None
        return self._processes.excess(self.sandbox.bounds, self._sandboxed.own_tasks)

    def check_sandbox(self) -> None:
        """Check that the process wasn't killed before its sandbox was ready and the bot started.

        Raises:
            SandboxError: it was. `arena.process.local` finds out who is to blame.
        """
        if self.has_begun:
            return
        level = self.sandbox.level
        said = " ".join(self.last_words.split()) or "it wrote no error message"
        remedy = get_sandbox(level).remedy(said)
        raise SandboxError(
            f"the sandbox {level!r} of the bot {self.entrant.name!r} cannot be set up: {said}"
            + (f": {remedy}" if remedy else "")
        )

    # -- ending -------------------------------------------------------------------------------

    def exit_text(self, grace_s: float = EXIT_GRACE_S) -> str:
        """Describe how the bot ended after its output has ended. Kill what is left of it.

        It has `grace_s` seconds to exit by itself.
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
        """Check whether the bot exited because something outside it prevents it from playing.

        Only unsandboxed bots, which are trusted anyway, can stop the games this way.

        Raises:
            BotUnavailable: it did. The text is the last line of its log.
        """
        if self._popen.returncode == UNAVAILABLE and self.sandbox.level == "none":
            reason = (self.last_words.splitlines() or ["it gave no reason"])[-1]
            raise BotUnavailable(f"{self.entrant.name} cannot play: {shorten(reason)}")

    def hang_up(self) -> None:
        """Thaw it, send as much of `bye` as fits in the pipe, and close its input."""
        self.thaw()
        self.send(Bye())
        self.unsent = b""
        if self._popen.stdin:
            self._popen.stdin.close()

    def wait(self, deadline: float) -> bool:
        """Wait for the process to exit, until `deadline` on the monotonic clock.

        Return whether it has exited. Its log is read while waiting, so that it doesn't block.
        """
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
        """Kill this process and others, with all descendants, but don't wait for them.

        Call `kill` when they have exited.
        """
        ending = [process for process in (self, *others) if not process._is_over]
        if ending:
            ending[0]._processes.kill([process._processes for process in ending[1:]])
        for process in ending:
            process._is_over = True
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)  # all that is there without /proc
            for _ in range(LAST_READS):  # a process that has left the group may go on writing
                if not process.read_stderr():
                    break

    def kill(self) -> None:
        """Kill the process and all its descendants, and reap it. Calling it again does nothing."""
        self.end()
        self._popen.wait()
        on_end, self._on_end = self._on_end, None
        if on_end:
            on_end()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe:
                pipe.close()


def dismiss(processes: Iterable[BotProcess], grace_s: float = BYE_GRACE_S) -> list[BotProcess]:
    """Let bots exit by themselves. Kill and return those that take longer than `grace_s`."""
    leaving = list(processes)
    for process in leaving:
        process.hang_up()
    deadline = time.monotonic() + grace_s
    staying = [process for process in leaving if not process.wait(deadline)]
    kill_together(leaving)
    return staying


def kill_together(processes: Iterable[BotProcess]) -> None:
    """Kill and reap processes with all descendants.

    Descendants are searched for once, not once per process.
    """
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
