"""Display names, in any script, and the ids that stand for them in files and keys."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping

from arena.errors import SubmissionError
from arena.protocol import printable

MAX_DISPLAY_CHARS = 60
MAX_ID_CHARS = 40
HASH_DIGITS = 6
"""Digits of the hash in the id of a name with letters that ids cannot have."""
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,39}")
_JOINERS = "\u200c\u200d"
"""Invisible characters that some scripts join letters with."""


def display_name(text: str) -> str:
    """Return a name as it is shown: composed, with single spaces.

    Raises:
        SubmissionError: it is empty, too long, or has characters that cannot be printed, such as
            those that turn the direction of a line.
    """
    visible = "".join([letter for letter in text if letter not in _JOINERS])
    name = unicodedata.normalize("NFC", " ".join(visible.split()))
    if not name or len(name) > MAX_DISPLAY_CHARS or not name.isprintable():
        raise SubmissionError(
            f"got the name {printable(name[:80])!r}, expected 1 to {MAX_DISPLAY_CHARS} characters "
            "that can be printed"
        )
    return name


def safe_id(name: str) -> str:
    """Return the id for a name: `Müller, Ann` gives `Muller-Ann`.

    If letters of the name cannot be in an id, or it is too long, a hash of the name is added, so
    that two names do not share an id: `李雷` gives `bot-` and six digits.
    """
    composed = unicodedata.normalize("NFC", name)
    folded = unicodedata.normalize("NFKD", name)
    plain = folded.encode("ascii", "ignore").decode()
    own = re.sub(r"[^\w.+-]+", "-", plain, flags=re.ASCII).strip("-.+")
    is_whole = all(letter.isascii() or unicodedata.combining(letter) for letter in folded)
    if own and is_whole and len(own) <= MAX_ID_CHARS:
        return own
    digits = hashlib.blake2b(composed.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_DIGITS]
    return f"{own[: MAX_ID_CHARS - HASH_DIGITS - 1].rstrip('-.+') or 'bot'}-{digits}"


def checked_id(text: str) -> str:
    """Return `text` if it can be an id. Raises `SubmissionError` if not."""
    if not _ID.fullmatch(text):
        raise SubmissionError(
            f"got {printable(text[:80])!r} as an id, expected 1 to {MAX_ID_CHARS} letters, digits "
            "and any of _ . + -"
        )
    return text


def each_different(names: Mapping[str, str]) -> dict[str, str]:
    """Return display names by id, where no two bots are shown with the same name.

    `names` has the wanted names by id, of all bots. Where two are alike, or one is the id of
    another bot, the id is added: `Ann Lee (lee2)`.
    """
    wanted = [_folded(name) for name in names.values()]
    others = {_folded(other): other for other in names}
    shown = {}
    for own, name in names.items():
        is_alone = wanted.count(_folded(name)) == 1 and others.get(_folded(name), own) == own
        shown[own] = name if is_alone or name == own else f"{name} ({own})"
    return shown


def _folded(name: str) -> str:
    """Return a name without what the eye hardly sees: case and compatible forms of letters."""
    return unicodedata.normalize("NFKC", name).casefold()
