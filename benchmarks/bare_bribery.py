"""Random games of Bribery with the least that they take: the floor of `playout_floor.py`.

The game is the basic one of `engine.bribery` without teams: with the same deal and the same chance,
the same cards are played, and points and ranks are the same. Left out is all that others ask of an
engine: states that can be copied, actions by name, checks of them, views, events, past actions.
"""

from collections.abc import Callable
from typing import Any, Final

from engine.bribery.cards import (
    BIT,
    COUNTRY,
    FIRST_OFFICIAL,
    JOKER_1,
    JOKER_2,
    JOKER_4,
    JOKER_POINTS,
    NUMBER,
    OFFICIALS,
    OPEN_OFFICIALS,
    OPENS_TO,
    POINTS,
    SEATS,
    SUIT,
    VALUE_OF,
    VOTES,
)
from engine.bribery.parameters import HAND_SIZE

Dealt = tuple[int, list[tuple[list[list[int]], list[int]]], int]
"""The officials on the board, by round the sorted hands and the seats of turns, number of seats."""
Played = tuple[int, list[int], list[int]]
"""The number of actions, and points and ranks by seat."""
Controller = tuple[int, int]
"""A seat, and 2 if it dominates, else 1; without a controller, -1 and 0."""

# A compiled module looks up tables of another one by name, which takes time.
_FIRST_OFFICIAL: Final = FIRST_OFFICIAL
_BIT: Final = BIT
_OPEN_OFFICIALS: Final = OPEN_OFFICIALS
_OPENS_TO: Final = OPENS_TO
_SEATS: Final = SEATS
_SUIT: Final = SUIT
_VALUE_OF: Final = VALUE_OF
_JOKER_1: Final = JOKER_1
_JOKER_2: Final = JOKER_2
_JOKER_4: Final = JOKER_4
_JOKER_1_POINTS: Final = JOKER_POINTS[JOKER_1]
_NO_PILES: Final[list[tuple[int, ...]]] = [()] * len(OFFICIALS)

_HALF: Final = len(OFFICIALS) // 2
_HALF_BITS: Final = (1 << _HALF) - 1
_MEMBERS: Final = [
    [official for official in range(_HALF) if officials >> official & 1]
    for officials in range(1 << _HALF)
]
"""By set of half of the officials: these, ascending. Bribes are counted and drawn, not listed."""
_SIZE: Final = [len(members) for members in _MEMBERS]
_DOMINATING: Final = [(seat, 2) for seat in range(SEATS)]
_CONTROLLING: Final = [(seat, 1) for seat in range(SEATS)]
_UNCONTROLLED: Final = (-1, 0)
_SEAT: Final = [seat for _ in range(FIRST_OFFICIAL) for seat in range(SEATS)]
_BONUS_VALUES: Final = {
    (seat, factor): tuple(
        [value + factor if of == seat else value for value, of in zip(VALUE_OF, _SEAT, strict=True)]
    )
    for seat in range(-1, SEATS)
    for factor in range(3)
}
"""By controller of Joker #1: the value of each bribe."""
_COUNTRIES: Final = [
    (points, [(o, VOTES[o]) for o, of in enumerate(COUNTRY) if of == suit and VOTES[o]])
    for suit, points in enumerate(POINTS)
]
_JOKERS: Final = [(joker, points) for joker, points in JOKER_POINTS.items() if joker != JOKER_1]


def prepare(variant: Any, deal: Any) -> Dealt:
    """Return a deal of a variant in numbers."""
    decks = [[NUMBER[card] for card in deck] for deck in deal.decks]
    parameters = variant.start(deal).position.parameters
    order, rounds = parameters.orders[deal.start], parameters.round_of
    dealt = []
    for number in range(parameters.rounds):
        first = number * HAND_SIZE
        hands = [sorted(deck[first : first + HAND_SIZE]) for deck in decks]
        turns = [order[turn] for turn in range(parameters.plays) if rounds[turn] == number + 1]
        dealt.append((hands, turns))
    return sum([BIT[NUMBER[card] - FIRST_OFFICIAL] for card in deal.board]), dealt, variant.seats


