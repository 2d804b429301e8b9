"""The engine's exceptions.

Catch `EngineError` to catch them all:

    EngineError
    +-- UnknownVariant   no plugin registers a variant with this name
    +-- InvalidDeal      not a deal of the variant
    +-- IllegalAction    the action is not legal in this state
    +-- WrongWorld       a world of another game or version
    +-- GameNotOver      the game has no outcome yet
    +-- EndlessGame      the game exceeds the variant's maximum number of decisions
    +-- NoWorldFound     no state consistent with a seat's knowledge was found
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

MAX_WORD_LENGTH = 80

MIN_PART_LENGTH = 3

SHOWN_ACTIONS = 5


class EngineError(Exception):
    """Base class of the engine's exceptions. The message is one sentence for users."""


class UnknownVariant(EngineError, LookupError):
    """No variant with the given name is registered."""


class InvalidDeal(EngineError, ValueError):
    """A deal is invalid in this variant. The exception names the invalid field."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__(f"invalid deal: {field}: {text}")
        self.field = field


class IllegalAction(EngineError, ValueError):
    def __init__(self, action: object, seat: int | None, legal: Sequence[str]) -> None:
        if seat is None:
            text = f"illegal action {action!r}: the game is over"
        else:
            text = f"illegal action {action!r} of seat {seat}; legal actions: {', '.join(legal)}"
        super().__init__(text)
        self.action = action
        self.seat = seat
        self.legal = list(legal)


class WrongWorld(EngineError):
    """A state could not be loaded because it belongs to another game or version."""


class GameNotOver(EngineError):
    """A game has no outcome yet because it is still running."""


class EndlessGame(EngineError):
    def __init__(self, variant: str, seat: int, actions: Sequence[str]) -> None:
        last = ", ".join(map(repr, actions[-SHOWN_ACTIONS:]))
        super().__init__(
            f"{variant} is not over after {len(actions)} decisions, its `max_decisions`: "
            f"seat {seat} is to act, and the last actions were {last}"
        )


class NoWorldFound(EngineError):
    def __init__(self, variant: str, seat: int, positions: int) -> None:
        super().__init__(
            f"{variant}: found no world for seat {seat} among {positions:,} random positions; "
            "give the game a `redraw`, which draws what is hidden"
        )


def unknown(
    what: str, word: str, known: Iterable[str], beside: Iterable[str] = (), listing: str = ""
) -> str:
    """Return an error message that suggests the known word most similar to an unknown word.

    Args:
        what: What the word stands for, such as "game".
        word: The unknown word.
        known: The words that the message lists.
        beside: More words that the message may suggest without listing all of them.
        listing: The command that lists all words, such as "arena games".
    """
    words = list(known)
    others = [other for other in beside if other not in words]
    text = f"{guess(word, [*words, *others])} expected one of {', '.join(words)}"
    if others:
        text += f" or {len(others)} more; `{listing}` lists all of them"
    return f"unknown {what} {word[:MAX_WORD_LENGTH]!r}{text}"


def guess(word: str, known: Iterable[str]) -> str:
    """Return ": did you mean 'bribery'?" if a known word is similar to `word`, otherwise ";"."""
    words = {each.lower(): each for each in known}
    typed = word[:MAX_WORD_LENGTH].lower()
    is_part = len(typed) >= MIN_PART_LENGTH
    alike = [each for each in words if is_part and typed in each]
    alike = alike or get_close_matches(typed, words, 1)
    return f": did you mean {words[alike[0]]!r}?" if alike else ";"
