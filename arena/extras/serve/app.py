"""Create the ASGI application for a contest."""

import contextlib
import errno
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping
from http import HTTPStatus
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.base.errors import ArenaError
from arena.extras.serve.pages import (
    account_pages,
    board_pages,
    class_pages,
    deadline_page,
    game_pages,
    hand_in_pages,
    replay_pages,
    review_pages,
    roster_pages,
    student_pages,
)
from arena.extras.serve.web.contest_site import STATIC, ContestSite, root_of
from arena.extras.serve.web.middleware import HEADERS, BodyLimit, SecurityHeaders
from arena.extras.serve.web.visits import count_request, site_of
from arena.plugins import replay_panels

PAGES = (
    *(board_pages, replay_pages, account_pages, hand_in_pages, review_pages, game_pages),
    *(roster_pages, class_pages, deadline_page, student_pages),
)


def application(site: ContestSite, pages: Iterable[ModuleType] = PAGES) -> Starlette:
    @contextlib.asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        workers = (site.checker, site.ladder, site.boards, site.reviews)
        for worker in workers:
            await run_in_threadpool(worker.start)
        try:
            yield
        finally:
            for worker in workers:
                await run_in_threadpool(worker.stop)
            await run_in_threadpool(site.tables.stop)

    routes = [route for page in pages for route in page.routes]
    packages = ["arena.publish", *[panel.package for panel in replay_panels().values()]]
    static = _Static(directory=STATIC, packages=[(package, "static") for package in packages])
    app = Starlette(
        routes=[*routes, Mount("/static", static)],
        middleware=[Middleware(SecurityHeaders), Middleware(BodyLimit), Middleware(_RequestLimit)],
        exception_handlers=HANDLERS,
        lifespan=running,
    )
    app.state.site = site
    return app


class _RequestLimit:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._app
        if scope["type"] == "http":
            request = Request(scope, receive)
            if not _local_path(request).startswith("static/"):
                try:
                    count_request(request)
                except HTTPException as error:
                    answer = await refused(request, error)
        await answer(scope, receive, send)


def _local_path(request: Request) -> str:
    return request.url.path.removeprefix(root_of(request))


class _Static(StaticFiles):
    def file_response(self, *given: Any, **named: Any) -> Response:
        response = super().file_response(*given, **named)
        response.headers["Cache-Control"] = "no-cache"
        return response


# -- the pages of errors, and JSON with the field `error` for programs -------------------------


DISK_FULL = (
    "The disk of the server is full. Nothing that was acknowledged is lost. Try again "
    "once the teacher has freed space."
)
BUSY = "The server is busy with other changes. Nothing was changed: try again in a moment."


async def refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    text = error.detail
    if error.status_code == 404 and text == "Not Found":  # Starlette's default text
        text = "This page does not exist. Use one of the links above."
    response = _error_page(request, error.status_code, text)
    response.headers.update(error.headers or {})
    return response


async def mistaken(request: Request, error: Exception) -> Response:
    return _error_page(request, 400, str(error))


async def failed(request: Request, error: Exception) -> Response:
    """Respond with 503 if the disk is full or the database is busy. Re-raise all other errors."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the other bits are details
    if code == sqlite3.SQLITE_FULL or getattr(error, "errno", 0) in (errno.ENOSPC, errno.EDQUOT):
        return _error_page(request, 503, DISK_FULL)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return _error_page(request, 503, BUSY)
    raise error


async def gone(_: Request, __: Exception) -> Response:
    return Response(status_code=400)


async def broken(request: Request, _: Exception) -> Response:
    text = "The server failed. The error is in the server's log. Nothing was changed."
    response = _error_page(request, 500, text)
    response.headers.update(HEADERS)  # this response bypasses the middleware
    return response


HANDLERS: Mapping[type[Exception], Callable[[Request, Exception], Awaitable[Response]]] = {
    HTTPException: refused,
    ClientDisconnect: gone,
    ArenaError: mistaken,
    OSError: failed,
    sqlite3.OperationalError: failed,
    Exception: broken,
}


def _error_page(request: Request, status: int, text: str) -> Response:
    if _local_path(request).startswith("api/"):
        return JSONResponse({"error": text}, status)
    title = HTTPStatus(status).phrase
    return site_of(request).render(request, "error.html", status, title=title, text=text)
