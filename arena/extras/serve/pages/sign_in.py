"""Signing in by a personal link, and signing out."""

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.guards import client_of, limit, read_form, site_of


async def ask(request: Request) -> Response:
    """Show the owner of a link, with a button that signs in.

    The link alone does not sign in: programs that open links in mails must not, and a person sees
    first whose link it is.
    """
    site = site_of(request)
    response = site.render(request, "sign_in.html", owner=_owner(request))
    site.sessions.keep_anonymous(request, response)
    return response


async def sign_in(request: Request) -> Response:
    """Sign in the owner of a link."""
    person = _owner(request)
    await read_form(request)
    response = RedirectResponse("/teacher/roster" if person.is_teacher else "/me", 303)
    sessions = site_of(request).sessions
    await run_in_threadpool(sessions.sign_in, request, response, person)
    return response


async def sign_out(request: Request) -> Response:
    """End the session of this browser."""
    await read_form(request)
    response = RedirectResponse("/", 303)
    await run_in_threadpool(site_of(request).sessions.sign_out, request, response)
    return response


def _owner(request: Request) -> ContestPerson:
    """Return the owner of the link. Raises `HTTPException` 404 if the link is not valid."""
    site = site_of(request)
    limit(site, site.sign_in_limits, client_of(request))
    person = site.people.of_key(request.path_params["link"], "link")
    if person is None:
        raise HTTPException(
            404, "This sign-in link is not valid any more: ask the teacher for a new one."
        )
    return person


routes = [
    Route("/sign-in/{link}", ask, methods=["GET"]),
    Route("/sign-in/{link}", sign_in, methods=["POST"]),
    Route("/sign-out", sign_out, methods=["POST"]),
]
