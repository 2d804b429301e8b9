"""Encoding of Bribery for learning: the actions by number, and views as vectors.

Actions, each group in the order of cards, which is the order of their names: `bribe` by card and
official, `official`, `discard`; in the advanced game then `ability` by source, bribe and target,
`no-ability`, `protect`, `allow`, `swindle` by card and official. Joker #4 lifts the suit rule, so a
bribe of any suit can be on any official.
"""

from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar

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
from engine.bribery.hidden import lay_out_view
from engine.bribery.parameters import HAND_SIZE, Parameters
from engine.bribery.position import Ability, Position
from engine.bribery.rules.board import controllers
from engine.bribery.scoring import Evaluation, evaluate, votes_of
from engine.bribery.view import View
from engine.encoding import (
    MAX_VALUE,
    EventTable,
    PositionEncoding,
    distances,
    relative_seats,
    relative_sides,
)
from engine.fields import read_layout

_PHASES = ("play", "ability", "protect", "swindle", "over")
_ABILITIES = ("assassinate", "swindle", "bless")
_REASONS = ("forced", "spent", "assassinated")
_EVENTS = ("start", "round", "draw", "action", "ability", "over")
_WORDS = (
    *CARDS,
    *("bribe", "official", "discard", "no-ability", "protect", "allow", "swindle"),
    *("assassinate", "bless"),
)
_PHASE = {phase: number for number, phase in enumerate(_PHASES)}
_REASON = {reason: number for number, reason in enumerate(_REASONS)}
_JOKER = {joker: number for number, joker in enumerate(JOKERS)}
_COUNTRIES = ("s", "h", "d", "c", *JOKERS)
_COUNTRY_OF_SUIT = tuple([_COUNTRIES.index(suit) for suit in SUITS])
_COUNTRY_OF_JOKER = {joker: _COUNTRIES.index(OFFICIALS[joker]) for joker in JOKER_POINTS}
MAX_KEPT = 4096
"""Kept parts of vectors, of each kind and for each seat; enough for a few dozen games."""

Entries = list[tuple[int, int]]
"""Places of a vector, and the numbers there."""


