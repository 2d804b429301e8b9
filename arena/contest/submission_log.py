"""The log of submissions: a table of what was handed in, and what became of it.

    .submissions/log.db          beside the folder of submissions, where no student can write
    .submissions/arrived/5e0c/   an accepted bot, until it is moved to `submissions/ann/3`
    .submissions/adopted/ben/    the former `submissions/ben.py`, until it is `submissions/ben/1`

A row is committed when its files have arrived whole. From then on the submission is accepted, and
the next change of the log moves the files to their student, also if this process is killed. A
folder without a row is rubbish. A row without a verdict is a bot that somebody has put into the
folder of submissions: it has the time at which it was first seen, and is checked again.

So a version never appears before its row. A reader that looks at the versions first, and at the log
after that, never takes a submitted version for one that somebody put there.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from arena.base import lock
from arena.base.atomic_file import os_error_as
from arena.base.errors import SubmissionError
from arena.contest.bot_files import move, versions
from arena.contest.roster import Student
from arena.contest.secret_file import private_folder
from arena.contest.submissions import keep_name, without_versions
from arena.contest.untrusted_files import UntrustedFolder

DATABASE, LOCK, ARRIVED, ADOPTED = "log.db", "log.lock", "arrived", "adopted"
"""In the private folder of the submissions."""
OLD_LOG = ".attempts.jsonl"
"""The log of version 0.2.0, in the folder of submissions."""
SCHEMA = 2
MAX_REASON_CHARS = 1_000
_TABLE = """
CREATE TABLE IF NOT EXISTS attempts (
    place INTEGER PRIMARY KEY,
    time TEXT NOT NULL,
    id TEXT NOT NULL,
    file TEXT NOT NULL,
    outcome TEXT,
    fingerprint TEXT NOT NULL,
    number INTEGER NOT NULL,
    late INTEGER NOT NULL,
    checked INTEGER NOT NULL,
    variants TEXT NOT NULL,
    reason TEXT NOT NULL,
    submission TEXT NOT NULL
)
"""
"""`place` is the order of the verdicts. `outcome` is NULL without a verdict."""

Outcome = Literal["accepted", "unchanged", "refused"]


class Attempt(msgspec.Struct, frozen=True):
    """An attempt to submit a bot."""

    time: datetime
    """Of the submission, with its zone."""
    id: str
    """Of the student; empty if the student is unknown."""
    file: str
    """The name of what was submitted."""
    outcome: Outcome
    fingerprint: str = ""
    """Of the bot that was accepted."""
    number: int = 0
    """Of the version; 0 for a bot that a teacher put into the folder."""
    late: bool = False
    checked: bool = False
    """Whether the bot was started and has passed all checks."""
    variants: str = ""
    """The variants that the contest had then, with spaces between them."""
    reason: str = ""
    """Why it was refused."""
    submission: str = ""
    """The id of what was handed in, by which its verdict is found. Empty for a bot that somebody
    has put into the folder."""

    def normal(self) -> "Attempt":
        """Return the attempt as the log has it: with whole seconds of UTC and a short reason."""
        return msgspec.structs.replace(
            self,
            time=self.time.astimezone(UTC).replace(microsecond=0),
            reason=self.reason[:MAX_REASON_CHARS],
        )

    @property
    def bot(self) -> tuple[str, str]:
        """The student and the code."""
        return self.id, self.fingerprint


_FIELDS = Attempt.__struct_fields__
_COLUMNS = ", ".join(_FIELDS)


class StudentRecord(Student, frozen=True):
    """A student of a contest or of a run, with what the log says. The bot has the same id."""

    versions: int = 0
    submitted: datetime | None = None
    """The time at which the newest accepted version came."""
    late: bool = False
    """Whether that was after the deadline and its grace."""
    refused: int = 0
    """Refused attempts to submit a bot."""
    refusal: str = ""
    """Why the last attempt was refused; empty if it was not. In a run also why the bot does not
    play."""
    refused_at: datetime | None = None
    """The time at which the last attempt was refused."""


def accepted_bots(attempts: Iterable[Attempt]) -> frozenset[tuple[str, str]]:
    """Return id and fingerprint of each bot that was accepted."""
    return frozenset([attempt.bot for attempt in attempts if attempt.outcome == "accepted"])


def accepted_variants(attempts: Iterable[Attempt], bot: tuple[str, str]) -> frozenset[str]:
    """Return the variants for which a bot, given its id and fingerprint, was accepted."""
    return frozenset(
        [
            name
            for each in attempts
            if each.bot == bot and each.outcome != "refused"
            for name in each.variants.split()
        ]
    )


def records_of(attempts: Iterable[Attempt]) -> dict[str, StudentRecord]:
    """Return by id what the log says of each student. It does not know their names."""
    records: dict[str, StudentRecord] = {}
    for attempt in attempts:
        new = StudentRecord(attempt.id, attempt.id)
        before = records.get(attempt.id, new)
        if attempt.outcome == "accepted":
            came = {"versions": before.versions + 1, "submitted": attempt.time}
            now = msgspec.structs.replace(new, late=attempt.late, refused=before.refused, **came)
        elif attempt.outcome == "refused":
            why = {"refusal": attempt.reason, "refused_at": attempt.time}
            now = msgspec.structs.replace(before, refused=before.refused + 1, **why)
        elif attempt.file:
            now = msgspec.structs.replace(before, refusal="", refused_at=None)
        else:  # checked for more variants; nothing was handed in
            now = before
        records[attempt.id] = now
    return records


class SubmissionLog:
    """The log of a folder of submissions. One process changes it at a time.

    Its methods raise `SubmissionError` if it cannot be read or written.
    """

    def __init__(
        self,
        submissions: Path,
        before_change: Callable[[], object] = lambda: None,
        *,
        is_rehearsal: bool = False,
    ) -> None:
        """Take a folder of submissions. `before_change` is called before each change of the disk,
        so that tests can interrupt it there. Of a rehearsal nothing stays in the log."""
        self._submissions = submissions
        self._before_change = before_change
        self._is_rehearsal = is_rehearsal
        place = submissions.resolve()
        self.path = place.with_name(f".{place.name}") / DATABASE

    def attempts(self) -> list[Attempt]:
        """Return the attempts that have a verdict, in the order of the verdicts."""
        if self.path.is_file():
            with self._opened() as database:
                if _version(database):
                    return _attempts(database)
        elif not self._old_log():
            return []
        with self._changing() as database:
            return _attempts(database)

    @contextmanager
    def settled(self) -> Iterator[None]:
        """Let nothing be submitted in this context. All that was accepted is in its place."""
        with self._changing():
            yield

    def settle(self) -> None:
        """Complete what killed processes have left."""
        if self.path.is_file():
            with self.settled():
                pass

    # -- verdicts ------------------------------------------------------------------------------

    def find(self, submission: str) -> Attempt | None:
        """Return the attempt of a submission, or None if it has no verdict yet."""
        with self._changing() as database:
            return _find(database, submission)

    def accept(
        self, attempt: Attempt, student: Student, bot: Path, is_in: Callable[[Path], bool]
    ) -> Attempt:
        """Accept a submission as the next version of a student, unless it is the newest already.

        Args:
            attempt: what came; its verdict and number are found here.
            student: the student.
            bot: the checked bot, in the private folder.
            is_in: returns whether a folder has the same bot.

        Returns:
            The attempt as it is logged.
        """
        with self._changing() as database:
            if known := _find(database, attempt.submission):
                return known
            if former := without_versions(self._submissions, attempt.id):
                self._make_a_version(former, attempt.id)
            own = self._submissions / attempt.id
            newest = _newest(own)
            if newest and is_in(own / str(newest)):
                # A version that was not logged was put there, and is accepted now.
                logged = attempt.bot in accepted_bots(_attempts(database))
                return self._add(
                    database,
                    msgspec.structs.replace(
                        attempt, outcome="unchanged" if logged else "accepted", number=newest
                    ),
                )
            arrived = self._arrived / attempt.submission
            shutil.rmtree(arrived, ignore_errors=True)
            arrived.mkdir(parents=True)
            keep_name(arrived, student)
            bot.rename(arrived / str(newest + 1))
            accepted = self._add(
                database, msgspec.structs.replace(attempt, outcome="accepted", number=newest + 1)
            )
            self._settle(database)
            if arrived.is_dir():
                raise SubmissionError(f"{attempt.id} is stored in {arrived}, and cannot be moved")
            return _find(database, attempt.submission) or accepted

    def note(self, attempt: Attempt) -> Attempt:
        """Log the verdict of an attempt, and return the logged one.

        A submission has one verdict. A bot that somebody put into the folder is accepted once,
        refused once for each reason, and not refused after it was accepted.
        """
        attempt = attempt.normal()
        with self._changing() as database:
            for other in _attempts(database):
                if (
                    other.submission == attempt.submission
                    if attempt.submission
                    else _repeats(other, attempt)
                ):
                    return other
            return self._add(database, attempt)

    def first_seen(self, attempt: Attempt) -> Attempt:
        """Return what is known of a bot that is in the folder of submissions.

        That is the logged attempt if the bot was accepted. If not, it is `attempt` with the time at
        which the bot was first seen, which is stored.
        """
        with self._changing() as database:
            own = [
                other
                for other in _rows(database, "id = ? AND fingerprint = ?", attempt.bot)
                if other.bot == attempt.bot
            ]
            for other in own:
                if other.outcome == "accepted":
                    return other
            if not own:
                self._add(database, attempt, has_verdict=False)
        zone = attempt.time.tzinfo
        seen = min([attempt.time, *[other.time.astimezone(zone) for other in own]])
        return msgspec.structs.replace(attempt, time=seen.replace(microsecond=0))

    # -- the disk ------------------------------------------------------------------------------

    @property
    def _arrived(self) -> Path:
        return self.path.with_name(ARRIVED)

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """Lock the log until the end of the context, and complete what killed processes left."""
        folder = private_folder(self._submissions)
        with os_error_as(SubmissionError, f"cannot write {folder}"):
            file = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock.wait(file)
            with self._opened() as database:
                if not _version(database):
                    self._make(database)
                self._settle(database)
                yield database
        finally:
            os.close(file)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self.path)) as database:
                if (version := _version(database)) not in (0, SCHEMA):
                    raise SubmissionError(
                        f"{self.path} has version {version}, expected {SCHEMA}: use the version of "
                        "bribe-arena that wrote it"
                    )
                if not self._is_rehearsal:
                    yield database
                    return
                with closing(sqlite3.connect(":memory:")) as copy:
                    database.backup(copy)
                    yield copy
        except sqlite3.Error as error:
            raise SubmissionError(f"cannot use the log {self.path}: {error}") from None

    def _make(self, database: sqlite3.Connection) -> None:
        """Make the table, with the attempts of the log of version 0.2.0."""
        with database:
            database.execute("BEGIN")
            database.execute(_TABLE)
            for attempt in self._old_log():
                _insert(database, attempt)
            database.execute(f"PRAGMA user_version = {SCHEMA}")

    def _old_log(self) -> list[Attempt]:
        """Return the attempts in the log of version 0.2.0, if it is ours. Other lines are none."""
        attempts = []
        with suppress(OSError, SubmissionError):
            with UntrustedFolder(self._submissions) as inside, inside.open(OLD_LOG) as file:
                about = os.fstat(file.fileno())
                is_ours = about.st_uid == os.geteuid() and not about.st_mode & 0o022
                lines = file.read().splitlines() if is_ours else []
            for line in lines:
                with suppress(ValueError, RecursionError):
                    attempts.append(msgspec.json.decode(line, type=Attempt))
        return attempts

    def _add(
        self, database: sqlite3.Connection, attempt: Attempt, *, has_verdict: bool = True
    ) -> Attempt:
        """Log an attempt, in place of a row of the same bot without a verdict, and commit that."""
        attempt = attempt.normal()
        self._before_change()
        with database:
            if not attempt.submission:
                database.execute(
                    "DELETE FROM attempts WHERE outcome IS NULL AND id = ? AND fingerprint = ?",
                    attempt.bot,
                )
            _insert(database, attempt, has_verdict=has_verdict)
        return attempt

    def _make_a_version(self, bot: Path, student: str) -> None:
        """Make a bot that somebody has put into the folder the first version of its student."""
        place = self.path.with_name(ADOPTED) / student
        place.mkdir(parents=True, exist_ok=True)
        self._before_change()
        if bot.is_dir():
            move(bot, place / "1")
        else:
            (place / "1").mkdir(exist_ok=True)
            with os_error_as(SubmissionError, f"cannot move {bot}"):
                bot.rename(place / "1" / bot.name)
        self._adopt()

    def _adopt(self) -> None:
        adopted = self.path.with_name(ADOPTED)
        for place in adopted.iterdir() if adopted.is_dir() else ():
            self._before_change()
            if versions(place):
                move(place, self._submissions / place.name)

    def _settle(self, database: sqlite3.Connection) -> None:
        """Move the accepted bots to their students, and delete folders without a row."""
        self._adopt()
        for place in sorted(self._arrived.iterdir()) if self._arrived.is_dir() else ():
            if attempt := _find(database, place.name):
                with suppress(SubmissionError):  # it cannot be moved now, and stays
                    self._move(database, place, attempt)
            else:
                self._before_change()
                shutil.rmtree(place, ignore_errors=True)

    def _move(self, database: sqlite3.Connection, place: Path, attempt: Attempt) -> None:
        """Move an accepted bot to its student. Raises `SubmissionError`."""
        own = self._submissions / attempt.id
        while bots := versions(place):
            bot = place / str(bots[-1])
            if (own / str(attempt.number)).exists():  # somebody has put it there meanwhile
                attempt = msgspec.structs.replace(attempt, number=_newest(own) + 1)
                self._before_change()
                with database:
                    database.execute(
                        "UPDATE attempts SET number = ? WHERE submission = ?",
                        (attempt.number, attempt.submission),
                    )
            self._before_change()
            # A new student's folder appears together with its version.
            if bot.name != str(attempt.number) or not move(place, own):
                move(bot, own / str(attempt.number))
        self._before_change()
        shutil.rmtree(place, ignore_errors=True)


def _insert(database: sqlite3.Connection, attempt: Attempt, *, has_verdict: bool = True) -> None:
    values = msgspec.structs.asdict(attempt)
    values |= {"time": attempt.time.isoformat()} | ({} if has_verdict else {"outcome": None})
    marks = ", ".join([f":{name}" for name in _FIELDS])
    database.execute(f"INSERT INTO attempts ({_COLUMNS}) VALUES ({marks})", values)


def _rows(
    database: sqlite3.Connection, condition: str, values: tuple[str, ...] = ()
) -> list[Attempt]:
    """Return attempts by a condition of SQL. One without a verdict is shown as refused."""
    found = database.execute(
        f"SELECT {_COLUMNS} FROM attempts WHERE {condition} ORDER BY place", values
    )
    rows = [dict(zip(_FIELDS, row, strict=True)) for row in found]
    shown = [row | {"outcome": row["outcome"] or "refused"} for row in rows]
    return [msgspec.convert(row, Attempt, strict=False) for row in shown]


def _version(database: sqlite3.Connection) -> int:
    """Return the version of the log: 0 if its maker is not done, or was killed."""
    (version,) = database.execute("PRAGMA user_version").fetchone()
    return int(version)


def _attempts(database: sqlite3.Connection) -> list[Attempt]:
    return _rows(database, "outcome IS NOT NULL")


def _find(database: sqlite3.Connection, submission: str) -> Attempt | None:
    found = _rows(database, "submission = ? AND outcome IS NOT NULL", (submission,))
    return found[0] if found and submission else None


def _newest(own: Path) -> int:
    """Return the newest version number in a student's folder, or 0."""
    return (versions(own) or [0])[-1]


def _repeats(other: Attempt, verdict: Attempt) -> bool:
    """Return whether the log entry `other` says the same of a bot that is in the folder.

    It also does if it has accepted the bot: another process may have seen it in time.
    """
    if verdict.outcome == "unchanged":
        now = (verdict.outcome, verdict.bot, verdict.variants)
        return (other.outcome, other.bot, other.variants) == now
    is_accepted = other.outcome == "accepted" and other.bot == verdict.bot
    if verdict.outcome == "accepted" or is_accepted:
        return is_accepted
    return (other.id, other.outcome, other.reason) == (
        verdict.id,
        verdict.outcome,
        verdict.reason,
    )
