"""What can go wrong in the engine, one exception a mistake.

EngineError
+-- UnknownVariant   no plugin registers a variant of this name
+-- InvalidDeal      a deal is not one of the variant
+-- InvalidTable     a data table beside a game breaks the rules of that table
+-- IllegalAction    an action is not legal in this state
+-- GameNotOver      the outcome was asked of an unfinished game
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

SHOWN = 80
"""Characters of a word that are shown."""


class EngineError(Exception):
    """A mistake of whoever uses the engine; its text is one sentence for a person."""


class UnknownVariant(EngineError, LookupError):
    """No plugin registers a variant of this name."""


class InvalidDeal(EngineError, ValueError):
    """A deal is not one of the variant; `field` names the part that is wrong."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"invalid deal: {field}: {text}")
        self.field = field


class InvalidTable(EngineError, ValueError):
    """A data table beside a game breaks the rules of that table."""


class IllegalAction(EngineError, ValueError):
    """An action is not legal in this state; the state is unchanged."""

    def __init__(self, action: str, seat: int | None, legal: Sequence[str]) -> None:
        if seat is None:
            text = f"illegal action {action!r}: the game is over"
        else:
            text = f"illegal action {action!r} of seat {seat}; legal are {', '.join(legal)}"
        super().__init__(text)
        self.action = action
        self.seat = seat
        self.legal = list(legal)


class GameNotOver(EngineError):
    """The outcome was asked of a game that somebody still has to act in."""


def unknown(what: str, word: str, known: Iterable[str]) -> str:
    """Return the sentence for a word that is none of those known: with one that is like it."""
    words = list(known)
    alike = get_close_matches(word[:SHOWN], words, 1)
    guess = f": did you mean {alike[0]!r}?" if alike else ";"
    return f"unknown {what} {word[:SHOWN]!r}{guess} known are {', '.join(words)}"
