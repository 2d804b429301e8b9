"""Games of a person against bots: the choice of a game, its page, and its replay."""

import asyncio
import contextlib
import random
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena import __version__
from arena.check.game_file import FORMAT, GameFile
from arena.errors import ArenaError
from arena.narration.turns import how_a_turn_goes
from arena.plugins import presentation_of
from arena.publish.card_data import card_data_of
from arena.publish.legends import legend_of
from arena.publish.pages import title_of
from arena.publish.rules_page import rules_of
from arena.serve.pages.downloads import JSON, download
from arena.serve.pages.replay_content import drawing_path, replay_content, replay_script, rules_path
from arena.serve.people.people import Person
from arena.serve.play.browser_game import new_game
from arena.serve.play.course import record_of_finished
from arena.serve.play.game_content import GameContent, game_content
from arena.serve.play.game_store import MAX_UNFINISHED, StoredGame
from arena.serve.play.opponents import Choosable
from arena.serve.play.text_table import text_table
from arena.serve.web.guards import read_form, signed_in, site_of
from arena.serve.web.site import Site
from engine import Variant, get_variant, variants

PATIENCE_S = 1.5
"""How long an answer waits for bots. After that the page says that they think."""
REPLAY = "replay"
ANY_SEAT = "any"
MAX_SEATS = 12
"""The most seats of a game that can be played here, which bounds the fields of its form."""
SEED_BYTES = 32


# -- the choice of a game ------------------------------------------------------------------------


class GameChoice(NamedTuple):
    """A game with its variants, to choose from."""

    game: str
    title: str
    variants: list[Variant]
    has_rules: bool


async def choose(request: Request) -> Response:
    """Show the games that can be played, and those that the person plays."""
    person, site = signed_in(request), site_of(request)
    by_game: dict[str, list[Variant]] = {}
    for variant in variants().values():
        by_game.setdefault(variant.game, []).append(variant)
    games = await run_in_threadpool(site.games.of_person, person.id)
    return site.render(
        request,
        "play.html",
        choices=[
            GameChoice(game, title_of(game), found, rules_of(game) is not None)
            for game, found in by_game.items()
        ],
        unfinished=[one for one in games if not one.is_over],
        finished=[one for one in games if one.is_over],
        max_unfinished=MAX_UNFINISHED,
        title_of=title_of,
        get_variant=get_variant,
    )


async def prepare(request: Request) -> Response:
    """Ask for the seat and the opponents in a variant."""
    person, site = signed_in(request), site_of(request)
    variant = _variant(request.query_params.get("variant"))
    bots = await run_in_threadpool(site.opponents.choosable, person, variant.game)
    return site.render(
        request,
        "play_new.html",
        variant=variant,
        title=title_of(variant.game),
        bots=bots,
        usual=_usual(bots, variant.seats - 1),
        how=how_a_turn_goes(variant.game),
        rules=rules_of(variant.game),
        rules_page=rules_path,
        any_seat=ANY_SEAT,
    )


def _variant(variant_id: object) -> Variant:
    """Return a variant. Raises `HTTPException` 404 if there is none, or it has too many seats."""
    found = variants().get(variant_id) if isinstance(variant_id, str) else None
    if found is None or found.seats > MAX_SEATS:
        raise HTTPException(404, "There is no such game here.")
    return found


def _usual(bots: list[Choosable], number: int) -> list[str]:
    """Return the bots that a form suggests: the first ones made for the game."""
    made = [one.id for one in bots if one.summary] or [one.id for one in bots]
    return [made[at % min(len(made), 3)] for at in range(number)]


async def begin(request: Request) -> Response:
    """Begin a game."""
    person, site = signed_in(request), site_of(request)
    form = await read_form(request)
    game_id = await run_in_threadpool(_begin, site, person, form)
    await _let_bots_play(site, game_id, person)
    return RedirectResponse(f"/play/{game_id}", 303)


