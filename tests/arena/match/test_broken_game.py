"""Exceptions of games are described in one line."""

import random

import pytest

from arena.base.errors import SettingsError
from arena.match.broken_game import describe_error, game_error


def raise_error() -> None:
    raise ValueError("odd\n  thing")


def call_it() -> None:
    raise_error()


def test_describes_exception_with_its_location() -> None:
    with pytest.raises(ValueError, match="odd") as caught:
        call_it()
    text = describe_error(caught.value)
    assert text.startswith("ValueError: odd thing ")
    assert f"{__file__}, line {raise_error.__code__.co_firstlineno + 1})" in text
    with pytest.raises(IndexError) as elsewhere:
        random.Random(1).choice([])
    assert f" ({random.__file__}, line " in describe_error(elsewhere.value)
    assert describe_error(ValueError("odd")) == "ValueError: odd"


def test_passes_on_errors_of_the_arena() -> None:
    error = SettingsError("too few bots")
    assert game_error("a game", error) is error
