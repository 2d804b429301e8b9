"""Hidden information of Pot de Vin: redrawn for a seat, or imagined from its view [9].

Cards that a seat has not seen are in the other hands and in the trump pile. A seat that did not
follow a character has none of it, so it is dealt none. Draws are close to uniform among the
consistent deals.
"""

import random
from collections.abc import Sequence
from typing import Final

from engine.draws import sample, shuffle
from engine.pot_de_vin.actions import CARD, PLAY, PLAYS, SUIT_BIT
from engine.pot_de_vin.cards import CHARACTERS, VALUES
from engine.pot_de_vin.parameters import PILE_SIZE, PILE_USES, Parameters
from engine.pot_de_vin.position import NOT_LED, PastRound, Position, empty_position
from engine.pot_de_vin.rules import order_trumps
from engine.pot_de_vin.view import RoundView, View

Suit = int
"""A set of cards of one character (see `actions`)."""
Characters = int
"""A set of characters: a bit for each."""

_ALL_CHARACTERS: Final = range(len(CHARACTERS))
_WHOLE_SUIT: Final = (1 << len(VALUES)) - 1


def redraw(position: Position, seat: int, rng: random.Random) -> Position:
    """Return a copy of `position` in which all that `seat` cannot know is redrawn."""
    copy = position.copy()
    _redraw(copy, seat, copy.hand_sizes(), rng)
    return copy


def imagine(parameters: Parameters, view: View, rng: random.Random) -> Position:
    """Return a position whose view for `view.seat` is `view`; what that hides is drawn."""
    assert view.seat is not None, "expected the view of a seat, got that of a spectator"
    position = empty_position(parameters)
    position.starting_seat = view.start
    position.seat_to_act = view.to_act
    position.round = view.round
    position.active = view.active
    position.trick = [turn.action for turn in view.trick]
    if view.led is not None:
        position.led = CHARACTERS.index(view.led)
    position.past_rounds = tuple([_past_round(past) for past in view.history])
    position.give_hand(view.seat, view.hand or ())
    position.gems = list(view.gems)
    position.gems_removed = view.gems_removed
    position.discards = tuple(
        [view.discarded if seat == view.seat else None for seat in range(view.n)]
    )
    position.trumps = tuple([past.trump for past in view.history])
    if view.trump is not None:
        position.trumps += (view.trump,)
    _redraw(position, view.seat, view.hand_sizes, rng)
    return position


def _past_round(past: RoundView) -> PastRound:
    active = tuple([turn.seat for turn in past.trick])
    return active, [turn.action for turn in past.trick], past.winner


def _redraw(position: Position, seat: int, hand_sizes: Sequence[int], rng: random.Random) -> None:
    """Redraw all that `seat` cannot know: the other hands, with these sizes, and the trump pile.

    The result does not depend on what `position` holds there.
    """
    shown = position.trumps[: position.round]
    lacking, seen = _lacking_and_played(position)
    for character, suit in enumerate(position.hands[seat]):
        seen[character] |= suit
    own = position.discards[seat]
    for card in shown if own is None else (*shown, own):
        character, bit = SUIT_BIT[PLAY[card]]
        seen[character] |= bit
    unseen = [_WHOLE_SUIT & ~suit for suit in seen]
    sizes = [0 if other == seat else size for other, size in enumerate(hand_sizes)]
    pile_size = sum([suit.bit_count() for suit in unseen]) - sum(sizes)
    sizes.append(pile_size)
    lacking.append(0)
    *hands, pile = _scatter(unseen, sizes, lacking, rng)
    for other, hand in enumerate(hands):
        if other != seat:
            position.hands[other] = hand
    hidden = [
        CARD[play]
        for character in _most_restricted_first(lacking)
        for play in PLAYS[character][pile[character]]
    ]
    shuffle(hidden, rng)
    if position.parameters.recycled_trumps:
        _redraw_recycled_pile(position, seat, hidden, rng)
    else:
        position.trumps = (*shown, *hidden)


