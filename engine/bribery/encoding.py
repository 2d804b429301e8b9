"""Encoding of Bribery for learning: the actions by number, and views as vectors.

Actions, each group in the order of cards, which is the order of their names: `bribe` by card and
official, `official`, `discard`; in the advanced game then `ability` by source, bribe and target,
`no-ability`, `protect`, `allow`, `swindle` by card and official. Joker #4 lifts the suit rule, so a
bribe of any suit can be on any official.
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache

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
    BIT,
    BRIBES,
    CARDS,
    COUNTRY,
    JOKER_1,
    JOKER_2,
    JOKER_4,
    JOKER_POINTS,
    JOKERS,
    OFFICIALS,
    POINTS,
    SEATS,
    SUITS,
    VALUE_OF,
)
from engine.bribery.control import NO_SIDE, Controller, Pile
from engine.bribery.parameters import Parameters
from engine.bribery.position import Ability
from engine.bribery.scoring import Evaluation, evaluate
from engine.bribery.seen import Seen, seen_in_position, seen_in_view
from engine.bribery.state import BriberyState
from engine.bribery.view import View
from engine.encoding import (
    MAX_VALUE,
    Enumerated,
    EventTable,
    HasViews,
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
_COUNTRY_OF_SUIT = tuple([_COUNTRIES.index(suit) for suit in SUITS])
_COUNTRY_OF_JOKER = {joker: _COUNTRIES.index(OFFICIALS[joker]) for joker in JOKER_POINTS}
_EVENTS = ("start", "round", "draw", "action", "ability", "over")
_WORDS = (
    *CARDS,
    *("bribe", "official", "discard", "no-ability", "protect", "allow", "swindle"),
    *("assassinate", "bless"),
)
_PHASE = {phase: number for number, phase in enumerate(_PHASES)}
_REASON = {reason: number for number, reason in enumerate(_REASONS)}
_JOKER = {joker: number for number, joker in enumerate(JOKERS)}
MAX_KEPT = 4096
"""Kept parts of vectors, of each kind and for each seat; enough for a few dozen games."""

Entries = list[tuple[int, int]]
"""Places of a vector, and the numbers there."""


class BriberyEncoding(Enumerated):
    """The encoding of one variant."""

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        n, sides = parameters.seats, len(parameters.sides)
        self._count = len(OFFICIALS)
        self._seat_from, self._side_from = distances(n), distances(sides)
        self._parameters = parameters
        # By seat, and by official, its bribes and the bonus: what they write. From one turn to the
        # next, most officials keep their bribes.
        self._kept: list[dict[tuple[int, Pile, Controller], Entries]] = [{} for _ in range(n)]
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
        self._write_board(vector, seen, seat_from)
        self._write_control(vector, seen)
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

    def _write_board(self, vector: "array[int]", seen: Seen, seat_from: Sequence[int]) -> None:
        for official in _members(seen.face_up | seen.face_down):
            vector[self._board + official] = 1
        for official in _members(seen.face_down):
            vector[self._face_down + official] = 1
        owner, seats = self._owner, len(seat_from)
        for bribe, why in seen.discards:
            card, by = divmod(bribe, SEATS)
            vector[self._discarded + len(_REASONS) * card + _REASON[why]] = 1
            vector[owner + seats * card + seat_from[by]] = 1

    def _write_control(self, vector: "array[int]", seen: Seen) -> None:
        """Write the bribes on the board, and what they give to whom."""
        table, piles, kept = self._parameters.side_table, seen.piles, self._kept[seen.seat]
        evaluation = evaluate(piles, table)
        bonus, votes = evaluation.officials[JOKER_1], evaluation.votes
        for official, pile in enumerate(piles):
            if not pile:
                continue
            key = official, pile, bonus
            entries = kept.get(key)
            if entries is None:
                if len(kept) >= MAX_KEPT:
                    kept.clear()
                entries = kept[key] = self._pile_entries(official, pile, bonus, seen.seat)
            for place, number in entries:
                vector[place] = number
            vector[self._votes + official] = votes[official]
        side_from = self._side_from[self._parameters.side_of_seat[seen.seat]]
        self._write_countries(vector, evaluation, side_from)
        for place, (side, amount) in enumerate((bonus, evaluation.officials[JOKER_2])):
            if amount:
                vector[self._effects + 3 * side_from[side] + place] = amount
        free_side = evaluation.officials[JOKER_4][0]
        if free_side != NO_SIDE:
            vector[self._effects + 3 * side_from[free_side] + 2] = 1
        for side, points in enumerate(evaluation.points):
            vector[self._points + side_from[side]] = points

    def _pile_entries(self, official: int, pile: Pile, bonus: Controller, seat: int) -> Entries:
        """Return the entries of the bribes on an official, and of its control, as `seat` sees them.

        Args:
            official: the official.
            pile: its bribes, at least one.
            bonus: the controller of Joker #1.
            seat: the viewer.
        """
        table, seat_from = self._parameters.side_table, self._seat_from[seat]
        side_from = self._side_from[self._parameters.side_of_seat[seat]]
        seats, sides = len(seat_from), len(side_from)
        entries = []
        for arrived, bribe in enumerate(pile, start=1):
            card, by = divmod(bribe, SEATS)
            entries.append((self._placed + self._count * card + official, arrived))
            entries.append((self._owner + seats * card + seat_from[by], 1))
        values = VALUE_OF if official == JOKER_1 else table.values[bonus]
        totals = self._totals + sides * official
        for side, total in enumerate(table.totals(pile, values)):
            entries.append((totals + side_from[side], min(total, MAX_VALUE)))
        side, factor = table.controller(pile, values)
        if factor:
            entries.append((self._controller + sides * official + side_from[side], 1))
            entries.append((self._dominated + official, int(factor == 2)))
        return entries

    def _write_countries(
        self, vector: "array[int]", evaluation: Evaluation, side_from: Sequence[int]
    ) -> None:
        sides = len(side_from)
        for row, country in zip(evaluation.country_votes, _COUNTRY_OF_SUIT, strict=True):
            at = self._country_votes + sides * country
            for side, votes in enumerate(row):
                vector[at + side_from[side]] = votes
        controlled = [*zip(_COUNTRY_OF_SUIT, POINTS, evaluation.countries, strict=True)]
        for joker, points in JOKER_POINTS.items():
            controlled.append((_COUNTRY_OF_JOKER[joker], points, evaluation.officials[joker]))
        for country, points, (side, factor) in controlled:
            if factor:
                vector[self._country + sides * country + side_from[side]] = 1
                vector[self._country_dominated + country] = int(factor == 2)
                vector[self._country_points + country] = points * factor

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


@lru_cache(MAX_KEPT)
def _members(officials: int) -> tuple[int, ...]:
    """Return the officials of a set."""
    return tuple([official for official, bit in enumerate(BIT) if officials & bit])


def list_actions(advanced: bool) -> list[str]:
    """Return every action of the basic or of the advanced game in the order above."""
    actions = [action for row in BRIBE for action in row]
    actions += [*OFFICIAL, *DISCARD]
    if advanced:
        actions += [*ABILITY_OF, NO_ABILITY, *PROTECT, ALLOW]
        actions += [action for row in SWINDLE for action in row]
    return actions
