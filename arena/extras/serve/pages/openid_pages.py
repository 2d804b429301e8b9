"""Signing in by the university's identity provider, with OpenID Connect."""

from typing import Any
from urllib.parse import urlsplit

import httpx
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.starlette_client import OAuth
from joserfc.errors import JoseError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.base.atomic_file import os_error_as
from arena.base.errors import ServeError
from arena.extras.serve.pages.account_pages import signed_in
from arena.extras.serve.serve_table import OpenIdTable, serve_of
from arena.extras.serve.server_database import address_of
from arena.extras.serve.web.visits import Visit, answering, client_of, found, get, limit

COOKIE = "arena_openid"
WAIT_S = 10
"""Seconds in which the provider has to answer."""


async def begin(visit: Visit) -> Response:
    """Send the browser to the provider."""
    table = _table(visit)
    session: dict[str, Any] = {}
    visit.request.scope["session"] = session
    back = f"{address_of(visit.site.database)}/university/back"
    try:
        response: Response = await _client(visit, table).authorize_redirect(visit.request, back)
    except (httpx.HTTPError, ValueError, RuntimeError) as error:
        host = urlsplit(table.issuer).netloc
        raise ServeError(f"the identity provider {host} does not answer: {error}") from None
    visit.site.sessions.seal(visit.request, response, COOKIE, session)
    return response


async def finish(visit: Visit) -> Response:
    """Sign in the person whom the provider names."""
    table = _table(visit)
    visit.request.scope["session"] = visit.site.sessions.unseal(visit.request, COOKIE)
    options = {
        "iss": {"essential": True, "value": table.issuer},
        "aud": {"essential": True, "value": table.client},
        "nonce": {"essential": True},
    }
    try:
        token = await _client(visit, table).authorize_access_token(
            visit.request, claims_options=options, leeway=0
        )
        claims = token["userinfo"]
    except (AuthlibBaseError, JoseError, httpx.HTTPError, KeyError, ValueError) as error:
        raise HTTPException(
            403, f"The university has not signed you in, so try again: {error}."
        ) from None
    response = await run_in_threadpool(
        lambda: signed_in(visit, _person(visit, table.issuer, claims))
    )
    response.delete_cookie(COOKIE, path=visit.request.scope.get("root_path") or "/")
    return response


def _person(visit: Visit, issuer: str, claims: dict[str, Any]) -> Any:
    """Return the person of the claims, by an account that is known, or by a verified e-mail."""
    people = visit.site.people
    account = f"{issuer} {claims['sub']}"
    person = people.of_account(account)
    if person is None:
        is_verified = claims.get("email_verified") is True  # some send "false" as a text
        email = str(claims.get("email", "")) if is_verified else ""
        with answering(403):
            person = people.for_account(account, email)
        if person is None:
            raise HTTPException(403, "You are not on the roster: ask the teacher to add you.")
        people.keep_account(account, person.id)
    return person


def _table(visit: Visit) -> OpenIdTable:
    limit(visit.site, visit.site.sign_in_rate, client_of(visit.request))
    return found(serve_of(visit.site.contest).openid, "Nobody signs in by a university here.")


def _client(visit: Visit, table: OpenIdTable) -> Any:
    path = visit.site.folder / table.secret
    with os_error_as(ServeError, f"cannot read the secret in {path}"):
        secret = path.read_text("utf-8").strip()
    return OAuth().register(
        "university",
        client_id=table.client,
        client_secret=secret,
        server_metadata_url=f"{table.issuer.rstrip('/')}/.well-known/openid-configuration",
        client_kwargs={
            "scope": "openid email profile",
            "code_challenge_method": "S256",
            "timeout": WAIT_S,
        },
    )


routes = [get("/university", begin), get("/university/back", finish)]
