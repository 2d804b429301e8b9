"""The rules of Pot de Vin: set-up, legal actions and their effects [4, 5]."""
# compiled: see setup.py

import random
from collections.abc import Iterable, Sequence
from typing import Final

from engine.errors import IllegalAction
from engine.pot_de_vin.actions import CARD, DISCARD, PASS, PLAY, PLAYS, SUIT_BIT, TALLY_WON
from engine.pot_de_vin.cards import (
    CARDS,
    CHARACTER,
    CHARACTERS,
    INDEX,
    TALLY,
    TALLY_OF_ROUND,
    VALUES,
)
from engine.pot_de_vin.deal import Deal
from engine.pot_de_vin.parameters import PILE_SIZE, Parameters
from engine.pot_de_vin.position import (
    NO_CARDS,
    NOT_LED,
    Position,
    empty_position,
    lacking_bit,
)


def _weigh_actions(trump: int, led: int) -> dict[str, int]:
    """Return the weight of each action in a trick. The highest weight wins the trick [5.3]."""
    # The low bits of a weight are the tally of the card or gem, which the winner takes [5.4].
    weights = {PASS: TALLY_WON[PASS]}
    for action, card in CARD.items():
        value, character = INDEX[card] % len(VALUES) + 1, CHARACTER[card]
        strength = 13 + value if character == trump else value if character == led else 0
        weights[action] = strength * (TALLY_OF_ROUND + 1) + TALLY_WON[action]
    return weights


_ALDO: Final = PLAYS[0]
_PIETRA: Final = PLAYS[1]
_ENZO: Final = PLAYS[2]
_UGO: Final = PLAYS[3]

_ANY = range(len(CHARACTERS))
_BY_CHARACTERS = [[_weigh_actions(trump, led) for led in _ANY] for trump in _ANY]
# For each trump card: its tally, and the weights of all actions by led character.
_TRUMPS: Final = {card: (TALLY[card], _BY_CHARACTERS[CHARACTER[card]]) for card in CARDS}


# -- the set-up ---------------------------------------------------------------------------------


def start(parameters: Parameters, deal: Deal) -> Position:
    position = empty_position(parameters)
    position.starting_seat = deal.start
    position.trumps = deal.cards[parameters.dealt_pile]
    position.trump_orders = deal.trump_orders or ()
    clockwise = parameters.clockwise[deal.start]
    for offset, seat in enumerate(clockwise):
        position.give_hand(seat, deal.cards[parameters.dealt_hands[offset]])
    if parameters.recycled_trumps:
        position.seat_to_act = position.discarders()[0]
    else:
        _begin_round(position, clockwise)
    return position


def _discard(position: Position, seat: int | None, action: str) -> None:
    legal = legal_actions(position)
    if seat is None or action not in legal:
        raise IllegalAction(action, seat, legal)
    card = action.removeprefix("discard ")
    character, bit = SUIT_BIT[PLAY[card]]
    position.hands[seat][character] -= bit
    position.discards = (*position.discards[:seat], card, *position.discards[seat + 1 :])
    pile = position.trumps = (*position.trumps, card)
    if len(pile) < PILE_SIZE:
        position.seat_to_act = position.discarders()[len(pile) - 1]
        return
    position.trumps = order_trumps(pile, position.trump_orders)
    _begin_round(position, position.parameters.clockwise[position.starting_seat])


def order_trumps(pile: Sequence[str], orders: Iterable[Sequence[int]]) -> tuple[str, ...]:
    """Return the trump card of each round in a variant that reuses its trump pile [R18]."""
    return tuple([pile[place] for order in orders for place in order])


# -- decisions ----------------------------------------------------------------------------------


def legal_actions(position: Position) -> list[str]:
    """Return the legal actions in canonical order [5.2]."""
    seat = position.seat_to_act
    if seat is None:
        return []
    hand, led = position.hands[seat], position.led
    if led != NOT_LED and (suit := hand[led]):
        actions = PLAYS[led][suit].copy()
    else:
        aldo, pietra, enzo, ugo = hand
        actions = _ALDO[aldo] + _PIETRA[pietra] + _ENZO[enzo] + _UGO[ugo]
        if led == NOT_LED:
            return actions if position.round else [DISCARD[play] for play in actions]
    if position.gems[seat]:
        actions.append(PASS)
    return actions


def apply(position: Position, action: str) -> None:
    """Apply an action of the seat to act [5.2]."""
    seat, active = position.seat_to_act, position.active
    if seat is None or not active:
        _discard(position, seat, action)
        return
    hand, led = position.hands[seat], position.led
    try:
        character, bit = SUIT_BIT[action]
    except KeyError:
        raise IllegalAction(action, seat, legal_actions(position)) from None
    suit = hand[character]
    if suit & bit and (character == led or led == NOT_LED or not hand[led]):
        hand[character] = suit - bit
        if led == NOT_LED:
            position.led = character
        elif character != led:
            position.lacking |= lacking_bit(seat, led)
    elif action == PASS and led != NOT_LED and (gems := position.gems[seat]):
        position.gems[seat] = gems - 1
    else:
        raise IllegalAction(action, seat, legal_actions(position))
    trick = position.trick
    trick.append(action)
    turn = len(trick)
    if turn == len(active):
        _end_round(position)
    else:
        position.seat_to_act = active[turn]


def play_out(position: Position, rng: random.Random) -> int:
    chance, actions = rng.random, 0
    while position.seat_to_act is not None:
        legal = legal_actions(position)
        apply(position, legal[int(chance() * len(legal))])
        actions += 1
    return actions


# -- rounds -------------------------------------------------------------------------------------


def _begin_round(position: Position, active: tuple[int, ...]) -> None:
    """Turn up the next trump card, or end the game if no seat can act [5.1]."""
    position.active = active
    position.trick = []
    position.led = NOT_LED
    if active:
        position.round += 1
        position.seat_to_act = active[0]
    else:
        position.seat_to_act = None


def _end_round(position: Position) -> None:
    parameters, before, trick = position.parameters, position.active, position.trick
    tally, weights_by_led = _TRUMPS[position.trumps[position.round - 1]]
    weights = weights_by_led[position.led]
    first = best = total = 0
    for turn, action in enumerate(trick):
        weight = weights[action]
        total += weight
        if weight > best:
            first = turn
            best = weight
    winner = before[first]
    won = total & TALLY_OF_ROUND
    if not parameters.recycled_trumps:  # a recycled trump card stays in the pile
        won += tally
    tallies = position.tallies
    tallies[winner] = tallies[winner] + won
    position.past_rounds += ((before, trick, winner),)
    active = parameters.clockwise[winner]
    hands = position.hands
    # In earlier rounds no seat can be out of cards, so skip the slow search.
    if position.round >= parameters.hand_size and NO_CARDS in hands:
        active = tuple([seat for seat in active if hands[seat] != NO_CARDS])
        if len(active) < len(before):
            _remove_gems(position, before)
    _begin_round(position, active)


def _remove_gems(position: Position, seats: tuple[int, ...]) -> None:
    removed, gems = list(position.gems_removed), position.gems
    for seat in seats:
        if position.hands[seat] == NO_CARDS:
            removed[seat] = gems[seat]
            gems[seat] = 0
    position.gems_removed = tuple(removed)