def _begin(site: Site, person: Person, form: FormData) -> str:
    variant = _variant(form.get("variant"))
    known = {one.id for one in site.opponents.choosable(person, variant.game)}
    chosen = [form.get(f"opponent-{number}") for number in range(1, variant.seats)]
    rng = random.Random(site.random_bytes(SEED_BYTES))
    opponents = []
    for one in chosen:
        if not isinstance(one, str) or one not in known:
            raise HTTPException(400, "Choose a bot of the list for each other seat.")
        opponents.append(site.opponents.opponent(one))
    wanted = form.get("seat", ANY_SEAT)
    seats = [str(seat) for seat in range(variant.seats)]
    if wanted != ANY_SEAT and wanted not in seats:
        raise HTTPException(400, f"Choose a seat from 0 to {variant.seats - 1}, or any.")
    seat = rng.randrange(variant.seats) if wanted == ANY_SEAT else seats.index(str(wanted))
    return site.games.begin(person.id, new_game(variant, seat, opponents, rng))


# -- the page of a game --------------------------------------------------------------------------


async def show(request: Request) -> Response:
    """Show a game as it stands. Bots that still have to decide, as after a restart, go on."""
    site, person, stored = await _own_game(request)
    name = person.name
    content = await run_in_threadpool(game_content, stored.game, name)
    trouble = ""
    if not (content.is_asked or content.is_over):
        trouble = await _let_bots_play(site, stored.id, person)
        if now := await run_in_threadpool(site.games.get, stored.id):
            stored = now
        content = await run_in_threadpool(game_content, stored.game, name)
    context = await run_in_threadpool(_context_of, stored, content)
    return site.render(request, "play_game.html", trouble=trouble, **context)


def _context_of(stored: StoredGame, content: GameContent) -> Mapping[str, Any]:
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
        "has_icons": facts is not None,
        "drawing": f"/{drawing_path(game)}" if is_drawn else "",
        "text": "" if content.is_over else text_table(stored.game, content.names),
        "legend": legend_of(game),
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
        await _let_bots_play(site, stored.id, person)
    return RedirectResponse(here, 303)


async def leave(request: Request) -> Response:
    """Delete a game."""
    site, person, stored = await _own_game(request)
    await read_form(request)
    await run_in_threadpool(site.games.leave, stored.id)
    site.tables.go_on(stored.id, person.id)  # its bots end
    return RedirectResponse("/play", 303)


async def _let_bots_play(site: Site, game_id: str, person: Person) -> str:
    """Let bots decide, for `PATIENCE_S` at most, and return why they cannot; empty if they can."""
    playing = asyncio.wrap_future(site.tables.go_on(game_id, person.id))
    try:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(playing), PATIENCE_S)
    except ArenaError as error:
        return str(error)
    return ""


async def _own_game(request: Request) -> tuple[Site, Person, StoredGame]:
    """Return a game of the person. Raises `HTTPException` 404 if it is another person's."""
    person, site = signed_in(request), site_of(request)
    stored = await run_in_threadpool(site.games.get, request.path_params["game"])
    if stored is None or stored.person != person.id:
        raise HTTPException(404, "You play no such game; it may be one that you have left.")
    return site, person, stored


# -- the end -------------------------------------------------------------------------------------


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
    script = await run_in_threadpool(lambda: replay_script(record_of_finished(stored.game)))
    return Response(script, media_type="text/javascript")


async def send_file(request: Request) -> Response:
    """Answer with the file of a finished game, for `arena replay`."""
    _, stored = await _finished_game(request)
    record = await run_in_threadpool(record_of_finished, stored.game)
    name = f"{stored.game.variant.replace('/', '-')}-{stored.id[:8]}.json"
    return download(msgspec.json.encode(GameFile(FORMAT, __version__, record)), JSON, name)


async def _finished_game(request: Request) -> tuple[Site, StoredGame]:
    """Return a game that is over. A teacher may see those of all people."""
    person, site = signed_in(request), site_of(request)
    stored = await run_in_threadpool(site.games.get, request.path_params["game"])
    if stored is None or not (stored.person == person.id or person.is_teacher):
        raise HTTPException(404, "You have played no such game.")
    if not stored.is_over:
        raise HTTPException(404, "This game is not over yet, so there is no replay of it.")
    return site, stored


routes = [
    Route("/play", choose, methods=["GET"]),
    Route("/play", begin, methods=["POST"]),
    Route("/play/new", prepare, methods=["GET"]),
    Route("/play/{game}", show, methods=["GET"]),
    Route("/play/{game}", act, methods=["POST"]),
    Route("/play/{game}/leave", leave, methods=["POST"]),
    Route("/play/{game}/replay", replay, methods=["GET"]),
    Route(f"/play/{{game}}/{REPLAY}.js", replay_data, methods=["GET"]),
    Route("/play/{game}/game.json", send_file, methods=["GET"]),
]
