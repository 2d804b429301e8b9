"""Draw random positions that are consistent with a seat's knowledge [10.1].

A seat cannot see the hands of other seats or the cards in decks. Everyone knows whether a hidden
card is a bribe or an official [3.1]. A forced discard reveals that a seat has no playable card,
so its hand cannot contain certain suits [5.3]. All positions that are consistent with a seat's
knowledge are equally likely.
"""
# compiled: see setup.py

import random
from collections.abc import Sequence

from engine.bribery.cards import FIRST_OFFICIAL, NUMBER, SUIT, SUITS
from engine.bribery.parameters import HAND_SIZE
from engine.bribery.position import Position
from engine.bribery.rules.board import controllers
from engine.draws import sample, shuffle

_ALL_SUITS = frozenset(range(len(SUITS)))


# What everyone knows about a hand: the number of bribes, the number of officials, the possible
# suits of the bribes, and the cards already played.
_HiddenHand = tuple[int, int, frozenset[int], list[int]]


def redraw(position: Position, seat: int, rng: random.Random) -> Position:
    copy = position.copy()
    # The events of other seats contain the cards that they actually drew.
    histories = position.histories
    copy.histories = {viewer: histories[viewer] for viewer in histories if viewer in (seat, None)}
    left = position.round * HAND_SIZE
    pool: list[int] = []
    for deck in position.decks:
        pool += deck[left:]
    hands = {}
    for other, held in enumerate(position.hands):
        if other == seat:
            continue
        pool += held
        bribes = len([card for card in held if card < FIRST_OFFICIAL])
        suits = _possible_suits(position, other) if position.forced else _ALL_SUITS
        played: list[int] = []
        if len(held) < HAND_SIZE:
            drawn = position.decks[other][left - HAND_SIZE : left]
            played = [card for card in drawn if card not in held]
        hands[other] = bribes, len(held) - bribes, suits, sorted(played)
    copy.decks = tuple(
        [
            deck if other == seat else _in_canonical_order(position, other, deck)
            for other, deck in enumerate(copy.decks)
        ]
    )
    copy.first_board = tuple(sorted(copy.first_board, key=NUMBER.__getitem__))
    pool.sort()  # so that worlds do not depend on hidden information
    _deal_hidden(copy, pool, hands, rng)
    return copy


def _in_canonical_order(position: Position, seat: int, deck: tuple[int, ...]) -> tuple[int, ...]:
    pattern = position.parameters.pattern(seat, position.start)
    ordered: list[int] = []
    for first in range(0, (position.round - 1) * HAND_SIZE, HAND_SIZE):
        cards = sorted(deck[first : first + HAND_SIZE], reverse=True)
        ordered += _in_order(pattern[first : first + HAND_SIZE], cards)
    return (*ordered, *deck[len(ordered) :])


def _possible_suits(position: Position, seat: int) -> frozenset[int]:
    suits = _ALL_SUITS
    now = position.round
    for number, discarder, kept in position.forced:
        if number == now and discarder == seat:
            suits &= kept
    return suits


def forget(position: Position) -> None:
    controllers(position)  # update the controllers, which are computed lazily
    position.board = None
    position.histories = {}


def _in_order(pattern: str, cards: Sequence[int]) -> list[int]:
    bribes = [card for card in cards if card < FIRST_OFFICIAL]
    officials = [card for card in cards if card >= FIRST_OFFICIAL]
    return [(bribes if kind == "B" else officials).pop() for kind in pattern[: len(cards)]]


def _deal_hidden(
    position: Position, pool: list[int], hands: dict[int, _HiddenHand], rng: random.Random
) -> None:
    bribes = [card for card in pool if card < FIRST_OFFICIAL]
    officials = [card for card in pool if card >= FIRST_OFFICIAL]
    kept = _draw_limited(bribes, hands, rng)
    if kept:
        dealt = {card for cards in kept.values() for card in cards}
        bribes = [card for card in bribes if card not in dealt]
    shuffle(bribes, rng)
    shuffle(officials, rng)
    end = position.round * HAND_SIZE
    decks = []
    for seat, deck in enumerate(position.decks):
        drawn = deck[:end]
        if seat in hands:
            bribes_held, officials_held, _, played = hands[seat]
            own = kept.get(seat) or _take(bribes, bribes_held)
            own_officials = _take(officials, officials_held)
            position.hands[seat] = sorted(own + own_officials)
            for card in played:
                (own if card < FIRST_OFFICIAL else own_officials).append(card)
            pattern = position.parameters.pattern(seat, position.start)[end - HAND_SIZE : end]
            order = _in_drawn_order(pattern, own, own_officials, rng)
            drawn = deck[: end - HAND_SIZE] + order
        decks.append(drawn + _rest_of_deck(position, seat, bribes, officials))
    position.decks = tuple(decks)


def _take(cards: list[int], count: int) -> list[int]:
    return [cards.pop() for _ in range(count)]


def _rest_of_deck(
    position: Position, seat: int, bribes: list[int], officials: list[int]
) -> tuple[int, ...]:
    parameters = position.parameters
    count, places = parameters.rest_of_deck(seat, position.start, position.round)
    first = len(bribes) - count
    cards = bribes[first:]
    cards.reverse()
    del bribes[first:]
    for place in places:
        cards.insert(place, officials.pop())
    return tuple(cards)


def _draw_limited(
    bribes: Sequence[int], hands: dict[int, _HiddenHand], rng: random.Random
) -> dict[int, list[int]]:
    limited = {
        seat: (count, suits)
        for seat, (count, _, suits, _) in hands.items()
        if suits is not _ALL_SUITS and suits != _ALL_SUITS
    }
    while limited:
        drawn = {
            seat: sample([card for card in bribes if SUIT[card] in suits], count, rng)
            for seat, (count, suits) in limited.items()
        }
        cards = [card for kept in drawn.values() for card in kept]
        # If two hands get the same bribe, redraw all hands, so that no hand has priority.
        if len(set(cards)) == len(cards):
            return drawn
    return {}


def _in_drawn_order(
    pattern: str, bribes: list[int], officials: list[int], rng: random.Random
) -> tuple[int, ...]:
    shuffle(bribes, rng)
    shuffle(officials, rng)
    return tuple(_in_order(pattern, bribes + officials))
