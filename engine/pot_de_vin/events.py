"""Events of Pot de Vin [9].

All seats see the same events, except that hands and discards are visible only to their owners.
"""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

import msgspec

from engine.pot_de_vin.actions import CARD, PASS
from engine.pot_de_vin.cards import GUILD_OF, in_order
from engine.pot_de_vin.parameters import PILE_SIZE
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.result import Result, describe

SET_UP = -1  # value of `History.rounds` during the set-up


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base class of all events."""


class GameStarted(Event, frozen=True, tag="start"):
    """The start of the game. For spectators, `seat` and `hand` are None."""

    variant: str
    seat: int | None
    n: int
    teams: tuple[tuple[int, ...], ...]
    start: int
    rounds: int
    gems: int
    deck: dict[str, str]
    hand: tuple[str, ...] | None


class Discarded(Event, frozen=True, tag="discard"):
    """A seat discarded a card during set-up. For other seats, `card` is None."""

    seat: int
    card: str | None


class Reshuffled(Event, frozen=True, tag="reshuffle"):
    """The four cards of the trump pile were reshuffled."""


class TrumpTurned(Event, frozen=True, tag="trump"):
    """The trump card of a new round, and the number of trump cards that are still face down."""

    round: int
    trump: str
    trump_pile: int


class Played(Event, frozen=True, tag="play"):
    seat: int
    card: str


class Passed(Event, frozen=True, tag="pass"):
    seat: int
    gems: int


class RoundEnded(Event, frozen=True, tag="round_end"):
    round: int
    winner: int
    cards: tuple[str, ...]
    gems: int


class GemsRemoved(Event, frozen=True, tag="gems_removed"):
    seat: int
    gems: int


class GameEnded(Event, frozen=True, tag="over"):
    result: Result


class History(NamedTuple):
    """The events of a game as seen by spectators."""

    events: list[msgspec.Struct]  # copies of the position may share the list and append to it
    length: int  # the number of events in the list that belong to this position
    rounds: int
    turns: int
    gems: tuple[int, ...]


def update_history(position: Position, history: History | None) -> History:
    if history is None or history.rounds == SET_UP:
        history = _begin(position)
    finished, acted = len(position.past_rounds), len(position.trick)
    events, length, rounds, turns, gems = history
    if (turns == acted and rounds == finished) or rounds == SET_UP:
        return history
    if len(events) > length:  # a copy of the position has added events
        events = events[:length]
    held = [*gems]
    for number in range(rounds + 1, finished + 1):
        events += _rest_of_round(position, number, turns, held)
        turns = 0
    if turns < acted:
        events += _turns(position.active[turns:], position.trick[turns:], held)
    if position.seat_to_act is None:
        events.append(GameEnded(describe(position.parameters.sides, *position.winnings())))
    return History(events, len(events), finished, acted, tuple(held))


def list_events(position: Position, seat: int | None, since: int) -> list[msgspec.Struct]:
    history = position.history = update_history(position, position.history)
    events = history.events[since : history.length]
    if seat is not None and since < PILE_SIZE:
        # Only the start and the discards differ from seat to seat.
        for number in range(since, min(since + len(events), PILE_SIZE)):
            events[number - since] = _as_seen_by(seat, events[number - since], position)
    return events


def _begin(position: Position) -> History:
    parameters = position.parameters
    events, rounds = _set_up(position), SET_UP
    if position.round:
        events += _round_begun(position, 1)
        rounds = 0
    return History(events, len(events), rounds, 0, (parameters.gems,) * parameters.seats)


def _set_up(position: Position) -> list[msgspec.Struct]:
    parameters = position.parameters
    start = GameStarted(
        variant=parameters.variant_id,
        seat=None,
        n=parameters.seats,
        teams=parameters.sides,
        start=position.starting_seat,
        rounds=parameters.rounds,
        gems=parameters.gems,
        deck=GUILD_OF,
        hand=None,
    )
    order = parameters.clockwise[position.starting_seat]
    return [start, *[Discarded(s, None) for s in order if position.discards[s] is not None]]


def _rest_of_round(position: Position, number: int, turns: int, gems: list[int]) -> list[Event]:
    """Return a finished round's events, except those of its first `turns` turns.

    Each pass in these events costs the seat a gem, which is subtracted from its number in
    `gems`.
    """
    active, trick, winner = position.past_rounds[number - 1]
    events = _turns(active[turns:], trick[turns:], gems)
    cards, gems_won = position.winnings_of_round(number)
    events.append(RoundEnded(number, winner, tuple(in_order(cards)), gems_won))
    # A seat that still has cards has fewer gems than there are rounds left [5.6].
    left = position.parameters.rounds - number
    if left > 0 and left in gems:
        events += [GemsRemoved(seat, left) for seat in active if gems[seat] == left]
    if number < position.round:
        events += _round_begun(position, number + 1)
    return events


def _turns(active: Iterable[int], trick: Iterable[str], gems: list[int]) -> list[Event]:
    events: list[Event] = []
    for seat, action in zip(active, trick, strict=False):
        gems[seat] -= action == PASS
        events.append(_turn(seat, action, gems[seat]))
    return events


def _round_begun(position: Position, number: int) -> tuple[Event, ...]:
    parameters = position.parameters
    is_reshuffled = parameters.recycled_trumps and number > 1 and number % PILE_SIZE == 1
    face_down = parameters.face_down_trumps(number)
    return _round_begins(number, position.trumps[number - 1], face_down, is_reshuffled)


# Cached, because every game has the same few events.


@cache
def _round_begins(
    number: int, trump: str, face_down: int, is_reshuffled: bool
) -> tuple[Event, ...]:
    turned = TrumpTurned(number, trump, face_down)
    return (Reshuffled(), turned) if is_reshuffled else (turned,)


@cache
def _turn(seat: int, action: str, gems: int) -> Event:
    return Passed(seat, gems) if action == PASS else Played(seat, CARD[action])


def _as_seen_by(seat: int, event: msgspec.Struct, position: Position) -> msgspec.Struct:
    if isinstance(event, GameStarted):
        return msgspec.structs.replace(event, seat=seat, hand=_dealt_hand(seat, position))
    if isinstance(event, Discarded) and event.seat == seat:
        return Discarded(seat, position.discards[seat])
    return event


def _dealt_hand(seat: int, position: Position) -> tuple[str, ...]:
    hand = list(position.hand_of(seat))
    discarded = position.discards[seat]
    if discarded is not None:
        hand.append(discarded)
    for active, trick, _ in [*position.past_rounds, (position.active, position.trick, None)]:
        for actor, action in zip(active, trick, strict=False):
            if actor == seat and action != PASS:
                hand.append(CARD[action])
    return tuple(in_order(hand))
