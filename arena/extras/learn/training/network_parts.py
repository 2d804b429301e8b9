"""The parts of a game that a network treats alike, such as all cards: their numbers and actions."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from arena.errors import SettingsError
from engine import Encoding
from engine.bribery.cards import JOKERS, OFFICIALS
from engine.pot_de_vin.cards import CARDS, GUILD_OF

NONE = -1
"""Stands in a table for a number or an action that a part does not have."""


class Parts(NamedTuple):
    """Tables of the parts of a game."""

    inputs: NDArray[np.int64]
    """Of shape (parts, features): where each part has its features in a vector."""
    actions: NDArray[np.int64]
    """Of shape (parts, outputs): the numbers of the actions that name each part."""


def parts_of(encoding: Encoding, groups: Mapping[str, Sequence[str]]) -> Parts:
    """Return the tables of the parts.

    A part has the numbers of a vector that are labelled with its name or with one of its groups.

    Args:
        encoding: of actions and vectors.
        groups: by name of a part, its group of each sort, such as the suit and the kind of a card.
            All parts have as many.
    """
    names = list(groups)
    sorts = [names, *map(list, zip(*groups.values(), strict=True))]
    features: list[list[int]] = []
    for part in encoding.slices:
        width = len(part.columns)
        for words in sorts:
            if set(words) & set(part.columns):
                places = [_place(part.columns, word) for word in words]
                starts = range(part.start, part.start + part.length, width)
                features += [_moved(places, start, 1) for start in starts]
            elif set(words) & set(part.rows):
                places = [_place(part.rows, word) for word in words]
                features += [_moved(places, part.start + place, width) for place in range(width)]
    return Parts(np.array(features).T, _actions(encoding.actions, names))


def _place(words: Sequence[str], word: str) -> int:
    return words.index(word) if word in words else NONE


def _moved(places: Sequence[int], start: int, step: int) -> list[int]:
    return [NONE if place == NONE else start + step * place for place in places]


def _actions(actions: Sequence[str], names: Sequence[str]) -> NDArray[np.int64]:
    """Return the table of the actions that name one part: by part, and by their other words."""
    columns: dict[tuple[str, ...], list[int]] = {}
    for number, action in enumerate(actions):
        words = action.split()
        named = [word for word in words if word in names]
        if len(named) == 1:
            others = tuple(["*" if word in named else word for word in words])
            column = columns.setdefault(others, [NONE] * len(names))
            column[names.index(named[0])] = number
    return np.array(list(columns.values())).T


def groups_in(game: str) -> dict[str, tuple[str, ...]]:
    """Return the parts of a bundled game with their groups: cards, or officials.

    Raises:
        SettingsError: there are none for this game.
    """
    if game == "pot-de-vin":
        return {card: (card.split("-")[0], _kind(card)) for card in CARDS}
    if game == "bribery":
        return {card: (card if card in JOKERS else card[-1],) for card in OFFICIALS}
    raise SettingsError(f"got {game!r}, expected `pot-de-vin` or `bribery`: give its parts")


def _kind(card: str) -> str:
    """Return the guild of a card, or its kind if it has none, as the encoding names it."""
    neutral = {"1": "joker", "2": "bonus", "3": "penalty", "13": "pot de vin"}
    return GUILD_OF.get(card) or neutral[card.split("-")[1]]
