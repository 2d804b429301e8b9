"""Describe exceptions raised by games."""

import traceback

from arena.base.errors import ArenaError, GameError
from arena.base.protocol import printable


def game_error(title: str, error: Exception) -> ArenaError:
    """Convert an exception from a game's code into a `GameError`, unless it is already an
    `ArenaError`.
    """
    if isinstance(error, ArenaError):
        return error
    return GameError(f"the game failed in {title}: {describe_error(error)}")


def describe_error(error: BaseException) -> str:
    """Return an exception's type, message and source location as a single line."""
    frames = traceback.extract_tb(error.__traceback__)
    at = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return printable(" ".join(f"{type(error).__name__}: {error}".split()) + at)
