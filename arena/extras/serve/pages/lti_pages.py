"""LTI 1.3: signing in from a learning platform, its roster taken over, scores passed back."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import requests
from joserfc.jwk import RSAKey
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.cookie import CookieService
from pylti1p3.exception import LtiException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.message_launch import MessageLaunch
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.oidc_login import OIDCLogin
from pylti1p3.redirect import Redirect
from pylti1p3.request import Request
from pylti1p3.service_connector import ServiceConnector
from pylti1p3.session import SessionService
from pylti1p3.tool_config import ToolConfDict
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response

from arena.base.errors import ServeError
from arena.contest.roster import Student, safe_id
from arena.extras.serve.enrolment import enrol
from arena.extras.serve.pages.account_pages import signed_in
from arena.extras.serve.pages.class_pages import grades_of_class
from arena.extras.serve.pages.roster_pages import PLATFORM, roster_page
from arena.extras.serve.people import ContestPerson, Role, hash_of
from arena.extras.serve.serve_table import LtiTable, serve_of
from arena.extras.serve.server_database import address_of, note_change
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.visits import Visit, answering, found, get, post
from arena.narration.telling import counted

COOKIE = "arena_lti"
KEY = "lti-key"
"""The name of the private key in the database."""
MAX_SCORE = 100
_CLAIM = "https://purl.imsglobal.org/spec/lti{}"
_NAMES = _CLAIM.format("-nrps/claim/namesroleservice")
_GRADES = _CLAIM.format("-ags/claim/endpoint")
_CONTEXT = _CLAIM.format("/claim/context")
COURSE = "lti-course"
"""The name of the id of the contest's course in the database."""
KEEP_LAUNCHES_S = 86_400
"""Seconds for which it is known that a sign-in was used; its cookie is valid for less."""