class BriberyEncoding(PositionEncoding):
    """The encoding of one variant."""

    view_type: ClassVar[type[Any]] = View

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        """Make the encoding of a variant, with this number of last events."""
        n, sides = parameters.seats, len(parameters.sides)
        words = {
            "phases": _PHASES,
            "seats": relative_seats(n),
            "sides": relative_sides(sides),
            "cards": CARDS,
            "bribes": BRIBES,
            "officials": OFFICIALS,
            "jokers": JOKERS,
            "countries": _COUNTRIES,
            "suited": _COUNTRIES[:4],
            "reasons": _REASONS,
            "abilities": _ABILITIES,
        }
        options = ("advanced",) if parameters.advanced else ()
        layout = read_layout(__package__, words, {"turns": parameters.plays + 1}, options)
        self._parameters, self._side_from = parameters, distances(sides)
        # By seat, and by official, its bribes and the bonus: what they write. From one turn to the
        # next, most officials keep their bribes.
        self._kept: list[dict[tuple[int, Pile, Controller], Entries]] = [{} for _ in range(n)]
        actions, events = list_actions(parameters.advanced), EventTable(_EVENTS, _WORDS, n)
        super().__init__(parameters.variant_id, n, actions, layout, events, history)

    def lay_out(self, view: View) -> Position:
        """Return a position with all that a view shows."""
        return lay_out_view(self._parameters, view)

    def write(self, position: Position, seat: int) -> "array[int]":
        """Return a vector of what `seat` sees of a position, without events."""
        vector, seat_from, at = self._zeros[:], self._seat_from[seat], self._at
        self._write_turn(vector, position, seat_from)
        for card in position.hands[seat]:
            vector[at["hand"] + card] = 1
        drawn, sizes = position.round * HAND_SIZE, at["sizes"]
        for distance, hand, deck in zip(seat_from, position.hands, position.decks, strict=True):
            vector[sizes + 2 * distance] = len(hand)
            vector[sizes + 2 * distance + 1] = max(0, len(deck) - drawn)
        self._write_board(vector, position, seat, seat_from)
        if position.pending is not None:
            self._write_pending(vector, position.pending, position.to_ask, seat_from)
        return vector

    def _write_turn(
        self, vector: "array[int]", position: Position, seat_from: Sequence[int]
    ) -> None:
        at, turn, number = self._at, position.turn, position.round
        vector[at["phase"] + _PHASE[position.phase]] = 1
        vector[at["turn"]], vector[at["turn"] + 1] = number, turn + 1
        vector[at["leader"] + seat_from[self._parameters.leader(position.start, number)]] = 1
        turn_seat = position.order[turn]
        if turn_seat is not None:
            vector[at["turn_seat"] + seat_from[turn_seat]] = 1
        if position.seat_to_act is not None:
            vector[at["to_act"] + seat_from[position.seat_to_act]] = 1
        for joker in position.jokers:
            vector[at["jokers"] + _JOKER[joker]] = 1

    def _write_pending(
        self,
        vector: "array[int]",
        pending: Ability,
        to_ask: Sequence[int],
        seat_from: Sequence[int],
    ) -> None:
        at, (seat, source, spent, target) = self._at, pending
        vector[at["pending"] + _ABILITIES.index(ABILITY_OF_SUIT[COUNTRY[source]])] = 1
        vector[at["pending_seat"] + seat_from[seat]] = 1
        vector[at["source"] + source] = 1
        vector[at["spent"] + spent // SEATS] = 1
        vector[at["target"] + target] = 1
        for other in to_ask:
            vector[at["to_ask"] + seat_from[other]] = 1

    # -- the board --------------------------------------------------------------------------------

    def _write_board(
        self, vector: "array[int]", position: Position, viewer: int, seat_from: Sequence[int]
    ) -> None:
        """Write what all see of the board: officials, bribes, and what they give to whom."""
        at, seats = self._at, len(seat_from)
        for official in _members(position.face_up | position.face_down):
            vector[at["board"] + official] = 1
        for official in _members(position.face_down):
            vector[at["face_down"] + official] = 1
        for bribe, why in position.discards:
            card, by = divmod(bribe, SEATS)
            vector[at["discarded"] + len(_REASONS) * card + _REASON[why]] = 1
            vector[at["owner"] + seats * card + seat_from[by]] = 1
        control, kept = controllers(position), self._kept[viewer]
        evaluation, bonus = evaluate(control, len(self._side_from)), control[JOKER_1]
        for official, pile in enumerate(position.piles):
            if not pile:
                continue
            key = official, pile, bonus
            entries = kept.get(key)
            if entries is None:
                if len(kept) >= MAX_KEPT:
                    kept.clear()
                entries = kept[key] = self._pile_entries(official, pile, control, viewer)
            for place, number in entries:
                vector[place] = number
            vector[at["votes"] + official] = votes_of(official, control[official], control[JOKER_2])
        self._write_sides(vector, evaluation, control, self._sides_from(viewer))

    def _sides_from(self, viewer: int) -> Sequence[int]:
        """Return the distance of each side from that of the viewer."""
        return self._side_from[self._parameters.side_of_seat[viewer]]

    def _pile_entries(
        self, official: int, pile: Pile, control: list[Controller], viewer: int
    ) -> Entries:
        """Return the entries of the bribes on an official, and of its control, as `viewer` sees it.

        Args:
            official: the official.
            pile: its bribes, at least one.
            control: who controls each official.
            viewer: the viewer.
        """
        table, at, seat_from = self._parameters.side_table, self._at, self._seat_from[viewer]
        side_from = self._sides_from(viewer)
        entries = []
        for arrived, bribe in enumerate(pile, start=1):
            card, by = divmod(bribe, SEATS)
            entries.append((at["placed"] + len(OFFICIALS) * card + official, arrived))
            entries.append((at["owner"] + len(seat_from) * card + seat_from[by], 1))
        values = VALUE_OF if official == JOKER_1 else table.values[control[JOKER_1]]
        row = len(side_from) * official
        for side, total in enumerate(table.totals(pile, values)):
            entries.append((at["totals"] + row + side_from[side], min(total, MAX_VALUE)))
        side, factor = control[official]
        if factor:
            entries.append((at["controller"] + row + side_from[side], 1))
            entries.append((at["dominated"] + official, int(factor == 2)))
        return entries

    def _write_sides(
        self,
        vector: "array[int]",
        evaluation: Evaluation,
        control: list[Controller],
        side_from: Sequence[int],
    ) -> None:
        """Write what each side has: countries, the effects of jokers, points."""
        at, sides = self._at, len(side_from)
        for votes_by_side, country in zip(evaluation.country_votes, _COUNTRY_OF_SUIT, strict=True):
            for side, votes in enumerate(votes_by_side):
                vector[at["country_votes"] + sides * country + side_from[side]] = votes
        controlled = [*zip(_COUNTRY_OF_SUIT, POINTS, evaluation.countries, strict=True)]
        for joker, joker_points in JOKER_POINTS.items():
            controlled.append((_COUNTRY_OF_JOKER[joker], joker_points, control[joker]))
        for country, country_points, (side, factor) in controlled:
            if factor:
                vector[at["country"] + sides * country + side_from[side]] = 1
                vector[at["country_dominated"] + country] = int(factor == 2)
                vector[at["country_points"] + country] = country_points * factor
        for place, joker in enumerate((JOKER_1, JOKER_2)):
            side, amount = control[joker]
            if amount:
                vector[at["effects"] + 3 * side_from[side] + place] = amount
        free_side, _ = control[JOKER_4]
        if free_side != NO_SIDE:
            vector[at["effects"] + 3 * side_from[free_side] + 2] = 1
        for side, points in enumerate(evaluation.points):
            vector[at["points"] + side_from[side]] = points


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
