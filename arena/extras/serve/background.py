"""Start, restart and stop the server's child processes."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO

NICENESS = 10
STOP_S = 20.0
PAUSE_S = 5.0
"""Delay in seconds before a failed child process is restarted."""
WAKE = b"wake\n"


class Background:
    """A background task of the server. All methods are thread-safe. The base class does nothing."""

    def start(self) -> None:
        """Start the background task."""

    def wake(self) -> None:
        """Notify the background task that there may be new work."""

    def stop(self) -> None:
        """Stop the background task and wait until it has ended."""


class Child(Background):
    """A child process that the server restarts when it crashes.

    The server writes a line to the child's standard input to notify the child of new work. The
    child exits on SIGTERM or when its standard input is closed. A child process that exits with
    code 0 is not restarted until `wake()` is called.
    """

    def __init__(
        self,
        name: str,
        command: Sequence[str],
        say: Callable[[str], object],
        pause_s: float = PAUSE_S,
    ) -> None:
        """`say` is called with a message whenever the child process fails."""
        self._name = name
        self._command = command
        self._say = say
        self._pause_s = pause_s
        self._changed = threading.Condition()
        self._child: subprocess.Popen[bytes] | None = None
        self._thread: threading.Thread | None = None
        self._is_stopping = False
        self._has_work = True

    @property
    def pid(self) -> int | None:
        with self._changed:
            return self._child.pid if self._child else None

    def start(self) -> None:
        self._thread = threading.Thread(target=self._watch, name=self._name, daemon=True)
        self._thread.start()

    def wake(self) -> None:
        with self._changed:
            self._has_work = True
            if self._child and self._child.stdin:
                _write(self._child.stdin, WAKE)
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._is_stopping = True
            self._changed.notify_all()
            child = self._child
        if child:
            _stop(child)
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        while child := self._started():
            code = child.wait()
            with self._changed:
                self._child = None
                if child.stdin:
                    _close(child.stdin)
                if code == 0 or self._is_stopping:
                    continue
                self._say(f"the {self._name} {_ending(code)}; restarting it in {self._pause_s:g} s")
                self._has_work = True
                self._changed.wait_for(lambda: self._is_stopping, timeout=self._pause_s)

    def _started(self) -> subprocess.Popen[bytes] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._is_stopping or self._has_work)
            if self._is_stopping:
                return None
            self._has_work = False
            self._child = _start(self._command)
            return self._child


def _ending(code: int) -> str:
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"failed with code {code}"


def _start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=sys.stderr.fileno(),
        start_new_session=True,
    )
    with contextlib.suppress(OSError):
        ours = os.getpriority(os.PRIO_PROCESS, 0)
        os.setpriority(os.PRIO_PROCESS, child.pid, min(19, ours + NICENESS))
    return child


def _stop(child: subprocess.Popen[bytes]) -> None:
    child.terminate()  # SIGINT would print a traceback while the child starts
    try:
        child.wait(STOP_S)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child.pid, signal.SIGKILL)


def _write(pipe: IO[bytes], line: bytes) -> None:
    with contextlib.suppress(OSError, ValueError):
        os.set_blocking(pipe.fileno(), False)
        pipe.write(line)
        pipe.flush()


def _close(pipe: IO[bytes]) -> None:
    with contextlib.suppress(OSError):
        pipe.close()


# -- the standard input of a child process, by which the server wakes it and stops it ----------


PART_BYTES = 1024


def watch_input(on_end: Callable[[], object], on_wake: Callable[[], object] | None = None) -> None:
    """Start a thread that reads this process's standard input.

    `on_wake` is called for each line from the server, and `on_end` when the server has ended.
    """

    def watch() -> None:
        while os.read(0, PART_BYTES):
            if on_wake:
                on_wake()
        on_end()

    threading.Thread(target=watch, daemon=True).start()
