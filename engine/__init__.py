"""The games of the bribe arena: pure rules without I/O, clock or hidden randomness.

A game is a `Game`, a declaration of its functions; a large one is a folder, with its data in TOML
tables beside the code. `contract` states what every game must do, `conformance` checks it, and
`plugins` finds the games by name (docs/new-game.md).
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
