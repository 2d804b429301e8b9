"""A finished game against bots: its replay, and its file."""

from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena import __version__
from arena.check.game_file import FORMAT, GameFile
from arena.extras.serve.pages.replay_content import replay_content
from arena.extras.serve.play.browser_game import record_of_finished
from arena.extras.serve.play.game_store import StoredBrowserGame
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import JSON, download, signed_in, site_of
from arena.publish.replays import make_replay, replay_script

REPLAY = "replay"


async def replay(request: Request) -> Response:
    """Show the replay of a finished game."""
    site, stored = await _finished_game(request)

    def context() -> dict[str, Any]:
        record = record_of_finished(stored.game)
        return replay_content(record, site.name, REPLAY, lambda _: f"/play/{stored.id}")

    found = await run_in_threadpool(context)
    return site.render(request, "play_replay.html", stored=stored, **found)


async def replay_data(request: Request) -> Response:
    """Answer with the data of a replay, as a script."""
    _, stored = await _finished_game(request)
    script = await run_in_threadpool(
        lambda: replay_script(make_replay(record_of_finished(stored.game)))
    )
    return Response(script, media_type="text/javascript")


async def send_file(request: Request) -> Response:
    """Answer with the file of a finished game, for `arena replay`."""
    _, stored = await _finished_game(request)
    record = await run_in_threadpool(record_of_finished, stored.game)
    name = f"{stored.game.variant.replace('/', '-')}-{stored.id[:8]}.json"
    return download(msgspec.json.encode(GameFile(FORMAT, __version__, record)), JSON, name)


async def _finished_game(request: Request) -> tuple[ContestSite, StoredBrowserGame]:
    """Return a game that is over. A teacher may see those of all people."""
    person, site = signed_in(request), site_of(request)
    stored = await run_in_threadpool(site.games.get, request.path_params["game"])
    if stored is None or not (stored.person == person.id or person.is_teacher):
        raise HTTPException(404, "You have played no such game.")
    if not stored.is_over:
        raise HTTPException(404, "This game is not over yet, so there is no replay of it.")
    return site, stored


routes = [
    Route("/play/{game}/replay", replay, methods=["GET"]),
    Route(f"/play/{{game}}/{REPLAY}.js", replay_data, methods=["GET"]),
    Route("/play/{game}/game.json", send_file, methods=["GET"]),
]
