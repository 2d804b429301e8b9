"""Exceptions of games are described in one line."""

import random

import pytest

from arena.base.errors import SettingsError
from arena.match.broken_game import describe_error, game_error


def raise_error() -> None:
    raise ValueError("odd\n  thing")


def call_it() -> None:
    raise_error()


def test_an_exception_is_told_in_a_line_with_the_place_where_it_was_raised() -> None:
    with pytest.raises(ValueError, match="odd") as caught:
        call_it()
    told = describe_error(caught.value)
    assert told.startswith("ValueError: odd thing ")
    assert f"{__file__}, line {raise_error.__code__.co_firstlineno + 1})" in told
    with pytest.raises(IndexError) as elsewhere:
        random.Random(1).choice([])
    assert f" ({random.__file__}, line " in describe_error(elsewhere.value)
    assert describe_error(ValueError("odd")) == "ValueError: odd"


def test_an_error_of_the_arena_stays_what_it_is() -> None:
    error = SettingsError("too few bots")
    assert game_error("a game", error) is error
