"""The board of the ladder, live; its page for projection; the teacher's final."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from arena.contest.contest_file import read_contest
from arena.extras.serve.ladder.ladder_files import (
    FINAL,
    FinalFile,
    StandingsFile,
    delete_file,
    final_name,
    read_file,
    times_of,
    write_file,
)
from arena.extras.serve.ladder.live_standings import LiveStandings, standings_events
from arena.extras.serve.ladder.standings_content import BotNames, standings_content
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.server_database import iso_time, local_time
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import read_form, site_of, teacher_only
from arena.extras.serve.web.sessions import KEY


class Viewer(NamedTuple):
    """A person, or a visitor who is not signed in, on a page of the ladder."""

    site: ContestSite
    person: ContestPerson | None
    sees_all: bool
    """Whether it is the teacher, for whom no board is frozen and no name hidden."""

    @property
    def own(self) -> str:
        """The id of the person's bot, or an empty text."""
        return self.person.owner if self.person and not self.person.is_teacher else ""

    def board(self) -> StandingsFile | None:
        """Return the board that the viewer sees; None before the first one."""
        return self.site.live.board(sees_all=self.sees_all)

    def require_board(self) -> StandingsFile:
        """Return the board. Raises `HTTPException` 404 before the first one."""
        board = self.board()
        if board is None:
            raise HTTPException(404, "No game has been played yet.")
        return board

    def names(self, board: StandingsFile) -> BotNames:
        """Return the names and links with which the bots of a board are shown to the viewer."""
        has_pseudonyms = self.site.contest.serve.pseudonyms and not self.sees_all
        secret = self.site.database.value(KEY) if has_pseudonyms else None
        return BotNames(board, self.site.people.public_names(has_pseudonyms), secret)

    def version(self) -> str:
        """Return what changes whenever what the viewer sees does."""
        return self.site.live.version(sees_all=self.sees_all)


def viewer_of(request: Request) -> Viewer:
    """Return the viewer who sends a request, signed in or not."""
    site = site_of(request)
    person = site.sessions.visitor(request).person
    return Viewer(site, person, sees_all=bool(person and person.is_teacher))


def public_viewer(request: Request) -> Viewer:
    """Return a viewer who sees only what is public, also if the sender is signed in."""
    return viewer_of(request)._replace(person=None, sees_all=False)


MAX_CONNECTIONS = 1000
"""Open pages that are told of changes. Further pages must be loaded again by hand."""
FRESH_S = 5.0
"""After this time, the names on a board are read again."""


async def show(request: Request) -> Response:
    """Show the board."""
    viewer = viewer_of(request)
    return await run_in_threadpool(_page, request, viewer)


async def show_part(request: Request) -> Response:
    """Answer with the board alone, for an open page that replaces its own."""
    viewer = viewer_of(request)
    return HTMLResponse(await run_in_threadpool(_board, viewer, "board_part.html"))


async def project(request: Request) -> Response:
    """Show the public board in large letters, for a projector."""
    viewer = public_viewer(request)

    def page() -> Response:
        part = Markup(_board(viewer, "projection_part.html"))
        return viewer.site.render(request, "projection.html", part=part)

    return await run_in_threadpool(page)


async def project_part(request: Request) -> Response:
    """Answer with the board of the projection alone."""
    viewer = public_viewer(request)
    return HTMLResponse(await run_in_threadpool(_board, viewer, "projection_part.html"))


async def tell(request: Request) -> Response:
    """Tell an open page whenever the board has changed, by server-sent events."""
    viewer = viewer_of(request)
    if "public" in request.query_params:  # the projection shows the public board
        viewer = viewer._replace(sees_all=False)
    live = viewer.site.live
    if live.connections >= MAX_CONNECTIONS:
        raise HTTPException(503, "Too many pages are open: load the page again to see the board.")
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(
        _counted(live, standings_events(viewer.version, live.is_ending)),
        media_type="text/event-stream",
        headers=headers,
    )


async def _counted(live: LiveStandings, stream: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    live.connections += 1
    try:
        async for one in stream:
            yield one
    finally:
        live.connections -= 1


async def ask_for_final(request: Request) -> Response:
    """Request a new final, with the versions that are fit now."""
    teacher_only(request)
    await read_form(request)
    await run_in_threadpool(_ask_for_final, site_of(request))
    return RedirectResponse("/", 303)


async def forget_final(request: Request) -> Response:
    """Show the ladder to everyone again, before the deadline. The run of the final stays."""
    teacher_only(request)
    await read_form(request)
    site = site_of(request)
    if _is_final_due(site):
        raise HTTPException(409, "The deadline is over: everyone sees the final.")
    await run_in_threadpool(delete_file, site.folder, FINAL)
    site.ladder.wake()
    return RedirectResponse("/", 303)


def _is_final_due(site: ContestSite) -> bool:
    now = local_time(site.clock())
    return times_of(read_contest(site.contest_file)).is_final_due(now)


def _ask_for_final(site: ContestSite) -> None:
    contest = read_contest(site.contest_file)
    name = final_name(contest, Path(contest.results))
    final = FinalFile(run=name, asked=site.clock(), by_hand=True)
    write_file(site.folder, FINAL, final)
    site.ladder.wake()


def _page(request: Request, viewer: Viewer) -> Response:
    board, site = viewer.board(), viewer.site
    own = None
    if board and viewer.own in board.bots:
        names = viewer.names(board)
        line = next((row for row in board.board.first_rows if row.bot == viewer.own), None)
        own = (names.link(viewer.own), names.name(viewer.own), line)
    public, newest = site.live.board(sees_all=False), site.live.board(sees_all=True)
    is_final_under_way = newest is not None and newest.is_final and not newest.is_over
    context: dict[str, Any] = {
        "part": Markup(_board(viewer, "board_part.html")),
        "own": own,
        "state": site.live.state(),
        "sees_all": viewer.sees_all,
        "public_made": iso_time(public.made) if public else "",
        "is_ahead": bool(viewer.sees_all and board and (not public or public.made < board.made)),
        "final": read_file(site.folder, FINAL, FinalFile),
        "final_under_way": newest if is_final_under_way else None,
        "may_forget": viewer.sees_all and not _is_final_due(site),
    }
    return site.render(request, "board.html", **context)


def _board(viewer: Viewer, template: str) -> str:
    """Return a part of a page with the board, which is made once for all who see the same."""
    site = viewer.site
    made_of = (viewer.version(), int(site.clock() // FRESH_S))

    def make() -> str:
        board = viewer.board()
        if board is None:
            return site.templates.get_template("no_board.html").render(state=site.live.state())
        names = viewer.names(board)
        content = standings_content(board, site.live.state(), names)
        context = {"content": content, "root": "", "bot_page": names.link_of_name}
        return site.templates.get_template(template).render(context)

    return site.live.part(f"{template} {viewer.sees_all}", made_of, make)


routes = [
    Route("/", show, methods=["GET"]),
    Route("/board", show_part, methods=["GET"]),
    Route("/ladder", project, methods=["GET"]),
    Route("/ladder/board", project_part, methods=["GET"]),
    Route("/events", tell, methods=["GET"]),
    Route("/teacher/final", ask_for_final, methods=["POST"]),
    Route("/teacher/ladder", forget_final, methods=["POST"]),
]
