"""The first page of the contest."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.serve.guards import site_of


async def front(request: Request) -> Response:
    """Show the first page."""
    return site_of(request).render(request, "front.html")


routes = [Route("/", front)]
