"""What a seat cannot know, drawn at random so that it agrees with what the seat has seen [9].

The cards that a seat has not seen lie in the other hands and in the trump pile. A seat that did
not follow a character has shown that it lacks it, so it is dealt none of it. Draws are close to
uniform among the deals that agree with what was seen.
"""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS
from engine.pot_de_vin.deal import ORDERS, PLACES
from engine.pot_de_vin.rounds import CARD, PASS, turn_trumps

if TYPE_CHECKING:
    from engine.pot_de_vin.state import PotDeVinState


class Place(msgspec.Struct):
    """Somewhere that hidden cards lie: how many, and which characters can't be among them."""

    room: int
    barred: frozenset[int] = frozenset()


def scatter(cards: Sequence[str], places: Sequence[Place], rng: random.Random) -> list[list[str]]:
    """Return the cards dealt at random to the places, each filled exactly.

    In a place they lie by character. The rooms add up to the number of cards, and at least one
    way to deal them exists.
    """
    while True:
        filled = _try_to_scatter(cards, places, rng)
        if filled is not None:  # dead ends are rare
            return filled


def _try_to_scatter(
    cards: Sequence[str], places: Sequence[Place], rng: random.Random
) -> list[list[str]] | None:
    """Deal the characters that can lie in few places first; return None at a dead end."""
    suits: list[list[str]] = [[] for _ in CHARACTERS]
    for card in cards:
        suits[CHARACTER[card]].append(card)
    allowed = [
        [number for number, place in enumerate(places) if character not in place.barred]
        for character in range(len(CHARACTERS))
    ]
    free = [place.room for place in places]
    filled: list[list[str]] = [[] for _ in places]
    for character in sorted(range(len(CHARACTERS)), key=lambda c: len(allowed[c])):
        suit = suits[character]
        spots = [number for number in allowed[character] for _ in range(free[number])]
        if len(spots) < len(suit):
            return None
        for card, number in zip(suit, rng.sample(spots, len(suit)), strict=True):
            free[number] -= 1
            filled[number].append(card)
    return filled


def redraw(
    state: "PotDeVinState", seat: int, hand_sizes: Sequence[int], rng: random.Random
) -> None:
    """Draw anew all in a state that `seat` cannot know: the other hands, of these sizes, the pile.

    Nothing of those that the state holds is looked at.
    """
    variant = state.variant
    shown = state.trumps[: state.round]
    seen = {*shown, *state.hand_of(seat), state.discards[seat]}
    lacking: list[set[int]] = [set() for _ in hand_sizes]
    for active, trick, _ in [*state.past, (state.active, state.trick, None)]:
        for actor, action in zip(active, trick, strict=False):
            if action != PASS:
                card = CARD[action]
                seen.add(card)
                led = CHARACTER[CARD[trick[0]]]
                if CHARACTER[card] != led:  # it could not follow [5.2]
                    lacking[actor].add(led)
    unseen = [card for card in CARDS if card not in seen]
    places = [
        Place(0 if other == seat else size, frozenset(lacking[other]))
        for other, size in enumerate(hand_sizes)
    ]
    pile = Place(len(unseen) - sum([place.room for place in places]))
    *hands, hidden = scatter(unseen, [*places, pile], rng)
    for other, hand in enumerate(hands):
        if other != seat:
            state.deal_hand(other, hand)
    rng.shuffle(hidden)
    if variant.recycled_trumps:
        _redraw_pile(state, seat, hidden, rng)
    else:
        state.trumps = (*shown, *hidden)


def _redraw_pile(
    state: "PotDeVinState", seat: int, hidden: Sequence[str], rng: random.Random
) -> None:
    """Draw who discarded which card of a recycled pile, and its orders [R18].

    Whose discard a card is nobody knows, but each seat knows its own and where it lies: the pile
    is the left-over card and then the discards, before it is shuffled [3].
    """
    own = state.discards[seat]
    shown = state.trumps[: state.round]
    pile = [card for card in dict.fromkeys([*shown, *hidden]) if card != own]
    rng.shuffle(pile)
    discarders = state.variant.clockwise[state.start][1 - PLACES :]
    if own is not None:
        pile.insert(1 + discarders.index(seat), own)
    discards = dict(zip(discarders, pile[1:], strict=False))
    state.discards = tuple([discards.get(other) for other in range(state.variant.seats)])
    state.orders = _order_trumps(shown, pile, rng)
    state.trumps = turn_trumps(pile, state.orders) if state.round else tuple(pile)


def _order_trumps(
    shown: Sequence[str], pile: Sequence[str], rng: random.Random
) -> tuple[tuple[int, ...], ...]:
    """Return three orders of the pile that begin as the cards shown so far."""
    orders = []
    for first in range(0, ORDERS * PLACES, PLACES):
        order = [pile.index(card) for card in shown[first : first + PLACES]]
        rest = [place for place in range(PLACES) if place not in order]
        orders.append((*order, *rng.sample(rest, len(rest))))
    return tuple(orders)
