"""Pages that show replays of games and the rules of each game."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Route

from arena.base.errors import StoreError
from arena.base.record import NO_OBSERVATIONS, GameRecord, Observations, read_record, read_result
from arena.extras.serve.ladder.ladder_files import has_begun
from arena.extras.serve.ladder.standings_content import BotNames
from arena.extras.serve.pages.board_pages import names_of, require_board
from arena.extras.serve.play.browser_game import record_of_finished
from arena.extras.serve.web.visits import Right, Visit, found, get
from arena.plugins import presentation_of
from arena.publish.layout import drawing_script
from arena.publish.replay_panels import StoredPanel, show_panels
from arena.publish.replays import make_replay, page_values, replay_script
from arena.publish.rules_page import rules_of
from arena.tournament.display_names import with_names
from arena.tournament.finished_boards import board_of
from arena.tournament.store import Store
from engine import get_variant
from engine.plugins import variants_of

BASE_PAGE = "base.html"
SCRIPT = "text/javascript"
KEY = re.compile(r"[0-9a-f]{32}")
HIDDEN_FAULT = "the author of the bot and the teacher see more"


class ShownReplay(NamedTuple):
    record: GameRecord
    run: str
    bot_page: Callable[[str], str]
    seen: Observations = NO_OBSERVATIONS
    panels: Sequence[StoredPanel] = ()


def replay_routes(
    path: str, find: Callable[[Visit], ShownReplay], right: Right = "anyone"
) -> list[Route]:
    """Return two routes: one for a replay page, and one for a script with the replay's data."""

    def show(visit: Visit) -> Response:
        shown = find(visit)
        replay = make_replay(shown.record, shown.seen)
        panels = show_panels(shown.panels, shown.record, replay, _refuse)
        name = visit.request.url.path.rpartition("/")[2]
        return visit.render(
            "game.html",
            **page_values(replay, shown.record, name, panels),
            base_page=BASE_PAGE,
            run=shown.run,
            bot_page=shown.bot_page,
            rules_page=rules_path,
            drawing_script=drawing_path,
        )

    def send(visit: Visit) -> Response:
        shown = find(visit)
        return Response(replay_script(make_replay(shown.record, shown.seen)), media_type=SCRIPT)

    return [get(f"{path}.js", send, right), get(path, show, right)]


def _refuse(text: str) -> None:
    raise HTTPException(409, text)


def rules_path(game: str) -> str:
    return f"rules/{game}"


def drawing_path(game: str) -> str:
    return f"drawings/{game}.js" if presentation_of(game).replay else drawing_script(game)


# -- games of the ladder: found by their key, and shown once their board is over ---------------


def _ladder_game(visit: Visit) -> ShownReplay:
    board, key = require_board(visit), visit.path("key")
    run = Path(visit.site.contest.results, board.run)
    record, seen = found(
        find_game(run, key) if KEY.fullmatch(key) else None,
        "This game does not exist, or it was dropped because one of its bots has a new version.",
    )
    names = names_of(visit, board)
    # Only its author and the teacher see what a bot wrote to its log.
    evidence = [
        fault
        for fault in seen.evidence
        if visit.sees_all or record.entrants[fault.seat] == visit.own
    ]
    seen = replace(seen, evidence=tuple(evidence))
    named = shown_record(visit, record, names)
    return ShownReplay(named, board.run, names.link_of_name, seen)


def shown_record(visit: Visit, record: GameRecord, names: BotNames) -> GameRecord:
    """Return a game record with display names.

    If the contest uses pseudonyms, the bots' notes and messages are removed for everyone except
    the teacher.
    """
    record = with_names(record, names.in_run)
    if not visit.site.contest.serve.pseudonyms or visit.sees_all:
        return record
    # Notes and messages from bots may reveal the authors' names.
    faults = [replace(fault, text=HIDDEN_FAULT) for fault in record.faults]
    return replace(record, faults=tuple(faults), notes=())


def find_game(run: Path, key: str) -> tuple[GameRecord, Observations] | None:
    """Return a recorded game, or None if the game does not exist or must not be shown yet."""
    if not has_begun(run):
        return None
    with Store.open(run) as store:
        stored = next(store.stored_games([key]), None)
        if stored is None or stored.position is None:
            return None
        try:
            record = read_record(stored.record)
            seats = get_variant(record.variant).seats
            around = store.games_between(stored.position - seats + 1, stored.position + seats - 1)
            boards = [board_of(read_result(game.result)) for game in around]
            is_over = boards.count(board_of(record)) == seats
            return (record, stored.observations) if is_over else None
        except ValueError as error:
            raise StoreError(f"cannot read a record of {run}: {error}") from None


# -- finished games against bots ---------------------------------------------------------------


def _played_game(visit: Visit) -> ShownReplay:
    stored = visit.site.games.get(visit.path("game"))
    if stored is None or not (stored.person == visit.person.id or visit.sees_all):
        raise HTTPException(404, "You have not played such a game.")
    if not stored.is_over:
        raise HTTPException(404, "This game is not over yet, so it has no replay.")
    here = f"play/{stored.id}"
    return ShownReplay(record_of_finished(stored.game), visit.site.name, lambda _: here)


# -- rules, and drawings of plugins ------------------------------------------------------------


def show_rules(visit: Visit) -> Response:
    game = visit.path("game")
    rules = found(rules_of(game) if _is_game(game) else None, "There are no rules for such a game.")
    return visit.render(
        "rules.html",
        base_page=BASE_PAGE,
        run=visit.site.name,
        rules=rules,
        game=game,
        game_page=lambda _: "",
    )


def draw(visit: Visit) -> Response:
    game = visit.path("game")
    script = presentation_of(game).replay if _is_game(game) else ""
    if not script:
        raise HTTPException(404)
    return Response(script, media_type=SCRIPT)


def _is_game(game: str) -> bool:
    return bool(variants_of(game))


routes = [
    *replay_routes("/games/{key}", _ladder_game),
    *replay_routes("/play/{game}/replay", _played_game, "person"),
    get("/rules/{game}", show_rules),
    get("/drawings/{game}.js", draw),
]
