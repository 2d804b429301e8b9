"""Interrupts of the main thread: by news while it allows that, and by stop signals at any time."""

import contextlib
import math
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from arena.contest.attempts import LOG, read_attempts
from arena.contest.contest_file import read_contest
from arena.contest.lineup import rules_of
from arena.contest.settings import Contest
from arena.errors import ArenaError
from arena.extras.serve.database import local_time
from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    FinalFile,
    Stamp,
    file_stamp,
    read_file,
    times_of,
)
from arena.extras.serve.submissions.submission_store import are_unchecked
from engine import EngineError

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
NEWS_SIGNAL = signal.SIGUSR1
TICK_S = 0.2


class Interrupts:
    """Raises `KeyboardInterrupt` in the main thread, as Ctrl-C does.

    Other threads send this process the signals. Python handles them in the main thread, so nothing
    here is changed by two threads.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Take a `clock` of seconds."""
        self.must_stop = False
        self._has_news = False
        self._clock = clock
        self._allowed_from = math.inf

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Handle the signals in this context."""
        former = {one: signal.signal(one, self._stop) for one in STOP_SIGNALS}
        former[NEWS_SIGNAL] = signal.signal(NEWS_SIGNAL, self._tell_news)
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    @property
    def has_news(self) -> bool:
        """Whether there is news that was not taken yet."""
        return self._has_news

    def take_news(self) -> None:
        """Mark all news so far as taken."""
        self._has_news = False

    @contextlib.contextmanager
    def allowed(self, after_s: float = 0.0) -> Iterator[None]:
        """Let news interrupt this context, but not before `after_s` seconds.

        News that came before stays: the next signal of news interrupts.

        Raises:
            KeyboardInterrupt: there is news, or the process has to stop.
        """
        self._allowed_from = self._clock() + after_s
        try:
            if self.must_stop or (self._has_news and not after_s):
                raise KeyboardInterrupt
            yield
        finally:
            self._allowed_from = math.inf

    def wait(self, seconds: float | None) -> None:
        """Wait until there is news, the process has to stop, or the time is over."""
        end = math.inf if seconds is None else self._clock() + seconds
        with contextlib.suppress(KeyboardInterrupt), self.allowed():
            while (left := end - self._clock()) > 0:
                time.sleep(min(TICK_S, left))

    def _stop(self, _: int, __: FrameType | None) -> None:
        is_first, self.must_stop = not self.must_stop, True
        if is_first:  # a second one would interrupt the end of the work
            raise KeyboardInterrupt

    def _tell_news(self, _: int, __: FrameType | None) -> None:
        self._has_news = True
        if self._clock() >= self._allowed_from:
            raise KeyboardInterrupt


# -- news for a ladder under way: new versions, other settings, a final that is due ------------


class News:
    """Compares what a contest says now with what it said before."""

    def __init__(self, contest_file: Path, clock: Callable[[], float] = time.time) -> None:
        """Note what the contest says now. `clock` gives seconds since 1970."""
        self._contest_file = contest_file
        self._clock = clock
        self._log: Stamp = ()
        self._playing: dict[str, tuple[int, str]] = {}
        self._known: tuple[object, ...] = ()
        self.has_come()

    def has_come(self) -> bool:
        """Return whether there is news since the last call."""
        try:
            known = self._look()
        except (ArenaError, EngineError, OSError):  # the ladder itself reports it
            return False
        has_come, self._known = known != self._known, known
        return has_come

    def _look(self) -> tuple[object, ...]:
        contest = read_contest(self._contest_file)
        now = local_time(self._clock())
        folder = self._contest_file.parent
        final = read_file(folder, FINAL, FinalFile)
        return (
            file_stamp(self._contest_file),
            final or (times_of(contest).is_final_due(now) and not are_unchecked(folder)),
            self._newest_versions(contest),
        )

    def _newest_versions(self, contest: Contest) -> dict[str, tuple[int, str]]:
        """Return by student the number and the digest of the version that was accepted last."""
        rules = rules_of(contest)
        if rules is None:
            return {}
        if (log := file_stamp(rules.folder / LOG)) != self._log:
            attempts = read_attempts(rules.folder)
            accepted = [one for one in attempts if one.outcome == "accepted"]
            self._playing = {one.id: (one.number, one.fingerprint) for one in accepted}
            self._log = log
        return self._playing
