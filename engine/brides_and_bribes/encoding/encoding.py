"""The encoding of a variant of Brides & Bribes, put together from its parts."""

from array import array
from collections.abc import Sequence

import msgspec

from engine.brides_and_bribes.encoding.board import BoroughSlices, GameSlices
from engine.brides_and_bribes.encoding.names import EVENTS, WORDS
from engine.brides_and_bribes.encoding.resolution import DelegationSlices, ResolutionSlices
from engine.brides_and_bribes.encoding.seats import SeatSlices
from engine.brides_and_bribes.encoding.vocabulary import list_actions
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.view import View
from engine.encoding import Enumerated, EventTable, Layout, distances, relative_seats

VERSION = 1


class BridesAndBribesEncoding(Enumerated):
    """The encoding of one variant.

    Actions name seats as the rules do, so `play thief-1 seat-2` has the same number for all seats;
    the slice `seat` says which one is the viewer.
    """

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        n = parameters.seats
        self._seat_from = distances(n)
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
        """Return the vector of a view; see `Encoding.encode`."""
        assert isinstance(view, View), f"expected a view of {self.name}"
        seat = view.seat
        assert seat is not None, "expected the view of a seat, got that of a spectator"
        vector, seat_from = self._zeros[:], self._seat_from[seat]
        self._game.write(vector, view, seat_from)
        for borough in view.boroughs:
            self._boroughs.write(vector, borough, seat_from)
        for player in view.players:
            self._seats.write(vector, player, seat_from[player.seat])
        self._seats.write_own(vector, view.own)
        if view.resolution is not None:
            self._resolution.write(vector, view.resolution, seat_from)
            for delegation in view.resolution.delegations:
                self._delegations.write(vector, delegation, seat_from[delegation.seat])
        if self.history:
            self._event_table.write(vector, self._history, events[-self.history :], seat)
        return vector
