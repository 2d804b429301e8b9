"""The encoding of a Brides & Bribes variant, assembled from its parts."""

import random
from array import array
from typing import Any, ClassVar

from engine.brides_and_bribes.actions import DESTINATIONS
from engine.brides_and_bribes.encoding.board import write_boroughs, write_game
from engine.brides_and_bribes.encoding.names import EVENT_WORDS, EVENTS, WORDS
from engine.brides_and_bribes.encoding.resolution import write_delegations, write_resolution
from engine.brides_and_bribes.encoding.seats import write_own, write_seat
from engine.brides_and_bribes.encoding.vocabulary import list_actions
from engine.brides_and_bribes.hidden import lay_out_view
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.colonies import trade
from engine.brides_and_bribes.tiles import NONE
from engine.brides_and_bribes.view import View
from engine.encoding import EventTable, PositionEncoding, relative_seats
from engine.fields import read_layout


class BridesAndBribesEncoding(PositionEncoding):
    """The encoding of one variant.

    Actions name seats as the rules do, so `play thief-1 seat-2` has the same number for every
    viewer. The slice `seat` says which seat the viewer has.
    """

    version = 2
    view_type: ClassVar[type[Any]] = View

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        n = parameters.seats
        seats = {"seats": relative_seats(n), "seat_names": [f"seat-{seat}" for seat in range(n)]}
        bounds = {"rounds": parameters.rounds, "seats": n, "turns": 2 * n}
        layout = read_layout("engine.brides_and_bribes", {**WORDS, **seats}, bounds)
        self._parameters = parameters
        events = EventTable(EVENTS, EVENT_WORDS, n)
        super().__init__(parameters.variant_id, n, list_actions(n), layout, events, history)

    def lay_out(self, view: View) -> Position:
        position = lay_out_view(self._parameters, view, random.Random(0))
        if view.window is not None:
            position.seat_to_act, position.window = view.seat, view.window
            position.actions_left = view.actions_left or 0
            if view.window == "tile":
                position.placing = DESTINATIONS.index(_destination(view.legal[0]))
        if view.trade is not None:
            position.window = "ship"
            position.stack.append((trade, (view.trade.seat, view.trade.ship, view.trade.left)))
        return position

    def write(self, position: Position, seat: int) -> "array[int]":
        vector, at, seat_from = self._zeros[:], self._at, self._seat_from[seat]
        write_game(vector, at, position, seat, seat_from)
        write_boroughs(vector, at, position, seat, seat_from)
        for other, distance in enumerate(seat_from):
            write_seat(vector, at, position, other, distance)
        write_own(vector, at, position, seat)
        if position.resolution.borough != NONE:
            write_resolution(vector, at, position, seat_from)
            write_delegations(vector, at, position.resolution, seat, seat_from)
        return vector


def _destination(action: str) -> str:
    """Return where an action of the `tile` window puts the tile [5]."""
    verb, second, *last = action.split()
    if verb == "favor":
        return verb
    return f"ship-{second}" if verb == "ship" else last[0]
