"""The page of each bot: its results, and why it lost."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.extras.serve.ladder.standings_content import bot_content
from arena.extras.serve.pages.ladder import Viewer, viewer_of
from arena.publish.pages import milliseconds, result_of


async def show(request: Request) -> Response:
    """Show a bot."""
    viewer = viewer_of(request)
    return await run_in_threadpool(_page, request, viewer)


def _page(request: Request, viewer: Viewer) -> Response:
    board = viewer.require_board()
    names = viewer.names(board)
    link_id = request.path_params["bot"]
    bot = names.id_of(link_id)
    content = bot_content(board, bot, names, viewer.own) if bot else None
    if bot is None or content is None:
        raise HTTPException(404, "There is no such bot on the board.")
    context: dict[str, Any] = {
        "bot": content,
        "is_own": bot == viewer.own,
        "sees_cards": viewer.sees_all or bot == viewer.own,
        "hides_author": viewer.site.contest.serve.pseudonyms and not viewer.sees_all,
        "shown_name": names.name,
        "link": names.link,
        "milliseconds": milliseconds,
        "result_of": result_of,
    }
    return viewer.site.render(request, "bot_of_ladder.html", **context)


routes = [Route("/bots/{bot}", show, methods=["GET"])]
