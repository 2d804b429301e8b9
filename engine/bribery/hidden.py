"""Hidden information of Bribery: redrawn for a seat, or imagined from its view [10.1].

Hidden are the hands of other seats and all decks, also the seat's own deck. For each hidden card it
is public whether it is an official or a bribe, because decks have patterns [3.1] and each bribe is
played face up. A forced discard shows more: no card that the seat kept had a place at that moment,
which rules out suits [5.3]. All cards that agree with this are equally likely.
"""

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.bribery.cards import BIT, CARDS, FIRST_OFFICIAL, JOKERS, NUMBER, SEATS, SUIT, SUITS
from engine.bribery.parameters import HAND_SIZE, Parameters
from engine.bribery.position import Ability, Discard, Position, empty_position
from engine.bribery.rules import refresh
from engine.bribery.view import PendingView, View
from engine.draws import sample, shuffle

UNKNOWN = -1
"""In a deck: a card that was played before the position was imagined."""

_ALL_SUITS = frozenset(range(len(SUITS)))


class _HiddenHand(NamedTuple):
    """What all seats know of a hand."""

    bribes: int
    """The number of bribes in it."""
    officials: int
    """The number of officials in it."""
    suits: frozenset[int] = _ALL_SUITS
    """The suits that its bribes can have."""
    played: Sequence[int] = ()
    """The known cards that its seat has played in this round."""


def redraw(position: Position, seat: int, rng: random.Random) -> Position:
    """Return a copy of `position` in which all that `seat` cannot know is redrawn."""
    copy = position.copy()
    left = position.round * HAND_SIZE
    pool = [card for deck in position.decks for card in deck[left:]]
    hands = {}
    for other, held in enumerate(position.hands):
        if other == seat:
            continue
        pool += held
        bribes = len([card for card in held if card < FIRST_OFFICIAL])
        drawn = position.drawn(other, position.round)
        hands[other] = _HiddenHand(
            bribes=bribes,
            officials=len(held) - bribes,
            suits=_possible_suits(position, other),
            played=[card for card in drawn if card not in held and card != UNKNOWN],
        )
    _deal_hidden(copy, pool, hands, rng)
    return copy


def _possible_suits(position: Position, seat: int) -> frozenset[int]:
    """Return the suits of bribes that a hand can hold after the forced discards of this round."""
    suits = _ALL_SUITS
    if position.forced:
        now = position.round
        for number, discarder, kept in position.forced:
            if number == now and discarder == seat:
                suits &= kept
    return suits


