"""The web application of a contest: all its pages, behind the middleware."""

import contextlib
from collections.abc import AsyncIterator, Iterable
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.extras.serve.error_pages import HANDLERS, refused
from arena.extras.serve.pages import (
    account,
    api,
    bots,
    ladder,
    my_bot,
    new_game,
    play,
    played_game,
    replays,
    roster,
    sign_in,
    similarity,
    submission,
    teacher,
)
from arena.extras.serve.web.guards import count_request
from arena.extras.serve.web.middleware import BodyLimit, SecurityHeaders
from arena.extras.serve.web.site import STATIC, Site

PAGES = (
    *(ladder, bots, replays, sign_in, account, my_bot, submission, api),
    *(new_game, play, played_game),
    *(roster, teacher, similarity),
)
"""The modules whose `routes` are the pages."""


def application(site: Site, pages: Iterable[ModuleType] = PAGES) -> Starlette:
    """Return the application of a site, which has the `routes` of `pages`.

    It starts and stops the processes and threads beside the pages.
    """

    @contextlib.asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        workers = (site.checker, site.ladder, site.similarity)
        for one in workers:
            await run_in_threadpool(one.start)
        try:
            yield
        finally:
            for one in workers:
                await run_in_threadpool(one.stop)
            await run_in_threadpool(site.tables.stop)

    routes = [route for page in pages for route in page.routes]
    static = _Static(directory=STATIC, packages=[("arena.publish", "static")])
    app = Starlette(
        routes=[*routes, Mount("/static", static)],
        middleware=[Middleware(SecurityHeaders), Middleware(BodyLimit), Middleware(_RequestLimit)],
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )
    app.state.site = site
    return app


class _RequestLimit:
    """Refuses requests above the rate limit. Static files, which browsers keep, do not count."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = self._app
        if scope["type"] == "http" and not scope["path"].startswith("/static/"):
            request = Request(scope, receive)
            try:
                count_request(request)
            except HTTPException as error:
                answer = await refused(request, error)
        await answer(scope, receive, send)


class _Static(StaticFiles):
    """Static files. Browsers keep them, and ask each time whether they have changed."""

    def file_response(self, *given: Any, **named: Any) -> Response:
        response = super().file_response(*given, **named)
        response.headers["Cache-Control"] = "no-cache"
        return response
