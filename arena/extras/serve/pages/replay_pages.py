"""Replays: of the ladder's games, and of finished games against bots; the rules of the games."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace
from starlette.exceptions import HTTPException
from starlette.responses import Response

from arena.check.game_file import game_json
from arena.errors import StoreError
from arena.extras.serve.ladder.ladder_files import StandingsFile, run_name
from arena.extras.serve.ladder.standings_content import BotNames
from arena.extras.serve.pages.board_pages import names_of, require_board
from arena.extras.serve.play.browser_game import record_of_finished
from arena.extras.serve.play.game_store import StoredBrowserGame
from arena.extras.serve.web.visits import JSON, Visit, download, get
from arena.plugins import presentation_of
from arena.publish.layout import drawing_script
from arena.publish.replays import make_replay, page_values, replay_script
from arena.publish.rules_page import rules_of
from arena.record import (
    NO_OBSERVATIONS,
    GameRecord,
    Observations,
    read_record,
    read_result,
)
from arena.tournament.finished_boards import board_in, board_of, finished
from arena.tournament.run_names import with_names
from arena.tournament.store import DATABASE, Store
from engine import get_variant, variants

BASE_PAGE = "base.html"
SCRIPT = "text/javascript"
REPLAY = "replay"
KEY = re.compile(r"[0-9a-f]{32}")
HIDDEN_FAULT = "the author of the bot and the teacher see more"


class FoundGame(NamedTuple):
    """A game of a run whose board is over."""

    record: GameRecord
    seen: Observations
    rotations: dict[int, str]
    """The keys of the games of its board, by rotation."""


def show_replay(  # noqa: PLR0913
    visit: Visit,
    record: GameRecord,
    bot_page: Callable[[str], str],
    run: str,
    name: str,
    template: str = "game.html",
    **more: Any,
) -> Response:
    """Return a page with a replay.

    The parameters are the variables of its template.

    Args:
        visit: the request.
        record: the game, with the names that pages show.
        bot_page: returns the path of the page of a bot by its shown name, from the root.
        run: the name of its run.
        name: the name of the script with the data, which is beside the page.
        template: the page, which includes `game.html`.
        more: further variables, and `seen`, what was seen of the game.

    Raises:
        EngineError: the record is not valid.
    """
    replay = make_replay(record, more.pop("seen", NO_OBSERVATIONS))
    return visit.render(
        template,
        **page_values(replay, record, name),
        base_page=BASE_PAGE,
        run=run,
        bot_page=bot_page,
        rules_page=rules_path,
        drawing_script=drawing_path,
        **more,
    )


def replay_data(record: GameRecord, seen: Observations = NO_OBSERVATIONS) -> Response:
    """Return the script with the data of a replay. Raises `EngineError` if it is not valid."""
    return Response(replay_script(make_replay(record, seen)), media_type=SCRIPT)


def rules_path(game: str) -> str:
    """Return the path of the rules of a game from the root of the site."""
    return f"rules/{game}"


def drawing_path(game: str) -> str:
    """Return the path of the script that draws a game from the root of the site."""
    return f"drawings/{game}.js" if presentation_of(game).replay else drawing_script(game)


# -- games of the ladder: found by their key, and shown once their board is over ---------------


def show(visit: Visit) -> Response:
    """Show the replay of a game."""
    game, board, names = _find(visit)
    return show_replay(
        visit,
        game.record,
        names.link_of_name,
        board.run,
        game.record.key,
        seen=game.seen,
        rotations={number: f"games/{key}" for number, key in game.rotations.items()},
    )


def show_data(visit: Visit) -> Response:
    """Answer with the data of a replay, as a script."""
    game, *_ = _find(visit)
    return replay_data(game.record, game.seen)


def _find(visit: Visit) -> tuple[FoundGame, StandingsFile, BotNames]:
    """Return a game as the visitor sees it. Raises `HTTPException` 404."""
    board, key = require_board(visit), visit.path("key")
    contest = visit.site.contest
    runs = {board.run: None if visit.sees_all else board.stored}
    if visit.sees_all:
        runs[run_name(contest)] = None
    for run, last_number in runs.items() if KEY.fullmatch(key) else ():
        if found := find_game(Path(contest.results, run), key, last_number):
            names = names_of(visit, board)
            named = with_names(found.record, names.in_run)
            if contest.serve.pseudonyms and not visit.sees_all:
                named = _without_texts(named)
            # Only its author and the teacher see what a bot wrote to its log.
            evidence = [
                fault
                for fault in found.seen.evidence
                if visit.sees_all or found.record.entrants[fault.seat] == visit.own
            ]
            seen = replace(found.seen, evidence=tuple(evidence))
            return found._replace(record=named, seen=seen), board, names
    raise HTTPException(
        404,
        "There is no such game, or it does not count any more because one of its bots has a new "
        "version.",
    )


def _without_texts(record: GameRecord) -> GameRecord:
    """Return a record without the texts of bots, which may name their authors."""
    faults = [replace(fault, text=HIDDEN_FAULT) for fault in record.faults]
    return replace(record, faults=tuple(faults), notes=())


def find_game(run: Path, key: str, last_number: int | None) -> FoundGame | None:
    """Return a game of a run; None if there is none that may be shown.

    Args:
        run: the folder of the run.
        key: the key of the game.
        last_number: the number of the last stored game that may be shown; None for all.

    Raises:
        StoreError: the run cannot be read.
    """
    if not (run / DATABASE).is_file():
        return None
    with Store.open(run) as store:
        found = next(store.stored_games([key]), None)
        if found is None or found.position is None:
            return None
        try:
            record = read_record(found.record)
            seats = get_variant(record.variant).seats
            width = seats * store.settings().boards_per_deal
            around = store.games_between(found.position - width + 1, found.position + width - 1)
            known = [game for game in around if last_number is None or game.number <= last_number]
            over = [*finished(known, lambda game: board_in(game.record), width // seats)]
            if key not in [game.key for game in over]:
                return None
            results = [game for game in over if board_in(game.record) == board_of(record)]
            rotations = {read_result(game.result).rotation: game.key for game in results}
            return FoundGame(record, found.observations, rotations)
        except ValueError as error:
            raise StoreError(f"cannot read a record of {run}: {error}") from None


# -- finished games against bots ---------------------------------------------------------------


def show_played(visit: Visit) -> Response:
    """Show the replay of a finished game."""
    stored = _finished_game(visit)
    record, here = record_of_finished(stored.game), f"play/{stored.id}"
    page, run = "play_replay.html", visit.site.name
    return show_replay(visit, record, lambda _: here, run, REPLAY, page, stored=stored)


def show_played_data(visit: Visit) -> Response:
    """Answer with the data of a replay, as a script."""
    return replay_data(record_of_finished(_finished_game(visit).game))


def send_file(visit: Visit) -> Response:
    """Answer with the file of a finished game, for `arena replay`."""
    stored = _finished_game(visit)
    name = f"{stored.game.variant.replace('/', '-')}-{stored.id[:8]}.json"
    return download(game_json(record_of_finished(stored.game)), JSON, name)


def _finished_game(visit: Visit) -> StoredBrowserGame:
    """Return a game that is over. A teacher may see those of all people."""
    stored = visit.site.games.get(visit.path("game"))
    if stored is None or not (stored.person == visit.person.id or visit.sees_all):
        raise HTTPException(404, "You have played no such game.")
    if not stored.is_over:
        raise HTTPException(404, "This game is not over yet, so there is no replay of it.")
    return stored


# -- rules, and drawings of plugins ------------------------------------------------------------


def show_rules(visit: Visit) -> Response:
    """Show the rules of a game."""
    game = visit.path("game")
    rules = rules_of(game) if _is_game(game) else None
    if rules is None:
        raise HTTPException(404, "There are no rules of such a game.")
    return visit.render(
        "rules.html",
        base_page=BASE_PAGE,
        run=visit.site.name,
        rules=rules,
        game=game,
        game_page=lambda _: "",
    )


def draw(visit: Visit) -> Response:
    """Answer with the script that draws a game of a plugin."""
    game = visit.path("game")
    script = presentation_of(game).replay if _is_game(game) else ""
    if not script:
        raise HTTPException(404)
    return Response(script, media_type=SCRIPT)


def _is_game(game: str) -> bool:
    """Return whether a game is registered: each such game can be played here against bots."""
    return any(variant.game == game for variant in variants().values())


routes = [
    get("/games/{key}.js", show_data),
    get("/games/{key}", show),
    get("/play/{game}/replay", show_played, "person"),
    get(f"/play/{{game}}/{REPLAY}.js", show_played_data, "person"),
    get("/play/{game}/game.json", send_file, "person"),
    get("/rules/{game}", show_rules),
    get("/drawings/{game}.js", draw),
]
