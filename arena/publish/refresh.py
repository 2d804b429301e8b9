"""Refreshing the site of a run while the run is under way.

A process of its own publishes, so that nobody who plays waits for it, and the last one has ended
before the next begins. It asks for little: its priority is low, and it rests at least as long as it
works.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.errors import ArenaError, StoreError
from arena.publish.choice import Choice
from arena.publish.site import check_folder
from arena.tournament.store import Store
from engine import EngineError

REST_S = 60.0
"""So long nothing is published after the last time; less at first, when each game tells much: then
as long as the run goes on by now. In any case at least as long as the last time took."""
NICENESS = 10
"""On a busy core it gets a tenth of what a bot gets."""


class Refresher:
    """Publishes now and then, whenever `tick` is called often enough."""

    def __init__(
        self,
        start: Callable[[], "subprocess.Popen[str]"],
        notice: Callable[[str], object],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take what starts a process that publishes and what tells the user of its mistakes."""
        self._start = start
        self._notice = notice
        self._clock = clock
        self._process: subprocess.Popen[str] | None = None
        self._began = 0.0
        self._first = self._next = clock()
        self._said = ""

    def tick(self) -> None:
        """Publish if it is time to; returns at once."""
        now = self._clock()
        if self._process and self._process.poll() is not None:
            self._next = now + max(min(REST_S, now - self._first), now - self._began)
            self._say(self._end())
        if not self._process and now >= self._next:
            self._process = self._start()
            self._began = now

    def finish(self) -> None:
        """Publish a last time; raises `StoreError` if that fails."""
        self._end()
        self._process = self._start()
        if error := self._end():
            raise StoreError(error)

    def stop(self) -> None:
        """End what is under way."""
        if self._process:
            self._process.terminate()
            self._end()

    def _end(self) -> str:
        """Wait for the process, and return what it has to say if it failed."""
        process = self._process
        if process is None:
            return ""
        _, said = process.communicate()
        self._process = None  # not before: who is interrupted while waiting has to stop it
        if process.returncode == 0:
            return ""
        last = said.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        return f"the site is not refreshed: {last[0]}"

    def _say(self, text: str) -> None:
        if text and text != self._said:
            self._notice(text)
        self._said = text


@contextmanager
def refreshing(
    run: Path, folder: Path | None, notice: Callable[[str], object]
) -> Iterator[Callable[[], object]]:
    """Keep the site of a run fresh in this context, and complete it at its end.

    Args:
        run: the run's folder.
        folder: that of the site; None for no site.
        notice: called with a sentence when the site could not be refreshed.

    Yields:
        What is to be called often.

    Raises:
        StoreError: the folder can't be that of a site, at once; or the last time failed.
    """
    if folder is None:
        yield lambda: None
        return
    check_folder(folder)
    command = [sys.executable, "-P", "-m", "arena.publish.refresh", str(run), str(folder)]

    def start() -> "subprocess.Popen[str]":
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # Ctrl-C is for us, who end it
        )

    refresher = Refresher(start, notice)
    try:
        yield refresher.tick
        refresher.finish()
    finally:
        refresher.stop()


def main() -> None:
    """Publish a run once: the arguments are its folder and that of the site."""
    from arena.publish.build import publish  # not above: who only starts us can do without

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # then what is half made is deleted
    os.nice(NICENESS)
    run, folder = map(Path, sys.argv[1:])
    try:
        with Store.open(run) as store:
            publish(store, folder, Choice(), lambda _: None)
    except (ArenaError, EngineError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
