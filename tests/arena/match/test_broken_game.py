"""Exceptions of games: told in a line, and with what brings them about again."""

import random

import msgspec
import pytest

from arena.base.errors import GameError, SettingsError
from arena.base.protocol import Fault
from arena.match.broken_game import BrokenGame, describe_error, game_error
from arena.match.referee import start_game
from arena.match.seats import Reply
from tests.arena.playing import make_game

GAME = make_game("bribery/2", 1, ("ann", "ben"))


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


def test_a_broken_game_has_the_actions_up_to_the_exception() -> None:
    state = start_game(GAME.variant, GAME.deal)
    chosen = state.legal_actions()[-1]
    state.apply(chosen)
    of_stand_in = state.legal_actions()[0]
    assert of_stand_in != state.legal_actions()[-1]
    answers = (Reply(chosen), Fault("crash", "it exited"))
    error = game_error(GAME, answers, ValueError("odd"))
    assert isinstance(error, GameError)
    broken = msgspec.json.decode(error.broken, type=BrokenGame)
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(error.broken[:-1] + b',"more":1}', type=BrokenGame)
    assert broken.actions[:2] == (chosen, of_stand_in)
    assert (broken.variant, broken.deal) == (GAME.variant, GAME.deal)
    assert broken.error == "ValueError: odd"


def test_an_error_of_the_arena_stays_what_it_is() -> None:
    error = SettingsError("too few bots")
    assert game_error(GAME, (), error) is error
