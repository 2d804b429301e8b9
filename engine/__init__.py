"""The games of the bribe arena: pure rules, no I/O, no clock, no hidden randomness.

A game is one folder here, with its data in table files beside the code. `contract` says what
every game must do, `conformance` checks it, `plugins` finds the games by name.
"""

from engine.contract import Outcome, State, Variant
from engine.errors import (
    EngineError,
    GameNotOver,
    IllegalAction,
    InvalidDeal,
    InvalidTable,
    UnknownVariant,
)
from engine.plugins import get_variant, hookimpl, variants

__all__ = [
    "EngineError",
    "GameNotOver",
    "IllegalAction",
    "InvalidDeal",
    "InvalidTable",
    "Outcome",
    "State",
    "UnknownVariant",
    "Variant",
    "get_variant",
    "hookimpl",
    "variants",
]
