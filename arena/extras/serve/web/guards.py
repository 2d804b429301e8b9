"""Checks that a handler makes first: the sender of a request, CSRF tokens, sizes, rates.

A handler that changes something calls `read_form`, which checks the CSRF token of the session. A
handler for programs calls `bearer`, which asks for a token that browsers never send by themselves.
"""

import hmac
from collections.abc import Hashable
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.rate_limits import RateLimits

MAX_FORM_BYTES = 64 * 1024
"""The size of a form without files."""
MAX_FORM_FIELDS = 50
MAX_FIELD_BYTES = 1024 * 1024
"""The size of a field that is not a file. Such fields are kept in memory."""
CSRF_FIELD = "csrf"
CSRF_HEADER = "X-CSRF-Token"


def site_of(request: HTTPConnection) -> ContestSite:
    """Return the site that a request is for."""
    site: ContestSite = request.app.state.site
    return site


def signed_in(request: HTTPConnection) -> ContestPerson:
    """Return the person who is signed in. Raises `HTTPException` 401 without one."""
    person = site_of(request).sessions.visitor(request).person
    if person is None:
        raise HTTPException(401, "Sign in with your personal link first.")
    return person


def teacher_only(request: HTTPConnection) -> ContestPerson:
    """Return the teacher who is signed in. Raises `HTTPException` 401, or 403 for a student."""
    person = signed_in(request)
    if not person.is_teacher:
        raise HTTPException(403, "Only the teacher may see this page.")
    return person


def bearer(request: HTTPConnection) -> ContestPerson:
    """Return the person of the token in `Authorization: Bearer TOKEN`.

    Raises `HTTPException` 401 if it is missing or not valid.
    """
    site = site_of(request)
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    person = None
    if scheme.lower() == "bearer" and token:
        person = site.people.of_key(token.strip(), "token")
    if person is None:
        limit(site, site.sign_in_limits, client_of(request))
        raise HTTPException(
            401,
            "The token is not valid: the page of your account shows how to get another one.",
            {"WWW-Authenticate": "Bearer"},
        )
    limit(site, site.person_limits, person.id)
    return person


async def read_form(
    request: Request, *, max_bytes: int = MAX_FORM_BYTES, max_files: int = 0
) -> FormData:
    """Return the form of a change, which must have the CSRF token of its session.

    The token is the field `csrf`, or the header `X-CSRF-Token` of a script.

    Args:
        request: a request of a browser.
        max_bytes: the largest size of the body.
        max_files: how many of its fields may be files; `request.close` closes them.

    Raises:
        HTTPException: 403 without the token, 413 if the body is larger, 400 if it is not a form.
    """
    check_is_own(request)
    limit_body(request, max_bytes)
    sent = request.headers.get(CSRF_HEADER)
    if sent is not None:  # a wrong token is refused before the body is read
        check_csrf(request, sent)
    form = await request.form(
        max_files=max_files,
        max_fields=MAX_FORM_FIELDS,
        max_part_size=min(max_bytes, MAX_FIELD_BYTES),
    )
    request.scope["arena.body"].form = form
    if sent is None:
        try:
            check_csrf(request, form.get(CSRF_FIELD))
        except HTTPException:
            await request.close()  # with the files of the form
            raise
    return form


def check_csrf(request: HTTPConnection, sent: object) -> None:
    """Refuse a change without the CSRF token of its session, by `HTTPException` 403."""
    expected = site_of(request).sessions.visitor(request).csrf
    if not isinstance(sent, str) or not hmac.compare_digest(sent.encode(), expected.encode()):
        raise HTTPException(
            403, "The form is too old or comes from elsewhere: load the page again, and repeat it."
        )


def check_is_own(request: HTTPConnection) -> None:
    """Refuse a form that another site sends, as the browser says, by `HTTPException` 403."""
    if request.headers.get("Sec-Fetch-Site") in ("cross-site", "same-site"):
        raise HTTPException(403, "The form comes from another site.")


def limit_body(request: HTTPConnection, max_bytes: int) -> None:
    """Refuse a body that is larger than `max_bytes`, by `HTTPException` 413.

    If the declared length is too large, no part is read. Other bodies are refused while they are
    read.
    """
    request.scope["arena.body"].lower_to(max_bytes)


def count_request(request: HTTPConnection) -> None:
    """Count a request for the person who is signed in, or else for its address.

    Raises `HTTPException` 429 if there are too many.
    """
    site = site_of(request)
    person = site.sessions.visitor(request).person
    if person is None:
        limit(site, site.address_limits, client_of(request))
    else:
        limit(site, site.person_limits, person.id)


def limit(site: ContestSite, limits: RateLimits, key: Hashable) -> None:
    """Count a request of `key`. Raises `HTTPException` 429 if there are too many."""
    if wait_s := limits.wait_s(key, site.clock()):
        raise HTTPException(
            429,
            "There are too many requests: wait a moment, then try again.",
            {"Retry-After": str(int(wait_s) + 1)},
        )


def client_of(request: HTTPConnection) -> str:
    """Return the address of a client, or its network with IPv6."""
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network(f"{address}/64", strict=False))
    return host


# -- answers that a browser saves as a file ----------------------------------------------------


JSON = "application/json"


def download(content: bytes, media_type: str, name: str) -> Response:
    """Return an answer that a browser saves under a name."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
