"""The games of the bribe arena: pure rules without I/O, clock or hidden randomness.

Each game is a folder, with its data in TOML tables beside the code; all games have the same plan
(docs/new-game.md). `contract` states what every game must do, `conformance` checks it, and
`plugins` finds the games by name.
"""

from engine.contract import Outcome, State, Variant
from engine.encoding import Encoding, Slice
from engine.errors import (
    EndlessGame,
    EngineError,
    GameNotOver,
    IllegalAction,
    InvalidDeal,
    InvalidTable,
    UnknownVariant,
)
from engine.plugins import get_variant, hookimpl, variants

__all__ = [
    "Encoding",
    "EndlessGame",
    "EngineError",
    "GameNotOver",
    "IllegalAction",
    "InvalidDeal",
    "InvalidTable",
    "Outcome",
    "Slice",
    "State",
    "UnknownVariant",
    "Variant",
    "get_variant",
    "hookimpl",
    "variants",
]
