"""Passages of Python files: what two programs share when names, numbers and layout do not count."""

import hashlib
import io
import keyword
import token
import tokenize
from collections.abc import Iterable, Iterator
from pathlib import Path

from arena.contest.archive import open_plain
from arena.errors import BotError

TOKENS = 20
"""Tokens of a passage. Programs that have nothing to do with each other share shorter ones."""
HASH_BYTES = 6
NAME, NUMBER, TEXT = "n", "0", "s"
"""What stands for each name, number and string."""
MAX_PROGRAM_BYTES = 256 * 1024
"""Python files of a bot that are compared with those of others. Larger ones have generated tables.
"""
_LAYOUT = (token.NEWLINE, tokenize.NL, token.INDENT, token.DEDENT, tokenize.COMMENT)
_STRINGS = (token.STRING, getattr(token, "FSTRING_MIDDLE", token.STRING))


def program_passages(folder: Path, files: tuple[str, ...]) -> frozenset[int]:
    """Return the passages of Python files of a bot. A `Reader` runs this. Raises `BotError`."""
    texts = []
    left = MAX_PROGRAM_BYTES
    for file in files:
        with open_plain(folder / file) as content:
            text = content.read(left + 1)
        left -= len(text)
        if left < 0:
            raise BotError(f"its Python files have more than {MAX_PROGRAM_BYTES:,} bytes")
        texts.append(text)
    try:
        return passages([text.decode() for text in texts])
    except (SyntaxError, UnicodeDecodeError):
        raise BotError("its Python files cannot be divided into tokens") from None


def passages(texts: Iterable[str]) -> frozenset[int]:
    """Return hashes of all passages of some Python files.

    A passage is a row of `TOKENS` tokens without comments, docstrings, imports and layout. Each
    name, number and string counts as any other one.

    Raises:
        SyntaxError: a text cannot be divided into tokens.
    """
    found = set()
    for text in texts:
        words = list(_words(text))
        for start in range(len(words) - TOKENS + 1):
            passage = " ".join(words[start : start + TOKENS]).encode()
            digest = hashlib.blake2b(passage, digest_size=HASH_BYTES).digest()
            found.add(int.from_bytes(digest, "big"))
    return frozenset(found)


def _words(text: str) -> Iterator[str]:
    """Yield the tokens of a text that count."""
    for statement in _statements(text):
        first = statement[0]
        is_docstring = all(part.type == token.STRING for part in statement)
        if not is_docstring and first.string not in ("import", "from"):
            for part in statement:
                yield _word(part)


def _statements(text: str) -> Iterator[list[tokenize.TokenInfo]]:
    """Yield the tokens of each logical line, without layout and comments."""
    statement: list[tokenize.TokenInfo] = []
    try:
        for part in tokenize.generate_tokens(io.StringIO(text).readline):
            if part.type in (token.NEWLINE, token.ENDMARKER):
                if statement:
                    yield statement
                statement = []
            elif part.type not in _LAYOUT:
                statement.append(part)
    except tokenize.TokenError as error:
        raise SyntaxError(str(error)) from None


def _word(part: tokenize.TokenInfo) -> str:
    if part.type == token.NAME:
        return part.string if keyword.iskeyword(part.string) else NAME
    if part.type == token.NUMBER:
        return NUMBER
    return TEXT if part.type in _STRINGS else part.string
