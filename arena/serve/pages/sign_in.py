"""Signing in by a personal link, and signing out."""

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.serve.web.guards import client_of, limit, read_form, site_of
from arena.serve.people.people import Person


async def ask(request: Request) -> Response:
    """Show whose link it is, with a button that signs in.

    A link alone does not sign in, so that programs that look at links in mails cannot, and nobody
    is signed in as somebody else without noticing it.
    """
    site = site_of(request)
    response = site.render(request, "sign_in.html", owner=_owner(request))
    site.sessions.keep_anonymous(request, response)
    return response


async def sign_in(request: Request) -> Response:
    """Sign in whose link it is."""
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


def _owner(request: Request) -> Person:
    """Return whose link it is. Raises `HTTPException` 404 if it is nobody's."""
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
