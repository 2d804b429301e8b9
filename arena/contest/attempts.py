"""The log of submissions: each attempt, accepted or refused, as a line of JSON."""

import errno
import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from arena.errors import SubmissionError

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
    """Of the student; empty if it is not known who that is."""
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


class StudentRecord(msgspec.Struct, frozen=True):
    """What the log says of one student."""

    versions: int = 0
    submitted: datetime | None = None
    """When the newest accepted version came."""
    late: bool = False
    """Whether that one was late."""
    refused: int = 0


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
    try:
        file = os.open(folder / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            written = os.write(file, line)
            if written < len(line):  # the disk is full
                os.ftruncate(file, os.fstat(file).st_size - written)
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
        finally:
            os.close(file)
    except OSError as error:
        raise SubmissionError(f"cannot write {folder / LOG}: {error.strerror}") from None


def accepted_bots(attempts: Iterable[Attempt]) -> frozenset[tuple[str, str]]:
    """Return id and fingerprint of each bot that was accepted."""
    return frozenset([(bot.id, bot.fingerprint) for bot in attempts if bot.outcome == "accepted"])


def records_of(attempts: Iterable[Attempt]) -> dict[str, StudentRecord]:
    """Return by id what the log says of each student."""
    records: dict[str, StudentRecord] = {}
    for attempt in attempts:
        before = records.get(attempt.id, StudentRecord())
        if attempt.outcome == "accepted":
            now = StudentRecord(before.versions + 1, attempt.time, attempt.late, before.refused)
        elif attempt.outcome == "refused":
            now = msgspec.structs.replace(before, refused=before.refused + 1)
        else:
            now = before
        records[attempt.id] = now
    return records