def _lacking_and_played(position: Position) -> tuple[list[Characters], list[Suit]]:
    """Return the characters that each seat did not follow [5.2], and all cards played so far."""
    lacking, played = [0] * len(position.hands), [0] * len(CHARACTERS)
    for active, trick, _ in (*position.past_rounds, (position.active, position.trick, -1)):
        led = NOT_LED
        for turn, action in enumerate(trick):
            character, bit = SUIT_BIT[action]
            if led == NOT_LED:
                led = character
            if character != led and bit:
                lacking[active[turn]] |= 1 << led
            played[character] |= bit
    return lacking, played


def _scatter(
    suits: list[Suit], sizes: list[int], lacking: list[Characters], rng: random.Random
) -> list[list[Suit]]:
    """Deal the cards of `suits` at random to groups of these sizes, and return their suits.

    A group gets no card of the characters that it lacks. The sizes add up to the number of
    cards, and at least one such deal exists.
    """
    while True:
        groups = _try_to_scatter(suits, sizes, lacking, rng)
        if groups is not None:  # dead ends are rare
            return groups


def _try_to_scatter(
    suits: list[Suit], sizes: list[int], lacking: list[Characters], rng: random.Random
) -> list[list[Suit]] | None:
    """Deal the characters that the fewest groups can get first; return None at a dead end."""
    free = [*sizes]
    groups = [[0] * len(suits) for _ in sizes]
    for character in _most_restricted_first(lacking):
        plays = PLAYS[character][suits[character]]
        spots: list[int] = []
        for group, lacked in enumerate(lacking):
            if not lacked >> character & 1:
                spots += [group] * free[group]
        if len(spots) < len(plays):
            return None
        for number, group in enumerate(sample(spots, len(plays), rng)):
            _, bit = SUIT_BIT[plays[number]]
            free[group] -= 1
            groups[group][character] |= bit
    return groups


def _most_restricted_first(lacking: Sequence[Characters]) -> Sequence[int]:
    """Return all characters, those first that most groups lack."""
    if not any(lacking):
        return _ALL_CHARACTERS
    able = [sum([not lacked >> c & 1 for lacked in lacking]) for c in _ALL_CHARACTERS]
    return sorted(_ALL_CHARACTERS, key=able.__getitem__)


def _redraw_recycled_pile(
    position: Position, seat: int, hidden: Sequence[str], rng: random.Random
) -> None:
    """Redraw the discards behind a recycled trump pile, and its orders [R18].

    No seat knows who discarded which card, except for its own discard and the place of that in
    the pile: the pile is the left-over card, then the discards in order [3].
    """
    own = position.discards[seat]
    shown = position.trumps[: position.round]
    pile = [card for card in dict.fromkeys([*shown, *hidden]) if card != own]
    shuffle(pile, rng)
    discarders = position.discarders()
    if own is not None:
        pile.insert(1 + discarders.index(seat), own)
    discards = dict(zip(discarders, pile[1:], strict=False))
    position.discards = tuple([discards.get(other) for other in range(len(position.hands))])
    orders = _redraw_orders(shown, pile, rng)
    position.trump_orders = orders
    position.trumps = order_trumps(pile, orders) if position.round else tuple(pile)


def _redraw_orders(
    shown: Sequence[str], pile: Sequence[str], rng: random.Random
) -> tuple[tuple[int, ...], ...]:
    """Return random orders of the pile that begin with the trump cards shown so far."""
    orders = []
    for first in range(0, PILE_USES * PILE_SIZE, PILE_SIZE):
        order = [pile.index(card) for card in shown[first : first + PILE_SIZE]]
        rest = [place for place in range(PILE_SIZE) if place not in order]
        orders.append((*order, *sample(rest, len(rest), rng)))
    return tuple(orders)
