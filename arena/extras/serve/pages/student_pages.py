"""A student's page for the teacher: versions, differences, log, faults, games, deadline."""

import difflib
from collections.abc import Iterator
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.contest.archive import open_plain
from arena.contest.arrivals import read_attempts
from arena.contest.bot_files import versions
from arena.contest.settings import read_time
from arena.extras.serve.ladder.standings_content import bot_content
from arena.extras.serve.pages.board_pages import board_of, names_of
from arena.extras.serve.pages.class_pages import time_of
from arena.extras.serve.pages.hand_in_pages import MAX_SHOWN, VERDICTS, folder_of
from arena.extras.serve.pages.roster_pages import person_of
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.submissions.submission_store import SubmissionStore, version_history
from arena.extras.serve.web.visits import Visit, answering, get, post

MAX_FILES, MAX_FILE_BYTES = 200, 256 * 1024
"""The files of a version whose texts are compared, and their size."""


def show(visit: Visit) -> Response:
    """Show a student: what was handed in and what became of it."""
    site, student = visit.site, _student(visit)
    folder, board = folder_of(site.contest), board_of(visit)
    names = names_of(visit, board) if board else None
    log = [attempt for attempt in read_attempts(folder) if attempt.id == student.owner]
    due = site.people.due_of(student.owner)
    return visit.render(
        "student_of_class.html",
        student=student,
        members=site.people.members(student.owner),
        submissions=SubmissionStore(site.database).of_bot(student.owner, MAX_SHOWN),
        versions=version_history(site.database, folder, student.owner),
        log=log[: -MAX_SHOWN - 1 : -1],
        bot=bot_content(board, student.owner, names) if board and names else None,
        verdicts=VERDICTS,
        time_of=time_of,
        due=due,
    )


def show_difference(visit: Visit) -> Response:
    """Show what a version differs in from the one before it."""
    student, number = _student(visit), visit.path("number")
    own = folder_of(visit.site.contest) / student.owner
    known = versions(own)
    if number not in known:
        raise HTTPException(404, f"There is no version {number} of {student.bot_name}.")
    before = max((other for other in known if other < number), default=None)
    former = dict(_texts(own / str(before))) if before else {}
    return visit.render(
        "difference.html",
        student=student,
        number=number,
        before=before,
        lines=list(_difference(former, dict(_texts(own / str(number))))),
    )


def extend(visit: Visit) -> Response:
    """Give a student another deadline, or that of the contest again."""
    student, text = _student(visit), visit.text("due")
    with answering(400):
        due = read_time(text, None).timestamp() if text else None
    visit.site.people.extend(student.id, due)
    visit.site.ladder.wake()
    return visit.redirect(f"teacher/students/{student.id}")


def _student(visit: Visit) -> ContestPerson:
    person = person_of(visit)
    if person.is_staff:
        raise HTTPException(404, f"{person.name} hands in nothing.")
    return person


def _texts(folder: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the names of the files of a version with their lines, as far as they are text."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    for path in paths[:MAX_FILES]:
        with open_plain(path) as file:
            content = file.read(MAX_FILE_BYTES + 1)
        is_text = len(content) <= MAX_FILE_BYTES and b"\0" not in content
        lines = content.decode(errors="replace").splitlines() if is_text else ["(not shown)"]
        yield path.relative_to(folder).as_posix(), lines


def _difference(
    former: dict[str, list[str]], current: dict[str, list[str]]
) -> Iterator[tuple[str, str]]:
    """Yield the lines of a unified difference, each with its kind: `+`, `-`, `@` or a space."""
    for name in sorted({*former, *current}):
        found = difflib.unified_diff(
            former.get(name, []), current.get(name, []), name, name, lineterm=""
        )
        for line in list(found)[2:]:
            yield line[:1] or " ", line if not line.startswith("@") else f"{name} {line}"


_STUDENT = "/teacher/students/{person}"
routes = [
    get(_STUDENT, show, "staff"),
    get(f"{_STUDENT}/versions/{{number:int}}", show_difference, "staff"),
    post(f"{_STUDENT}/due", extend, "teacher"),
]
