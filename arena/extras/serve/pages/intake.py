"""Intake of submissions: judged, stored on the disk, and only then acknowledged."""

from collections.abc import Sequence
from pathlib import Path
from typing import IO

from starlette.exceptions import HTTPException

from arena.contest.admission import SubmissionRules, check_daily_limit, hand_in, judge, rules_of
from arena.contest.bot_files import versions
from arena.contest.roster import Student
from arena.contest.settings import Contest
from arena.errors import SubmissionError
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import local_time
from arena.extras.serve.submissions.checker import extended
from arena.extras.serve.submissions.submission_store import SubmissionStore
from arena.extras.serve.submissions.uploaded_files import UploadedFiles, safe_file_name, shown_name
from arena.extras.serve.web.contest_site import ContestSite

MAX_UPLOAD_BYTES = 32 * 1024 * 1024
"""The size of an upload: a bot with the weights of a small network."""
MAX_CODE_CHARS = 512 * 1024
"""Characters of pasted code."""
MAX_UNCHECKED = 5
"""Submissions of a bot that may wait for their check."""
PASTED = "bot.py"
"""The name of the file for pasted code."""


def acknowledge(
    site: ContestSite,
    person: ContestPerson,
    name: str,
    content: IO[bytes],
    against: Sequence[str] = (),
) -> int:
    """Store a submission, which the checker checks later, and return its id.

    A trial `against` bots is checked and plays with them, and is not handed in.

    Args:
        site: the site of the contest.
        person: the student who hands it in.
        name: what the student calls the file.
        content: is read to its end.

    Raises:
        HTTPException: it is refused: 400 for a wrong file, 403 outside the times of the contest,
            and 429 for too many versions.
        OSError: it cannot be stored, for example because the disk is full.
    """
    rules = rules_for(site, person)
    if site.contest.serve.archived:
        raise HTTPException(403, "This contest is over, and only kept for reading.")
    submissions = SubmissionStore(site.database)
    came = site.clock()
    is_late = not against and _judge(rules, came)
    unchecked = submissions.unchecked(person.owner)
    if len(unchecked) >= MAX_UNCHECKED:
        raise HTTPException(
            429,
            f"{len(unchecked)} of your submissions wait for their check: hand in the next one "
            "when one of them is checked.",
        )
    at = local_time(came)
    today = [
        waiting
        for waiting in unchecked
        if not waiting.against and local_time(waiting.came).date() == at.date()
    ]
    try:
        if not against:
            check_daily_limit(rules, person.owner, at, len(today))
    except SubmissionError as error:
        raise HTTPException(429, str(error)) from None
    try:
        safe_file_name(name)
    except SubmissionError as error:
        raise HTTPException(400, str(error)) from None
    files = UploadedFiles(rules.folder, site.random_bytes)
    key = files.keep(content, name)
    try:
        number = submissions.add(person, came, shown_name(name), key, is_late, against)
    except BaseException:
        files.delete([key])
        raise
    site.checker.wake()
    return number


def choose_version(site: ContestSite, person: ContestPerson, number: int) -> int:
    """Let an earlier version play again, as the newest one. Return its new number.

    It was checked when it was submitted, so it is not checked again.

    Raises:
        HTTPException: 404 if there is no such version, 403 outside the times of the contest.
        BotError: it cannot be read.
    """
    rules = rules_for(site, person)
    if site.contest.serve.archived:
        raise HTTPException(403, "This contest is over, and only kept for reading.")
    now = site.clock()
    _judge(rules, now)
    own = rules.folder / person.owner
    if number not in versions(own):
        raise HTTPException(404, f"There is no version {number} of your bot.")
    student = Student(person.owner, person.bot_name)
    unlimited = rules._replace(versions_a_day=None)
    receipt = hand_in(own / str(number), student, unlimited, local_time(now), None)
    site.ladder.wake()
    return int(receipt.version.name)


def rules_for(site: ContestSite, person: ContestPerson) -> SubmissionRules:
    """Return the rules of the contest for the submissions of a person.

    Raises:
        HTTPException: 403 for the teacher, 404 if the contest takes no submissions.
    """
    if person.is_staff:
        raise HTTPException(
            403, "Students hand in here; the teacher enters bots with `arena submit`."
        )
    rules = rules_of(site.contest)
    if rules is None:
        raise HTTPException(404, "This contest takes no submissions.")
    return extended(rules, site.people.due_of(person.owner))


def folder_of(contest: Contest) -> Path:
    """Return the folder of submissions. Raises `HTTPException` 404 without one."""
    if contest.entrants.submissions is None:
        raise HTTPException(404, "This contest takes no submissions.")
    return Path(contest.entrants.submissions)


def _judge(rules: SubmissionRules, at: float) -> bool:
    """Return whether a submission is late. Raises `HTTPException` 403 if it is refused."""
    try:
        return judge(rules, local_time(at))
    except SubmissionError as error:
        raise HTTPException(403, f"Your submission is refused: {error}.") from None
