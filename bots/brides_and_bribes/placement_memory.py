"""What the others placed in a round of Brides & Bribes, if they play in a style.

Before the placement all tiles of all seats are in their hands, which every seat can see. After it
their places are hidden. A *rehearsal* plays the placement again as it was told, from its start: the
others place their tiles where they did, and each time take the tile that the style would take. So
it knows for each style how likely the places were, and which tiles are where.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from bots.brides_and_bribes.model import Model
from engine.brides_and_bribes.actions import FAVOR, PASS, PLACE, PLACED_TILE
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.rounds import begin_round
from engine.brides_and_bribes.state import BridesAndBribesState, build_state
from engine.brides_and_bribes.tiles import COACHES, NUMBER

PLACED: Final = ("sent", "reinforced", "favor", "passed")
"""The events of a placement."""
TEMPERATURE: Final = 0.25
"""The influence that makes an action likelier by a factor of e."""
ERROR_PROBABILITY: Final = 0.1
"""The probability that a seat plays by chance."""


def before_placement(state: BridesAndBribesState) -> BridesAndBribesState:
    """Return the state before the placement of the present round, given one within it."""
    position = state.position.copy()
    for seat in range(position.parameters.seats):
        position.hands[seat] = tuple(tiles_in_play(position, seat))
    for row in (position.alley_shown, position.alley_hidden, position.ship_tiles):
        row[:] = [()] * len(row)
    position.delegations[:] = [()] * len(position.delegations)
    position.coaches[:] = [COACHES] * len(position.coaches)
    position.ship[:] = [0] * len(position.ship)
    position.stack, position.seat_to_act, position.window = [], None, None
    position.round -= 1  # which the next line undoes
    begin_round(position, (), ())
    position.advance()
    return build_state(state.variant, position)


def tiles_in_play(position: Position, seat: int) -> list[int]:
    """Return the tiles that a seat had in hand before the placement."""
    tiles = [*position.hands[seat], *position.alley_shown[seat], *position.alley_hidden[seat]]
    tiles += position.ship_tiles[seat]
    for delegation in position.delegations[seat :: len(position.delegations) // BOROUGH_COUNT]:
        tiles += delegation
    return sorted(tiles)
