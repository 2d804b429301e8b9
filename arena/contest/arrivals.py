"""Arrivals: a submission is stored whole in one step, then numbered and logged exactly once.

    submissions/.attempts.jsonl          the log: a line of JSON for each attempt

    submissions/.arrivals/               each transaction locks this folder
        5e0c.../attempt.json             what came, and when
        5e0c.../student/1/               its bot, until that is moved to `ann/3`
        seen-77ab....json                when a bot that somebody put into the folder was first seen

An accepted submission gets its folder here in one rename, with all that is known of it. From then
on it is accepted. The transaction numbers it, moves it to its student, logs it, and deletes the
folder. If the process is killed, the next transaction of any process completes that.

So a version never appears before its arrival. A reader that looks at the versions first, and at the
arrivals and the log after that, never takes a submitted version for one that somebody put there.

A transaction is a generator. It yields before each change of the disk, so that tests can interrupt
it there; `transact` runs it to its end.
"""

import errno
import hashlib
import os
import shutil
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from arena.base import lock
from arena.base.atomic_file import atomic_file, os_error_as, read_struct
from arena.base.errors import SubmissionError
from arena.contest.bot_files import move, versions
from arena.contest.roster import Student
from arena.contest.submissions import keep_name

LOG = ".attempts.jsonl"
"""The log in the folder of submissions."""
SCHEMA = 1
MAX_REASON_CHARS = 1_000

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
    reason: str = ""
    """Why it was refused."""
    submission: str = ""
    """The id of what was handed in, by which its verdict is found. Empty for a bot that somebody
    has put into the folder, and in old logs."""
    schema: int = SCHEMA

    def normal(self) -> "Attempt":
        """Return the attempt as the log has it: with whole seconds of UTC and a short reason."""
        return msgspec.structs.replace(
            self,
            time=self.time.astimezone(UTC).replace(microsecond=0),
            reason=self.reason[:MAX_REASON_CHARS],
        )


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


_decoder = msgspec.json.Decoder(Attempt)


def read_attempts(folder: Path) -> list[Attempt]:
    """Return the attempts of a folder of submissions, in the order in which they were made.

    Raises:
        SubmissionError: the log cannot be read, or another version of the arena wrote it.
    """
    path = folder / LOG
    try:
        lines = path.read_bytes().splitlines()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SubmissionError(f"cannot read {path}: {error.strerror}") from None
    attempts = []
    for number, line in enumerate(lines, 1):
        try:
            attempts.append(_decoder.decode(line))
        except (ValueError, RecursionError) as error:
            raise SubmissionError(f"cannot read {path}, line {number}: {error}") from None
        if attempts[-1].schema != SCHEMA:
            raise SubmissionError(
                f"{path}, line {number} has version {attempts[-1].schema} of the log, expected "
                f"{SCHEMA}: use the version of bribe-arena that wrote it"
            )
    return attempts


