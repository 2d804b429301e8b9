"""The phases of a game, from the set-up to the last round [4, 6, 8.5-8.7, 9]."""
# compiled: see setup.py

import random
from collections.abc import Sequence
from typing import Final

from engine.brides_and_bribes.actions import COLOUR_OF, WORKER
from engine.brides_and_bribes.deal import Deal
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position.position import Position, empty_position
from engine.brides_and_bribes.rules import boroughs, colonies, end_of_round, placement
from engine.brides_and_bribes.scoring import scores_of
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    DOWRY_OBJECTS,
    FAMILIES,
    LORDS,
    LOYALS,
    NONE,
    NUMBER,
    START_COINS,
)
from engine.errors import IllegalAction
from engine.state import rank


def start(parameters: Parameters, deal: Deal) -> Position:
    position = empty_position(parameters)
    set_up(position, deal)
    position.advance()
    return position


def legal_actions(position: Position) -> list[str]:
    """Return the legal actions in ASCII order [5]."""
    return [*position.options]


def apply(position: Position, action: str) -> None:
    if action not in position.options:
        raise IllegalAction(action, position.seat_to_act, position.options)
    _carry_out(position, action)


def _carry_out(position: Position, action: str) -> None:
    position.seat_to_act = None
    answer, argument = position.stack.pop()
    answer(position, action, argument)
    position.advance()


def play_out(position: Position, rng: random.Random) -> int:
    chance, actions = rng.random, 0
    while position.seat_to_act is not None:
        options = position.options
        _carry_out(position, options[int(chance() * len(options))])
        actions += 1
    return actions


def set_up(position: Position, deal: Deal) -> None:
    """Set up an empty board [4]."""
    position.favor_order = deal.favor
    position.first_seat = deal.favor[-1]
    _set_up_boroughs(position, deal)
    _set_up_seats(position, deal)
    n = len(deal.boroughs)
    position.log.notes.append(
        (
            "start",
            position.parameters.variant_id,
            deal.boroughs,
            deal.families,
            deal.favor,
            deal.lords,
            deal.first_brides[:n],
            deal.second_brides[:n],
            tuple(sorted(deal.first_brides[n:])),
            tuple(sorted(deal.second_brides[n:])),
            tuple([deal.decks[borough][0] for borough in deal.boroughs]),
            position.first_seat,
        )
    )
    position.push(choose_worker, 0)


def _set_up_boroughs(position: Position, deal: Deal) -> None:
    position.in_play = tuple([BOROUGHS.index(borough) for borough in deal.boroughs])
    brides = [[BRIDES.index(b) for b in row] for row in (deal.first_brides, deal.second_brides)]
    for number, borough in enumerate(position.in_play):
        position.lords[borough] = LORDS.index(deal.lords[number])
        for place in range(2):
            position.brides[2 * borough + place] = brides[place][number]
        deck = tuple([NUMBER[tile] for tile in deal.decks[BOROUGHS[borough]]])
        position.commons[borough] = deck[0]
        position.decks[borough] = deck[1:]
        position.add_worker(borough)
        position.tokens[borough] = 1
        position.token_pile -= 1
    position.boxes = [tuple(row[len(position.in_play) :]) for row in brides]
    position.stock = DOWRY_OBJECTS


def _set_up_seats(position: Position, deal: Deal) -> None:
    bonus_places = position.parameters.bonus_coin_places
    position.families = tuple([FAMILIES.index(family) for family in deal.families])
    for seat in range(position.parameters.seats):
        position.hands[seat] = LOYALS[position.families[seat]]
        coins = START_COINS + (deal.favor.index(seat) in bonus_places)
        position.coins[seat] = coins
        position.coin_pile -= coins


def choose_worker(position: Position, number: int) -> None:
    """Let the next seat choose its first worker [4, R7]."""
    n = position.parameters.seats
    if number == n:
        added = [int(borough in position.in_play) for borough in range(len(BOROUGHS))]
        begin_round(position, added, added)
        return
    seat = (position.first_seat + number) % n
    position.ask(seat, "opening", opening_options(position), take_worker, number)


def opening_options(position: Position) -> list[str]:
    return sorted([WORKER[colour] for colour, left in enumerate(position.worker_pile) if left])


def take_worker(position: Position, action: str, number: int) -> None:
    seat = (position.first_seat + number) % position.parameters.seats
    colour = COLOUR_OF[action]
    position.worker_pile[colour] -= 1
    position.workers[seat][colour] += 1
    position.log.notes.append(("opening", seat, colour))
    choose_worker(position, number + 1)


COINS_PER_INFLUENCE: Final = 5
"""Coins worth 1 influence at the end [9]."""


def begin_round(position: Position, workers: Sequence[int], tokens: Sequence[int]) -> None:
    """Begin a round and log the new workers and influence tokens in each borough [6]."""
    position.round += 1
    position.favor_asked = position.passed = ()
    position.proofs = ()
    position.log.end_chapter()
    by_borough = [
        {borough: numbers[borough] for borough in position.in_play}
        for numbers in (position.commons, workers, tokens)
    ]
    position.log.notes.append(
        ("round", position.round, position.first_seat, position.favor_order, *by_borough)
    )
    for step in (end_round, end_of_round.begin, boroughs.begin, colonies.begin, placement.begin):
        position.push(step)


def end_round(position: Position, _: None) -> None:
    """End the game or begin another round [8.5, R56]."""
    parameters = position.parameters
    if position.round == parameters.rounds or max(position.influence) >= parameters.end_influence:
        end_game(position)
    else:
        _refill(position)


def _refill(position: Position) -> None:
    workers, tokens = [0] * len(position.tokens), [0] * len(position.tokens)
    for borough in position.in_play:
        common, deck = position.commons[borough], position.decks[borough]
        if common != NONE:
            position.out += (common,)
        position.commons[borough] = deck[0] if deck else NONE
        position.decks[borough] = deck[1:]
        position.known_below[borough] = ()
        if position.worker_pile[borough]:
            position.add_worker(borough)
            workers[borough] = 1
        if position.token_pile:
            position.token_pile -= 1
            position.tokens[borough] += 1
            tokens[borough] = 1
    n = position.parameters.seats
    for seat in range(n):
        position.hands[seat] += position.alley_shown[seat] + position.alley_hidden[seat]
        position.alley_shown[seat] = position.alley_hidden[seat] = ()
    position.first_seat = (position.first_seat + 1) % n
    begin_round(position, workers, tokens)


def end_game(position: Position) -> None:
    """Convert coins to influence [9]."""
    before = tuple(position.influence)
    for seat, coins in enumerate(position.coins):
        position.influence[seat] += coins // COINS_PER_INFLUENCE
    position.phase = "over"
    position.window = None
    position.options = ()
    influence, scores = tuple(position.influence), tuple(scores_of(position))
    position.log.notes.append(("over", before, influence, scores, tuple(rank(scores))))
