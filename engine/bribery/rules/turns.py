"""Rules of the basic game: turns and playing cards [4, 5]."""
# compiled: see setup.py

import random
from collections.abc import Callable
from typing import Final

from engine.bribery.actions import (
    BRIBE,
    BRIBE_OF,
    DISCARD,
    DISCARD_OF,
    HALF,
    HALF_BITS,
    MEMBERS,
    OFFICIAL,
    OFFICIAL_OF,
    PART,
    PART_BITS,
    PICK_BRIBE,
    SIZE,
    TWO_PARTS,
)
from engine.bribery.cards import (
    BIT,
    FIRST_OFFICIAL,
    NUMBER,
    ONE_BRIBE,
    OPEN_OFFICIALS,
    SEATS,
    SUIT,
)
from engine.bribery.control import NO_SIDE
from engine.bribery.deal import Deal
from engine.bribery.parameters import HAND_SIZE, Parameters
from engine.bribery.position import OVER_PHASE, Position, empty_position
from engine.bribery.rules import abilities, board
from engine.errors import IllegalAction

FORCED: Final = "forced"


def start(parameters: Parameters, deal: Deal) -> Position:
    position = empty_position(parameters)
    position.start = position.seat_to_act = deal.start
    position.order = parameters.orders[deal.start]
    position.jokers = deal.jokers
    position.first_board = deal.board
    position.decks = tuple([tuple([NUMBER[card] for card in deck]) for deck in deal.decks])
    position.face_up = sum([BIT[NUMBER[card] - FIRST_OFFICIAL] for card in deal.board])
    position.open_to = [position.face_up & officials for officials in OPEN_OFFICIALS]
    draw_hands(position)
    return position


def legal_actions(position: Position) -> list[str]:
    """Return the legal actions in ASCII order [5, 8, 9]."""
    if position.options:
        return position.options.copy()
    seat = position.seat_to_act
    if seat is None:
        return []
    open_to, free_side = position.open_to, position.free_side
    if free_side != NO_SIDE and free_side == position.parameters.side_of_seat[seat]:
        # The side that controls Joker #4 may put its bribes anywhere [R11].
        open_to = [position.face_up] * len(open_to)
    legal: list[str] = []
    for card in position.hands[seat]:
        if card < FIRST_OFFICIAL:
            suit, first, second, third = PICK_BRIBE[card]
            officials = open_to[suit]
            legal += first[officials & PART_BITS]
            legal += second[officials >> PART & PART_BITS]
            legal += third[officials >> TWO_PARTS]
        else:
            legal.append(OFFICIAL[card - FIRST_OFFICIAL])
    if not legal:  # a forced discard [5.3]
        legal = [DISCARD[card] for card in position.hands[seat]]
    return legal


def apply(position: Position, action: str) -> None:
    if position.options:
        abilities.apply(position, action)
        return
    seat = position.seat_to_act
    if seat is None:
        raise IllegalAction(action, None, [])
    parameters = position.parameters
    hand = position.hands[seat]
    bribery = BRIBE_OF.get(action)
    if bribery is None:
        _play_other(position, seat, action)
    else:
        card, first_bribe, official, suit, bit = bribery
        open_to = position.open_to
        accepting = open_to[suit]
        if not accepting & bit and not (
            position.face_up & bit and position.free_side == parameters.side_of_seat[seat]
        ):
            raise IllegalAction(action, seat, legal_actions(position))
        try:
            hand.remove(card)
        except ValueError:
            raise IllegalAction(action, seat, legal_actions(position)) from None
        open_to[suit] = accepting & ~bit
        piles = position.piles
        piles[official] = piles[official] + ONE_BRIBE[first_bribe + seat]
        if parameters.is_tracked[official]:
            board.update_control(position, official)
    position.log.append(action)
    position.turn = turn = position.turn + 1
    if not hand and parameters.begins_round[turn]:
        draw_hands(position)
    position.seat_to_act = next_seat = position.order[turn]
    if next_seat is None:
        position.phase = OVER_PHASE
    elif parameters.advanced:
        abilities.begin_turn(position, next_seat)


def play_out(position: Position, rng: random.Random) -> int:
    chance, actions = rng.random, 0
    while position.seat_to_act is not None:
        apply(position, _draw(position, chance))
        actions += 1
    return actions


def _draw(position: Position, chance: Callable[[], float]) -> str:
    if position.options:
        return position.options[int(chance() * len(position.options))]
    seat = position.seat_to_act
    assert seat is not None
    hand, open_to, free_side = position.hands[seat], position.open_to, position.free_side
    if free_side != NO_SIDE and free_side == position.parameters.side_of_seat[seat]:
        open_to = [position.face_up] * len(open_to)
    number = 0
    for card in hand:
        if card < FIRST_OFFICIAL:
            officials = open_to[SUIT[card]]
            number += SIZE[officials & HALF_BITS] + SIZE[officials >> HALF]
        else:
            number += 1
    if not number:
        return DISCARD[hand[int(chance() * len(hand))]]
    left = int(chance() * number)
    for card in hand:
        if card < FIRST_OFFICIAL:
            officials = open_to[SUIT[card]]
            low = SIZE[officials & HALF_BITS]
            if left < low:
                return BRIBE[card][MEMBERS[officials & HALF_BITS][left]]
            left -= low
            high = SIZE[officials >> HALF]
            if left < high:
                return BRIBE[card][HALF + MEMBERS[officials >> HALF][left]]
            left -= high
        elif left:
            left -= 1
        else:
            break
    return OFFICIAL[card - FIRST_OFFICIAL]


def _play_other(position: Position, seat: int, action: str) -> None:
    hand = position.hands[seat]
    official = OFFICIAL_OF.get(action)
    if official is not None and official + FIRST_OFFICIAL in hand:
        hand.remove(official + FIRST_OFFICIAL)
        board.turn_up(position, official)
        return
    legal = legal_actions(position)
    if action not in legal:
        raise IllegalAction(action, seat, legal)
    card = DISCARD_OF[action]
    hand.remove(card)
    position.discards += ((card * SEATS + seat, FORCED),)
    closed = frozenset([suit for suit, open_to in enumerate(position.open_to) if not open_to])
    position.forced += ((position.round, seat, closed),)


def draw_hands(position: Position) -> None:
    end = position.parameters.round_of[position.turn] * HAND_SIZE
    position.hands = [_ascending(deck[end - HAND_SIZE : end]) for deck in position.decks]


def _ascending(cards: tuple[int, ...]) -> list[int]:
    if len(cards) != 3:
        return sorted(cards)
    low, middle, high = cards
    if middle < low:
        low, middle = middle, low
    if high < middle:
        middle, high = high, middle
        if middle < low:
            low, middle = middle, low
    return [low, middle, high]
