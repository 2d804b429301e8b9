"""The choice of a game against bots: variant, seat and opponents."""

import random
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from arena.extras.serve.pages.play import let_bots_play
from arena.extras.serve.pages.replay_content import rules_path
from arena.extras.serve.people import ContestPerson
from arena.extras.serve.play.browser_game import new_game
from arena.extras.serve.play.game_store import MAX_UNFINISHED
from arena.extras.serve.play.opponents import Choosable
from arena.extras.serve.web.contest_site import ContestSite
from arena.extras.serve.web.guards import read_form, signed_in, site_of
from arena.narration.turns import how_a_turn_goes
from arena.publish.pages import title_of
from arena.publish.rules_page import rules_of
from engine import Variant, get_variant, variants

ANY_SEAT = "any"
MAX_SEATS = 12
"""The most seats of a game that can be played here, which bounds the fields of its form."""
SEED_BYTES = 32


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
    await let_bots_play(site, game_id, person)
    return RedirectResponse(f"/play/{game_id}", 303)


def _begin(site: ContestSite, person: ContestPerson, form: FormData) -> str:
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


routes = [
    Route("/play", choose, methods=["GET"]),
    Route("/play", begin, methods=["POST"]),
    Route("/play/new", prepare, methods=["GET"]),
]
