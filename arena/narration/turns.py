"""The actions of a turn as a menu, and the score so far."""

from collections.abc import Sequence
from typing import Any

import msgspec

from arena.narration.telling import telling_of
from arena.narration.words import Words


def points_now(game: str, view: Any) -> Sequence[int] | None:
    """Return the points by side as if the game ended now; None if the game does not tell.

    They may leave out what adds to them at the end.
    """
    return telling_of(game).points_now(view)


class MenuChoice(msgspec.Struct, frozen=True):
    """An action that a person may choose."""

    action: str
    text: str
    """The action in words, as an imperative."""
    about: str
    """The effect of its card or tile, in one line; empty if it has none."""


def menu(view: msgspec.Struct, legal: Sequence[str], words: Words) -> list[MenuChoice]:
    """Return the legal actions as choices; `view` is that of the seat that chooses."""
    telling = telling_of(words.game)
    facts = telling.facts(view)
    return [
        MenuChoice(
            action,
            words.choice(action, facts),
            telling.worth(view, action) or telling.about_action(action),
        )
        for action in legal
    ]
