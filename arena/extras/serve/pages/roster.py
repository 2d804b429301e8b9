"""The teacher's roster pages: people, new students, changes, new and revoked links."""

from collections.abc import Iterable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.contest.roster import Student
from arena.contest.student_names import safe_id
from arena.errors import ServeError
from arena.extras.serve.enrolment import (
    Enrolled,
    as_csv,
    change_student,
    enrol,
    read_students,
)
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import address_of, sign_in_link
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import read_form, site_of, teacher_only

MAX_ROSTER_BYTES = 1024**2


async def show(request: Request) -> Response:
    """Show the roster."""
    teacher_only(request)
    return _page(request)


async def add_one(request: Request) -> Response:
    """Add the student of a form, and show the sign-in link."""
    teacher_only(request)
    form = await read_form(request)
    name = _text(form, "name")
    if not name:
        raise HTTPException(400, "The student has no name: type one.")
    student = Student(
        _text(form, "id") or safe_id(name), name, _text(form, "email"), _text(form, "team")
    )
    return await _enrol(request, [student])


async def add_many(request: Request) -> Response:
    """Add the students of a CSV file or text, and show their sign-in links."""
    teacher_only(request)
    form = await read_form(request, max_bytes=MAX_ROSTER_BYTES, max_files=1)
    file = form.get("file")
    text = _text(form, "text")
    if isinstance(file, UploadFile) and file.size:
        try:
            text = (await file.read()).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise HTTPException(400, "The file is not UTF-8: save it as “CSV UTF-8”.") from None
    if not text:
        raise HTTPException(400, "There are no students: choose a file, or paste its text.")
    return await _enrol(request, read_students(text, "the roster"))


async def show_person(request: Request) -> Response:
    """Show the form with the e-mail and the team of a person."""
    teacher_only(request)
    return site_of(request).render(request, "person.html", one=_person(request))


async def change_person(request: Request) -> Response:
    """Give a person the e-mail and the team of a form."""
    teacher_only(request)
    form = await read_form(request)
    site, one = site_of(request), _person(request)
    changed = Student(one.id, one.name, _text(form, "email"), _text(form, "team"))
    await run_in_threadpool(change_student, site.people, site.contest, changed)
    return RedirectResponse("/teacher/roster", 303)


async def make_link(request: Request) -> Response:
    """Make the sign-in link of a person again, and show it."""
    teacher_only(request)
    await read_form(request)
    person = _person(request)
    return _page(request, with_links(site_of(request), [person]))


async def revoke(request: Request) -> Response:
    """Make the link and the token of a person invalid, and sign the person out everywhere."""
    teacher = teacher_only(request)
    await read_form(request)
    person = _person(request)
    if person.id == teacher.id:
        raise HTTPException(400, "This is your own account: start the server again for a new link.")
    site_of(request).people.revoke(person.id)
    return RedirectResponse("/teacher/roster", 303)


def with_links(
    site: ContestSite, people: Iterable[ContestPerson]
) -> list[tuple[ContestPerson, str]]:
    """Return people, each with a new sign-in link. The former links become invalid."""
    address = address_of(site.database)
    return [(one, sign_in_link(address, site.people.make_key(one.id, "link"))) for one in people]


async def _enrol(request: Request, students: list[Student]) -> Response:
    site = site_of(request)

    def work() -> tuple[Enrolled, list[tuple[ContestPerson, str]]]:
        enrolled = enrol(site.people, site.contest, students)
        return enrolled, with_links(site, enrolled.added)

    enrolled, links = await run_in_threadpool(work)
    return _page(request, links, enrolled.known)


def _page(
    request: Request,
    links: Iterable[tuple[ContestPerson, str]] = (),
    known: Iterable[ContestPerson] = (),
) -> Response:
    """Return the roster. `links` are new, and `known` are people who were not added again."""
    site = site_of(request)
    rows = list(links)
    return site.render(
        request,
        "roster.html",
        people=site.people.all(),
        keys=site.people.kinds_of_keys(),
        links=rows,
        links_csv=as_csv("link", rows),
        known=list(known),
        file=site.contest.entrants.roster,
    )


def _person(request: Request) -> ContestPerson:
    try:
        return site_of(request).people.require(request.path_params["person"])
    except ServeError as error:
        raise HTTPException(404, str(error)) from None


def _text(form: FormData, name: str) -> str:
    value = form.get(name)
    return value.strip() if isinstance(value, str) else ""


routes = [
    Route("/teacher/roster", show, methods=["GET"]),
    Route("/teacher/roster/add", add_one, methods=["POST"]),
    Route("/teacher/roster/csv", add_many, methods=["POST"]),
    Route("/teacher/roster/{person}/edit", show_person, methods=["GET"]),
    Route("/teacher/roster/{person}/edit", change_person, methods=["POST"]),
    Route("/teacher/roster/{person}/link", make_link, methods=["POST"]),
    Route("/teacher/roster/{person}/revoke", revoke, methods=["POST"]),
]
