"""Authenticate and authorize each request before calling its handler.

`get` declares a page, and `post` declares a form. Permissions are checked for each request, and
forms from other sites are rejected. Handlers that are plain functions run in a thread;
coroutines are awaited.
"""

import contextlib
import inspect
import re
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Literal, TypeAlias, TypeVar

from limits import RateLimitItem
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.base.errors import ArenaError
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.web.contest_site import ContestSite, root_of
from arena.extras.serve.web.repeated_forms import ONCE

FoundT = TypeVar("FoundT")
MAX_FORM_BYTES = 64 * 1024
MAX_FORM_FIELDS = 50
MAX_FIELD_BYTES = 1024 * 1024
"""Maximum size in bytes of a text field in a form."""
SIGNED_OUT_BYTES = 256 * 1024
"""Maximum size in bytes of a form that is sent without a valid sign-in session."""

# "token": anyone with an API token
Right = Literal["anyone", "person", "teacher", "token"]


@dataclass(frozen=True)
class Visit:
    request: Request
    site: ContestSite
    visitor: ContestPerson | None
    form: FormData = field(default_factory=FormData)
    began: float = 0.0
    refusal: HTTPException | None = None

    @property
    def person(self) -> ContestPerson:
        """The signed-in person. Raise `HTTPException` with status 401 if nobody is signed in."""
        if self.visitor is None:
            raise HTTPException(401, "Sign in with your personal link first.")
        return self.visitor

    @property
    def sees_all(self) -> bool:
        return bool(self.visitor and self.visitor.is_teacher)

    @property
    def own(self) -> str:
        return self.visitor.owner if self.visitor and not self.visitor.is_teacher else ""

    def path(self, name: str) -> Any:
        return self.request.path_params[name]

    def text(self, name: str) -> str:
        value = self.form.get(name)
        return value.strip() if isinstance(value, str) else ""

    def render(self, template: str, **context: Any) -> Response:
        """Render a template.

        For a rejected form, the template gets the error message as `problem` and the user's
        input as `typed`.
        """
        if self.refusal:
            typed = {name: text for name, text in self.form.items() if isinstance(text, str)}
            context = {"problem": self.refusal.detail, "typed": typed, **context}
        status = self.refusal.status_code if self.refusal else 200
        response = self.site.render(self.request, template, status, **context)
        response.headers.update((self.refusal and self.refusal.headers) or {})
        return response

    def redirect(self, path: str) -> Response:
        return RedirectResponse(f"{root_of(self.request)}{path}", 303)

    def asks(
        self, question: str, effects: Sequence[str], button: str, back: str
    ) -> Response | None:
        """Return a page that asks for confirmation, or None if the person has already confirmed the
        change.
        """
        if self.text("confirmed"):
            return None
        fields = {name: self.text(name) for name in self.form if name != ONCE}
        return self.render(
            "confirm.html",
            question=question,
            effects=effects,
            button=button,
            back=back,
            fields=fields,
        )


Handler: TypeAlias = Callable[[Visit], Response] | Callable[[Visit], Awaitable[Response]]


def get(path: str, handler: Handler, right: Right = "anyone") -> Route:
    async def answer(request: Request) -> Response:
        return await _answer(handler, _visit(request, right))

    return Route(path, answer, methods=["GET"])


def post(
    path: str,
    handler: Handler,
    right: Right = "person",
    max_bytes: int = MAX_FORM_BYTES,
    show_again: Callable[[Visit], Response] | None = None,
) -> Route:
    """Return a route that accepts forms of up to `max_bytes` bytes.

    To accept file uploads, `max_bytes` must exceed `MAX_FORM_BYTES`. The function `show_again`
    renders a rejected form with the user's input. If only signed-in people may send the form,
    `show_again` also renders it for users whose session has expired.
    """

    async def answer(request: Request) -> Response:
        refusal, most = None, max_bytes
        try:
            visit = _visit(request, right)
        except HTTPException as error:
            if show_again is None or right != "person":
                raise
            visit, refusal, most = Visit(request, site_of(request), None), error, SIGNED_OUT_BYTES
        if right != "token" and _is_from_elsewhere(request):
            raise HTTPException(403, "The form comes from another site.")
        if re.search(
            'charset="?(?!utf-?8)', request.headers.get("Content-Type", ""), re.IGNORECASE
        ):
            raise HTTPException(415, "Send the form in UTF-8.")
        request.scope["arena.body"].lower_to(most)
        async with request.form(
            max_files=int(most > MAX_FORM_BYTES),
            max_fields=MAX_FORM_FIELDS,
            max_part_size=min(most, MAX_FIELD_BYTES),
        ) as form:
            visit = replace(visit, form=form)
            try:
                if refusal is not None:
                    raise refusal
                return await _answer(handler, visit)
            except (HTTPException, ArenaError) as error:
                if show_again is None:
                    raise
                if isinstance(error, ArenaError):
                    error = HTTPException(400, str(error))
                return await run_in_threadpool(show_again, replace(visit, refusal=error))

    return Route(path, answer, methods=["POST"])


