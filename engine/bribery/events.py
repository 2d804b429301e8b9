"""Events of Bribery [10.2].

All seats see the same events, except for `draw` events, which only the drawing seat sees.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from engine.bribery.cards import ABILITY_OF_SUIT, CARDS, COUNTRY, OFFICIALS, SEATS, SLOT_ORDER
from engine.bribery.parameters import Parameters
from engine.bribery.position import (
    ABILITY_PHASE,
    PLAY_PHASE,
    PROTECT_PHASE,
    SWINDLE_PHASE,
    Position,
    SettledAbility,
)
from engine.bribery.rules.board import controllers
from engine.bribery.scoring import evaluate, win_weight
from engine.state import rank

PHASE = {
    "bribe": PLAY_PHASE,
    "official": PLAY_PHASE,
    "discard": PLAY_PHASE,
    "ability": ABILITY_PHASE,
    "no-ability": ABILITY_PHASE,
    "protect": PROTECT_PHASE,
    "allow": PROTECT_PHASE,
    "swindle": SWINDLE_PHASE,
}


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base class of all events."""


class GameStarted(Event, frozen=True, tag="start"):
    variant: str
    jokers: tuple[str, ...]
    board: tuple[str, ...]
    start: int
    deck_sizes: tuple[int, ...]


class RoundBegan(Event, frozen=True, tag="round"):
    round: int
    leader: int
    hand_sizes: tuple[int, ...]
    deck_sizes: tuple[int, ...]


class CardsDrawn(Event, frozen=True, tag="draw"):
    """The cards that a seat drew at the start of a round."""

    round: int
    cards: tuple[str, ...]


class Acted(Event, frozen=True, tag="action"):
    seat: int
    phase: str
    action: str


class AbilitySettled(Event, frozen=True, tag="ability"):
    seat: int
    kind: str
    source: str
    spent: str
    target: str
    cancelled: bool
    by: int | None
    discarded: tuple[str, ...]


class Result(msgspec.Struct, frozen=True):
    points: tuple[int, ...]
    seat_points: tuple[int, ...]
    places: tuple[int, ...]
    winners: tuple[int, ...]
    win_weight: int
    """Number of wins credited to each winner: 2 if no other side has points, otherwise 1 [R23]."""


class GameEnded(Event, frozen=True, tag="over"):
    result: Result


class History(NamedTuple):
    events: tuple[Event, ...]
    actions: int
    settled: int
    protect_actions: int
    turn: int


def update_history(position: Position, seat: int | None, history: History | None) -> History:
    """Append new events to a history, or build the complete history if `history` is None."""
    if history is None:
        history = _begin(position, seat)
    return _extend(position, seat, history) if history.actions < len(position.log) else history


def list_events(position: Position, seat: int | None, since: int) -> list[Event]:
    before = position.histories.get(seat)
    history = update_history(position, seat, before)
    if history is not before:
        position.histories = {**position.histories, seat: history}
    events = [*history.events[since:]]
    if position.seat_to_act is None and since <= len(history.events):
        parameters = position.parameters
        points = evaluate(controllers(position), parameters.side_table.count).points
        events.append(GameEnded(describe(points, parameters.side_of_seat)))
    return events


def _begin(position: Position, seat: int | None) -> History:
    sizes = tuple(map(len, position.decks))
    variant = position.parameters.variant_id
    board = tuple(sorted(position.first_board, key=SLOT_ORDER.index))
    started = GameStarted(variant, position.jokers, board, position.start, sizes)
    events = (started, *_begin_round(position, seat, turn=0))
    return History(events, actions=0, settled=0, protect_actions=0, turn=0)


def _extend(position: Position, seat: int | None, history: History) -> History:
    known, done, settled, protect_actions, turn = history
    events: list[Event] = []
    for action in position.log[done:]:
        done += 1
        phase = PHASE[action.partition(" ")[0]]
        if phase == PROTECT_PHASE:
            actor: int | None = position.protection_seats[protect_actions]
            protect_actions += 1
        else:
            actor = position.order[turn]
        assert actor is not None, "there are no actions after the last turn"
        events.append(Acted(actor, phase, action))
        if settled < len(position.settled) and position.settled[settled][0] == done:
            events.append(_describe_ability(position.settled[settled]))
            settled += 1
        if phase == PLAY_PHASE:
            turn += 1
            if position.parameters.begins_round[turn]:
                events += _begin_round(position, seat, turn)
    return History((*known, *events), done, settled, protect_actions, turn)


def _begin_round(position: Position, seat: int | None, turn: int) -> list[Event]:
    parameters = position.parameters
    number = parameters.round_of[turn]
    events: list[Event] = [_round_began(parameters, position.start, number)]
    if seat is not None and (drawn := position.drawn(seat, number)):
        events.append(CardsDrawn(number, tuple([CARDS[card] for card in drawn])))
    return events


@cache
def _round_began(parameters: Parameters, start: int, number: int) -> RoundBegan:
    before, left = [parameters.deck_sizes(start, drawn) for drawn in (number - 1, number)]
    hands = tuple([size - rest for size, rest in zip(before, left, strict=True)])
    return RoundBegan(number, parameters.leader(start, number), hands, left)


def _describe_ability(settled: SettledAbility) -> AbilitySettled:
    _, (seat, source, spent, target), by, discarded = settled
    return AbilitySettled(
        seat=seat,
        kind=ABILITY_OF_SUIT[COUNTRY[source]],
        source=OFFICIALS[source],
        spent=CARDS[spent // SEATS],
        target=OFFICIALS[target],
        cancelled=by is not None,
        by=by,
        discarded=tuple([CARDS[bribe // SEATS] for bribe in discarded]),
    )


def describe(points: Sequence[int], side_of_seat: Sequence[int]) -> Result:
    ranks = rank(points)
    places = tuple([ranks[side] for side in side_of_seat])
    return Result(
        points=tuple(points),
        seat_points=tuple([points[side] for side in side_of_seat]),
        places=places,
        winners=tuple([seat for seat, place in enumerate(places) if place == 1]),
        win_weight=win_weight(points),
    )
