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

from arena.plugins import presentation_of
from arena.publish.pages import title_of
from arena.publish.rules_page import rules_of
from arena.record import GameRecord
from arena.serve.ladder.ladder_files import BoardFile, run_name
from arena.serve.pages.viewer import Look, look
from arena.serve.pages.replay_content import BASE_PAGE, replay_script, replay_words
from arena.serve.board.bot_names import ShownBots
from arena.serve.board.game_lookup import find_shown_game
from arena.tournament.run_names import named_record
from engine import variants

KEY = re.compile(r"[0-9a-f]{32}")
HIDDEN_FAULT = "the author of the bot and the teacher see more"


async def show(request: Request) -> Response:
    """Show the replay of a game."""
    one, key = look(request), request.path_params["key"]

    def page() -> Response:
        record, board, shown = _find(one, key)
        words = replay_words(record, board.run, record.key, shown.link_of_name)
        return one.site.render(request, "game.html", **words)

    return await run_in_threadpool(page)


async def show_data(request: Request) -> Response:
    """Answer with the data of a replay, as a script."""
    one, key = look(request), request.path_params["key"]

    def script() -> bytes:
        record, _, _ = _find(one, key)
        return replay_script(record)

    return Response(await run_in_threadpool(script), media_type="text/javascript")


async def show_rules(request: Request) -> Response:
    """Show the rules of a game."""
    one, game = look(request), request.path_params["game"]
    rules = rules_of(game) if _is_game(game) else None
    if rules is None:
        raise HTTPException(404, "There are no rules of such a game.")
    words: dict[str, Any] = {
        "base_page": BASE_PAGE,
        "root": "/",
        "run": one.site.name,
        "rules": rules,
        "game": game,
        "game_page": lambda _: "",
        "title_of": title_of,
    }
    return one.site.render(request, "rules.html", **words)


async def draw(request: Request) -> Response:
    """Answer with the script that draws a game of a plugin."""
    look(request)
    game = request.path_params["game"]
    script = presentation_of(game).replay if _is_game(game) else ""
    if not script:
        raise HTTPException(404)
    return Response(script, media_type="text/javascript")


def _is_game(game: str) -> bool:
    """Return whether a game can be played here: each that is registered can be, against bots."""
    return any(one.game == game for one in variants().values())


def _find(one: Look, key: str) -> tuple[GameRecord, BoardFile, ShownBots]:
    """Return a game as it is shown to whoever looks. Raises `HTTPException` 404."""
    board = one.require_board()
    results = Path(one.site.contest.results)
    runs = {board.run: None if one.sees_all else board.stored}
    if one.sees_all:
        runs[run_name(one.site.contest)] = None
    for run, last_number in runs.items() if KEY.fullmatch(key) else ():
        if record := find_shown_game(results / run, key, last_number):
            shown = one.shown(board)
            named = named_record(record, shown.names)
            hides = one.site.contest.serve.pseudonyms and not one.sees_all
            return _without_texts(named) if hides else named, board, shown
    raise HTTPException(
        404,
        "There is no such game, or it does not count any more because one of its bots has a new "
        "version.",
    )


def _without_texts(record: GameRecord) -> GameRecord:
    """Return a record without what bots may have written about their authors."""
    faults = [replace(fault, text=HIDDEN_FAULT) for fault in record.faults]
    return replace(record, faults=tuple(faults), notes=())


routes = [
    Route("/games/{key}.js", show_data, methods=["GET"]),
    Route("/games/{key}", show, methods=["GET"]),
    Route("/rules/{game}", show_rules, methods=["GET"]),
    Route("/drawings/{game}.js", draw, methods=["GET"]),
]