async def _answer(handler: Handler, visit: Visit) -> Response:
    if inspect.iscoroutinefunction(handler):
        answer: Response = await handler(visit)
        return answer
    if ONCE not in visit.form:
        return await run_in_threadpool(handler, visit)  # type: ignore[arg-type]
    sender = visit.visitor.id if visit.visitor else ""
    form = (sender, visit.request.url.path, *visit.form.multi_items())
    return await run_in_threadpool(
        visit.site.forms.respond,
        form,
        visit.began,
        lambda: handler(visit),  # type: ignore[arg-type, return-value]
    )


def _visit(request: Request, right: Right) -> Visit:
    site = site_of(request)
    if right == "token":
        return Visit(request, site, _bearer(request), began=site.clock())
    person = site.sessions.visitor(request)
    visit = Visit(request, site, person, began=site.clock())
    if right != "anyone":
        person = visit.person
        if right == "teacher" and not person.is_teacher:
            raise HTTPException(403, "Only the teacher may do this.")
    return visit


def site_of(request: HTTPConnection) -> ContestSite:
    site: ContestSite = request.app.state.site
    return site


def _bearer(request: HTTPConnection) -> ContestPerson:
    site = site_of(request)
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    person = None
    if scheme.lower() == "bearer" and token:
        person = site.people.of_key(token.strip(), "token")
    if person is None:
        raise HTTPException(
            401,
            "The token is not valid. Your account page shows how to get a new token.",
            {"WWW-Authenticate": "Bearer"},
        )
    limit(site, site.person_rate, person.id)
    return person


def _is_from_elsewhere(request: HTTPConnection) -> bool:
    # Browsers send `Sec-Fetch-Site` only to secure addresses, but `Origin` to all addresses.
    headers = request.headers
    if site := headers.get("Sec-Fetch-Site"):
        return site not in ("same-origin", "none")
    return "Origin" in headers and headers["Origin"].partition("://")[2] != headers.get("Host")


def count_request(request: HTTPConnection) -> None:
    site = site_of(request)
    person = site.sessions.visitor(request)
    if person is None:
        limit(site, site.address_rate, client_of(request))
    else:
        limit(site, site.person_rate, person.id)


def limit(site: ContestSite, rate: RateLimitItem, key: str) -> None:
    if not site.limiter.hit(rate, key):
        wait_s = site.limiter.get_window_stats(rate, key).reset_time - time.time()
        raise HTTPException(
            429,
            "Too many requests: wait a moment, then try again.",
            {"Retry-After": str(max(0, int(wait_s)) + 1)},
        )


def client_of(request: HTTPConnection) -> str:
    host = request.client.host if request.client else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address):
        return str(ip_network(f"{address}/64", strict=False))
    return host


def found(value: FoundT | None, text: str) -> FoundT:
    """Return the value, or raise `HTTPException` with status 404 if it is None."""
    if value is None:
        raise HTTPException(404, text)
    return value


@contextlib.contextmanager
def answering(status: int, text: str = "{}") -> Iterator[None]:
    """Convert an `ArenaError` to an HTTP response.

    The error message replaces `{}` in `text`.
    """
    try:
        yield
    except ArenaError as error:
        raise HTTPException(status, text.format(error)) from None


# -- answers that a browser saves as a file ----------------------------------------------------


JSON = "application/json"


def download(content: bytes, media_type: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)
