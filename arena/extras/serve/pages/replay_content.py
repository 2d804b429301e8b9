"""Contents of pages with replays, in the drawing of published sites."""

from collections.abc import Callable
from typing import Any

import msgspec

from arena.plugins import presentation_of
from arena.publish.layout import drawing_script
from arena.publish.pages import title_of
from arena.publish.replays import make_replay, terms_of
from arena.publish.rules_page import rules_of
from arena.record import GameRecord

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
    replay = make_replay(record)
    return {
        "base_page": BASE_PAGE,
        "root": "/",
        "run": run,
        "name": name,
        "replay": replay,
        "entrants": record.entrants,
        "has_rules": rules_of(replay.game) is not None,
        "legend": terms_of(replay.game),
        "bot_page": lambda one: bot_page(one).removeprefix("/"),
        "rules_page": rules_path,
        "drawing_script": drawing_path,
        "presentation_of": presentation_of,
        "title_of": title_of,
    }


def replay_script(record: GameRecord) -> bytes:
    """Return the script with the data of a replay. Raises `EngineError` if it is not valid."""
    return b"window.replay = " + msgspec.json.encode(make_replay(record)) + b";\n"


def rules_path(game: str) -> str:
    """Return the path of the rules of a game from the root, without a slash before it."""
    return f"rules/{game}"


def drawing_path(game: str) -> str:
    """Return the path of the script that draws a game, without a slash before it."""
    return f"drawings/{game}.js" if presentation_of(game).replay else drawing_script(game)
