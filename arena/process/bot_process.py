"""One bot process: started, written to and read from without ever blocking, and always reaped."""

import contextlib
import os
import secrets
import signal
import subprocess
import time
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from arena.contracts import SandboxSettings
from arena.errors import SandboxError
from arena.plugins import get_sandbox
from arena.process.line_buffer import LineBuffer
from arena.process.usage import Usage, usage_of
from arena.protocol import DEFAULT_LIMITS, Bye, Limits, Message, printable, write_into
from arena.record import Entrant
from arena.sandbox import process_tree

READ_BYTES = 64 * 1024
"""What a pipe holds; larger reads cost more than they bring."""
EXIT_GRACE_S = 5.0
"""Between the end of a bot's output and its exit code; after that it is killed. A busy machine
needs a part of it, and with less the record would depend on how busy it is."""
LAST_READS = 16
"""Reads of stderr after the end of a process: what its pipe holds."""
SIGNALLED = 128
"""Whoever passes on how a bot ended says a signal as an exit code above this."""
BYE_GRACE_S = 1.0
"""What bots get to leave by themselves after `bye`."""
MARK = "ARENA_BOT"
"""The environment variable by which processes are known that a bot has left."""


class BotProcess:
    """A running bot. Use it as a context: at its end the process and its group are gone."""

    def __init__(
        self,
        entrant: Entrant,
        limits: Limits = DEFAULT_LIMITS,
        sandbox: SandboxSettings | None = None,
    ) -> None:
        """Start the command of `entrant` in a sandbox; None stands for no sandbox.

        A sandbox ends with the thread that started the bot, so start it from one that lives on.

        Raises:
            OSError: the command cannot be started.
            SandboxError: the walls cannot be put up.
        """
        self.entrant = entrant
        self._stderr_bytes = limits.stderr_bytes
        self.sandbox = sandbox or SandboxSettings()
        self._sandboxed = get_sandbox(self.sandbox.level).wrap(entrant, self.sandbox)
        self._mark = secrets.token_hex(8)
        self._popen = subprocess.Popen(
            self._sandboxed.command,
            cwd=self._sandboxed.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # a group of its own, so that all of it can be killed
            env=dict(self._sandboxed.environment) | {MARK: self._mark},
        )
        self.has_begun = not self._sandboxed.announces
        """Whether the bot itself runs; before that, what goes wrong is no fault of it."""
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self.stdin, self.stdout, self.stderr = [pipe.fileno() for pipe in pipes if pipe]
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self._unsent = bytearray()
        self._lines = LineBuffer(limits.line_bytes)
        self._last_words = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()

    # -- writing ------------------------------------------------------------------------------

    @property
    def is_writing(self) -> bool:
        """Whether something waits for the bot to read what came before."""
        return bool(self._unsent)

    def put(self, message: Message) -> None:
        """Add a message to what waits to be sent."""
        write_into(self._unsent, message)

    def send(self, message: Message) -> None:
        """Send a message as far as the bot reads now; the rest goes with `flush`."""
        self.put(message)
        self.flush()

    def flush(self) -> None:
        """Send what waits, as far as the bot reads now. A bot that has gone gets nothing."""
        try:
            sent = os.write(self.stdin, self._unsent)
        except BlockingIOError:
            return
        except OSError:  # nobody reads any more; that shows as the end of its output
            self._unsent.clear()
            return
        del self._unsent[:sent]

    # -- reading ------------------------------------------------------------------------------

    def read_lines(self) -> list[bytes] | None:
        """Return the whole lines that have come, without their ends; None at the end of output."""
        try:
            data = os.read(self.stdout, READ_BYTES)
        except BlockingIOError:
            return []
        if not data:
            return None
        lines = self._lines.feed(data)
        if lines and not self.has_begun:
            del lines[0]  # it says that the walls stand
            self.has_begun = True
        return lines

    def read_stderr(self) -> bool:
        """Take in what the bot logs, keeping the end of it; return False when nothing came."""
        if self._popen.stderr is None or self._popen.stderr.closed:
            return False
        try:
            data = os.read(self.stderr, READ_BYTES)
        except BlockingIOError:
            return False
        if self._stderr_bytes:
            self._last_words = (self._last_words + data)[-self._stderr_bytes :]
        return bool(data)

    @property
    def last_words(self) -> str:
        """The end of what the bot logged, for people."""
        return printable(self._last_words.decode("utf-8", "backslashreplace")).strip()

    @property
    def too_long(self) -> bytes | None:
        """What has come of a line that is longer than allowed; after it nothing is read."""
        return self._lines.too_long

    @property
    def half_line(self) -> bytes:
        """What has come of a line that has no end yet."""
        return self._lines.partial

    def usage(self) -> Usage | None:
        """Return what the process has used so far; None when it is gone or nobody can say."""
        return usage_of(self._popen.pid) if self._popen.returncode is None else None

    # -- its walls ----------------------------------------------------------------------------

    def excess(self) -> str | None:
        """Say what the bot takes more of than it may; None when it keeps within its bounds."""
        if not self._sandboxed.is_bounded:
            return None
        bounds = self.sandbox.bounds
        memory_mib, tasks = process_tree.use(self._popen.pid)
        if memory_mib > bounds.memory_mib:
            return f"took {memory_mib} MiB of memory; {bounds.memory_mib} MiB are allowed"
        if tasks > bounds.processes + self._sandboxed.own_tasks:
            return f"had {tasks} processes and threads; {bounds.processes} are allowed"
        return None

    def check_sandbox(self) -> None:
        """Refuse to blame a bot that was never started, after its process has been killed.

        Raises:
            SandboxError: the walls did not stand.
        """
        if self.has_begun:
            return
        level = self.sandbox.level
        said = " ".join(self.last_words.split()) or "nothing was said"
        remedy = get_sandbox(level).remedy(said)
        raise SandboxError(
            f"the sandbox {level!r} does not stand round the bot {self.entrant.name!r}: {said}"
            + (f": {remedy}" if remedy else "")
        )

    # -- ending -------------------------------------------------------------------------------

    def exit_text(self) -> str:
        """Say how a bot ended whose output has ended; what is left of it is killed."""
        self.wait(time.monotonic() + EXIT_GRACE_S)
        ended_by_itself = self._has_exited()
        self.kill()
        if not ended_by_itself:
            return "closed its output and lived on"
        code = self._popen.returncode
        if self._sandboxed.contains and code - SIGNALLED in signal.valid_signals():
            code = SIGNALLED - code
        if code >= 0:
            return f"exited with code {code}"
        with contextlib.suppress(ValueError):
            return f"was ended by {signal.Signals(-code).name}"
        return f"was ended by signal {-code}"

    def hang_up(self) -> None:
        """Say bye, as far as the bot reads now, and close its input."""
        self.send(Bye())
        self._unsent.clear()
        if self._popen.stdin:
            self._popen.stdin.close()

    def wait(self, deadline: float) -> bool:
        """Wait until the process has exited or the monotonic clock has come to `deadline`.

        Return whether it has exited. What it logs meanwhile is read, so that it can go on.
        """
        while not (has_exited := self._has_exited()) and time.monotonic() < deadline:
            if not self.read_stderr():
                time.sleep(0.001)
        return has_exited

    def _has_exited(self) -> bool:
        if self._popen.returncode is not None:
            return True
        if hasattr(os, "waitid"):  # not reaped yet, its group keeps its id until `kill`
            options = os.WEXITED | os.WNOHANG | os.WNOWAIT
            return os.waitid(os.P_PID, self._popen.pid, options) is not None
        return self._popen.poll() is not None

    def kill(self) -> None:
        """End the process and all of its group, and reap it. Doing it again does nothing."""
        if self._popen.returncode is None:
            family = process_tree.descendants(self._popen.pid)[1:]
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            process_tree.kill_all(family)  # those that are in another group
            self._popen.wait()
            if not self._sandboxed.contains:
                process_tree.kill_marked(MARK, self._mark)
        for _ in range(LAST_READS):  # whoever has left the group may go on writing
            if not self.read_stderr():
                break
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe:
                pipe.close()


def dismiss(processes: Iterable[BotProcess], grace_s: float = BYE_GRACE_S) -> list[BotProcess]:
    """Let the bots leave by themselves; kill, and return, those that do not in time."""
    leaving = list(processes)
    for process in leaving:
        process.hang_up()
    deadline = time.monotonic() + grace_s
    staying = []
    for process in leaving:
        if not process.wait(deadline):
            staying.append(process)
        process.kill()
    return staying
