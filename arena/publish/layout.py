"""Define the paths of a site's files, relative to its root."""

import hashlib
import re

INDEX = "index.html"
ABOUT = "about.html"
REPLAYS = "games/index.html"
RECORDS = "files/records.jsonl.gz"
LEADERBOARD_JSON = "files/leaderboard.json"
LEADERBOARD_CSV = "files/leaderboard.csv"
SECRET = "files/secret.txt"
CATALOGUE = "index.json"
NOT_FOUND = "404.html"
STATIC = "static"
SHARED_PICTURE = f"{STATIC}/share.png"
"""Preview image for links to the site, 1200 by 630 pixels."""

# Larger sites leave out some head-to-head pages and heat maps.
MANY_BOTS = 50
ID_LETTERS = 16
_KEY = re.compile(r"[0-9a-f]{16,}")
_PLAIN = re.compile(r"[a-z0-9_+-][a-z0-9_+.-]{0,99}")
_NOT_PLAIN = re.compile(r"[^A-Za-z0-9_+.-]+")


def bot_page(name: str) -> str:
    return f"bot/{file_name(name)}.html"


def game_page(game: str) -> str:
    return f"game/{file_name(game)}.html"


def variant_page(variant_id: str) -> str:
    return f"variant/{file_name(variant_id.replace('/', '-'))}.html"


def pair_page(name: str, other: str) -> str:
    return f"pair/{'--'.join(sorted([file_name(name), file_name(other)]))}.html"


def rules_page(game: str) -> str:
    return f"rules/{file_name(game)}.html"


def drawing_script(game: str) -> str:
    return f"{STATIC}/replay-{file_name(game)}.js"


def replay_page(key: str) -> str:
    return f"games/{game_id(key)}.html"


def game_id(key: str) -> str:
    """Return the short id that identifies a game on the site."""
    return key[:ID_LETTERS] if _KEY.fullmatch(key) else _digest(key)


def file_name(name: str) -> str:
    """Convert a name to a unique file name without an extension."""
    # A digest keeps file names apart on file systems that ignore case.
    if _PLAIN.fullmatch(name):
        return name
    plain = _NOT_PLAIN.sub("-", name).strip("-.")[:60]
    return "-".join(filter(None, [plain, _digest(name)[:8]]))


def to_root(path: str) -> str:
    """Return the relative path from a page to the site's root."""
    return "../" * path.count("/")


def _digest(text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=ID_LETTERS // 2).hexdigest()
