"""Pages for playing a game against bots in the browser."""

import asyncio
import contextlib
import random
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.base.errors import ArenaError
from arena.contest.settings import chosen_variants
from arena.extras.serve.pages.replay_pages import drawing_path, rules_path
from arena.extras.serve.play.browser_game import new_game
from arena.extras.serve.play.game_content import GameContent
from arena.extras.serve.play.game_store import StoredBrowserGame
from arena.extras.serve.web.contest_site import root_of
from arena.extras.serve.web.visits import Visit, get, post
from arena.narration.telling import telling_of
from arena.plugins import presentation_of
from arena.publish.pages import title_of
from arena.publish.replays import card_data_of
from arena.publish.rules_page import rules_of
from engine import Variant, get_variant

SEED_BYTES = 32
PATIENCE_S = 1.5  # while a request waits for the bots' moves


def choose(visit: Visit) -> Response:
    by_game: dict[str, list[Variant]] = {}
    for variant in map(get_variant, _offered(visit)):
        by_game.setdefault(variant.game, []).append(variant)
    games = visit.site.games.of_person(visit.person.id)
    return visit.render(
        "play.html",
        by_game=by_game,
        bots_for=lambda game: visit.site.opponents.choices_for(visit.person, game),
        title_of=title_of,
        rules_of=rules_of,
        unfinished=[stored for stored in games if not stored.is_over],
        finished=[stored for stored in games if stored.is_over],
    )


def _offered(visit: Visit) -> Sequence[str]:
    contest = visit.site.contest
    return chosen_variants(contest.variants, contest.games)


async def begin(visit: Visit) -> Response:
    game_id = await run_in_threadpool(_begin, visit)
    await _let_bots_play(visit, game_id)
    return visit.redirect(f"play/{game_id}")


def _begin(visit: Visit) -> str:
    site = visit.site
    variant_id = visit.text("variant")
    if variant_id not in _offered(visit):
        raise HTTPException(404, "There is no such game here.")
    variant = get_variant(variant_id)
    known = {bot.id: bot for bot in site.opponents.choices_for(visit.person, variant.game)}
    if (bot := known.get(visit.text("opponent"))) is None:
        raise HTTPException(400, "Choose a bot from the list.")
    rng = random.Random(site.random_bytes(SEED_BYTES))
    seat = rng.randrange(variant.seats)
    game = new_game(variant, seat, site.opponents.opponent(bot), rng)
    return site.games.begin(visit.person.id, game)


# -- a game under way --------------------------------------------------------------------------


async def show(visit: Visit) -> Response:
    """Show the current state of a game."""
    stored = await run_in_threadpool(_own_game, visit)
    name = visit.person.name
    content = await run_in_threadpool(GameContent, stored.game, name)
    trouble = ""
    if not (content.is_to_move or content.is_over):  # for example after a server restart
        trouble = await _let_bots_play(visit, stored.id)
        if now := await run_in_threadpool(visit.site.games.get, stored.id):
            stored = now
        content = await run_in_threadpool(GameContent, stored.game, name)
    context = await run_in_threadpool(_context_of, visit, stored, content)
    return visit.render("play_game.html", trouble=trouble, **context)


def _context_of(visit: Visit, stored: StoredBrowserGame, content: GameContent) -> Mapping[str, Any]:
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
        "drawing": f"{root_of(visit.request)}{drawing_path(game)}" if is_drawn else "",
        "legend": telling_of(game).legend,
        "has_rules": rules_of(game) is not None,
        "rules_page": rules_path,
    }


def _data(value: object) -> str:
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


async def act(visit: Visit) -> Response:
    stored = await run_in_threadpool(_own_game, visit)
    here = visit.redirect(f"play/{stored.id}")
    if visit.form.get("move") != str(len(stored.game.actions)):
        return here  # the page is outdated: show the current position
    action = visit.form.get("action")
    content = await run_in_threadpool(GameContent, stored.game)
    if action not in [choice.action for choice in content.choices]:
        raise HTTPException(400, "That action is not legal at the moment. Choose another action.")
    now = msgspec.structs.replace(stored.game, actions=(*stored.game.actions, str(action)))
    if await run_in_threadpool(visit.site.games.extend, stored.id, stored.game, now):
        await _let_bots_play(visit, stored.id)
    return here


async def _let_bots_play(visit: Visit, game_id: str) -> str:
    playing = asyncio.wrap_future(visit.site.tables.go_on(game_id, visit.person.id))
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(playing), PATIENCE_S)
    except ArenaError as error:
        return str(error)
    return ""


def _own_game(visit: Visit) -> StoredBrowserGame:
    stored = visit.site.games.get(visit.path("game"))
    if stored is None or stored.person != visit.person.id:
        raise HTTPException(
            404,
            "You do not have this game. Your unfinished game is deleted when you start a new one.",
        )
    return stored


routes = [
    get("/play", choose, "person"),
    post("/play", begin, show_again=choose),
    get("/play/{game}", show, "person"),
    post("/play/{game}", act),
]
