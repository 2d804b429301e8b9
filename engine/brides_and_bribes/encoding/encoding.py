"""The encoding of a variant of Brides & Bribes, put together from its parts."""

import random
from array import array
from collections.abc import Sequence

import msgspec

from engine.brides_and_bribes.encoding.board import BoroughSlices, GameSlices
from engine.brides_and_bribes.encoding.names import EVENTS, WORDS
from engine.brides_and_bribes.encoding.resolution import DelegationSlices, ResolutionSlices
from engine.brides_and_bribes.encoding.seats import SeatSlices
from engine.brides_and_bribes.encoding.vocabulary import list_actions
from engine.brides_and_bribes.hidden import lay_out_view
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.state import BridesAndBribesState
from engine.brides_and_bribes.tiles import NONE
from engine.brides_and_bribes.view import View
from engine.encoding import Enumerated, EventTable, HasViews, Layout, distances, relative_seats

VERSION = 1


class BridesAndBribesEncoding(Enumerated):
    """The encoding of one variant.

    Actions name seats as the rules do, so `play thief-1 seat-2` has the same number for all seats;
    the slice `seat` says which one is the viewer.
    """

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        n = parameters.seats
        self._parameters, self._seat_from = parameters, distances(n)
        layout, seats = Layout(), relative_seats(n)
        self._game = GameSlices(layout, parameters, seats)
        self._boroughs = BoroughSlices(layout, seats)
        self._seats = SeatSlices(layout, seats)
        self._resolution = ResolutionSlices(layout, seats)
        self._delegations = DelegationSlices(layout, seats)
        self._event_table = EventTable(EVENTS, WORDS, n)
        self._history = self._event_table.add_to(layout, history) if history else 0
        name = f"{parameters.variant_id} encoding {VERSION}"
        super().__init__(name, list_actions(n), layout, history)

    def encode(self, view: msgspec.Struct, events: Sequence[object] = ()) -> "array[int]":
        """Return the vector of a view; see `Encoding.encode`.

        The view is laid out as a position, in which what it hides is anyhow: none of that is read.
        """
        assert isinstance(view, View), f"expected a view of {self.name}"
        seat = view.seat
        assert seat is not None, "expected the view of a seat, got that of a spectator"
        position = lay_out_view(self._parameters, view, random.Random(0))
        if view.window is not None:
            position.seat_to_act, position.window = seat, view.window
            position.actions_left = view.actions_left or 0
        return self._encode(position, seat, events)

    def encode_state(
        self, state: HasViews, seat: int, events: Sequence[object] = ()
    ) -> "array[int]":
        """Return the vector of what `seat` sees of a state; see `Encoding.encode_state`."""
        assert isinstance(state, BridesAndBribesState), f"expected a state of {self.name}"
        return self._encode(state.position, seat, events)

    def _encode(self, position: Position, seat: int, events: Sequence[object]) -> "array[int]":
        vector, seat_from = self._zeros[:], self._seat_from[seat]
        self._game.write(vector, position, seat, seat_from)
        self._boroughs.write(vector, position, seat, seat_from)
        for other, distance in enumerate(seat_from):
            self._seats.write(vector, position, other, distance)
        self._seats.write_own(vector, position, seat)
        if position.resolution.borough != NONE:
            self._resolution.write(vector, position, seat_from)
            self._delegations.write(vector, position.resolution, seat, seat_from)
        if self.history:
            self._event_table.write(vector, self._history, events[-self.history :], seat)
        return vector
