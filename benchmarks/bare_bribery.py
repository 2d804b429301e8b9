"""Random games of Bribery with the least that they take: the floor of `playout_floor.py`.

The game is the basic one of `engine.bribery` without teams: with the same deal and the same chance,
the same cards are played, and points and ranks are the same. Left out is all that others ask of an
engine: states that can be copied, actions by name, checks of them, views, events, past actions.
"""

from collections.abc import Callable, Sequence
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

# An action is a number: the official below the bits of the card.
_PLACE_BITS: Final = 5
_PLACE: Final = (1 << _PLACE_BITS) - 1
_PART: Final = 7
_PART_BITS: Final = (1 << _PART) - 1
_TWO_PARTS: Final = 2 * _PART


def _list_subsets(row: Sequence[int]) -> list[list[int]]:
    subsets: list[list[int]] = [[]]
    for number in row:
        subsets += [[*without, number] for without in subsets]
    return subsets


def _pick(card: int) -> tuple[int, list[list[int]], list[list[int]], list[list[int]]]:
    """Return the suit of a bribe card, and by subset of each part of the officials its actions."""
    row = [(card << _PLACE_BITS) + official for official in range(len(OFFICIALS))]
    first, second, third = row[:_PART], row[_PART:_TWO_PARTS], row[_TWO_PARTS:]
    return SUIT[card], _list_subsets(first), _list_subsets(second), _list_subsets(third)


_PICK: Final = [_pick(card) for card in range(FIRST_OFFICIAL)]
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
    open_to = [board & officials for officials in OPEN_OFFICIALS]
    piles: list[tuple[int, ...]] = [()] * len(OFFICIALS)
    free_seat = -1
    actions = 0
    for dealt_hands, turns in rounds:
        hands = [hand.copy() for hand in dealt_hands]
        for seat in turns:
            hand = hands[seat]
            accepting = [board] * 4 if seat == free_seat else open_to
            legal: list[int] = []
            for card in hand:
                if card < FIRST_OFFICIAL:
                    suit, first, second, third = _PICK[card]
                    officials = accepting[suit]
                    legal += first[officials & _PART_BITS]
                    legal += second[officials >> _PART & _PART_BITS]
                    legal += third[officials >> _TWO_PARTS]
                else:
                    legal.append(card << _PLACE_BITS)
            if not legal:
                del hand[int(chance() * len(hand))]
                continue
            action = legal[int(chance() * len(legal))]
            card = action >> _PLACE_BITS
            hand.remove(card)
            if card >= FIRST_OFFICIAL:
                bit = BIT[card - FIRST_OFFICIAL]
                board |= bit
                for suit in OPENS_TO[card - FIRST_OFFICIAL]:
                    open_to[suit] = open_to[suit] | bit
                continue
            place = action & _PLACE
            suit = SUIT[card]
            open_to[suit] = open_to[suit] & ~BIT[place]
            piles[place] += (card * SEATS + seat,)
            if place in (JOKER_1, JOKER_4):
                values = _BONUS_VALUES[_controller(piles[JOKER_1], VALUE_OF, n)]
                free_seat, _ = _controller(piles[JOKER_4], values, n)
        actions += len(turns)
    points = _score(piles, n)
    best_first = sorted(points, reverse=True)
    return actions, points, [1 + best_first.index(own) for own in points]


def _controller(pile: tuple[int, ...], values: tuple[int, ...], n: int) -> Controller:
    """Return the controller of an official."""
    if len(pile) == 1:
        return _SEAT[pile[0]], 2
    if not pile:
        return -1, 0
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
        return -1, 0
    return winner, 1 if second else 2


def _score(piles: list[tuple[int, ...]], n: int) -> list[int]:
    """Return the points of each seat."""
    bonus = _controller(piles[JOKER_1], VALUE_OF, n)
    values = _BONUS_VALUES[bonus]
    bonus_seat, bonus_votes = _controller(piles[JOKER_2], values, n)
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
    points[seat] = points[seat] + JOKER_POINTS[JOKER_1] * factor
    for joker, worth in _JOKERS:
        seat, factor = _controller(piles[joker], values, n)
        points[seat] = points[seat] + worth * factor
    return points
