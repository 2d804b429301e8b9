"""Encode what a seat knows of a Bribery position as a vector."""
# compiled: see setup.py

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

from engine.bribery.cards import (
    ABILITY_OF_SUIT,
    BIT,
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
from engine.bribery.parameters import HAND_SIZE, Parameters
from engine.bribery.position import Ability, Position
from engine.bribery.rules.board import controllers
from engine.bribery.scoring import Evaluation, evaluate, votes_of
from engine.encoding import MAX_VALUE, distances

COUNTRIES: Final = ("s", "h", "d", "c", *JOKERS)
PHASES: Final = ("play", "ability", "protect", "swindle", "over")
ABILITIES: Final = ("assassinate", "swindle", "bless")
REASONS: Final = ("forced", "spent", "assassinated")
_COUNTRY_OF_SUIT: Final = tuple([COUNTRIES.index(suit) for suit in SUITS])
_COUNTRY_OF_JOKER: Final = {joker: COUNTRIES.index(OFFICIALS[joker]) for joker in JOKER_POINTS}
_PHASE: Final = {phase: number for number, phase in enumerate(PHASES)}
_JOKER: Final = {joker: number for number, joker in enumerate(JOKERS)}
_REASON: Final = {reason: number for number, reason in enumerate(REASONS)}
MAX_KEPT: Final = 4096
"""Maximum number of cache entries per seat, which is enough for a few dozen games."""

Entries = list[tuple[int, int]]


class VectorWriter:
    def __init__(self, at: Mapping[str, int], parameters: Parameters) -> None:
        self._made_of = at, parameters
        self._at = at
        self._parameters = parameters
        self._seat_from = distances(parameters.seats)
        self._side_from = distances(len(parameters.sides))
        # By seat, and by official, its bribes and the bonus: what they write. From one turn to the
        # next, most officials keep their bribes.
        self._kept: list[dict[tuple[int, Pile, Controller], Entries]] = [
            {} for _ in range(parameters.seats)
        ]

    def __reduce__(self) -> tuple[type["VectorWriter"], tuple[Mapping[str, int], Parameters]]:
        return VectorWriter, self._made_of  # a compiled class has no default way to be pickled

    def write(self, vector: "array[int]", position: Position, seat: int) -> None:
        seat_from, at = self._seat_from[seat], self._at
        self._write_turn(vector, position, seat_from)
        for card in position.hands[seat]:
            vector[at["hand"] + card] = 1
        drawn, sizes = position.round * HAND_SIZE, at["sizes"]
        for distance, hand, deck in zip(seat_from, position.hands, position.decks, strict=True):
            vector[sizes + 2 * distance] = len(hand)
            vector[sizes + 2 * distance + 1] = max(0, len(deck) - drawn)
        self._write_board(vector, position, seat)
        if position.pending is not None:
            self._write_pending(vector, position.pending, position.to_ask, seat_from)

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
        vector[at["pending"] + ABILITIES.index(ABILITY_OF_SUIT[COUNTRY[source]])] = 1
        vector[at["pending_seat"] + seat_from[seat]] = 1
        vector[at["source"] + source] = 1
        vector[at["spent"] + spent // SEATS] = 1
        vector[at["target"] + target] = 1
        for other in to_ask:
            vector[at["to_ask"] + seat_from[other]] = 1

    # -- the board --------------------------------------------------------------------------------

    def _write_board(self, vector: "array[int]", position: Position, viewer: int) -> None:
        at, seat_from = self._at, self._seat_from[viewer]
        seats = len(seat_from)
        for official in _members(position.face_up | position.face_down):
            vector[at["board"] + official] = 1
        for official in _members(position.face_down):
            vector[at["face_down"] + official] = 1
        for bribe, why in position.discards:
            card, by = divmod(bribe, SEATS)
            vector[at["discarded"] + len(REASONS) * card + _REASON[why]] = 1
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
        return self._side_from[self._parameters.side_of_seat[viewer]]

    def _pile_entries(
        self, official: int, pile: Pile, control: list[Controller], viewer: int
    ) -> Entries:
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
    return tuple([official for official, bit in enumerate(BIT) if officials & bit])
