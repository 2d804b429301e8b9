"""Replays of the ladder's games, and the rules of the games."""

import re
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.extras.serve.ladder.ladder_files import StandingsFile, run_name
from arena.extras.serve.ladder.standings_content import BotNames
from arena.extras.serve.pages.ladder import Viewer, viewer_of
from arena.extras.serve.pages.replay_content import (
    BASE_PAGE,
    find_game,
    replay_content,
)
from arena.plugins import presentation_of
from arena.publish.pages import title_of
from arena.publish.replays import make_replay, replay_script
from arena.publish.rules_page import rules_of
from arena.record import GameRecord
from arena.tournament.run_names import with_names
from engine import variants

KEY = re.compile(r"[0-9a-f]{32}")
HIDDEN_FAULT = "the author of the bot and the teacher see more"


async def show(request: Request) -> Response:
    """Show the replay of a game."""
    viewer, key = viewer_of(request), request.path_params["key"]

    def page() -> Response:
        record, board, names = _find(viewer, key)
        context = replay_content(record, board.run, record.key, names.link_of_name)
        return viewer.site.render(request, "game.html", **context)

    return await run_in_threadpool(page)


async def show_data(request: Request) -> Response:
    """Answer with the data of a replay, as a script."""
    viewer, key = viewer_of(request), request.path_params["key"]

    def script() -> bytes:
        record, _, _ = _find(viewer, key)
        return replay_script(make_replay(record))

    return Response(await run_in_threadpool(script), media_type="text/javascript")


async def show_rules(request: Request) -> Response:
    """Show the rules of a game."""
    viewer, game = viewer_of(request), request.path_params["game"]
    rules = rules_of(game) if _is_game(game) else None
    if rules is None:
        raise HTTPException(404, "There are no rules of such a game.")
    context: dict[str, Any] = {
        "base_page": BASE_PAGE,
        "root": "/",
        "run": viewer.site.name,
        "rules": rules,
        "game": game,
        "game_page": lambda _: "",
        "title_of": title_of,
    }
    return viewer.site.render(request, "rules.html", **context)


async def draw(request: Request) -> Response:
    """Answer with the script that draws a game of a plugin."""
    viewer_of(request)
    game = request.path_params["game"]
    script = presentation_of(game).replay if _is_game(game) else ""
    if not script:
        raise HTTPException(404)
    return Response(script, media_type="text/javascript")


def _is_game(game: str) -> bool:
    """Return whether a game is registered: each such game can be played here against bots."""
    return any(one.game == game for one in variants().values())


def _find(viewer: Viewer, key: str) -> tuple[GameRecord, StandingsFile, BotNames]:
    """Return a game as the viewer sees it. Raises `HTTPException` 404."""
    board = viewer.require_board()
    results = Path(viewer.site.contest.results)
    runs = {board.run: None if viewer.sees_all else board.stored}
    if viewer.sees_all:
        runs[run_name(viewer.site.contest)] = None
    for run, last_number in runs.items() if KEY.fullmatch(key) else ():
        if record := find_game(results / run, key, last_number):
            names = viewer.names(board)
            named = with_names(record, names.in_run)
            hides = viewer.site.contest.serve.pseudonyms and not viewer.sees_all
            return _without_texts(named) if hides else named, board, names
    raise HTTPException(
        404,
        "There is no such game, or it does not count any more because one of its bots has a new "
        "version.",
    )


def _without_texts(record: GameRecord) -> GameRecord:
    """Return a record without the texts of bots, which may name their authors."""
    faults = [replace(fault, text=HIDDEN_FAULT) for fault in record.faults]
    return replace(record, faults=tuple(faults), notes=())


routes = [
    Route("/games/{key}.js", show_data, methods=["GET"]),
    Route("/games/{key}", show, methods=["GET"]),
    Route("/rules/{game}", show_rules, methods=["GET"]),
    Route("/drawings/{game}.js", draw, methods=["GET"]),
]