class _Sender(Request, CookieService):
    """The browser of a sign-in, whose state is in one sealed cookie."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self.kept = visit.site.sessions.unseal(visit.request, COOKIE)

    @property
    def session(self) -> dict[str, Any]:
        return self.kept

    def is_secure(self) -> bool:
        return self._visit.request.url.scheme == "https"

    def get_param(self, key: str) -> str:
        return self._visit.text(key) or self._visit.request.query_params.get(key, "")

    def get_cookie(self, name: str) -> str | None:
        return self.kept.get(f"cookie {name}")

    def set_cookie(self, name: str, value: str | int, exp: int | None = None) -> None:
        self.kept[f"cookie {name}"] = value


class _Target(Redirect):
    """The address to which a sign-in sends the browser."""

    def __init__(self, url: str) -> None:
        self._url = url

    def get_redirect_url(self) -> str:
        return self._url


class _Login(OIDCLogin):
    def get_redirect(self, url: str) -> _Target:
        return _Target(url)


class _Launch(MessageLaunch):
    def _get_request_param(self, key: str) -> str:
        return str(self._request.get_param(key))


def keys(visit: Visit) -> Response:
    """Answer with the public key of the server, which the platform asks for."""
    table = _table(visit.site)
    key: Any = _tool(visit.site, table).get_jwks(table.issuer, table.client)
    return JSONResponse(key)


def begin(visit: Visit) -> Response:
    """Send the browser to the platform, which has sent it here to sign in."""
    sender = _Sender(visit)
    sender.kept.clear()
    tool = _tool(visit.site, _table(visit.site))
    launch_url = f"{address_of(visit.site.database)}/lti/launch"
    try:
        login = _Login(sender, tool, SessionService(sender), sender)
        response = RedirectResponse(login.get_redirect_object(launch_url).get_redirect_url(), 303)
    except Exception as error:  # the library raises `Exception` for an unknown issuer
        raise HTTPException(400, f"The platform's request is not valid: {error}.") from None
    visit.site.sessions.seal(visit.request, response, COOKIE, sender.kept)
    return response


def launch(visit: Visit) -> Response:
    """Sign in the person whom the platform names, who is added to the roster if necessary."""
    site, sender = visit.site, _Sender(visit)
    table = _table(site)
    launched = _Launch(sender, _tool(site, table), SessionService(sender), sender)
    try:
        claims: dict[str, Any] = launched.validate().get_launch_data()
    except (LtiException, requests.RequestException) as error:
        raise HTTPException(403, f"The platform's answer is not valid: {error}.") from None
    except Exception as error:  # the library raises `Exception` for an unknown issuer
        raise HTTPException(400, f"The platform's answer is not valid: {error}.") from None
    _use_once(site, str(claims["nonce"]))
    role: Role = "student"
    if launched.check_teacher_access() or launched.check_staff_access():
        role = "teacher"
    elif launched.check_teaching_assistant_access():
        role = "assistant"
    _check_course(site, table, claims, role)
    with answering(403):
        person = _person(site, table, claims, role)
    if person.is_teacher:
        services = {name: claims[name] for name in (_NAMES, _GRADES) if name in claims}
        site.database.keep_value(PLATFORM, json.dumps(services).encode())
    response = signed_in(visit, person)
    response.delete_cookie(COOKIE, path=visit.request.scope.get("root_path") or "/")
    return response


def _use_once(site: ContestSite, nonce: str) -> None:
    """Note that a sign-in is used. Raises `HTTPException` 403 if it was used before."""
    now = site.clock()
    site.database.write("DELETE FROM launches WHERE at < ?", now - KEEP_LAUNCHES_S)
    noted = site.database.write("INSERT OR IGNORE INTO launches VALUES (?, ?)", hash_of(nonce), now)
    if not noted.rowcount:
        raise HTTPException(403, "This sign-in was used: open the contest on the platform again.")


def _check_course(site: ContestSite, table: LtiTable, claims: dict[str, Any], role: Role) -> None:
    """Refuse a launch from another course than that of the contest, by `HTTPException` 403.

    The first launch of a teacher whom the settings name binds the contest to the course.
    """
    context = claims.get(_CONTEXT)
    course = str(context.get("id", "")) if isinstance(context, dict) else ""
    if not course:
        raise HTTPException(403, "The platform names no course: open the contest from a course.")
    kept = site.database.value(COURSE)
    bound = table.course or (kept.decode() if kept else "")
    if not bound:
        teachers = {email.lower() for email in table.teachers}
        if role != "teacher" or str(claims.get("email", "")).lower() not in teachers:
            raise HTTPException(
                403,
                "This contest belongs to no course yet: a teacher whose e-mail stands in "
                "`teachers` of [serve.lti] opens it on the platform first.",
            )
        site.database.keep_value(COURSE, course.encode())
        note_change(site.database, site.clock(), "", f"the contest belongs to the course {course}")
    elif course != bound:
        raise HTTPException(403, "This contest belongs to another course of the platform.")


def _person(
    site: ContestSite, table: LtiTable, member: dict[str, Any], role: Role
) -> ContestPerson:
    """Return the person of an account, who is known, or has the e-mail, or is added.

    Raises:
        ServeError: the person with the e-mail has another account of the platform.
    """
    account = f"{table.issuer} {member.get('sub') or member['user_id']}"
    if known := site.people.of_account(account):
        return known
    email = str(member.get("email", ""))
    person = site.people.for_account(account, email)
    if person is None or (person.is_staff and role == "student"):
        name = str(member.get("name") or email.partition("@")[0] or "student")
        wanted = safe_id(email.partition("@")[0] or name)
        taken = site.people.find_id(wanted)
        digits = "".join([char for char in account if char.isalnum()])[-8:]
        student = Student(f"{wanted}-{digits}" if taken else wanted, name, email)
        if role == "student":
            person = enrol(site.people, site.contest, [student], is_import=True).added[0]
        else:
            person = site.people.add([student], role)[0]
    site.people.keep_account(account, person.id)
    return person


# -- what teachers exchange with the platform --------------------------------------------------


def take_roster(visit: Visit) -> Response:
    """Add the students of the platform's course."""
    site = visit.site
    table = _table(site)
    before = {person.id for person in site.people.all()}

    def members(services: dict[str, Any], connector: ServiceConnector) -> list[dict[str, Any]]:
        service = NamesRolesProvisioningService(connector, services[_NAMES])
        listed: list[dict[str, Any]] = service.get_members()
        return listed

    doubtful = 0
    for member in _asked(site, table, members):
        is_active = member.get("status", "Active") == "Active"
        if is_active and any(role.endswith("Learner") for role in member.get("roles", ())):
            try:
                _person(site, table, member, "student")
            except ServeError:  # noted for the teacher
                doubtful += 1
    added = [person for person in site.people.students() if person.id not in before]
    told = f"{counted(len(added), 'student')} added from the platform."
    if doubtful:
        told += f" Of {counted(doubtful, 'account')} it is not certain whose they are: see Class."
    return roster_page(visit, told=told)


