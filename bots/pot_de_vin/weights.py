"""What the holdings of a seat in Pot de Vin are worth at the end of the game, in points.

`weights.json` has the weights of each variant. They come from a linear regression
(`docs/bots.md`).
"""

import functools
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("weights.json")


class Weights(msgspec.Struct, frozen=True):
    """Expected points at the end of the game."""

    columns: list[list[list[float]]]
    """By own and partner's symbols of a guild, and the number of its cards that nobody has won."""
    joker: float
    bonus: float
    penalty: float
    gem: float
    pots: list[float]
    """By number of Pot de Vin cards."""
    cards: list[float]
    """By the value of a card in hand, minus one."""


def weights_of(variant_id: str) -> Weights:
    return _all_weights()[variant_id]


@functools.cache
def _all_weights() -> dict[str, Weights]:
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Weights])
