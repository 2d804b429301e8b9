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
from engine.bribery.cards import BRIBES, CARDS, JOKERS, NUMBER, OFFICIALS
from engine.bribery.parameters import Parameters
from engine.bribery.view import Control, PendingView, View
from engine.encoding import (
    MAX_VALUE,
    Enumerated,
    EventTable,
    Layout,
    distances,
    relative_seats,
    relative_sides,
)

VERSION = 1
_PHASES = ("play", "ability", "protect", "swindle", "over")
_REASONS = ("forced", "spent", "assassinated")
_ABILITIES = ("assassinate", "swindle", "bless")
_COUNTRIES = ("s", "h", "d", "c", *JOKERS)
_COUNTRY = {country: number for number, country in enumerate(_COUNTRIES)}
_EVENTS = ("start", "round", "draw", "action", "ability", "over")
_WORDS = (
    *CARDS,
    *("bribe", "official", "discard", "no-ability", "protect", "allow", "swindle"),
    *("assassinate", "bless"),
)
_OFFICIAL = {card: number for number, card in enumerate(OFFICIALS)}


class BriberyEncoding(Enumerated):
    """The encoding of one variant."""

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        n, sides = parameters.seats, len(parameters.sides)
        self._count = len(OFFICIALS)
        self._seat_from, self._side_from = distances(n), distances(sides)
        layout = Layout()
        seats, by_side = relative_seats(n), relative_sides(sides)
        self._add_game(layout, parameters, seats)
        self._add_board(layout, seats)
        self._add_control(layout, by_side)
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

    def _add_board(self, layout: Layout, seats: Sequence[str]) -> None:
        add = layout.add
        self._board = add("board", "The officials on the board.", OFFICIALS)
        self._face_down = add("face_down", "The officials that are face down.", OFFICIALS)
        self._placed = layout.add_numbers(
            "placed",
            "By bribe: the official that it is on, as its place in the order of arrival, from 1.",
            OFFICIALS,
            (0, len(BRIBES)),
            BRIBES,
        )
        self._owner = add("owner", "By bribe that was played: its seat.", seats, BRIBES)
        self._discarded = add("discarded", "By bribe: why it was discarded.", _REASONS, BRIBES)

    def _add_control(self, layout: Layout, sides: Sequence[str]) -> None:
        add, add_numbers = layout.add, layout.add_numbers
        bounds = (0, MAX_VALUE)
        self._totals = add_numbers(
            "totals", "By official: the total of each side.", sides, bounds, OFFICIALS
        )
        self._controller = add("controller", "By official: the side in control.", sides, OFFICIALS)
        self._dominated = add("dominated", "The officials that are dominated.", OFFICIALS)
        self._votes = add_numbers("votes", "By official: its votes.", OFFICIALS, (0, 12))
        self._country_votes = add_numbers(
            "country_votes", "By country: the votes of each side.", sides, bounds, _COUNTRIES[:4]
        )
        self._country = add("country", "By country: the side in control.", sides, _COUNTRIES)
        self._country_dominated = add(
            "country_dominated", "The countries that are dominated.", _COUNTRIES
        )
        self._country_points = add_numbers(
            "country_points", "By country: its points.", _COUNTRIES, (0, 10)
        )
        self._effects = add_numbers(
            "effects",
            "By side: bonus of Joker #1, bonus of Joker #2, free placement by Joker #4.",
            ("bribe bonus", "vote bonus", "free placement"),
            (0, 2),
            sides,
        )
        self._points = add_numbers("points", "By side: points if it ended now.", sides, (0, 38))

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
        seat = view.seat
        assert seat is not None, "expected the view of a seat, got that of a spectator"
        vector, seat_from = self._zeros[:], self._seat_from[seat]
        self._write_game(vector, view, seat_from)
        self._write_board(vector, view, seat_from)
        self._write_control(vector, view.control, self._side_from[view.side or 0])
        if view.pending is not None:
            self._write_pending(vector, view.pending, seat_from)
        if self.history:
            self._event_table.write(vector, self._history, events[-self.history :], seat)
        return vector

    def _write_game(self, vector: "array[int]", view: View, seat_from: Sequence[int]) -> None:
        vector[self._phase + _PHASES.index(view.phase)] = 1
        vector[self._turn], vector[self._turn + 1] = view.round, view.turn
        vector[self._leader + seat_from[view.leader]] = 1
        if view.turn_seat is not None:
            vector[self._turn_seat + seat_from[view.turn_seat]] = 1
        if view.to_act is not None:
            vector[self._to_act + seat_from[view.to_act]] = 1
        for joker in view.jokers:
            vector[self._jokers + JOKERS.index(joker)] = 1
        for card in view.hand:
            vector[self._hand + NUMBER[card]] = 1
        for seat, sizes in enumerate(zip(view.hand_sizes, view.deck_sizes, strict=True)):
            at = self._sizes + 2 * seat_from[seat]
            vector[at], vector[at + 1] = sizes

    def _write_board(self, vector: "array[int]", view: View, seat_from: Sequence[int]) -> None:
        placed, owner, seats, count = self._placed, self._owner, len(seat_from), self._count
        board = self._board
        for shown in view.board:
            official = _OFFICIAL[shown.card]
            vector[board + official] = 1
            if shown.face_down:
                vector[self._face_down + official] = 1
            for arrived, bribe in enumerate(shown.bribes, start=1):
                card = NUMBER[bribe.card]
                vector[placed + count * card + official] = arrived
                vector[owner + seats * card + seat_from[bribe.seat]] = 1
        for discard in view.discards:
            card = NUMBER[discard.card]
            vector[self._discarded + len(_REASONS) * card + _REASONS.index(discard.why)] = 1
            vector[owner + seats * card + seat_from[discard.seat]] = 1

    def _write_control(
        self, vector: "array[int]", control: Control, side_from: Sequence[int]
    ) -> None:
        sides = len(side_from)
        for shown in control.officials:
            if not any(shown.totals):
                continue
            official = _OFFICIAL[shown.card]
            vector[self._votes + official] = shown.votes
            totals = self._totals + sides * official
            for side, total in enumerate(shown.totals):
                vector[totals + side_from[side]] = min(total, MAX_VALUE)
            if shown.controller is not None:
                vector[self._controller + sides * official + side_from[shown.controller]] = 1
                vector[self._dominated + official] = shown.dominated
        for country in control.countries:
            number = _COUNTRY[country.country]
            vector[self._country_points + number] = country.points
            for side, votes in enumerate(country.votes or ()):
                vector[self._country_votes + sides * number + side_from[side]] = votes
            if country.controller is not None:
                vector[self._country + sides * number + side_from[country.controller]] = 1
                vector[self._country_dominated + number] = country.dominated
        effects = control.effects
        for place, bonus in enumerate((effects.bribe_bonus, effects.vote_bonus)):
            if bonus.side is not None:
                vector[self._effects + 3 * side_from[bonus.side] + place] = bonus.amount
        if effects.free_placement is not None:
            vector[self._effects + 3 * side_from[effects.free_placement] + 2] = 1
        for side, points in enumerate(control.points):
            vector[self._points + side_from[side]] = points

    def _write_pending(
        self, vector: "array[int]", pending: PendingView, seat_from: Sequence[int]
    ) -> None:
        vector[self._pending + _ABILITIES.index(pending.kind)] = 1
        vector[self._pending_seat + seat_from[pending.seat]] = 1
        vector[self._source + _OFFICIAL[pending.source]] = 1
        vector[self._spent + NUMBER[pending.spent]] = 1
        vector[self._target + _OFFICIAL[pending.target]] = 1
        for seat in pending.to_ask:
            vector[self._to_ask + seat_from[seat]] = 1


def list_actions(advanced: bool) -> list[str]:
    """Return every action of the basic or of the advanced game in the order above."""
    actions = [action for row in BRIBE for action in row]
    actions += [*OFFICIAL, *DISCARD]
    if advanced:
        actions += [*ABILITY_OF, NO_ABILITY, *PROTECT, ALLOW]
        actions += [action for row in SWINDLE for action in row]
    return actions
