"""The account page: team, pseudonym, and the token for the command line."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.extras.serve.server_database import address_of
from arena.extras.serve.web.guards import read_form, signed_in, site_of


async def show(request: Request) -> Response:
    """Show the account."""
    return _page(request)


async def make_token(request: Request) -> Response:
    """Make the token again, and show it."""
    person = signed_in(request)
    await read_form(request)
    return _page(request, site_of(request).people.make_key(person.id, "token"))


def _page(request: Request, token: str = "") -> Response:
    person = signed_in(request)
    site = site_of(request)
    return site.render(
        request,
        "account.html",
        members=site.people.members(person.owner),
        has_token="token" in site.people.kinds_of_keys().get(person.id, set()),
        public=site.people.public_names(site.contest.serve.pseudonyms).get(person.owner),
        token=token,
        address=address_of(site.database),
    )


routes = [
    Route("/account", show, methods=["GET"]),
    Route("/account/token", make_token, methods=["POST"]),
]
