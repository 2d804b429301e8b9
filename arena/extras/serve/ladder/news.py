"""News for a ladder under way: new versions, other settings, a final that is due."""

import time
from collections.abc import Callable
from pathlib import Path

from arena.contest.attempts import LOG, read_attempts
from arena.contest.contest_file import read_contest
from arena.contest.lineup import rules_of
from arena.contest.settings import Contest
from arena.errors import ArenaError
from arena.extras.serve.file_stamp import Stamp, file_stamp
from arena.extras.serve.ladder.ladder_files import FINAL, FinalFile, read_file
from arena.extras.serve.ladder.ladder_times import times_of
from arena.extras.serve.submissions.submission_store import are_unchecked
from arena.extras.serve.times import local_time
from engine import EngineError


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
