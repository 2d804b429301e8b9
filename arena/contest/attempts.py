"""The log of submissions: each attempt, accepted or refused, as a line of JSON."""

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
    schema: int = SCHEMA


class Record(msgspec.Struct, frozen=True):
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

    Raises:
        SubmissionError: the log cannot be written.
    """
    kept = msgspec.structs.replace(
        attempt,
        time=attempt.time.astimezone(UTC).replace(microsecond=0),
        reason=attempt.reason[:MAX_REASON_CHARS],
    )
    try:
        file = os.open(folder / LOG, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, msgspec.json.encode(kept) + b"\n")  # at once, beside other processes
        finally:
            os.close(file)
    except OSError as error:
        raise SubmissionError(f"cannot write {folder / LOG}: {error.strerror}") from None


def accepted_bots(attempts: Iterable[Attempt]) -> frozenset[tuple[str, str]]:
    """Return id and fingerprint of each bot that was accepted."""
    return frozenset([(one.id, one.fingerprint) for one in attempts if one.outcome == "accepted"])


def records_of(attempts: Iterable[Attempt]) -> dict[str, Record]:
    """Return by id what the log says of each student."""
    records: dict[str, Record] = {}
    for one in attempts:
        before = records.get(one.id, Record())
        if one.outcome == "accepted":
            now = Record(before.versions + 1, one.time, one.late, before.refused)
        elif one.outcome == "refused":
            now = msgspec.structs.replace(before, refused=before.refused + 1)
        else:
            now = before
        records[one.id] = now
    return records
