"""What a seat cannot know, drawn at random so that it agrees with what the seat has seen [9].

A view holds everything that its seat has seen, so all here starts from a view: the cards that
are nowhere in it lie in the other hands and in the trump pile. A seat that did not follow a
character has shown that it lacks it, so it is dealt none of it. Draws are close to uniform among
the deals that agree with the view.
"""

import random
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from engine.pot_de_vin.cards import CARDS, CHARACTER, CHARACTERS
from engine.pot_de_vin.deal import ORDERS, PLACES, Deal
from engine.pot_de_vin.state import PotDeVinState
from engine.pot_de_vin.view import Turn, View

if TYPE_CHECKING:
    from engine.pot_de_vin.variant import PotDeVin


class Place(msgspec.Struct):
    """Somewhere that hidden cards lie: how many, and which characters can't be among them."""

    room: int
    barred: frozenset[int] = frozenset()


def scatter(cards: Sequence[str], places: Sequence[Place], rng: random.Random) -> list[list[str]]:
    """Return the cards dealt at random to the places, each filled exactly, in random order.

    The rooms add up to the number of cards, and at least one way to deal them exists.
    """
    cards = list(cards)
    while True:
        rng.shuffle(cards)
        if not any(place.barred for place in places):
            dealt = iter(cards)
            return [list(islice(dealt, place.room)) for place in places]
        filled = _try_to_scatter(cards, places, rng)
        if filled is not None:  # dead ends are rare
            return filled


def _try_to_scatter(
    cards: Sequence[str], places: Sequence[Place], rng: random.Random
) -> list[list[str]] | None:
    """Deal the cards that can lie in few places first; return None at a dead end."""
    allowed = [
        [number for number, place in enumerate(places) if character not in place.barred]
        for character in range(len(CHARACTERS))
    ]
    room = [place.room for place in places]
    filled: list[list[str]] = [[] for _ in places]
    for card in sorted(cards, key=lambda card: len(allowed[CHARACTER[card]])):
        candidates = allowed[CHARACTER[card]]
        rooms = [room[number] for number in candidates]
        if not any(rooms):
            return None
        number = rng.choices(candidates, rooms)[0]
        room[number] -= 1
        filled[number].append(card)
    for dealt in filled:
        rng.shuffle(dealt)
    return filled


def imagine(variant: "PotDeVin", view: View, rng: random.Random) -> PotDeVinState:
    """Return a state that the seat of `view` cannot tell from the real one."""
    assert view.seat is not None, "a spectator's view: nobody to imagine for"
    turns = [turn for past in view.history for turn in past.trick] + list(view.trick)
    shown = [past.trump for past in view.history]
    if view.trump is not None:
        shown.append(view.trump)
    dealt = _played(turns, view.n)
    dealt[view.seat] += view.hand or ()

    known = {*shown, view.discarded}.union(*dealt)
    unseen = [card for card in CARDS if card not in known]
    places = [
        Place(0 if seat == view.seat else size, frozenset(barred))
        for seat, (size, barred) in enumerate(zip(view.hand_sizes, _lacking(view), strict=True))
    ]
    pile = Place(len(unseen) - sum([place.room for place in places]))
    *hands, hidden = scatter(unseen, [*places, pile], rng)
    for own, hand in zip(dealt, hands, strict=True):
        own += hand

    order = variant.clockwise[view.start]
    trumps, trump_orders, discards = shown + hidden, None, []
    if variant.recycled_trumps:
        pile_cards = _place_trumps(shown, hidden, view, order, rng)
        trump_orders = _order_trumps(shown, pile_cards, rng)
        trumps, discards = pile_cards[:1], pile_cards[1:]
        for seat, card in zip(order[-(PLACES - 1) :], discards, strict=False):
            dealt[seat].append(card)
    cards = trumps + [card for seat in order for card in dealt[seat]]
    state = PotDeVinState(variant, Deal(view.start, tuple(cards), trump_orders))
    for card in discards:
        state.apply(f"discard {card}")
    for turn in turns:
        state.apply(turn.action)
    return state


def _played(turns: Iterable[Turn], seats: int) -> list[list[str]]:
    """Return the cards that each seat has played."""
    played: list[list[str]] = [[] for _ in range(seats)]
    for turn in turns:
        if turn.action != "pass":
            played[turn.seat].append(turn.action.removeprefix("play "))
    return played


def _lacking(view: View) -> list[set[int]]:
    """Return the characters that each seat cannot hold, since it did not follow them [5.2]."""
    lacking: list[set[int]] = [set() for _ in range(view.n)]
    for trick in [past.trick for past in view.history] + [view.trick]:
        led: int | None = None
        for turn in trick:
            if turn.action == "pass":
                continue
            character = CHARACTER[turn.action.removeprefix("play ")]
            if led is None:
                led = character
            elif character != led:
                lacking[turn.seat].add(led)
    return lacking


def _place_trumps(
    shown: Sequence[str],
    hidden: Sequence[str],
    view: View,
    order: Sequence[int],
    rng: random.Random,
) -> list[str]:
    """Return the cards of a recycled pile by place: the left-over card, then the discards [3].

    Whose discard another card is nobody knows, but each seat knows the place of its own.
    """
    cards = [card for card in dict.fromkeys([*shown, *hidden]) if card != view.discarded]
    rng.shuffle(cards)
    if view.discarded is not None and view.seat is not None:
        cards.insert(order.index(view.seat) - (view.n - PLACES), view.discarded)
    return cards


def _order_trumps(
    shown: Sequence[str], trumps: Sequence[str], rng: random.Random
) -> tuple[tuple[int, ...], ...]:
    """Return three orders of the pile that begin as the cards shown so far."""
    orders = []
    for first in range(0, ORDERS * PLACES, PLACES):
        order = [trumps.index(card) for card in shown[first : first + PLACES]]
        rest = [place for place in range(PLACES) if place not in order]
        orders.append((*order, *rng.sample(rest, len(rest))))
    return tuple(orders)
