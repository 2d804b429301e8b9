"""The teacher's page about a student, including a form to extend the student's deadline."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.contest.admission import rules_of
from arena.contest.inbox import STATES
from arena.contest.settings import read_time
from arena.extras.serve.pages.hand_in_pages import MAX_SHOWN, NO_SUBMISSIONS
from arena.extras.serve.pages.roster_pages import person_of
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import time_of
from arena.extras.serve.web.visits import Visit, answering, found, get, post


def show(visit: Visit) -> Response:
    site, student = visit.site, student_of(visit)
    rules, board = found(rules_of(site.contest), NO_SUBMISSIONS), site.live.board()
    submissions = rules.inbox.of_owner(student.owner, MAX_SHOWN)
    versions = rules.inbox.versions(student.owner)
    return visit.render(
        "student_of_class.html",
        student=student,
        members=site.people.members(student.owner),
        submissions=submissions,
        late=rules.late([*submissions, *versions]),
        versions=[(version, rules.inbox.others_with(version)) for version in reversed(versions)],
        is_on_board=board is not None and student.owner in board.bots,
        verdicts=STATES,
        time_of=time_of,
        due=rules.inbox.extensions().get(student.owner),
    )


def extend(visit: Visit) -> Response:
    student, text = student_of(visit), visit.text("due")
    with answering(400):
        due = read_time(text, None).timestamp() if text else None
    site = visit.site
    found(rules_of(site.contest), NO_SUBMISSIONS).inbox.extend(student.owner, due)
    site.ladder.wake()
    return visit.redirect(f"teacher/students/{student.id}")


def student_of(visit: Visit) -> ContestPerson:
    person = person_of(visit)
    if person.is_teacher:
        raise HTTPException(404, f"{person.name} does not submit bots.")
    return person


_STUDENT = "/teacher/students/{person}"
routes = [
    get(_STUDENT, show, "teacher"),
    post(f"{_STUDENT}/due", extend, "teacher", show_again=show),
]
