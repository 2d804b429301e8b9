"""Weights of what a seat of Pot de Vin has, in points at the end of the game.

Those of each variant are in `weights.json`: a linear regression of the points (`docs/bots.md`).
"""

import functools
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("weights.json")


class Weights(msgspec.Struct, frozen=True):
    """The points that a thing is expected to bring by the end of the game."""

    columns: list[list[list[float]]]
    """By own and partner's number of symbols of a guild, and the number that no seat has won."""
    joker: float
    bonus: float
    penalty: float
    gem: float
    pots: list[float]
    """By number of Pot de Vin cards."""
    cards: list[float]
    """By value of a card in the hand, less one."""


def weights_of(variant_id: str) -> Weights:
    """Return the weights that were fitted to games of a variant."""
    return _all_weights()[variant_id]


@functools.cache
def _all_weights() -> dict[str, Weights]:
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Weights])
