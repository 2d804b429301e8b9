"""The actions of a turn as a menu, and the score so far."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from arena.narration.cards import about_action
from arena.narration.words import Words, counted
from engine.pot_de_vin.cards import GUILD_OF
from engine.pot_de_vin.scoring import COLUMN_POINTS, POT_DE_VIN_POINTS


def points_now(game: str, view: Any) -> Sequence[int] | None:
    """Return the points by side as if the game ended now; None if the game does not tell.

    In Brides & Bribes they are the influence, to which coins add at the end.
    """
    if game == "pot-de-vin":
        return [standing.points for standing in view.score_now]
    if game == "bribery":
        return list(view.control.points)
    if game == "brides-and-bribes":
        return [player.influence for player in view.players]
    return None


class MenuChoice(msgspec.Struct, frozen=True):
    """An action that a person may choose."""

    action: str
    text: str
    """The action in words, as an imperative."""
    about: str
    """The effect of its card or tile, in one line; empty if it has none."""


def menu(view: msgspec.Struct, legal: Sequence[str], words: Words) -> list[MenuChoice]:
    """Return the legal actions as choices; `view` is that of the seat that chooses."""
    facts = _facts(view)
    return [
        MenuChoice(
            action,
            words.choice(action, facts),
            _worth(view, action) or about_action(words.game, action),
        )
        for action in legal
    ]


def _worth(view: Any, action: str) -> str:
    """Return what winning the card of an action brings to the seat that chooses, if it counts.

    It is empty for what is worth the same to each seat.
    """
    if getattr(view, "game", "") != "pot-de-vin" or not action.startswith("play "):
        return ""
    card, seat = action.removeprefix("play "), view.seat
    points: Sequence[int]
    if guild := GUILD_OF.get(card):
        name, have, points = guild, len(view.columns[seat][guild]), COLUMN_POINTS
    elif card.endswith("-13"):
        name, points = "Pot de Vin", POT_DE_VIN_POINTS
        have = sum([card.endswith("-13") for card in view.neutral[seat]])
    else:
        return ""
    gain = points[have + 1] - points[have] if have + 1 < len(points) else 0
    return f"{name}: you have {have}, one more: {gain:+}"


def _facts(view: Any) -> Mapping[str, str]:
    """Return what menus say of the position, for the braces of `words.toml`."""
    if getattr(view, "game", "") != "pot-de-vin":
        return {}
    left = view.gems[view.seat] - 1
    return {"gems_left": f"{counted(left, 'gem')} left"}