def pass_grades(visit: Visit) -> Response:
    """Pass the score of each student to the platform, as points of 100."""
    site = visit.site
    table = _table(site)
    rows = [row for row in grades_of_class(visit).rows if row.score is not None]
    accounts = {person: account for account, person in site.people.accounts().items()}
    known = [(row, accounts[row.id]) for row in rows if row.id in accounts]

    def put(services: dict[str, Any], connector: ServiceConnector) -> None:
        service = AssignmentsGradesService(connector, services[_GRADES])
        item = (
            LineItem().set_label(site.name).set_score_maximum(MAX_SCORE).set_tag(safe_id(site.name))
        )
        column = service.find_or_create_lineitem(item)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        for row, account in known:
            grade = Grade().set_score_given(round(MAX_SCORE * (row.score or 0.0), 2))
            grade.set_score_maximum(MAX_SCORE).set_timestamp(now)
            grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")
            service.put_grade(grade.set_user_id(account.rpartition(" ")[2]), column)

    _asked(site, table, put)
    left_out = len(rows) - len(known)
    return roster_page(
        visit, told=f"{len(known)} scores were passed, {left_out} students are not on the platform."
    )


def _asked(
    site: ContestSite,
    table: LtiTable,
    ask: Callable[[dict[str, Any], ServiceConnector], Any],
) -> Any:
    """Return what the services of the platform answer. Raises `ServeError`."""
    kept = site.database.value(PLATFORM)
    if kept is None:
        raise ServeError("open this contest on the platform once, as its teacher")
    tool = _tool(site, table)
    registration = tool.find_registration_by_params(table.issuer, table.client)
    try:
        return ask(json.loads(kept), ServiceConnector(registration))
    except KeyError:
        raise ServeError(
            "the platform does not offer this: allow it in the tool's settings"
        ) from None
    except (LtiException, requests.RequestException) as error:
        raise ServeError(f"the platform does not answer: {error}") from None


def _table(site: ContestSite) -> LtiTable:
    return found(serve_of(site.contest).lti, "This contest has no learning platform.")


def _tool(site: ContestSite, table: LtiTable) -> ToolConfDict:
    """Return the settings of the library, with a key that is made at first use."""
    kept = site.database.value(KEY)
    if kept is None:
        kept = RSAKey.generate_key(2048).as_pem(private=True)
        site.database.keep_value(KEY, kept)
    tool = ToolConfDict(
        {
            table.issuer: {
                "default": True,
                "client_id": table.client,
                "auth_login_url": table.login_url,
                "auth_token_url": table.token_url,
                "key_set_url": table.keys_url,
                "deployment_ids": [table.deployment],
            }
        }
    )
    tool.set_private_key(table.issuer, kept.decode())
    public = RSAKey.import_key(kept).as_pem(private=False)
    tool.set_public_key(table.issuer, public.decode())
    return tool


routes = [
    get("/lti/keys", keys),
    get("/lti/login", begin),
    post("/lti/login", begin, "platform"),
    post("/lti/launch", launch, "platform"),
    post("/teacher/platform/roster", take_roster, "teacher"),
    post("/teacher/platform/grades", pass_grades, "teacher"),
]
