"""The rules of the games, and the scripts that draw games of plugins."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from arena.plugins import presentation_of
from arena.publish.pages import title_of
from arena.publish.rules_page import rules_of
from arena.serve.guards import site_of
from arena.serve.replays import BASE_PAGE
from engine.plugins import variants_of


async def show_rules(request: Request) -> Response:
    """Show the rules of a game."""
    site, game = site_of(request), request.path_params["game"]
    rules = rules_of(game) if variants_of(game) else None
    if rules is None:
        raise HTTPException(404, "There are no rules of such a game.")
    words = {
        "base_page": BASE_PAGE,
        "root": "/",
        "run": site.name,
        "rules": rules,
        "game": game,
        "game_page": lambda _: "",
        "title_of": title_of,
    }
    return site.render(request, "rules.html", **words)


async def draw(request: Request) -> Response:
    """Answer with the script that draws a game of a plugin."""
    game = request.path_params["game"]
    script = presentation_of(game).replay if variants_of(game) else ""
    if not script:
        raise HTTPException(404)
    return Response(script, media_type="text/javascript")


routes = [
    Route("/rules/{game}", show_rules, methods=["GET"]),
    Route("/drawings/{game}.js", draw, methods=["GET"]),
]
