"""Exceptions of the engine, one for each kind of mistake.

EngineError
+-- UnknownVariant   no plugin registers a variant of this name
+-- InvalidDeal      a deal is not a deal of the variant
+-- IllegalAction    an action is not legal in this state
+-- GameNotOver      the outcome was asked of an unfinished game
+-- EndlessGame      a game goes on after the most decisions that its variant allows
+-- NoWorldFound     too many drawn deals contradict what a seat knows
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MAX_WORD_LENGTH = 80
"""Maximum length of a mistyped word in a message, in characters."""


SHOWN_ACTIONS = 5
"""Number of the last actions in the message for an endless game."""


class EngineError(Exception):
    """A mistake of the caller of the engine; its text is one sentence for a person."""


class UnknownVariant(EngineError, LookupError):
    """No plugin registers a variant of this name."""


class InvalidDeal(EngineError, ValueError):
    """A deal is not a deal of the variant; `field` names the wrong part."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"invalid deal: {field}: {text}")
        self.field = field


class IllegalAction(EngineError, ValueError):
    """An action is not legal in this state; the state is unchanged."""

    def __init__(self, action: object, seat: int | None, legal: Sequence[str]) -> None:
        if seat is None:
            text = f"illegal action {action!r}: the game is over"
        else:
            text = f"illegal action {action!r} of seat {seat}; legal are {', '.join(legal)}"
        super().__init__(text)
        self.action = action
        self.seat = seat
        self.legal = list(legal)


class WrongWorld(EngineError):
    """A world cannot be loaded: it is of another game, or of another version of it."""


class GameNotOver(EngineError):
    """The outcome was asked of a game in which a seat still has to act."""


class EndlessGame(EngineError):
    """A game goes on after the most decisions that its variant allows."""

    def __init__(self, variant: str, seat: int, actions: Sequence[str]) -> None:
        last = ", ".join(map(repr, actions[-SHOWN_ACTIONS:]))
        super().__init__(
            f"{variant} has no end after {len(actions)} decisions, its `max_decisions`: "
            f"seat {seat} is still to act, the last actions were {last}"
        )


class NoWorldFound(EngineError):
    """Too many drawn deals contradict what a seat knows."""

    def __init__(self, variant: str, seat: int, positions: int) -> None:
        super().__init__(
            f"{variant}: of {positions:,} positions of random deals, none agrees with what seat "
            f"{seat} knows; the game needs a `redraw` that draws what is hidden"
        )


def unknown(what: str, word: str, known: Iterable[str], beside: Iterable[str] = ()) -> str:
    """Return the message for a `word` that is not in `known`, with the nearest known word.

    That may also be a word of `beside`, which are not listed.
    """
    words = list(known)
    nearest = guess(word, [*words, *beside])
    return f"unknown {what} {word[:MAX_WORD_LENGTH]!r}{nearest} known are {', '.join(words)}"


def guess(word: str, known: Iterable[str]) -> str:
    """Return `: did you mean 'x'?` for the nearest known word, or a semicolon if none is near."""
    alike = get_close_matches(word[:MAX_WORD_LENGTH], list(known), 1)
    return f": did you mean {alike[0]!r}?" if alike else ";"
