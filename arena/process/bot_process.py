"""A bot process, written to and read from without blocking, and always reaped."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
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
"""The size of a pipe; larger reads cost more than they bring."""
EXIT_GRACE_S = 5.0
"""The time from the end of a bot's output to its exit, before it is killed. With less, the record
would depend on how busy the machine is."""
LAST_READS = 16
"""Reads of stderr after the end of a process: what its pipe holds."""
SIGNALLED = 128
"""A wrapper reports the signal that ended its bot as an exit code above this."""
BYE_GRACE_S = 1.0
"""The time that bots have to leave after `bye`."""


class BotProcess:
    """A running bot. Use it as a context: at its end the process and its group are gone."""

    def __init__(
        self,
        entrant: Entrant,
        limits: Limits = DEFAULT_LIMITS,
        sandbox: SandboxSettings | None = None,
        home: Callable[[], Home | None] = our_home,
        files: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        """Start the command of `entrant` in a sandbox; None stands for no sandbox.

        `home` returns the place for the control group of the bot, None if there is none. The bot
        gets the open `files`; variables of its environment have their numbers. A sandbox ends with
        the thread that started the bot, so start it from one that lives on.

        Raises:
            OSError: the command cannot be started.
            SandboxError: the sandbox cannot be set up.
        """
        self.entrant = entrant
        self._stderr_bytes = limits.stderr_bytes
        self.sandbox = sandbox or SandboxSettings()
        launched = launch(entrant, self.sandbox, home, files)
        self._sandboxed, self._popen, self._processes, self.mark = launched
        """The value of `launch.MARK` in the environment of its processes."""
        self.pid = self._popen.pid
        """The id of its first process, which is one of the sandbox if it has one."""
        self.has_begun = not self._sandboxed.announces
        """Whether the bot itself runs. What goes wrong before is not its fault."""
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self.stdin, self.stdout, self.stderr = [pipe.fileno() for pipe in pipes if pipe]
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self.unsent = b""
        """The lines, or a part of one, that are still to be sent; `flush` sends them."""
        self._lines = LineBuffer(limits.line_bytes)
        self.too_long: bytes | None = None
        """The start of a line that is longer than allowed; nothing is read after it."""
        self._last_words = b""
        self.on_stderr: Callable[[bytes], object] | None = None
        """Called with each part of its log, and with nothing at its end."""
        self._is_over = False  # killed with all that it has started
        self._on_end = self._sandboxed.on_end

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    # -- writing ------------------------------------------------------------------------------

    def send(self, message: Message) -> None:
        """Send as much of a message as the bot reads now; `flush` sends the rest."""
        self.unsent += write(message)
        self.flush()

    def flush(self) -> bool:
        """Send as much as the bot reads now, and return whether that was all.

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
        """Return the whole lines that have come, without their ends; None at the end of output."""
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
        """Read the log of the bot and keep its end; return False if nothing came."""
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
        """The end of its log, printable."""
        return printable(self._last_words.decode("utf-8", "backslashreplace")).strip()

    @property
    def half_line(self) -> bytes:
        """The part of a line whose end has not come."""
        return self._lines.partial

    # -- measuring ----------------------------------------------------------------------------

    @property
    def has_exact_clock(self) -> bool:
        """Whether its clock counts all its processes, also those that have ended."""
        return self._processes.has_exact_clock

    def clock_s(self) -> float:
        """Return the processor time of all its processes so far, in seconds."""
        return self._processes.clock_s()

    def is_able(self) -> bool:
        """Return whether a thread of it runs or waits for a core: then it isn't idle."""
        return self._processes.is_able()

    def memory_kib(self) -> int:
        """Return its memory; 0 if it has exited or the system does not tell."""
        if self._popen.returncode is not None:
            return 0
        return self._processes.memory_kib(self.sandbox.bounds)

    def quick_memory_kib(self) -> int:
        """Return the memory of its first process and the living descendants of it.

        It takes a tenth of the time of `memory_kib`, and misses what a bot hides.
        """
        return sum(peaks_kib(process_tree.descendants(self.pid)))

    # -- freezing -----------------------------------------------------------------------------

    def freeze(self) -> bool:
        """Stop all processes of the bot; return whether all of them were seen to have stopped.

        With a control group they stay stopped. Without one, a bot that is not isolated can have the
        system continue it. What the bot is sent meanwhile waits for it.
        """
        return self._popen.returncode is None and self._processes.freeze()

    def thaw(self) -> None:
        """Let all processes of the bot run again. Do nothing if it is not frozen."""
        if self._popen.returncode is None:
            self._processes.thaw()

    # -- its sandbox --------------------------------------------------------------------------

    def excess(self) -> str | None:
        """Return the bound that the bot exceeds in words, or None.

        While its sandbox is set up, what is measured is partly the machine's own.
        """
        if not self.has_begun:
            return None
        return self._processes.excess(self.sandbox.bounds, self._sandboxed.own_tasks)

    def check_sandbox(self) -> None:
        """Raise an error if the process was killed before its sandbox was set up and the bot ran.

        Raises:
            SandboxError: it was. `arena.process.local` finds out whether the bot or the
                machine is the reason.
        """
        if self.has_begun:
            return
        level = self.sandbox.level
        said = " ".join(self.last_words.split()) or "nothing was said"
        remedy = get_sandbox(level).remedy(said)
        raise SandboxError(
            f"the sandbox {level!r} of the bot {self.entrant.name!r} cannot be set up: {said}"
            + (f": {remedy}" if remedy else "")
        )

    # -- ending -------------------------------------------------------------------------------

    def exit_text(self, grace_s: float = EXIT_GRACE_S) -> str:
        """Return how the bot ended, after the end of its output. What is left of it is killed.

        It has `grace_s` seconds to exit by itself.
        """
        self.wait(time.monotonic() + grace_s)
        ended_by_itself = self.has_exited()
        if excess := self._processes.kernel_excess(self.sandbox.bounds):
            self.kill()
            return f"was ended, since it {excess}"
        self.kill()
        if not ended_by_itself:
            return "closed its output and lived on"
        return _ending(self._popen.returncode, self._sandboxed.contains)

    def check_available(self) -> None:
        """Raise an error if the bot has ended because it cannot play for a reason outside it.

        Only a bot without a sandbox, which is trusted with more than that, can stop the games so.

        Raises:
            BotUnavailable: it has; the text is the last line of its log.
        """
        if self._popen.returncode == UNAVAILABLE and self.sandbox.level == "none":
            reason = (self.last_words.splitlines() or ["its log has no reason"])[-1]
            raise BotUnavailable(f"{self.entrant.name} cannot play: {shorten(reason)}")

    def hang_up(self) -> None:
        """Thaw it, send `bye` as far as it reads now, and close its input."""
        self.thaw()
        self.send(Bye())
        self.unsent = b""
        if self._popen.stdin:
            self._popen.stdin.close()

    def wait(self, deadline: float) -> bool:
        """Wait until the process has exited, or until `deadline` on the monotonic clock.

        Return whether it has exited. Its log is read meanwhile, so that it does not block.
        """
        while not (has_exited := self.has_exited()) and time.monotonic() < deadline:
            if not self.read_stderr():
                time.sleep(0.001)
        return has_exited

    def has_exited(self) -> bool:
        """Return whether its first process has ended, without waiting."""
        if self._popen.returncode is not None:
            return True
        if hasattr(os, "waitid"):  # not reaped yet, its group keeps its id until `kill`
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self.pid, options) is not None
        return self._popen.poll() is not None

    def end(self, others: Iterable["BotProcess"] = ()) -> None:
        """Kill this process and others, with all that they have started, without waiting until they
        are gone. Call `kill` when they have exited.
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
        """Kill the process and all that it has started, and reap it. A second call does nothing."""
        self.end()
        self._popen.wait()
        on_end, self._on_end = self._on_end, None
        if on_end:
            on_end()
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe:
                pipe.close()


def dismiss(processes: Iterable[BotProcess], grace_s: float = BYE_GRACE_S) -> list[BotProcess]:
    """Let bots leave by themselves; kill and return those that do not leave within `grace_s`."""
    leaving = list(processes)
    for process in leaving:
        process.hang_up()
    deadline = time.monotonic() + grace_s
    staying = [process for process in leaving if not process.wait(deadline)]
    kill_together(leaving)
    return staying


def kill_together(processes: Iterable[BotProcess]) -> None:
    """Kill processes and all that they have started, and reap them.

    What they have started is searched for once, not for each.
    """
    killed = list(processes)
    for process in killed[:1]:
        process.end(killed[1:])
    for process in killed:
        process.kill()


def _ending(code: int, is_wrapped: bool) -> str:
    """Return how a process has ended, in words; `code` is negative for a signal.

    Of a bot that `is_wrapped`, the code is what its wrapper reports.
    """
    if is_wrapped and code - SIGNALLED in signal.valid_signals():
        code = SIGNALLED - code
    if code >= 0:
        return f"exited with code {code}"
    with contextlib.suppress(ValueError):
        return f"was ended by {signal.Signals(-code).name}"
    return f"was ended by signal {-code}"
