"""The page of a game against bots: what the person sees, and the actions of the person."""

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.errors import ArenaError
from arena.extras.serve.pages.replay_content import drawing_path, rules_path
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.game_content import GameContent, game_content, text_table
from arena.extras.serve.play.game_store import StoredBrowserGame
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import read_form, signed_in, site_of
from arena.narration.turns import how_a_turn_goes
from arena.plugins import presentation_of
from arena.publish.pages import title_of
from arena.publish.replays import card_data_of, terms_of
from arena.publish.rules_page import rules_of
from engine import get_variant

PATIENCE_S = 1.5
"""How long an answer waits for bots. After that the page says that they think."""


async def show(request: Request) -> Response:
    """Show a game as it stands. Bots that still have to decide, as after a restart, go on."""
    site, person, stored = await _own_game(request)
    name = person.name
    content = await run_in_threadpool(game_content, stored.game, name)
    trouble = ""
    if not (content.is_asked or content.is_over):
        trouble = await let_bots_play(site, stored.id, person)
        if now := await run_in_threadpool(site.games.get, stored.id):
            stored = now
        content = await run_in_threadpool(game_content, stored.game, name)
    context = await run_in_threadpool(_context_of, stored, content)
    return site.render(request, "play_game.html", trouble=trouble, **context)


def _context_of(stored: StoredBrowserGame, content: GameContent) -> Mapping[str, Any]:
    """Return what the template of a game needs."""
    table = content.table
    game = table.game
    facts = card_data_of(game)
    is_drawn = facts is not None or presentation_of(game).replay
    return {
        "stored": stored,
        "content": content,
        "names": content.names,
        "title": title_of(game),
        "variant": get_variant(table.variant),
        "table_data": _data(table),
        "facts_data": _data(facts),
        "drawing": f"/{drawing_path(game)}" if is_drawn else "",
        "text": "" if content.is_over else text_table(stored.game, content.names),
        "legend": terms_of(game),
        "how": how_a_turn_goes(game),
        "has_rules": rules_of(game) is not None,
        "rules_page": rules_path,
    }


def _data(value: object) -> str:
    """Return data as JSON for a script element, in which `<` cannot end it."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


async def act(request: Request) -> Response:
    """Take an action of the person."""
    site, person, stored = await _own_game(request)
    form = await read_form(request)
    here = f"/play/{stored.id}"
    if form.get("move") != str(len(stored.game.actions)):
        return RedirectResponse(here, 303)  # an old page: show how the game stands
    action = form.get("action")
    content = await run_in_threadpool(game_content, stored.game)
    if action not in [choice.action for choice in content.choices]:
        raise HTTPException(400, "That is not one of the actions that you may choose from now.")
    now = msgspec.structs.replace(stored.game, actions=(*stored.game.actions, str(action)))
    if await run_in_threadpool(site.games.extend, stored.id, stored.game, now):
        await let_bots_play(site, stored.id, person)
    return RedirectResponse(here, 303)


async def leave(request: Request) -> Response:
    """Delete a game."""
    site, person, stored = await _own_game(request)
    await read_form(request)
    await run_in_threadpool(site.games.leave, stored.id)
    site.tables.go_on(stored.id, person.id)  # its bots end
    return RedirectResponse("/play", 303)


async def let_bots_play(site: ContestSite, game_id: str, person: ContestPerson) -> str:
    """Let bots decide, for `PATIENCE_S` at most, and return why they cannot; empty if they can."""
    playing = asyncio.wrap_future(site.tables.go_on(game_id, person.id))
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(playing), PATIENCE_S)
    except ArenaError as error:
        return str(error)
    return ""


async def _own_game(request: Request) -> tuple[ContestSite, ContestPerson, StoredBrowserGame]:
    """Return a game of the person. Raises `HTTPException` 404 if it is another person's."""
    person, site = signed_in(request), site_of(request)
    stored = await run_in_threadpool(site.games.get, request.path_params["game"])
    if stored is None or stored.person != person.id:
        raise HTTPException(404, "You play no such game; it may be one that you have left.")
    return site, person, stored


routes = [
    Route("/play/{game}", show, methods=["GET"]),
    Route("/play/{game}", act, methods=["POST"]),
    Route("/play/{game}/leave", leave, methods=["POST"]),
]
