"""Pages for signing in and out, and for account settings."""

from starlette.responses import Response

from arena.extras.serve.people import ContestPerson, public_names
from arena.extras.serve.server_database import address_of
from arena.extras.serve.web.visits import Visit, found, get, post

INVALID_LINK = (
    "This sign-in link is no longer valid. Teachers can create new sign-in links on the Roster "
    "page. When the server starts, it also prints a sign-in link for the teacher."
)


def ask(visit: Visit) -> Response:
    """Show the sign-in page for a personal link."""
    # Opening the link must not sign anyone in, because mail programs open links too.
    return visit.render("sign_in.html", owner=_owner(visit))


def sign_in(visit: Visit) -> Response:
    person = _owner(visit)
    first = "teacher" if visit.site.people.students() else "teacher/roster"
    response = visit.redirect(first if person.is_teacher else "me")
    visit.site.sessions.sign_in(visit.request, response, person)
    return response


def sign_out(visit: Visit) -> Response:
    response = visit.redirect("")
    visit.site.sessions.sign_out(visit.request, response)
    return response


def _owner(visit: Visit) -> ContestPerson:
    person = visit.site.people.of_key(visit.path("link"), "link")
    return found(person, INVALID_LINK)


def make_token(visit: Visit) -> Response:
    return show(visit, visit.site.people.make_key(visit.person.id, "token"))


def show(visit: Visit, token: str = "") -> Response:
    person, site = visit.person, visit.site
    return visit.render(
        "account.html",
        members=site.people.members(person.owner),
        has_token="token" in site.people.kinds_of_keys().get(person.id, set()),
        public=public_names(
            site.people.students(), has_pseudonyms=site.contest.serve.pseudonyms
        ).get(person.owner),
        token=token,
        address=address_of(site.database),
    )


routes = [
    get("/sign-in/{link}", ask),
    post("/sign-in/{link}", sign_in, "anyone"),
    post("/sign-out", sign_out, "anyone"),
    get("/account", show, "person"),
    post("/account/token", make_token),
]
