"""The board of the ladder, live; its page for projection; the teacher's final."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.contest.contest_file import read_contest
from arena.serve.board.board_content import board_view, iso_time
from arena.serve.web.guards import read_form, site_of, teacher_only
from arena.serve.ladder.ladder_files import (
    FINAL,
    FinalFile,
    delete_file,
    final_name,
    read_file,
    write_file,
)
from arena.serve.ladder.ladder_times import times_of
from arena.serve.board.live_board import Live, events
from arena.serve.pages.viewer import Look, look, look_of_everybody
from arena.serve.web.site import Site

MAX_CONNECTIONS = 1000
"""Open pages that are told of changes; others are loaded again by hand."""
FRESH_S = 5.0
"""How long the names on a board may be old."""


async def show(request: Request) -> Response:
    """Show the board."""
    one = look(request)
    return await run_in_threadpool(_page, request, one)


async def show_part(request: Request) -> Response:
    """Answer with the board alone, for an open page that replaces its own."""
    one = look(request)
    return HTMLResponse(await run_in_threadpool(_board, one, "board_part.html"))


async def project(request: Request) -> Response:
    """Show the public board in large letters, whoever is signed in."""
    one = look_of_everybody(request)

    def page() -> Response:
        part = Markup(_board(one, "projection_part.html"))
        return one.site.render(request, "projection.html", part=part)

    return await run_in_threadpool(page)


async def project_part(request: Request) -> Response:
    """Answer with the board of the projection alone."""
    one = look_of_everybody(request)
    return HTMLResponse(await run_in_threadpool(_board, one, "projection_part.html"))


async def tell(request: Request) -> Response:
    """Tell an open page whenever the board has changed, by server-sent events."""
    one = look(request)
    if "public" in request.query_params:  # that of the projection
        one = one._replace(sees_all=False)
    live = one.site.live
    if live.connections >= MAX_CONNECTIONS:
        raise HTTPException(503, "Too many pages are open: load the page again to see the board.")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(
        _counted(live, events(one.version, live.is_ending)),
        media_type="text/event-stream",
        headers=headers,
    )


async def _counted(live: Live, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    live.connections += 1
    try:
        async for one in stream:
            yield one
    finally:
        live.connections -= 1


async def ask_for_final(request: Request) -> Response:
    """Have a new final played, with the fit versions of now."""
    teacher_only(request)
    await read_form(request)
    await run_in_threadpool(_ask_for_final, site_of(request))
    return RedirectResponse("/", 303)


async def forget_final(request: Request) -> Response:
    """Have everybody see the ladder again, before the deadline. The run of the final stays."""
    teacher_only(request)
    await read_form(request)
    site = site_of(request)
    if _is_final_due(site):
        raise HTTPException(409, "The deadline is over: everybody sees the final.")
    await run_in_threadpool(delete_file, site.folder, FINAL)
    site.ladder.wake()
    return RedirectResponse("/", 303)


def _is_final_due(site: Site) -> bool:
    now = datetime.fromtimestamp(site.clock()).astimezone()
    return times_of(read_contest(site.contest_file)).is_final_due(now)


def _ask_for_final(site: Site) -> None:
    contest = read_contest(site.contest_file)
    name = final_name(contest, Path(contest.results))
    final = FinalFile(run=name, asked=site.clock(), by_hand=True)
    write_file(site.folder, FINAL, final)
    site.ladder.wake()


def _page(request: Request, one: Look) -> Response:
    board, site = one.board(), one.site
    own = None
    if board and one.own in board.bots:
        shown = one.shown(board)
        line = next((row for row in board.board.overall if row.bot == one.own), None)
        own = (shown.link(one.own), shown.names.shown(one.own), line)
    public, newest = site.live.board(sees_all=False), site.live.board(sees_all=True)
    is_final_under_way = newest is not None and newest.is_final and not newest.is_over
    words: dict[str, Any] = {
        "part": Markup(_board(one, "board_part.html")),
        "own": own,
        "state": site.live.state(),
        "sees_all": one.sees_all,
        "public_made": iso_time(public.made) if public else "",
        "is_ahead": bool(one.sees_all and board and (not public or public.made < board.made)),
        "final": read_file(site.folder, FINAL, FinalFile),
        "final_under_way": newest if is_final_under_way else None,
        "may_forget": one.sees_all and not _is_final_due(site),
    }
    return site.render(request, "board.html", **words)


def _board(one: Look, template: str) -> str:
    """Return a part of a page with the board. It is the same for all who see the same."""
    site = one.site
    made_of = (one.version(), int(site.clock() // FRESH_S))

    def make() -> str:
        board = one.board()
        if board is None:
            return site.templates.get_template("no_board.html").render(state=site.live.state())
        shown = one.shown(board)
        view = board_view(board, site.live.state(), shown)
        words = {"view": view, "root": "", "bot_page": shown.link_of_name}
        return site.templates.get_template(template).render(words)

    return site.live.part(f"{template} {one.sees_all}", made_of, make)


routes = [
    Route("/", show, methods=["GET"]),
    Route("/board", show_part, methods=["GET"]),
    Route("/ladder", project, methods=["GET"]),
    Route("/ladder/board", project_part, methods=["GET"]),
    Route("/events", tell, methods=["GET"]),
    Route("/teacher/final", ask_for_final, methods=["POST"]),
    Route("/teacher/ladder", forget_final, methods=["POST"]),
]
