"""One bot process: started, written to and read from without ever blocking, and always reaped."""

import contextlib
import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from arena.protocol import LINE_BYTES, Bye, Message, printable, write
from arena.record import Entrant

READ_BYTES = 64 * 1024
"""What a pipe holds; larger reads cost more than they bring."""
STDERR_BYTES = 4 * 1024
"""How much of the end of a bot's stderr is kept."""
EXIT_GRACE_S = 0.5
"""Between the end of a bot's output and its exit code; after that it is killed."""
BYE_GRACE_S = 1.0
"""What bots get to leave by themselves after `bye`."""


class TooLong(Exception):
    """A line is longer than the protocol allows; what there is of it is the argument."""


class BotProcess:
    """A running bot. Use it as a context: at its end the process and its group are gone."""

    def __init__(self, entrant: Entrant) -> None:
        """Start the bot's command.

        Raises:
            OSError: the command cannot be started.
        """
        self.entrant = entrant
        self._popen = subprocess.Popen(
            entrant.command,
            cwd=entrant.folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # a group of its own, so that all of it can be killed
            env=os.environ
            | {"PYTHONHASHSEED": "0"},  # else sets of Python bots have a random order
        )
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self.stdin, self.stdout, self.stderr = [pipe.fileno() for pipe in pipes if pipe]
        for fd in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(fd, False)
        self._unsent: deque[bytes] = deque()
        self._partial = b""
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

    def send(self, message: Message) -> None:
        """Send a message as far as the bot reads now; the rest goes with `flush`."""
        self._unsent.append(write(message))
        if len(self._unsent) == 1:
            self.flush()

    def flush(self) -> None:
        """Send what waits, as far as the bot reads now. A bot that has gone gets nothing."""
        while self._unsent:
            data = self._unsent[0]
            try:
                sent = os.write(self.stdin, data)
            except BlockingIOError:
                return
            except OSError:  # nobody reads any more; that shows as the end of its output
                self._unsent.clear()
                return
            if sent < len(data):
                self._unsent[0] = data[sent:]
                return
            self._unsent.popleft()

    # -- reading ------------------------------------------------------------------------------

    def read_lines(self) -> list[bytes] | None:
        """Return the whole lines that have come, without their ends; None at the end of output.

        Raises:
            TooLong: a line is longer than the protocol allows.
        """
        try:
            data = os.read(self.stdout, READ_BYTES)
        except BlockingIOError:
            return []
        if not data:
            return None
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in [*lines, self._partial]:
            if len(line) > LINE_BYTES:
                raise TooLong(line)
        return lines

    def read_stderr(self) -> bool:
        """Take in what the bot logs, keeping the end of it; return False when nothing came."""
        if self._popen.stderr is None or self._popen.stderr.closed:
            return False
        try:
            data = os.read(self.stderr, READ_BYTES)
        except BlockingIOError:
            return False
        self._last_words = (self._last_words + data)[-STDERR_BYTES:]
        return bool(data)

    @property
    def last_words(self) -> str:
        """The end of what the bot logged, for people."""
        return printable(self._last_words.decode("utf-8", "backslashreplace")).strip()

    @property
    def half_line(self) -> bytes:
        """What has come of a line that has no end yet."""
        return self._partial

    # -- ending -------------------------------------------------------------------------------

    def exit_text(self) -> str:
        """Say how a bot ended whose output has ended; what is left of it is killed."""
        self.wait(time.monotonic() + EXIT_GRACE_S)
        ended_by_itself = self._has_exited()
        self.kill()
        if not ended_by_itself:
            return "closed its output and lived on"
        code = self._popen.returncode
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

    def wait(self, deadline: float) -> None:
        """Wait until the process has exited or the monotonic clock has come to `deadline`."""
        while not self._has_exited() and time.monotonic() < deadline:
            time.sleep(0.001)

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
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._popen.pid, signal.SIGKILL)
            self._popen.wait()
        while self.read_stderr():
            pass
        for pipe in (self._popen.stdin, self._popen.stdout, self._popen.stderr):
            if pipe:
                pipe.close()


def dismiss(processes: Iterable[BotProcess]) -> None:
    """Let the bots leave by themselves; whoever does not in time is killed."""
    leaving = list(processes)
    for process in leaving:
        process.hang_up()
    deadline = time.monotonic() + BYE_GRACE_S
    for process in leaving:
        process.wait(deadline)
        process.kill()
