"""Events of Pot de Vin: what each seat is told during a game [9].

All seats are told the same events in the same order, except for the hand in `start` and the card
of a `discard`, which only their own seat is told. In JSON the field `event` names the kind.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from engine.pot_de_vin.actions import CARD, PASS
from engine.pot_de_vin.cards import GUILD_OF, in_order
from engine.pot_de_vin.parameters import PILE_SIZE
from engine.pot_de_vin.position import Position
from engine.pot_de_vin.result import Result, describe


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Something that a seat is told."""


class GameStarted(Event, frozen=True, tag="start"):
    """The game begins; `hand` is the seat's own hand, or None for a spectator."""

    variant: str
    seat: int | None
    n: int
    teams: tuple[tuple[int, ...], ...]
    start: int
    rounds: int
    gems: int
    deck: dict[str, str]
    """The guild of each guild card."""
    hand: tuple[str, ...] | None


class Discarded(Event, frozen=True, tag="discard"):
    """A seat discarded in the set-up of `/6-teams`; `card` is None for the other seats."""

    seat: int
    card: str | None


class Reshuffled(Event, frozen=True, tag="reshuffle"):
    """The four trump cards of `/6-teams` were reshuffled."""


class TrumpTurned(Event, frozen=True, tag="trump"):
    """A round begins; `trump_pile` is the number of trump cards still face down."""

    round: int
    trump: str
    trump_pile: int


class Played(Event, frozen=True, tag="play"):
    """A seat played a card."""

    seat: int
    card: str


class Passed(Event, frozen=True, tag="pass"):
    """A seat passed; `gems` is the number of gems that it still holds."""

    seat: int
    gems: int


class RoundEnded(Event, frozen=True, tag="round_end"):
    """A round is over; `cards` and `gems` are what the winner took."""

    round: int
    winner: int
    cards: tuple[str, ...]
    gems: int


class GemsRemoved(Event, frozen=True, tag="gems_removed"):
    """A seat without cards lost its gems."""

    seat: int
    gems: int


class GameEnded(Event, frozen=True, tag="over"):
    """The game is over."""

    result: Result


class History(NamedTuple):
    """The events of the set-up and of finished rounds, as a spectator is told them.

    They are kept from one turn to the next.
    """

    events: list[msgspec.Struct]
    set_up: bool
    """Whether the set-up goes on; then they are made again at the next turn."""
    rounds: int
    gems: tuple[int, ...]
    """The gems to pass with that each seat had after these rounds, before any were removed."""


def update_history(position: Position, history: History | None) -> History:
    """Return `history` extended by the rounds that have been finished since."""
    finished = len(position.past_rounds)
    if history is None or history.set_up:
        parameters = position.parameters
        gems = (parameters.gems,) * parameters.seats
        history = History(_set_up(position), not position.round, 0, gems)
    if history.rounds == finished:
        return history
    events, held = history.events.copy(), [*history.gems]
    for number in range(history.rounds + 1, finished + 1):
        events += _past_round(position, number, held)
    return History(events, False, finished, tuple(held))


def list_events(
    position: Position, seat: int | None, since: int, history: History
) -> list[msgspec.Struct]:
    """Return the events of `seat`, or of a spectator (None), from event number `since` on.

    `history` is up to date.
    """
    told, current = history.events[since:], _current_events(position)
    new = since - len(history.events)
    told += current[new:] if new > 0 else current
    if seat is not None:
        # Only the start and the discards differ from seat to seat.
        for number in range(since, min(since + len(told), PILE_SIZE)):
            told[number - since] = _as_told_to(seat, told[number - since], position)
    return told


def _current_events(position: Position) -> list[Event]:
    """Return the events since the last finished round."""
    if not position.round:
        return []
    if position.seat_to_act is None:
        return [GameEnded(describe(position.parameters.sides, *position.winnings()))]
    turns = _turns(position.active, position.trick, position.gems)
    return [*_round_begun(position, position.round), *turns]


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


def _past_round(position: Position, number: int, gems: list[int]) -> list[Event]:
    """Return the events of a finished round, and subtract the passes from `gems`."""
    active, trick, winner = position.past_rounds[number - 1]
    for seat, action in zip(active, trick, strict=True):
        gems[seat] -= action == PASS
    cards, gems_won = position.winnings_of_round(number)
    # A seat that still has cards has fewer gems than there are rounds left [5.6].
    left = position.parameters.rounds - number
    return [
        *_round_begun(position, number),
        *_turns(active, trick, gems),
        RoundEnded(number, winner, tuple(in_order(cards)), gems_won),
        *[GemsRemoved(seat, left) for seat in active if gems[seat] == left > 0],
    ]


def _round_begun(position: Position, number: int) -> list[Event]:
    parameters = position.parameters
    face_down = parameters.face_down_trumps(number)
    turned = TrumpTurned(number, position.trumps[number - 1], face_down)
    if parameters.recycled_trumps and number > 1 and number % PILE_SIZE == 1:
        return [Reshuffled(), turned]
    return [turned]


def _turns(active: Sequence[int], trick: Sequence[str], gems: Sequence[int]) -> list[Event]:
    """Return the event of each turn; `gems` holds the gems of each seat after its turn."""
    return [
        Passed(seat, gems[seat]) if action == PASS else Played(seat, CARD[action])
        for seat, action in zip(active, trick, strict=False)
    ]


def _as_told_to(seat: int, event: msgspec.Struct, position: Position) -> msgspec.Struct:
    """Return `event` with what only `seat` may know."""
    if isinstance(event, GameStarted):
        return msgspec.structs.replace(event, seat=seat, hand=_dealt_hand(seat, position))
    if isinstance(event, Discarded) and event.seat == seat:
        return Discarded(seat, position.discards[seat])
    return event


def _dealt_hand(seat: int, position: Position) -> tuple[str, ...]:
    """Return the cards that `seat` was dealt: those that it holds, has discarded or has played."""
    hand = list(position.hand_of(seat))
    discarded = position.discards[seat]
    if discarded is not None:
        hand.append(discarded)
    for active, trick, _ in [*position.past_rounds, (position.active, position.trick, None)]:
        for actor, action in zip(active, trick, strict=False):
            if actor == seat and action != PASS:
                hand.append(CARD[action])
    return tuple(in_order(hand))
