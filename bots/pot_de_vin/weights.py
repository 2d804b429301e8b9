"""Weights of what a seat of Pot de Vin has, in points at the end of the game.

Those of each variant are in `weights.json`: a linear regression of the points (`docs/bots.md`).
"""

import functools
from pathlib import Path

import msgspec

from bots.pot_de_vin.cards import POT_DE_VIN_POINTS, VALUES
from bots.pot_de_vin.evaluation import FLAT_POINTS, MAX_REMAINING, MAX_SYMBOLS, forecast
from bots.pot_de_vin.planner import CARD_VALUE_POINTS

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


def weights_of_planner(seats: int, teamed: bool) -> Weights:
    """Return the weights that `planner` has, which were found by hand."""
    sizes, numbers = range(MAX_SYMBOLS), range(MAX_REMAINING + 1)
    table = forecast(seats, teamed)
    return Weights(
        columns=[[[table[own][mate][left] for left in numbers] for mate in sizes] for own in sizes],
        joker=FLAT_POINTS["joker"],
        bonus=FLAT_POINTS["bonus"],
        penalty=FLAT_POINTS["penalty"],
        gem=1.0,
        pots=[float(points) for points in POT_DE_VIN_POINTS],
        cards=[CARD_VALUE_POINTS * value for value in VALUES],
    )
