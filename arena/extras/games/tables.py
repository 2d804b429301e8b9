"""Words for actions, events and cards of the built-in games, from `words.toml` and `cards.toml`."""

from collections.abc import Mapping
from functools import cache

from arena.narration.telling import GameWords, read_table


def words_of(game: str) -> GameWords:
    """Return the words for the actions and events of a game."""
    return _words()[game]


def card_lines(game: str) -> Mapping[str, str]:
    """Return the lines about the cards or tiles of a game, by kind."""
    return _cards()[game]


@cache
def _words() -> Mapping[str, GameWords]:
    return read_table("words", dict[str, GameWords], __package__)


@cache
def _cards() -> Mapping[str, Mapping[str, str]]:
    return read_table("cards", dict[str, dict[str, str]], __package__)
