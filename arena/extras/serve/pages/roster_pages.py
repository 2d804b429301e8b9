"""The teacher's pages to list, import, change and remove people."""

from collections.abc import Iterable, Sequence

from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.contest.roster import Student, safe_id
from arena.extras.serve.enrolment import (
    as_csv,
    change_student,
    enrol,
    import_students,
    preview_import,
    remove_people,
    with_links,
)
from arena.extras.serve.people import ContestPerson, Role
from arena.extras.serve.web.visits import Visit, answering, found, get, post
from arena.narration.telling import counted

MAX_ROSTER_BYTES = 1024**2
REMOVAL = (
    "The person's link and token stop working.",
    "The bot and its games leave the ladder, unless other members of the team submit it. "
    "Submissions are kept.",
    "A final that has begun or finished does not change, nor do its grades.",
    "“Restore” on the roster brings everything back.",
)


def add_one(visit: Visit) -> Response:
    name = visit.text("name")
    if not name:
        raise HTTPException(400, "The person has no name: enter one.")
    person_id = visit.text("id") or safe_id(name)
    student = Student(person_id, name, visit.text("email"), visit.text("team"))
    return _added(visit, student, "assistant" if visit.text("role") == "assistant" else "student")


def _added(visit: Visit, person: Student, role: Role) -> Response:
    people = visit.site.people
    if role != "student":
        return roster_page(visit, people.add([person], role))
    enrolled = enrol(people, visit.site.contest, [person])
    return roster_page(visit, enrolled.added, enrolled.known)


def add_many(visit: Visit) -> Response:
    file = visit.form.get("file")
    content = visit.text("text").encode()
    if isinstance(file, UploadFile) and file.size:
        content = file.file.read()
    if not content:
        raise HTTPException(400, "There are no students: choose a file, or paste its text.")
    people = visit.site.people
    if not visit.text("confirmed"):
        return visit.render("import_preview.html", preview=preview_import(people, content))
    enrolled = import_students(people, visit.site.contest, content)
    return roster_page(visit, enrolled.added, enrolled.known)


def show_person(visit: Visit) -> Response:
    return visit.render("person.html", one=person_of(visit))


def change_person(visit: Visit) -> Response:
    person = person_of(visit)
    changed = Student(person.id, person.name, visit.text("email"), visit.text("team"))
    change_student(visit.site.people, visit.site.contest, changed)
    return visit.redirect("teacher/roster")


def make_link(visit: Visit) -> Response:
    return roster_page(visit, [person_of(visit)])


def make_links(visit: Visit) -> Response:
    students = visit.site.people.students()
    effects = (
        f"Each of {counted(len(students), 'student')} gets a new link, which is shown once.",
        "The current links stop working. People who are signed in stay signed in.",
    )
    question = "Make new links for everyone?"
    if asked := visit.asks(question, effects, "Make the links", "teacher/roster"):
        return asked
    return roster_page(visit, students)


def revoke(visit: Visit) -> Response:
    person = _other_person(visit)
    effects = (
        f"{person.name} is signed out everywhere, and the current link and token stop working.",
    )
    question = f"Revoke the link and token of {person.name}?"
    if asked := visit.asks(question, effects, "Revoke them", "teacher/roster"):
        return asked
    visit.site.people.revoke(person.id)
    return visit.redirect("teacher/roster")


def remove(visit: Visit) -> Response:
    person = _other_person(visit)
    question = f"Remove {person.name}?"
    if asked := visit.asks(question, REMOVAL, f"Remove {person.name}", "teacher/roster"):
        return asked
    _remove(visit, [person])
    return visit.redirect("teacher/roster")


def _remove(visit: Visit, gone: Sequence[ContestPerson]) -> None:
    site = visit.site
    remove_people(site.people, site.contest, gone)
    site.ladder.wake()


def restore(visit: Visit) -> Response:
    removed = {person.id: person for person in visit.site.people.removed()}
    gone = found(removed.get(visit.path("person")), "No such person was removed.")
    answer = _added(visit, gone.as_student, gone.role)
    visit.site.ladder.wake()
    return answer


def person_of(visit: Visit) -> ContestPerson:
    with answering(404):
        return visit.site.people.require(visit.path("person"))


def _other_person(visit: Visit) -> ContestPerson:
    person = person_of(visit)
    if person.id == visit.person.id:
        raise HTTPException(400, "This is your own account: restart the server to get a new link.")
    return person


def roster_page(
    visit: Visit,
    added: Sequence[ContestPerson] = (),
    known: Iterable[ContestPerson] = (),
) -> Response:
    """Return the roster page. Only people in `added` get new sign-in links."""
    site = visit.site
    links = with_links(site.people, site.database, added)
    return visit.render(
        "roster.html",
        people=site.people.all(),
        removed=site.people.removed(),
        keys=site.people.kinds_of_keys(),
        links=links,
        links_csv=as_csv("link", links),
        known=list(known),
    )


_PERSON = "/teacher/roster/{person}"
routes = [
    get("/teacher/roster", roster_page, "staff"),
    post("/teacher/roster/add", add_one, "teacher"),
    post("/teacher/roster/csv", add_many, "teacher", MAX_ROSTER_BYTES),
    get(f"{_PERSON}/edit", show_person, "teacher"),
    post(f"{_PERSON}/edit", change_person, "teacher"),
    post("/teacher/roster/links", make_links, "teacher"),
    post(f"{_PERSON}/link", make_link, "teacher"),
    post(f"{_PERSON}/revoke", revoke, "teacher"),
    post(f"{_PERSON}/remove", remove, "teacher"),
    post(f"{_PERSON}/restore", restore, "teacher"),
]
