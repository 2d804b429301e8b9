"""The games of the bribe arena.

Game rules perform no I/O, never access the clock, and draw random numbers only from a generator
that is passed as an argument. See docs/new-game.md for how to add a game.
"""

from engine.contract import Outcome, State, Variant
from engine.encoding import Encoding, Slice
from engine.errors import (
    EndlessGame,
    EngineError,
    GameNotOver,
    IllegalAction,
    InvalidDeal,
    NoWorldFound,
    UnknownVariant,
    WrongWorld,
)
from engine.game import Game, Position
from engine.log import Log
from engine.plugins import get_variant, hookimpl, variants

__all__ = [
    "Encoding",
    "EndlessGame",
    "EngineError",
    "Game",
    "GameNotOver",
    "IllegalAction",
    "InvalidDeal",
    "Log",
    "NoWorldFound",
    "Outcome",
    "Position",
    "Slice",
    "State",
    "UnknownVariant",
    "Variant",
    "WrongWorld",
    "get_variant",
    "hookimpl",
    "variants",
]
