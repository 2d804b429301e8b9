"""The knowledge of a seat in a game of Bribery, as plain numbers for its vector [10.1].

It is read from a position, or from a view that a bot was sent; both say the same.
"""

from typing import NamedTuple

from engine.bribery.cards import BIT, NUMBER, OFFICIALS, SEATS
from engine.bribery.control import Pile
from engine.bribery.parameters import HAND_SIZE
from engine.bribery.position import Ability, Discard, Position
from engine.bribery.view import View

_OFFICIAL = {card: number for number, card in enumerate(OFFICIALS)}


class Seen(NamedTuple):
    """The knowledge of a seat; the fields are those of `Position`."""

    seat: int
    start: int
    turn: int
    phase: str
    to_act: int | None
    jokers: tuple[str, ...]
    hand: list[int]
    """The cards of the seat, in any order."""
    hand_sizes: list[int]
    deck_sizes: list[int]
    """By seat: the cards that it has not drawn yet."""
    face_up: int
    face_down: int
    piles: list[Pile]
    discards: tuple[Discard, ...]
    pending: Ability | None
    to_ask: tuple[int, ...]


def seen_in_position(position: Position, seat: int) -> Seen:
    """Return what `seat` sees of a position."""
    drawn = position.round * HAND_SIZE
    return Seen(
        seat,
        position.start,
        position.turn,
        position.phase,
        position.seat_to_act,
        position.jokers,
        position.hands[seat],
        [len(hand) for hand in position.hands],
        [len(deck) - drawn if len(deck) > drawn else 0 for deck in position.decks],
        position.face_up,
        position.face_down,
        position.piles,
        position.discards,
        position.pending,
        position.to_ask if position.pending else (),
    )


def seen_in_view(view: View) -> Seen:
    """Return what the seat of a view sees."""
    assert view.seat is not None, "expected the view of a seat, got that of a spectator"
    face_up = face_down = 0
    piles: list[Pile] = [()] * len(OFFICIALS)
    for shown in view.board:
        official = _OFFICIAL[shown.card]
        if shown.face_down:
            face_down |= BIT[official]
        else:
            face_up |= BIT[official]
        piles[official] = tuple([NUMBER[each.card] * SEATS + each.seat for each in shown.bribes])
    pending = view.pending
    to_ask: tuple[int, ...] = ()
    ability: Ability | None = None
    if pending is not None:
        spent = NUMBER[pending.spent] * SEATS + pending.seat
        ability = pending.seat, _OFFICIAL[pending.source], spent, _OFFICIAL[pending.target]
        to_ask = pending.to_ask
    return Seen(
        view.seat,
        view.start,
        view.turn - 1,
        view.phase,
        view.to_act,
        view.jokers,
        [NUMBER[card] for card in view.hand],
        list(view.hand_sizes),
        list(view.deck_sizes),
        face_up,
        face_down,
        piles,
        tuple([(NUMBER[each.card] * SEATS + each.seat, each.why) for each in view.discards]),
        ability,
        to_ask,
    )
