"""How many points a seat's cards and gems in Pot de Vin are worth at the end of the game.

`weights.json` holds the weights of each variant, from a linear regression (`docs/bots.md`).
"""

import functools
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("weights.json")


class Weights(msgspec.Struct, frozen=True):
    columns: list[list[list[float]]]
    """Indexed by our symbols of a guild, our partner's, and the guild's cards that nobody has won.
    """
    joker: float
    bonus: float
    penalty: float
    gem: float
    pots: list[float]
    """Points by number of Pot de Vin cards."""
    cards: list[float]
    """Points of a card in hand, indexed by its value minus one."""


def weights_of(variant_id: str) -> Weights:
    return _all_weights()[variant_id]


@functools.cache
def _all_weights() -> dict[str, Weights]:
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Weights])
