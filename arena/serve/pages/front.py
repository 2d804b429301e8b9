"""The first page of the contest, and the page of who is signed in."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.serve.guards import signed_in, site_of


async def front(request: Request) -> Response:
    """Show the first page."""
    return site_of(request).render(request, "front.html")


async def me(request: Request) -> Response:
    """Show a person the own page."""
    signed_in(request)
    return site_of(request).render(request, "me.html")


routes = [Route("/", front), Route("/me", me)]
