"""Load descriptions of the built-in games from TOML files."""

from collections.abc import Mapping
from functools import cache

from arena.narration.telling import GameWords, Term, read_table


def words_of(game: str) -> GameWords:
    return _words()[game]


def card_lines(game: str) -> Mapping[str, str]:
    return _cards()[game]


def legend_of(game: str) -> tuple[Term, ...]:
    return _legends()[game]


@cache
def _legends() -> Mapping[str, tuple[Term, ...]]:
    return read_table("legends", dict[str, tuple[Term, ...]], __package__)


@cache
def _words() -> Mapping[str, GameWords]:
    return read_table("words", dict[str, GameWords], __package__)


@cache
def _cards() -> Mapping[str, Mapping[str, str]]:
    return read_table("cards", dict[str, dict[str, str]], __package__)