def imagine(parameters: Parameters, view: View, rng: random.Random) -> Position:
    """Return a position whose view for `view.seat` is `view`; what that hides is drawn.

    A view does not say when a card was discarded. What a forced discard shows of the rest of a
    hand is therefore unknown here, and only `redraw` respects it.
    """
    assert view.seat is not None, "expected the view of a seat, got that of a spectator"
    position = _set_up_public(parameters, view)
    bribes = [bribe for pile in position.piles for bribe in pile]
    bribes += [bribe for bribe, _ in position.discards]
    seen = {*position.hands[view.seat], *[bribe // SEATS for bribe in bribes]}
    seen.update([NUMBER[official.card] for official in view.board])
    seen.update([NUMBER[joker] for joker in JOKERS if joker not in view.jokers])
    owners = [bribe % SEATS for bribe in bribes]
    hands = {}
    for other, size in enumerate(view.hand_sizes):
        if other != view.seat:
            drawn = parameters.pattern(other, view.start)[: view.round * HAND_SIZE].count("B")
            left = drawn - owners.count(other)
            hands[other] = _HiddenHand(bribes=left, officials=size - left)
    _deal_hidden(position, [card for card in range(len(CARDS)) if card not in seen], hands, rng)
    return position


def _set_up_public(parameters: Parameters, view: View) -> Position:
    """Return a position with all that `view` shows; other hands are empty, decks unknown."""
    position = empty_position(parameters)
    position.start = view.start
    position.jokers = view.jokers
    position.order = parameters.orders[view.start]
    position.turn = position.first_turn = view.turn - 1
    position.seat_to_act = view.to_act
    position.phase = view.phase
    hand = [NUMBER[card] for card in view.hand]
    decks = [[UNKNOWN] * len(parameters.pattern(s, view.start)) for s in range(parameters.seats)]
    if view.seat is not None:
        first = (view.round - 1) * HAND_SIZE
        decks[view.seat][first : first + len(hand)] = hand
    position.decks = tuple(map(tuple, decks))
    position.hands = [sorted(hand) if s == view.seat else [] for s in range(parameters.seats)]
    for shown in view.board:
        official = NUMBER[shown.card] - FIRST_OFFICIAL
        if shown.face_down:
            position.face_down |= BIT[official]
        else:
            position.face_up |= BIT[official]
        position.piles[official] = tuple(
            [NUMBER[bribe.card] * SEATS + bribe.seat for bribe in shown.bribes]
        )
    position.discards = tuple(
        [(NUMBER[each.card] * SEATS + each.seat, each.why) for each in view.discards]
    )
    if view.pending is not None:
        position.pending = _read_ability(view.pending, position.discards)
        position.to_ask = view.pending.to_ask
    refresh(position)
    return position


def _read_ability(pending: PendingView, discards: Iterable[Discard]) -> Ability:
    """Return the ability that a view shows as pending."""
    spent = NUMBER[pending.spent]
    return (
        pending.seat,
        NUMBER[pending.source] - FIRST_OFFICIAL,
        next(bribe for bribe, _ in discards if bribe // SEATS == spent),
        NUMBER[pending.target] - FIRST_OFFICIAL,
    )


def _deal_hidden(
    position: Position, pool: Iterable[int], hands: dict[int, _HiddenHand], rng: random.Random
) -> None:
    """Deal the cards of `pool` to `hands`, which are by seat, and to the rest of all decks."""
    bribes, officials = _split_by_type(pool)
    kept = _draw_limited(bribes, hands, rng)
    dealt = {card for cards in kept.values() for card in cards}
    bribes = [card for card in bribes if card not in dealt]
    shuffle(bribes, rng)
    shuffle(officials, rng)
    first = (position.round - 1) * HAND_SIZE
    decks = []
    for seat, deck in enumerate(position.decks):
        drawn, pattern = (
            deck[: first + HAND_SIZE],
            position.parameters.pattern(seat, position.start),
        )
        if seat in hands:
            hand = hands[seat]
            cards = kept.get(seat) or [bribes.pop() for _ in range(hand.bribes)]
            cards += [officials.pop() for _ in range(hand.officials)]
            position.hands[seat] = sorted(cards)
            order = _in_drawn_order(pattern[first : first + HAND_SIZE], [*cards, *hand.played], rng)
            drawn = drawn[:first] + order
        left = [
            (bribes if kind == "B" else officials).pop() for kind in pattern[first + HAND_SIZE :]
        ]
        decks.append((*drawn, *left))
    position.decks = tuple(decks)


def _split_by_type(cards: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return the bribes and the officials among `cards`."""
    cards = list(cards)
    bribes = [card for card in cards if card < FIRST_OFFICIAL]
    return bribes, [card for card in cards if card >= FIRST_OFFICIAL]


def _draw_limited(
    bribes: Sequence[int], hands: dict[int, _HiddenHand], rng: random.Random
) -> dict[int, list[int]]:
    """Return different bribes for each hand that cannot have all suits, by seat."""
    limited = {seat: hand for seat, hand in hands.items() if hand.suits != _ALL_SUITS}
    while True:
        drawn = {
            seat: sample([card for card in bribes if SUIT[card] in hand.suits], hand.bribes, rng)
            for seat, hand in limited.items()
        }
        cards = [card for kept in drawn.values() for card in kept]
        # If two hands got the same bribe, both are drawn again: no hand may choose before another.
        if len(set(cards)) == len(cards):
            return drawn


def _in_drawn_order(pattern: str, cards: Iterable[int], rng: random.Random) -> tuple[int, ...]:
    """Return the cards of a round in a random order that agrees with `pattern`.

    If there are fewer cards than places in the pattern, the other cards are unknown.
    """
    bribes, officials = _split_by_type(cards)
    for kind, known in (("B", bribes), ("O", officials)):
        known += [UNKNOWN] * (pattern.count(kind) - len(known))
        shuffle(known, rng)
    return tuple([(bribes if kind == "B" else officials).pop() for kind in pattern])
