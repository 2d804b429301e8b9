"""The expected final points of a seat's cards and gems in Pot de Vin.

The file `weights.json` contains weights for each variant, which were estimated by linear
regression (`docs/bots.md`).
"""

import functools
from pathlib import Path

import msgspec

FILE = Path(__file__).with_name("weights.json")


class Weights(msgspec.Struct, frozen=True):
    columns: list[list[list[float]]]
    """Expected points for a guild, given the number of symbols the bot has, the number its partner
    has, and the number of the guild's cards that nobody has taken."""
    joker: float
    bonus: float
    penalty: float
    gem: float
    pots: list[float]
    cards: list[float]
    """Expected points of a card in the bot's hand. The first item is for cards of value 1."""


def weights_of(variant_id: str) -> Weights:
    return _all_weights()[variant_id]


@functools.cache
def _all_weights() -> dict[str, Weights]:
    return msgspec.json.decode(FILE.read_bytes(), type=dict[str, Weights])
