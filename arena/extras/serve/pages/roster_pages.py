"""The teacher's pages for editing the roster and importing class lists."""

from collections.abc import Sequence

from msgspec.structs import astuple
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.contest.roster import COLUMNS, Student, safe_id
from arena.extras.serve.enrolment import as_csv, enrol, remove_people, with_links
from arena.extras.serve.people import ContestPerson, Role
from arena.extras.serve.roster_import import read_class_list
from arena.extras.serve.web.visits import Visit, answering, found, get, post
from arena.narration.telling import counted
from arena.rating.leaderboard_files import csv_text

MAX_ROSTER_BYTES = 1024**2
REMOVAL = (
    "The person's link and token stop working.",
    "The bot and its games are removed from the ladder, unless the bot belongs to other team "
    "members too. Submissions are kept.",
    "Finished and running finals and their grades do not change.",
    "“Restore” on the roster brings everything back.",
)


def add_one(visit: Visit) -> Response:
    name, site = visit.text("name"), visit.site
    if not name:
        raise HTTPException(400, "The person has no name: enter one.")
    student = Student(
        visit.text("id") or safe_id(name), name, visit.text("email"), visit.text("team")
    )
    role: Role = "teacher" if visit.text("role") == "teacher" else "student"
    return roster_page(visit, enrol(site.people, site.contest, [student], role))


def add_many(visit: Visit) -> Response:
    file = visit.form.get("file")
    content = visit.text("text").encode()
    if isinstance(file, UploadFile) and file.size:
        content = file.file.read()
    if not content:
        raise HTTPException(400, "The class list is empty. Choose a file, or paste the list.")
    people = visit.site.people

    def name_of(student_id: str) -> str | None:
        person = people.find_id(student_id)
        return person.name if person else None

    read = read_class_list(content, name_of)
    known = {person.id.casefold(): person for person in people.all()}
    new = [student for student in read.students if student.id.casefold() not in known]
    if visit.text("confirmed"):
        return roster_page(visit, enrol(people, visit.site.contest, new))
    text = csv_text([COLUMNS, *[astuple(student) for student in new]])
    return visit.render(
        "import_preview.html",
        new=new,
        kept=[known[key] for student in read.students if (key := student.id.casefold()) in known],
        removed={person.id for person in people.removed()},
        read=read,
        text=text,
    )


def make_link(visit: Visit) -> Response:
    return roster_page(visit, [_other_person(visit)])


def make_links(visit: Visit) -> Response:
    students = visit.site.people.students()
    effects = (
        f"Each of {counted(len(students), 'student')} gets a new link, which is shown once.",
        "All students are signed out, and their old links and tokens stop working.",
    )
    question = "Make new links for everyone?"
    if confirmation := visit.asks(question, effects, "Make the links", "teacher/roster"):
        return confirmation
    return roster_page(visit, students)


def remove(visit: Visit) -> Response:
    person, site = _other_person(visit), visit.site
    question = f"Remove {person.name}?"
    if confirmation := visit.asks(question, REMOVAL, f"Remove {person.name}", "teacher/roster"):
        return confirmation
    remove_people(site.people, site.contest, [person])
    site.ladder.wake()
    return visit.redirect("teacher/roster")


def restore(visit: Visit) -> Response:
    site = visit.site
    removed = {person.id: person for person in site.people.removed()}
    gone = found(removed.get(visit.path("person")), "No such person was removed.")
    restored = enrol(site.people, site.contest, [gone.as_student], gone.role)
    site.ladder.wake()
    return roster_page(visit, restored)


def person_of(visit: Visit) -> ContestPerson:
    with answering(404):
        return visit.site.people.require(visit.path("person"))


def _other_person(visit: Visit) -> ContestPerson:
    person = person_of(visit)
    if person.id == visit.person.id:
        raise HTTPException(
            400, "You cannot change your own account here. Restart the server for a new link."
        )
    return person


def roster_page(visit: Visit, added: Sequence[ContestPerson] = ()) -> Response:
    """Show the roster, including sign-in links for newly added people."""
    site = visit.site
    links = with_links(site.people, site.database, added)
    return visit.render(
        "roster.html",
        people=site.people.all(),
        removed=site.people.removed(),
        keys=site.people.kinds_of_keys(),
        links=links,
        links_csv=as_csv(links),
    )


_PERSON = "/teacher/roster/{person}"
routes = [
    get("/teacher/roster", roster_page, "teacher"),
    post("/teacher/roster/add", add_one, "teacher", show_again=roster_page),
    post("/teacher/roster/csv", add_many, "teacher", MAX_ROSTER_BYTES, roster_page),
    post("/teacher/roster/links", make_links, "teacher"),
    post(f"{_PERSON}/link", make_link, "teacher", show_again=roster_page),
    post(f"{_PERSON}/remove", remove, "teacher", show_again=roster_page),
    post(f"{_PERSON}/restore", restore, "teacher", show_again=roster_page),
]
