"""What a seat cannot know, drawn at random so that it agrees with what the seat has seen [10.1].

Hidden are the hands of the others and all decks, the own deck too. Of each hidden card it is
known whether it is an official or a bribe: decks have patterns [3.1], and which bribes a seat has
played lies open. After a forced discard it is also known that no card that the seat kept had a
place at that moment, which rules out suits [5.3]. All that agrees with this is equally likely.
"""

import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from engine.bribery.abilities import Ability
from engine.bribery.cards import CARDS, FIRST_OFFICIAL, JOKERS, NUMBER, SEATS, SUIT, SUITS
from engine.bribery.deal import HAND
from engine.bribery.view import View

if TYPE_CHECKING:
    from engine.bribery.state import BriberyState
    from engine.bribery.variant import Bribery

UNKNOWN = -1
"""In a deck: a card that was played before the state was imagined, whichever it was."""

_AnyState = TypeVar("_AnyState", bound="BriberyState")
_ALL_SUITS = frozenset(range(len(SUITS)))


class _HiddenHand(NamedTuple):
    """What everybody knows of a hand."""

    bribes: int
    officials: int
    suits: frozenset[int] = _ALL_SUITS
    """Those that its bribes can be of."""
    played: Sequence[int] = ()
    """The cards that its seat has played in this round, as far as is known."""


def determinize(state: _AnyState, seat: int, rng: random.Random) -> _AnyState:
    """Return a copy of a state in which all that `seat` cannot know is drawn anew."""
    copy = state.clone()
    # What another seat was told holds the cards that it really drew.
    copy.stories = {own: story for own, story in state.stories.items() if own in (seat, None)}
    left = state.round * HAND
    pool = [card for deck in state.decks for card in deck[left:]]
    hands = {}
    for other, held in enumerate(state.hands):
        if other == seat:
            continue
        pool += held
        bribes = len([card for card in held if card < FIRST_OFFICIAL])
        drawn = state.drawn(other, state.round)
        hands[other] = _HiddenHand(
            bribes=bribes,
            officials=len(held) - bribes,
            suits=_possible_suits(state, other),
            played=[card for card in drawn if card not in held and card != UNKNOWN],
        )
    _redraw(copy, pool, hands, rng)
    return copy


def _possible_suits(state: "BriberyState", seat: int) -> frozenset[int]:
    """Return the suits of bribes that a hand may hold after the forced discards of this round."""
    suits = _ALL_SUITS
    for forced in state.forced:
        if (forced.round, forced.seat) == (state.round, seat):
            suits &= forced.suits
    return suits