def note_attempt(folder: Path, attempt: Attempt) -> None:
    """Add an attempt to the log, of which only its owner may read more than the folder shows.

    The line is on the disk when this returns, or nothing of it is in the log.

    Raises:
        SubmissionError: the log cannot be written.
    """
    line = msgspec.json.encode(attempt.normal()) + b"\n"
    with os_error_as(SubmissionError, f"cannot write {folder / LOG}"):
        file = os.open(folder / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            written = os.write(file, line)
            if written < len(line):  # the disk is full
                os.ftruncate(file, os.fstat(file).st_size - written)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
        finally:
            os.close(file)


def accepted_bots(attempts: Iterable[Attempt]) -> frozenset[tuple[str, str]]:
    """Return id and fingerprint of each bot that was accepted."""
    return frozenset([(bot.id, bot.fingerprint) for bot in attempts if bot.outcome == "accepted"])


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
        else:
            now = msgspec.structs.replace(before, refusal="", refused_at=None)
        records[attempt.id] = now
    return records


ARRIVALS = ".arrivals"
"""The folder in the folder of submissions."""
OWNER_ONLY = 0o700
_ATTEMPT, _STUDENT, _FIRST = "attempt.json", "student", "1"

Result = TypeVar("Result")
Steps = Generator[None, None, Result]
"""A transaction, which yields before each change of the disk."""


def transact(folder: Path, steps: Steps[Result]) -> Result:
    """Run a transaction while no other one runs in a folder of submissions, and return its result.

    Raises:
        SubmissionError: the folder cannot be read or written.
    """
    with _locked(folder):
        return _run(steps)


@contextmanager
def settled(folder: Path) -> Iterator[None]:
    """Let nothing be submitted in this context. All that was accepted is numbered and logged.

    Raises:
        SubmissionError: the folder cannot be read or written.
    """
    with _locked(folder):
        if _arrivals(folder):
            _run(complete(folder))
        yield


def settle(folder: Path) -> None:
    """Complete what killed processes have left, if there is any. Raises `SubmissionError`."""
    if _arrivals(folder):
        transact(folder, complete(folder))


# -- transactions ------------------------------------------------------------------------------


def complete(folder: Path) -> Steps[list[Attempt]]:
    """Number, move and log the submissions that have arrived, and return the attempts of the log.

    An arrival that cannot be moved now stays for the next transaction.
    """
    attempts = read_attempts(folder)
    for place in _arrivals(folder):
        try:
            attempt = yield from _numbered(place, folder)
        except SubmissionError:
            continue
        if attempt and _find(attempts, attempt.submission) is None:
            yield
            note_attempt(folder, attempt)
            attempts.append(attempt)
        yield
        _delete(place)
    return attempts


def find_verdict(folder: Path, submission: str) -> Steps[Attempt | None]:
    """Return the logged attempt of a submission, or None if it has no verdict yet."""
    return _find((yield from complete(folder)), submission)


def accept(
    folder: Path, attempt: Attempt, student: Student, bot: Path, is_in: Callable[[Path], bool]
) -> Steps[Attempt]:
    """Accept a submission as the next version of a student, unless it is the newest already.

    Args:
        folder: the folder of submissions.
        attempt: what came; its verdict and number are found here.
        student: the student.
        bot: the checked bot, in a scratch folder of the same file system.
        is_in: returns whether a folder has the same bot.

    Returns:
        The attempt as it is logged.
    """
    attempts = yield from complete(folder)
    if known := _find(attempts, attempt.submission):
        return known
    own = folder / attempt.id
    newest = _newest(own)
    if newest and is_in(own / str(newest)):
        # A version that was not logged was put there, and is accepted now.
        logged = any(_is_accepted(other, attempt) for other in attempts)
        attempt = msgspec.structs.replace(
            attempt, outcome="unchanged" if logged else "accepted", number=newest
        ).normal()
        yield
        note_attempt(folder, attempt)
        return attempt
    arrival = bot.with_name("arrival")
    (arrival / _STUDENT).mkdir(parents=True)
    keep_name(arrival / _STUDENT, student)
    bot.rename(arrival / _STUDENT / _FIRST)
    _write(arrival / _ATTEMPT, msgspec.structs.replace(attempt, outcome="accepted"))
    yield
    if not move(arrival, folder / ARRIVALS / attempt.submission):
        raise SubmissionError(f"{attempt.submission} is in {folder / ARRIVALS} already")
    accepted = _find((yield from complete(folder)), attempt.submission)
    if accepted is None:
        raise SubmissionError(
            f"{attempt.id} is stored in {folder / ARRIVALS}, and cannot be moved to {own}"
        )
    return accepted


def note_once(folder: Path, attempt: Attempt) -> Steps[Attempt]:
    """Log the verdict of an attempt, and return the logged one.

    A submission has one verdict. A bot that somebody put into the folder is accepted once, refused
    once for each reason, and not refused after it was accepted.
    """
    attempts = yield from complete(folder)
    attempt = attempt.normal()
    for other in attempts:
        if (
            other.submission == attempt.submission
            if attempt.submission
            else _repeats(other, attempt)
        ):
            return other
    yield
    note_attempt(folder, attempt)
    yield
    _sight(folder, attempt).unlink(missing_ok=True)
    return attempt


def first_seen(folder: Path, attempt: Attempt) -> Steps[Attempt]:
    """Return what is known of a bot that is in the folder of submissions.

    That is the logged attempt if the bot was accepted. If not, it is `attempt` with the time at
    which the bot was first seen, which is stored.
    """
    own = [
        other
        for other in (yield from complete(folder))
        if (other.id, other.fingerprint) == (attempt.id, attempt.fingerprint)
    ]
    for other in own:
        if other.outcome == "accepted":
            return other
    sight = _sight(folder, attempt)
    if sight.is_file():
        own.append(read_struct(sight, Attempt, "an attempt", SubmissionError))
    if not own:
        yield
        _write(sight, attempt)
    zone = attempt.time.tzinfo
    seen = min([attempt.time, *[other.time.astimezone(zone) for other in own]])
    return msgspec.structs.replace(attempt, time=seen.replace(microsecond=0))


# -- the disk ----------------------------------------------------------------------------------


def _numbered(place: Path, folder: Path) -> Steps[Attempt | None]:
    """Move the bot of an arrival to its student, and return the attempt with its number.

    Return None if the arrival was deleted in part, which comes after its log entry.
    """
    if not (place / _ATTEMPT).is_file():
        return None
    attempt = read_struct(place / _ATTEMPT, Attempt, "an attempt", SubmissionError)
    own, bot = folder / attempt.id, place / _STUDENT / _FIRST
    number = _newest(own)
    while bot.is_dir():
        number += 1
        attempt = msgspec.structs.replace(attempt, number=number)
        yield
        _write(place / _ATTEMPT, attempt)
        yield
        # A new student's folder appears together with its version.
        if number > 1 or not move(place / _STUDENT, own):
            move(bot, own / str(number))
    return attempt


def _newest(own: Path) -> int:
    """Return the newest version number in a student's folder, or 0."""
    return (versions(own) or [0])[-1]


def _find(attempts: list[Attempt], submission: str) -> Attempt | None:
    return next((attempt for attempt in attempts if attempt.submission == submission), None)


def _is_accepted(other: Attempt, bot: Attempt) -> bool:
    """Return whether the log entry `other` accepts the same bot."""
    return other.outcome == "accepted" and (other.id, other.fingerprint) == (
        bot.id,
        bot.fingerprint,
    )


def _repeats(other: Attempt, verdict: Attempt) -> bool:
    """Return whether the log entry `other` says the same of a bot that is in the folder.

    It also does if it has accepted the bot: another process may have seen it in time.
    """
    if verdict.outcome == "accepted" or _is_accepted(other, verdict):
        return _is_accepted(other, verdict)
    return (other.id, other.outcome, other.reason) == (
        verdict.id,
        verdict.outcome,
        verdict.reason,
    )


def _arrivals(folder: Path) -> list[Path]:
    """Return the folders of arrivals."""
    arrivals = folder / ARRIVALS
    if not arrivals.is_dir():
        return []
    return sorted([place for place in arrivals.iterdir() if place.is_dir()])


def _sight(folder: Path, attempt: Attempt) -> Path:
    """Return the file with the time at which a bot was first seen."""
    bot = hashlib.blake2b(f"{attempt.id}\0{attempt.fingerprint}".encode(), digest_size=16)
    return folder / ARRIVALS / f"seen-{bot.hexdigest()}.json"


def _write(path: Path, attempt: Attempt) -> None:
    with os_error_as(SubmissionError, f"cannot write {path}"), atomic_file(path, 0o600) as file:
        file.write(msgspec.json.encode(attempt.normal()))


def _delete(place: Path) -> None:
    shutil.rmtree(place / _STUDENT, ignore_errors=True)
    shutil.rmtree(place, ignore_errors=True)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock a folder of submissions against other transactions, until the process ends in any way.

    Raises:
        SubmissionError: the lock cannot be made in the folder.
    """
    place = folder / ARRIVALS
    with os_error_as(SubmissionError, f"cannot write {place}"):
        place.mkdir(OWNER_ONLY, exist_ok=True)
        file = os.open(place, os.O_RDONLY)
    try:
        lock.wait(file)
        yield
    finally:
        os.close(file)


def _run(steps: Steps[Result]) -> Result:
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
