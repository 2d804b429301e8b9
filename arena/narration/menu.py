"""The legal actions as a menu: each in words, with what its card or tile does."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.narration.cards import about_action
from arena.narration.words import Words, counted


class Choice(msgspec.Struct, frozen=True):
    """An action that a person may choose."""

    action: str
    text: str
    """The action in words, as an imperative."""
    about: str
    """What its card or tile does, in one line; empty if it has none."""


def menu(view: msgspec.Struct, legal: Sequence[str], words: Words) -> list[Choice]:
    """Return the legal actions as choices; `view` is that of the seat that chooses."""
    facts = _facts(view)
    return [
        Choice(action, words.choice(action, facts), about_action(words.game, action))
        for action in legal
    ]


def _facts(view: Any) -> Mapping[str, str]:
    """Return what menus say of the position, for the braces of `words.toml`."""
    if getattr(view, "game", "") != "pot-de-vin":
        return {}
    left = view.gems[view.seat] - 1
    return {"gems_left": f"{counted(left, 'gem')} left"}
