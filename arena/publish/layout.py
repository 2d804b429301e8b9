"""The paths of a site's files from its root, which are its links too."""

import hashlib
import re

INDEX = "index.html"
ABOUT = "about.html"
REPLAYS = "games/index.html"
RECORDS = "files/records.jsonl.gz"
LEADERBOARD_JSON = "files/leaderboard.json"
LEADERBOARD_CSV = "files/leaderboard.csv"
STATIC = "static"

ID_LETTERS = 16
"""Of a game's key: enough to tell the games of a run apart."""
_KEY = re.compile(r"[0-9a-f]{16,}")
_PLAIN = re.compile(r"[a-z0-9_+-][a-z0-9_+.-]{0,99}")
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_+.-]+")


def bot_page(name: str) -> str:
    """Return the page of a bot."""
    return f"bot/{file_name(name)}.html"


def game_page(game: str) -> str:
    """Return the page of a game, with all of its variants."""
    return f"game/{file_name(game)}.html"


def variant_page(variant_id: str) -> str:
    """Return the page of a variant."""
    return f"variant/{file_name(variant_id.replace('/', '-'))}.html"


def replay_page(key: str) -> str:
    """Return the page of a published game."""
    return f"games/{game_id(key)}.html"


def game_id(key: str) -> str:
    """Return what a game is called in the site: the beginning of its key.

    `arena replay` and `arena rerun` take it too.
    """
    return key[:ID_LETTERS] if _KEY.fullmatch(key) else _digest(key)


def file_name(name: str) -> str:
    """Return the name of a file, without its ending, that stands for this name alone.

    Small letters, digits and _ + - . stay as they are. Any other name is marked with its digest, so
    that no two share a file, also on a disk for which capitals are small letters.
    """
    if _PLAIN.fullmatch(name):
        return name
    plain = _NOT_PLAIN.sub("-", name).strip("-.")[:60]
    return "-".join(filter(None, [plain, _digest(name)[:8]]))


def to_root(path: str) -> str:
    """Return the way from a page to the root, to be put before the path of another: `../`."""
    return "../" * path.count("/")


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=ID_LETTERS // 2).hexdigest()