def play(dealt: Dealt, chance: Callable[[], float]) -> Played:
    """Play a random game, each action `legal[int(chance() * len(legal))]`."""
    board, rounds, n = dealt
    open_to = [board & officials for officials in _OPEN_OFFICIALS]
    piles = _NO_PILES.copy()
    free_seat = -1
    actions = 0
    for dealt_hands, turns in rounds:
        hands = [hand.copy() for hand in dealt_hands]
        for seat in turns:
            hand = hands[seat]
            accepting = [board] * 4 if seat == free_seat else open_to
            number = 0
            for card in hand:
                number += 1
                if card < _FIRST_OFFICIAL:
                    officials = accepting[_SUIT[card]]
                    number += _SIZE[officials & _HALF_BITS] + _SIZE[officials >> _HALF] - 1
            if not number:
                del hand[int(chance() * len(hand))]
                continue
            left = int(chance() * number)
            officials = 0
            for card in hand:
                number = 1
                if card < _FIRST_OFFICIAL:
                    officials = accepting[_SUIT[card]]
                    number = _SIZE[officials & _HALF_BITS] + _SIZE[officials >> _HALF]
                if left < number:
                    break
                left -= number
            hand.remove(card)
            if card >= _FIRST_OFFICIAL:
                bit = _BIT[card - _FIRST_OFFICIAL]
                board |= bit
                for suit in _OPENS_TO[card - _FIRST_OFFICIAL]:
                    open_to[suit] = open_to[suit] | bit
                continue
            low = _MEMBERS[officials & _HALF_BITS]
            if left < len(low):
                place = low[left]
            else:
                place = _HALF + _MEMBERS[officials >> _HALF][left - len(low)]
            suit = _SUIT[card]
            open_to[suit] = open_to[suit] & ~_BIT[place]
            piles[place] += (card * _SEATS + seat,)
            if place in (_JOKER_1, _JOKER_4):
                values = _BONUS_VALUES[_controller(piles[_JOKER_1], _VALUE_OF, n)]
                free_seat, _ = _controller(piles[_JOKER_4], values, n)
        actions += len(turns)
    points = _score(piles, n)
    best_first = sorted(points, reverse=True)
    return actions, points, [1 + best_first.index(own) for own in points]


def _controller(pile: tuple[int, ...], values: tuple[int, ...], n: int) -> Controller:
    """Return the controller of an official."""
    if len(pile) == 1:
        return _DOMINATING[_SEAT[pile[0]]]
    if not pile:
        return _UNCONTROLLED
    if len(pile) == 2:
        one, other = pile
        if _SEAT[one] == _SEAT[other]:
            return _DOMINATING[_SEAT[one]]
        lead = values[one] - values[other]
        return _CONTROLLING[_SEAT[one if lead > 0 else other]] if lead else _UNCONTROLLED
    totals = [0] * n
    for bribe in pile:
        seat = _SEAT[bribe]
        totals[seat] = totals[seat] + values[bribe]
    return _greatest(totals)


def _greatest(totals: list[int]) -> Controller:
    """Return the seat whose total is greater than all others."""
    winner, best, second = -1, 0, 0
    for seat, total in enumerate(totals):
        if total > best:
            winner, best, second = seat, total, best
        elif total > second:
            second = total
    if best == second:
        return _UNCONTROLLED
    return (_CONTROLLING if second else _DOMINATING)[winner]


def _score(piles: list[tuple[int, ...]], n: int) -> list[int]:
    """Return the points of each seat."""
    bonus = _controller(piles[_JOKER_1], _VALUE_OF, n)
    values = _BONUS_VALUES[bonus]
    bonus_seat, bonus_votes = _controller(piles[_JOKER_2], values, n)
    points = [0] * n
    for worth, voters in _COUNTRIES:
        totals = [0] * n
        for official, votes in voters:
            pile = piles[official]
            if pile:
                seat, factor = _controller(pile, values, n)
                won = votes * factor
                if factor and seat == bonus_seat:
                    won += bonus_votes
                totals[seat] = totals[seat] + won
        seat, factor = _greatest(totals)
        points[seat] = points[seat] + worth * factor
    seat, factor = bonus
    points[seat] = points[seat] + _JOKER_1_POINTS * factor
    for joker, worth in _JOKERS:
        seat, factor = _controller(piles[joker], values, n)
        points[seat] = points[seat] + worth * factor
    return points
