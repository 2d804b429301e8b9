"""Draw random positions that are consistent with a seat's knowledge [9].

A seat cannot see the trump pile or the hands of other seats. A seat that played a card without
following suit has no cards of the suit that was led. All deals that are consistent with a seat's
knowledge have nearly the same probability.
"""
# compiled: see setup.py

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from engine.draws import sample, shuffle
from engine.pot_de_vin.actions import BIT, CARD, PLAYS, SIZE
from engine.pot_de_vin.cards import CHARACTERS
from engine.pot_de_vin.parameters import PILE_SIZE, PILE_USES
from engine.pot_de_vin.position import (
    Position,
    lacking_bit,
    split_by_character,
)
from engine.pot_de_vin.rules import order_trumps

Suit = int
Characters = int

_ALL_CHARACTERS: Final = range(len(CHARACTERS))
_CHARACTERS_MASK: Final = (1 << len(CHARACTERS)) - 1


def redraw(position: Position, seat: int, rng: random.Random) -> Position:
    copy = position.copy()
    _redraw(copy, seat, _unseen(position, seat), rng)
    return copy


def _unseen(position: Position, seat: int) -> list[Suit]:
    hidden = 0
    for card in position.trumps[position.round :]:
        hidden |= BIT[card]
    if position.parameters.recycled_trumps:  # exclude cards that were turned up before
        hidden &= ~_seen_pile(position, seat)
    unseen = split_by_character(hidden)
    for other, hand in enumerate(position.hands):
        if other != seat:
            for character, suit in enumerate(hand):
                unseen[character] = unseen[character] | suit
    return unseen


def _seen_pile(position: Position, seat: int) -> int:
    seen = 0
    for card in position.trumps[: position.round]:
        seen |= BIT[card]
    own = position.discards[seat]
    return seen if own is None else seen | BIT[own]


def forget(position: Position) -> None:
    position.past_view = position.history = None


def _redraw(position: Position, seat: int, unseen: list[Suit], rng: random.Random) -> None:
    """Deal the unseen cards to the trump pile and the hands of all other seats. Hands keep their
    sizes.
    """
    shown, hand_sizes = position.trumps[: position.round], position.hand_sizes()
    seats = range(len(hand_sizes))
    sizes = [0 if other == seat else hand_sizes[other] for other in seats]
    pile_size = sum([SIZE[suit] for suit in unseen]) - sum(sizes)
    sizes.append(pile_size)
    known = position.lacking
    lacking = [known >> len(CHARACTERS) * other & _CHARACTERS_MASK for other in seats]
    lacking.append(0)
    order = _most_restricted_first(known, len(sizes))
    *hands, pile = _scatter(unseen, sizes, lacking, order, rng)
    for other in seats:
        if other != seat:
            position.hands[other] = hands[other]
    hidden = [CARD[play] for character in order for play in PLAYS[character][pile[character]]]
    shuffle(hidden, rng)
    if position.parameters.recycled_trumps:
        _redraw_recycled_pile(position, seat, hidden, rng)
    else:
        position.trumps = (*shown, *hidden)


def _scatter(
    suits: list[Suit],
    sizes: list[int],
    lacking: list[Characters],
    order: Sequence[int],
    rng: random.Random,
) -> list[list[Suit]]:
    """Deal cards at random to groups of the given sizes.

    `lacking` contains the characters that each group must not be dealt. If no valid deal exists,
    the function never returns.
    """
    while True:
        dealt = _try_to_scatter(suits, sizes, lacking, order, rng)
        if dealt is not None:  # dead ends are rare
            aldo, pietra, enzo, ugo = dealt
            groups = range(len(sizes))
            return [[aldo[group], pietra[group], enzo[group], ugo[group]] for group in groups]


def _try_to_scatter(
    suits: list[Suit],
    sizes: list[int],
    lacking: list[Characters],
    order: Sequence[int],
    rng: random.Random,
) -> list[list[Suit]] | None:
    """Make one attempt to deal the cards, and return None if it fails."""
    free = sizes.copy()
    dealt: list[list[Suit]] = [[] for _ in suits]
    for character in order:
        left = suits[character]
        spots: list[int] = []
        for group, lacked in enumerate(lacking):
            if not lacked >> character & 1:
                spots += [group] * free[group]
        if len(spots) < SIZE[left]:
            return None
        of_groups = [0] * len(free)
        for group in sample(spots, SIZE[left], rng):
            lowest = left & -left
            left -= lowest
            free[group] = free[group] - 1
            of_groups[group] = of_groups[group] | lowest
        dealt[character] = of_groups
    return dealt


@lru_cache(maxsize=4096)
def _most_restricted_first(lacking: int, groups: int) -> Sequence[int]:
    able = [
        sum([not lacking & lacking_bit(group, character) for group in range(groups)])
        for character in _ALL_CHARACTERS
    ]
    return sorted(_ALL_CHARACTERS, key=able.__getitem__)


def _redraw_recycled_pile(
    position: Position, seat: int, hidden: Sequence[str], rng: random.Random
) -> None:
    """Draw random cards for the hidden discards, and a random order of the hidden trump cards [3,
    R18].
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
    orders = []
    for first in range(0, PILE_USES * PILE_SIZE, PILE_SIZE):
        order = [pile.index(card) for card in shown[first : first + PILE_SIZE]]
        rest = [place for place in range(PILE_SIZE) if place not in order]
        orders.append((*order, *sample(rest, len(rest), rng)))
    return tuple(orders)
