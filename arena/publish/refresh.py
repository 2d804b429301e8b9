"""Refreshes of a run's site while the run is under way.

A separate process publishes, so games do not wait for it. The next one starts after the last one
has ended. It runs with low priority, and rests at least as long as it works.

Its input is a pipe on which nothing is written. The process of the run holds the other end, so the
input ends when that process does, in whatever way, and publishing ends with it.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.base.errors import ArenaError, StoreError
from arena.publish.layout import ReplayChoice
from arena.publish.site_folder import Site, check_folder
from arena.tournament.store import Store
from engine import EngineError

MAX_REST_S = 60.0
"""Longest rest between two refreshes. At the start of a run, when each game changes much, a rest is
as long as the run has lasted. It is never shorter than the last refresh took."""
NICENESS = 10
"""On a busy core the process gets a tenth of the time of a bot."""


class Refresher:
    """Publishes repeatedly, as long as `tick` is called."""

    def __init__(
        self,
        start: Callable[[], "subprocess.Popen[str]"],
        notice: Callable[[str], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take `start`, which starts a publishing process, and `notice` for its errors."""
        self._start = start
        self._notice = notice
        self._clock = clock
        self._process: subprocess.Popen[str] | None = None
        self._began = 0.0
        self._first = self._next = clock()
        self._said = ""

    def tick(self) -> None:
        """Start a refresh if one is due, and return at once."""
        now = self._clock()
        if self._process and self._process.poll() is not None:
            self._next = now + max(min(MAX_REST_S, now - self._first), now - self._began)
            self._say(self._end())
        if not self._process and now >= self._next:
            self._process = self._start()
            self._began = now

    def finish(self) -> None:
        """Publish one last time; raises `StoreError` if that fails."""
        self._end()
        self._process = self._start()
        if error := self._end():
            raise StoreError(error)

    def stop(self) -> None:
        """Stop the refresh that is under way."""
        if self._process:
            self._process.terminate()
            self._end()

    def _end(self) -> str:
        """Wait for the process, and return its error message if it failed."""
        process = self._process
        if process is None:
            return ""
        _, said = process.communicate()
        self._process = None  # only now: after an interrupted wait, `stop` must still stop it
        if process.returncode == 0:
            return ""
        last = said.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        return f"cannot refresh the site: {last[0]}"

    def _say(self, text: str) -> None:
        if text and text != self._said:
            self._notice(text)
        self._said = text


@contextmanager
def refreshing(
    run: Path, folder: Path | None, notice: Callable[[str], object]
) -> Iterator[Callable[[], object]]:
    """Refresh the site of a run inside this context, and complete it at the end.

    Args:
        run: the run's folder.
        folder: the folder of the site; None for no site.
        notice: called with a sentence when a refresh fails.

    Yields:
        A function to be called often.

    Raises:
        StoreError: the folder cannot hold a site (raised at once), or the last refresh failed.
    """
    if folder is None:
        yield lambda: None
        return
    check_folder(folder)
    command = [sys.executable, "-P", "-m", "arena.publish.refresh", str(run), str(folder)]
    ends_with_us, held = os.pipe()  # not inherited: only this process holds the other end

    def start() -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command,
            stdin=ends_with_us,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C must reach only this process, which stops the other
        )

    refresher = Refresher(start, notice)
    try:
        yield refresher.tick
        refresher.finish()
    finally:
        refresher.stop()
        os.close(ends_with_us)
        os.close(held)


def main() -> None:
    """Publish a run once. The arguments are the folders of the run and of the site."""
    from arena.publish.build import publish  # not above: `arena run` starts faster without it

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # deletes incomplete files
    threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
    os.nice(NICENESS)
    run, folder = map(Path, sys.argv[1:])
    try:
        with Store.open(run) as store, Site(folder) as site:
            publish(store, site, ReplayChoice(), lambda _: None)
    except (ArenaError, EngineError) as error:
        sys.exit(str(error))


def _stop_at_end_of_input() -> None:
    """Wait for the end of stdin, which is the end of the run's process, and stop this one."""
    while os.read(0, 1):  # not `sys.stdin`, whose lock would be held when this process exits
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
