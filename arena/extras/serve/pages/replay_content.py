"""Contents of pages with replays, in the drawing of published sites."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from arena.errors import StoreError
from arena.plugins import presentation_of
from arena.publish.layout import drawing_script
from arena.publish.pages import title_of
from arena.publish.replays import make_replay, page_values
from arena.record import GameRecord, read_record
from arena.tournament.finished_boards import board_in, finished
from arena.tournament.settings import Settings
from arena.tournament.store import DATABASE, Store
from engine import get_variant

BASE_PAGE = "base.html"


def replay_content(
    record: GameRecord, run: str, name: str, bot_page: Callable[[str], str]
) -> dict[str, Any]:
    """Return the variables of the template `game.html`.

    Args:
        record: the game, with the names that pages show.
        run: the name of its run.
        name: the end of the address of the page. The script `NAME.js` beside it has the data.
        bot_page: returns the path of the page of a bot by its shown name.

    Raises:
        EngineError: the record is not valid.
    """
    return {
        **page_values(make_replay(record), record, name),
        "base_page": BASE_PAGE,
        "root": "/",
        "run": run,
        "bot_page": lambda one: bot_page(one).removeprefix("/"),
        "rules_page": rules_path,
        "drawing_script": drawing_path,
        "presentation_of": presentation_of,
        "title_of": title_of,
    }


def rules_path(game: str) -> str:
    """Return the path of the rules of a game from the root, without a slash before it."""
    return f"rules/{game}"


def drawing_path(game: str) -> str:
    """Return the path of the script that draws a game, without a slash before it."""
    return f"drawings/{game}.js" if presentation_of(game).replay else drawing_script(game)


# -- single games of a run: found by their key, and shown once their board is over -------------


def find_game(run: Path, key: str, last_number: int | None) -> GameRecord | None:
    """Return the record of a game of a run; None if there is none that may be shown.

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
            width = seats * store.settings(Settings).boards_per_deal
            around = store.games_between(found.position - width + 1, found.position + width - 1)
            known = [one for one in around if last_number is None or one.number <= last_number]
            over = finished(known, lambda one: board_in(one.record), width // seats)
            return record if key in [one.key for one in over] else None
        except ValueError as error:
            raise StoreError(f"cannot read a record of {run}: {error}") from None
