"""Signing in by the university's identity provider, with OpenID Connect."""

from typing import Any
from urllib.parse import urlsplit

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse, Response

from arena.base.atomic_file import os_error_as
from arena.base.errors import ServeError
from arena.extras.serve.pages.account_pages import signed_in
from arena.extras.serve.serve_table import OpenIdTable, serve_of
from arena.extras.serve.server_database import address_of
from arena.extras.serve.web.visits import Visit, answering, client_of, found, get, limit

COOKIE = "arena_openid"
SCOPE = "openid email profile"
WAIT_S = 10
"""Seconds in which the provider has to answer."""
SECURE_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "ES256", "ES384", "EdDSA"]


def begin(visit: Visit) -> Response:
    """Send the browser to the provider."""
    table = _table(visit)
    limit(visit.site, visit.site.sign_in_rate, client_of(visit.request))
    session, verifier, nonce = _session(visit, table), generate_token(48), generate_token(24)
    provider = _fetch(f"{table.issuer.rstrip('/')}/.well-known/openid-configuration")
    url, state = session.create_authorization_url(
        provider["authorization_endpoint"], nonce=nonce, code_verifier=verifier
    )
    response = RedirectResponse(url, 303)
    kept = {"state": state, "nonce": nonce, "verifier": verifier}
    visit.site.sessions.seal(visit.request, response, COOKIE, kept)
    return response


def finish(visit: Visit) -> Response:
    """Sign in the person whom the provider names."""
    table, site = _table(visit), visit.site
    limit(site, site.sign_in_rate, client_of(visit.request))
    kept = site.sessions.unseal(visit.request, COOKIE)
    given = visit.request.query_params
    if not kept or kept["state"] != given.get("state"):
        raise HTTPException(403, "This sign-in was begun elsewhere, or too long ago: try again.")
    if "code" not in given:
        raise HTTPException(403, f"The university refused: {given.get('error', 'without a code')}.")
    provider = _fetch(f"{table.issuer.rstrip('/')}/.well-known/openid-configuration")
    if provider["issuer"] != table.issuer:
        raise ServeError(f"got the issuer {provider['issuer']!r}, expected {table.issuer!r}")
    try:
        tokens = _session(visit, table).fetch_token(
            provider["token_endpoint"],
            code=given["code"],
            code_verifier=kept["verifier"],
            timeout=WAIT_S,
        )
        keys = KeySet.import_key_set(_fetch(provider["jwks_uri"]))
        token = jwt.decode(tokens["id_token"], keys, algorithms=SECURE_ALGORITHMS)
        jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": table.issuer},
            aud={"essential": True, "value": table.client},
            sub={"essential": True},
            exp={"essential": True},
            nonce={"essential": True, "value": kept["nonce"]},
        ).validate(token.claims)
    except (AuthlibBaseError, JoseError, requests.RequestException, KeyError) as error:
        raise HTTPException(403, f"The university's answer is not valid: {error}.") from None
    response = signed_in(visit, _person(visit, table.issuer, token.claims))
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
    return found(serve_of(visit.site.contest).openid, "Nobody signs in by a university here.")


def _session(visit: Visit, table: OpenIdTable) -> OAuth2Session:
    path = visit.site.folder / table.secret
    with os_error_as(ServeError, f"cannot read the secret in {path}"):
        secret = path.read_text("utf-8").strip()
    return OAuth2Session(
        table.client,
        secret,
        scope=SCOPE,
        redirect_uri=f"{address_of(visit.site.database)}/university/back",
        code_challenge_method="S256",
    )


def _fetch(url: str) -> Any:
    """Return the JSON at an address of the provider. Raises `ServeError`."""
    try:
        answer = requests.get(url, timeout=WAIT_S, allow_redirects=False)
        answer.raise_for_status()
        return answer.json()
    except (requests.RequestException, ValueError) as error:
        host = urlsplit(url).netloc
        raise ServeError(f"the identity provider {host} does not answer: {error}") from None


routes = [get("/university", begin), get("/university/back", finish)]
