"""Random games of Pot de Vin with the least that they take: the floor of `playout_floor.py`.

The game is the one of `engine.pot_de_vin` without teams: with the same deal and the same chance,
the same cards are played, and points and ranks are the same. Left out is all that others ask of
an engine: states that can be copied, actions by name and their checks, views, events, past tricks.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from engine.pot_de_vin.cards import (
    BONUS,
    CARDS,
    GEM,
    GEM_TALLY,
    INDEX,
    JOKER,
    KIND_BITS,
    PENALTY,
    POT_DE_VIN,
    TALLY,
    TALLY_OF_ROUND,
    VALUES,
)
from engine.pot_de_vin.scoring import COLUMN_POINTS, POT_DE_VIN_POINTS

Dealt = tuple[list[list[int]], list[int], int, int]
"""By seat and character the suit in its hand, the trump cards, the gems of a seat, who starts.

A suit is a set of cards: bit `i` stands for the value `i + 1`. A card is a number 0..51.
"""
Played = tuple[int, list[int], list[int]]
"""The number of actions, and points and ranks by seat."""

_SUIT: Final = len(VALUES)
_CHARACTER: Final = [card // _SUIT for card in range(len(CARDS))]
_BIT: Final = [1 << card % _SUIT for card in range(len(CARDS))]
_TALLY: Final = [TALLY[card] for card in CARDS]
_PLAYS: Final = [
    [
        [_SUIT * character + place for place in range(_SUIT) if suit >> place & 1]
        for suit in range(1 << _SUIT)
    ]
    for character in range(4)
]
_ALDO: Final = _PLAYS[0]
_PIETRA: Final = _PLAYS[1]
_ENZO: Final = _PLAYS[2]
_UGO: Final = _PLAYS[3]


def _weight(card: int, trump: int, led: int) -> int:
    character, value = _CHARACTER[card], card % _SUIT + 1
    strength = 13 + value if character == trump else value if character == led else 0
    return strength * (TALLY_OF_ROUND + 1) + _TALLY[card]


_WEIGHT: Final = [
    [[_weight(card, trump, led) for card in range(len(CARDS))] for led in range(4)]
    for trump in range(4)
]
"""By trump character, led character and card: the strength above what it adds to the trick."""

_GEM_TALLY: Final = GEM_TALLY
_TALLY_OF_ROUND: Final = TALLY_OF_ROUND
_THREE: Final = 3 * KIND_BITS
_MASK: Final = (1 << KIND_BITS) - 1
_MASK_OF_THREE: Final = (1 << _THREE) - 1
_JOKERS: Final = JOKER * KIND_BITS
_NEUTRAL: Final = BONUS * KIND_BITS
_GEMS: Final = GEM * KIND_BITS
_GAIN: Final = [*[more - less for less, more in pairwise(COLUMN_POINTS)], 0]
_COUNTS: Final = [[n >> shift & _MASK for shift in (0, 3, 6)] for n in range(1 << _THREE)]
_POINTS: Final = [sum([COLUMN_POINTS[symbols] for symbols in three]) for three in _COUNTS]
_CARDS: Final = [sum(three) for three in _COUNTS]
_GAINS: Final = [[_GAIN[symbols] for symbols in three if symbols] for three in _COUNTS]
_NEUTRAL_POINTS: Final = [
    2 * (three[0] - three[PENALTY - BONUS])
    + (*POT_DE_VIN_POINTS, 0, 0, 0)[three[POT_DE_VIN - BONUS]]
    for three in _COUNTS
]


def prepare(variant: Any, deal: Any) -> Dealt:
    """Return a deal of a variant in numbers."""
    n, sizes = variant.seats, {3: (12, 4), 4: (10, 2), 5: (8, 4)}
    hand_size, gems = sizes[n]
    cards = [INDEX[card] for card in deal.cards]
    trumps = cards[: hand_size + gems]
    hands = [[0, 0, 0, 0] for _ in range(n)]
    for place, card in enumerate(cards[len(trumps) :]):
        hand = hands[(deal.start + place // hand_size) % n]
        hand[_CHARACTER[card]] += _BIT[card]
    return hands, trumps, gems, deal.start


def play(dealt: Dealt, chance: Callable[[], float]) -> Played:
    """Play a random game, each action `legal[int(chance() * len(legal))]`."""
    dealt_hands, trumps, gems, leader = dealt
    hands = [hand.copy() for hand in dealt_hands]
    n = len(hands)
    left, tallies = [gems] * n, [0] * n
    safe = len(trumps) - gems - 1  # rounds in which nobody can run out of cards
    followers = [(leader + step) % n for step in range(1, n)]
    actions = 0
    for number, trump in enumerate(trumps):
        hand = hands[leader]
        aldo, pietra, enzo, ugo = hand
        legal = _ALDO[aldo] + _PIETRA[pietra] + _ENZO[enzo] + _UGO[ugo]
        card = legal[int(chance() * len(legal))]
        led = _CHARACTER[card]
        hand[led] = hand[led] - _BIT[card]
        weights = _WEIGHT[_CHARACTER[trump]][led]
        total = best = weights[card]
        for seat in followers:
            hand = hands[seat]
            suit = hand[led]
            if suit:
                legal = _PLAYS[led][suit]
            else:
                aldo, pietra, enzo, ugo = hand
                legal = _ALDO[aldo] + _PIETRA[pietra] + _ENZO[enzo] + _UGO[ugo]
            size = len(legal)
            place = int(chance() * (size + 1 if left[seat] else size))
            if place == size:
                left[seat] = left[seat] - 1
                total += _GEM_TALLY
                continue
            card = legal[place]
            character = _CHARACTER[card]
            hand[character] = hand[character] - _BIT[card]
            weight = weights[card]
            total += weight
            if weight > best:
                best = weight
                leader = seat
        actions += 1 + len(followers)
        tallies[leader] = tallies[leader] + (total & _TALLY_OF_ROUND) + _TALLY[trump]
        seats = [(leader + step) % n for step in range(n)]
        if number >= safe:
            seats = [seat for seat in seats if any(hands[seat])]
            if not seats:
                break
        leader = seats[0]
        followers = seats[1:]
    return actions, *_rank([_score(tally) for tally in tallies])


def _score(tally: int) -> tuple[int, int, int]:
    """Return points, cards and gems of a seat."""
    first, second = tally & _MASK_OF_THREE, tally >> _THREE & _MASK_OF_THREE
    neutral, jokers = tally >> _NEUTRAL & _MASK_OF_THREE, tally >> _JOKERS & _MASK
    points = _POINTS[first] + _POINTS[second] + _NEUTRAL_POINTS[neutral]
    cards = _CARDS[first] + _CARDS[second] + _CARDS[neutral]
    gems = tally >> _GEMS
    if jokers:
        gains = _GAINS[first] + _GAINS[second]
        gains.sort()
        for gain in gains[-jokers:]:
            points += gain
            cards += 1
    return points + gems, cards, gems


def _rank(scores: list[tuple[int, int, int]]) -> tuple[list[int], list[int]]:
    """Return points and ranks."""
    keys = [points * 65536 + cards * 256 + gems for points, cards, gems in scores]
    ranks = []
    for own in keys:
        place = 1
        for other in keys:
            if other > own:
                place += 1
        ranks.append(place)
    return [points for points, _, _ in scores], ranks