def imagine(variant: "Bribery", view: View, rng: random.Random) -> "BriberyState":
    """Return a state that the seat of `view` cannot tell from the real one by its view.

    A view does not say when the cards on the discard pile came there. So what a forced discard
    told of the rest of a hand is not in it, and only `determinize` heeds it.
    """
    assert view.seat is not None, "a spectator's view: nobody to imagine for"
    hand = [NUMBER[card] for card in view.hand]
    state = _open_table(variant, view, hand)
    bribes = [bribe for pile in state.piles for bribe in pile]
    bribes += [bribe for bribe, _ in state.discards]
    seen = {*hand, *[bribe // SEATS for bribe in bribes]}
    seen.update([NUMBER[official.card] for official in view.board])
    seen.update([NUMBER[joker] for joker in JOKERS if joker not in view.jokers])
    owners = [bribe % SEATS for bribe in bribes]
    hands = {}
    for other, size in enumerate(view.hand_sizes):
        if other != view.seat:
            drawn = variant.pattern(other, view.start)[: view.round * HAND].count("B")
            left = drawn - owners.count(other)
            hands[other] = _HiddenHand(bribes=left, officials=size - left)
    _redraw(state, [card for card in range(len(CARDS)) if card not in seen], hands, rng)
    state.resume()
    return state


def _open_table(variant: "Bribery", view: View, hand: Sequence[int]) -> "BriberyState":
    """Return a state with all that lies open in a view, and the viewer's hand."""
    patterns = [variant.pattern(seat, view.start) for seat in range(variant.seats)]
    decks = [[UNKNOWN] * len(pattern) for pattern in patterns]
    if view.seat is not None:
        first = (view.round - 1) * HAND
        decks[view.seat][first : first + len(hand)] = hand
    board = [NUMBER[official.card] - FIRST_OFFICIAL for official in view.board]
    state = variant.lay_table(view.start, view.jokers, board, tuple(map(tuple, decks)))
    state.hands = [sorted(hand) if seat == view.seat else [] for seat in range(variant.seats)]
    for number, official in zip(board, view.board, strict=True):
        if official.face_down:
            state.turn_down(number)
        for shown in official.bribes:
            state.put(NUMBER[shown.card] * SEATS + shown.seat, number)
    for thrown in view.discards:
        state.discard(NUMBER[thrown.card] * SEATS + thrown.seat, thrown.why)
    state.turn = state.first_turn = view.turn - 1
    state.seat_to_act = view.to_act
    state.phase = view.phase
    if (pending := view.pending) is not None:
        spent = NUMBER[pending.spent]
        state.pending = Ability(
            seat=pending.seat,
            source=NUMBER[pending.source] - FIRST_OFFICIAL,
            spent=next(bribe for bribe, _ in state.discards if bribe // SEATS == spent),
            target=NUMBER[pending.target] - FIRST_OFFICIAL,
            to_ask=pending.to_ask,
        )
    return state


def _redraw(
    state: "BriberyState", pool: Iterable[int], hands: dict[int, _HiddenHand], rng: random.Random
) -> None:
    """Deal the cards of a pool to hands, by seat, and to what is left of all decks."""
    bribes, officials = _sort_out(pool)
    kept = _draw_limited(bribes, hands, rng)
    dealt = {card for cards in kept.values() for card in cards}
    bribes = [card for card in bribes if card not in dealt]
    rng.shuffle(bribes)
    rng.shuffle(officials)
    first = (state.round - 1) * HAND
    decks = []
    for seat, deck in enumerate(state.decks):
        drawn, pattern = deck[: first + HAND], state.variant.pattern(seat, state.start)
        if seat in hands:
            hand = hands[seat]
            cards = kept.get(seat) or [bribes.pop() for _ in range(hand.bribes)]
            cards += [officials.pop() for _ in range(hand.officials)]
            state.hands[seat] = sorted(cards)
            order = _in_drawn_order(pattern[first : first + HAND], [*cards, *hand.played], rng)
            drawn = drawn[:first] + order
        left = [(bribes if kind == "B" else officials).pop() for kind in pattern[first + HAND :]]
        decks.append((*drawn, *left))
    state.decks = tuple(decks)


def _sort_out(cards: Iterable[int]) -> tuple[list[int], list[int]]:
    """Return the bribes and the officials among some cards."""
    cards = list(cards)
    bribes = [card for card in cards if card < FIRST_OFFICIAL]
    return bribes, [card for card in cards if card >= FIRST_OFFICIAL]


def _draw_limited(
    bribes: Sequence[int], hands: dict[int, _HiddenHand], rng: random.Random
) -> dict[int, list[int]]:
    """Return bribes for each hand that cannot have all suits, by seat; they are all different."""
    limited = {seat: hand for seat, hand in hands.items() if hand.suits != _ALL_SUITS}
    while True:
        drawn = {
            seat: rng.sample([card for card in bribes if SUIT[card] in hand.suits], hand.bribes)
            for seat, hand in limited.items()
        }
        cards = [card for kept in drawn.values() for card in kept]
        # Where hands took the same bribe all is drawn again, so that nobody chooses first.
        if len(set(cards)) == len(cards):
            return drawn


def _in_drawn_order(pattern: str, cards: Iterable[int], rng: random.Random) -> tuple[int, ...]:
    """Return the cards of a round in an order in which they can have been drawn.

    Where there are fewer cards than places in the pattern, the others were played and are
    unknown.
    """
    bribes, officials = _sort_out(cards)
    for kind, known in (("B", bribes), ("O", officials)):
        known += [UNKNOWN] * (pattern.count(kind) - len(known))
        rng.shuffle(known)
    return tuple([(bribes if kind == "B" else officials).pop() for kind in pattern])
