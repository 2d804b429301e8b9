"""Encode a seat's knowledge of a Bribery position as a vector."""
# compiled: see setup.py

from array import array
from collections.abc import Mapping, Sequence
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
from engine.bribery.control import NO_SIDE, Controller
from engine.bribery.parameters import HAND_SIZE
from engine.bribery.position import Ability, Position
from engine.bribery.rules.board import controllers
from engine.bribery.scoring import Evaluation, evaluate, votes_of
from engine.encoding import MAX_VALUE

COUNTRIES: Final = ("s", "h", "d", "c", *JOKERS)
PHASES: Final = ("play", "ability", "protect", "swindle", "over")
ABILITIES: Final = ("assassinate", "swindle", "bless")
REASONS: Final = ("forced", "spent", "assassinated")
_COUNTRY_OF_SUIT: Final = tuple([COUNTRIES.index(suit) for suit in SUITS])
_COUNTRY_OF_JOKER: Final = {joker: COUNTRIES.index(OFFICIALS[joker]) for joker in JOKER_POINTS}
_PHASE: Final = {phase: number for number, phase in enumerate(PHASES)}
_JOKER: Final = {joker: number for number, joker in enumerate(JOKERS)}
_REASON: Final = {reason: number for number, reason in enumerate(REASONS)}
At = Mapping[str, int]


def write_vector(
    vector: "array[int]",
    at: At,
    position: Position,
    seat_from: Sequence[int],
    side_from: Sequence[int],
) -> None:
    """Write the public information about a position to a zero-filled vector."""
    _write_turn(vector, at, position, seat_from)
    drawn, sizes = position.round * HAND_SIZE, at["sizes"]
    for distance, hand, deck in zip(seat_from, position.hands, position.decks, strict=True):
        vector[sizes + 2 * distance] = len(hand)
        vector[sizes + 2 * distance + 1] = max(0, len(deck) - drawn)
    _write_board(vector, at, position, seat_from)
    _write_piles(vector, at, position, seat_from, side_from)
    if position.pending is not None:
        _write_pending(vector, at, position.pending, position.to_ask, seat_from)


def _write_turn(vector: "array[int]", at: At, position: Position, seat_from: Sequence[int]) -> None:
    turn, number = position.turn, position.round
    vector[at["phase"] + _PHASE[position.phase]] = 1
    vector[at["turn"]], vector[at["turn"] + 1] = number, turn + 1
    vector[at["leader"] + seat_from[position.parameters.leader(position.start, number)]] = 1
    turn_seat = position.order[turn]
    if turn_seat is not None:
        vector[at["turn_seat"] + seat_from[turn_seat]] = 1
    if position.seat_to_act is not None:
        vector[at["to_act"] + seat_from[position.seat_to_act]] = 1
    for joker in position.jokers:
        vector[at["jokers"] + _JOKER[joker]] = 1


def _write_pending(
    vector: "array[int]",
    at: At,
    pending: Ability,
    to_ask: Sequence[int],
    seat_from: Sequence[int],
) -> None:
    seat, source, spent, target = pending
    vector[at["pending"] + ABILITIES.index(ABILITY_OF_SUIT[COUNTRY[source]])] = 1
    vector[at["pending_seat"] + seat_from[seat]] = 1
    vector[at["source"] + source] = 1
    vector[at["spent"] + spent // SEATS] = 1
    vector[at["target"] + target] = 1
    for other in to_ask:
        vector[at["to_ask"] + seat_from[other]] = 1


# -- the board ------------------------------------------------------------------------------------


def _write_board(
    vector: "array[int]", at: At, position: Position, seat_from: Sequence[int]
) -> None:
    for official, bit in enumerate(BIT):
        if (position.face_up | position.face_down) & bit:
            vector[at["board"] + official] = 1
        if position.face_down & bit:
            vector[at["face_down"] + official] = 1
    for bribe, why in position.discards:
        card, by = divmod(bribe, SEATS)
        vector[at["discarded"] + len(REASONS) * card + _REASON[why]] = 1
        vector[at["owner"] + len(seat_from) * card + seat_from[by]] = 1


def _write_piles(
    vector: "array[int]",
    at: At,
    position: Position,
    seat_from: Sequence[int],
    side_from: Sequence[int],
) -> None:
    table, control = position.parameters.side_table, controllers(position)
    seats, sides = len(seat_from), len(side_from)
    placed, owner, totals = at["placed"], at["owner"], at["totals"]
    raised = table.values[control[JOKER_1]]
    for official, pile in enumerate(position.piles):
        if not pile:
            continue
        for arrived, bribe in enumerate(pile, start=1):
            card, by = divmod(bribe, SEATS)
            vector[placed + len(OFFICIALS) * card + official] = arrived
            vector[owner + seats * card + seat_from[by]] = 1
        row = sides * official
        values = VALUE_OF if official == JOKER_1 else raised
        for side, total in enumerate(table.totals(pile, values)):
            vector[totals + row + side_from[side]] = min(total, MAX_VALUE)
        side, factor = control[official]
        if factor:
            vector[at["controller"] + row + side_from[side]] = 1
            vector[at["dominated"] + official] = int(factor == 2)
        vector[at["votes"] + official] = votes_of(official, control[official], control[JOKER_2])
    _write_sides(vector, at, evaluate(control, sides), control, side_from)


def _write_sides(
    vector: "array[int]",
    at: At,
    evaluation: Evaluation,
    control: list[Controller],
    side_from: Sequence[int],
) -> None:
    sides = len(side_from)
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
