"""Encoding of Bribery for learning: the actions by number, and views as vectors.

Actions, each group in the order of cards, which is the order of their names: `bribe` by card and
official, `official`, `discard`; in the advanced game then `ability` by source, bribe and target,
`no-ability`, `protect`, `allow`, `swindle` by card and official. Joker #4 lifts the suit rule, so a
bribe of any suit can be on any official.
"""

from array import array
from collections.abc import Sequence

import msgspec

from engine.bribery.actions import (
    ABILITY_OF,
    ALLOW,
    BRIBE,
    DISCARD,
    NO_ABILITY,
    OFFICIAL,
    PROTECT,
    SWINDLE,
)
from engine.bribery.cards import (
    ABILITY_OF_SUIT,
    BRIBES,
    CARDS,
    COUNTRY,
    JOKERS,
    OFFICIALS,
    SEATS,
)
from engine.bribery.encoding.board import BoardSlices
from engine.bribery.encoding.seen import Seen, seen_in_position, seen_in_view
from engine.bribery.parameters import Parameters
from engine.bribery.position import Ability
from engine.bribery.state import BriberyState
from engine.bribery.view import View
from engine.encoding import (
    Enumerated,
    EventTable,
    HasViews,
    Layout,
    distances,
    relative_seats,
)

VERSION = 1
_PHASES = ("play", "ability", "protect", "swindle", "over")
_ABILITIES = ("assassinate", "swindle", "bless")
_EVENTS = ("start", "round", "draw", "action", "ability", "over")
_WORDS = (
    *CARDS,
    *("bribe", "official", "discard", "no-ability", "protect", "allow", "swindle"),
    *("assassinate", "bless"),
)
_PHASE = {phase: number for number, phase in enumerate(_PHASES)}
_JOKER = {joker: number for number, joker in enumerate(JOKERS)}


class BriberyEncoding(Enumerated):
    """The encoding of one variant."""

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        n, seats = parameters.seats, relative_seats(parameters.seats)
        self._parameters, self._seat_from = parameters, distances(n)
        layout = Layout()
        self._add_game(layout, parameters, seats)
        self._board = BoardSlices(layout, parameters)
        if parameters.advanced:
            self._add_pending(layout, seats)
        self._event_table = EventTable(_EVENTS, _WORDS, n)
        self._history = self._event_table.add_to(layout, history) if history else 0
        super().__init__(
            f"{parameters.variant_id} encoding {VERSION}",
            list_actions(parameters.advanced),
            layout,
            history,
        )

    def _add_game(self, layout: Layout, parameters: Parameters, seats: Sequence[str]) -> None:
        add, add_numbers = layout.add, layout.add_numbers
        self._phase = add("phase", "The phase of the game.", _PHASES)
        self._turn = add_numbers(
            "turn",
            "The round, and the turn, both from 1.",
            ("round", "turn"),
            (0, parameters.plays + 1),
        )
        self._leader = add("leader", "The seat that leads this round.", seats)
        self._turn_seat = add("turn_seat", "The seat on turn.", seats)
        self._to_act = add("to_act", "The seat to act.", seats)
        self._jokers = add("jokers", "The jokers of this game.", JOKERS)
        self._hand = add("hand", "Your cards.", CARDS)
        self._sizes = add_numbers(
            "sizes",
            "By seat: cards in its hand and in its deck.",
            ("hand", "deck"),
            (0, len(CARDS)),
            seats,
        )

    def _add_pending(self, layout: Layout, seats: Sequence[str]) -> None:
        add = layout.add
        self._pending = add("pending", "The kind of the ability to be settled.", _ABILITIES)
        self._pending_seat = add("pending_seat", "The seat whose ability it is.", seats)
        self._source = add("source", "The official whose ability it is.", OFFICIALS)
        self._spent = add("spent", "The bribe that was spent on it.", BRIBES)
        self._target = add("target", "The official that it targets.", OFFICIALS)
        self._to_ask = add("to_ask", "The seats that may still cancel it.", seats)

    def encode(self, view: msgspec.Struct, events: Sequence[object] = ()) -> "array[int]":
        """Return the vector of a view; see `Encoding.encode`."""
        assert isinstance(view, View), f"expected a view of {self.name}"
        return self._encode(seen_in_view(view), events)

    def encode_state(
        self, state: HasViews, seat: int, events: Sequence[object] = ()
    ) -> "array[int]":
        """Return the vector of what `seat` sees of a state; see `Encoding.encode_state`."""
        assert isinstance(state, BriberyState), f"expected a state of {self.name}"
        return self._encode(seen_in_position(state.position, seat), events)

    def _encode(self, seen: Seen, events: Sequence[object]) -> "array[int]":
        vector, seat_from = self._zeros[:], self._seat_from[seen.seat]
        self._write_game(vector, seen, seat_from)
        self._board.write(vector, seen, seat_from)
        if seen.pending is not None:
            self._write_pending(vector, seen.pending, seen.to_ask, seat_from)
        if self.history:
            self._event_table.write(vector, self._history, events[-self.history :], seen.seat)
        return vector

    def _write_game(self, vector: "array[int]", seen: Seen, seat_from: Sequence[int]) -> None:
        vector[self._phase + _PHASE[seen.phase]] = 1
        turn = seen.turn
        number = self._parameters.round_of[turn]
        vector[self._turn], vector[self._turn + 1] = number, turn + 1
        vector[self._leader + seat_from[self._parameters.leader(seen.start, number)]] = 1
        turn_seat = self._parameters.orders[seen.start][turn]
        if turn_seat is not None:
            vector[self._turn_seat + seat_from[turn_seat]] = 1
        if seen.to_act is not None:
            vector[self._to_act + seat_from[seen.to_act]] = 1
        for joker in seen.jokers:
            vector[self._jokers + _JOKER[joker]] = 1
        for card in seen.hand:
            vector[self._hand + card] = 1
        sizes = self._sizes
        for distance, held, left in zip(seat_from, seen.hand_sizes, seen.deck_sizes, strict=True):
            vector[sizes + 2 * distance] = held
            vector[sizes + 2 * distance + 1] = left

    def _write_pending(
        self,
        vector: "array[int]",
        pending: Ability,
        to_ask: Sequence[int],
        seat_from: Sequence[int],
    ) -> None:
        seat, source, spent, target = pending
        vector[self._pending + _ABILITIES.index(ABILITY_OF_SUIT[COUNTRY[source]])] = 1
        vector[self._pending_seat + seat_from[seat]] = 1
        vector[self._source + source] = 1
        vector[self._spent + spent // SEATS] = 1
        vector[self._target + target] = 1
        for other in to_ask:
            vector[self._to_ask + seat_from[other]] = 1


def list_actions(advanced: bool) -> list[str]:
    """Return every action of the basic or of the advanced game in the order above."""
    actions = [action for row in BRIBE for action in row]
    actions += [*OFFICIAL, *DISCARD]
    if advanced:
        actions += [*ABILITY_OF, NO_ABILITY, *PROTECT, ALLOW]
        actions += [action for row in SWINDLE for action in row]
    return actions
