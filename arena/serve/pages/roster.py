"""The teacher's page of the roster: who there is, new people, links made again and revoked."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.serve.guards import site_of, teacher_only


async def show(request: Request) -> Response:
    """Show the roster."""
    teacher_only(request)
    site = site_of(request)
    return site.render(
        request, "roster.html", people=site.people.all(), keys=site.people.kinds_of_keys()
    )


routes = [Route("/teacher/roster", show, methods=["GET"])]
