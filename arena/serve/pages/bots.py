"""The page of each bot: its results, and why it lost."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.publish.pages import milliseconds, result_of
from arena.serve.board.board_content import bot_view
from arena.serve.pages.viewer import Look, look


async def show(request: Request) -> Response:
    """Show a bot."""
    one = look(request)
    return await run_in_threadpool(_page, request, one)


def _page(request: Request, one: Look) -> Response:
    board = one.require_board()
    shown = one.shown(board)
    link_id = request.path_params["bot"]
    bot = shown.id_of(link_id)
    view = bot_view(board, bot, shown, one.own) if bot else None
    if bot is None or view is None:
        raise HTTPException(404, "There is no such bot on the board.")
    words: dict[str, Any] = {
        "bot": view,
        "is_own": bot == one.own,
        "sees_cards": one.sees_all or bot == one.own,
        "hides_author": one.site.contest.serve.pseudonyms and not one.sees_all,
        "shown": shown.names.shown,
        "link": shown.link,
        "milliseconds": milliseconds,
        "result_of": result_of,
    }
    return one.site.render(request, "bot_of_ladder.html", **words)


routes = [Route("/bots/{bot}", show, methods=["GET"])]
