"""Set up the board and play the opening [4]."""
# compiled: see setup.py

from engine.brides_and_bribes.actions import COLOUR_OF, WORKER
from engine.brides_and_bribes.deal import Deal
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.rounds import begin_round
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    DOWRY_OBJECTS,
    FAMILIES,
    LORDS,
    LOYALS,
    NUMBER,
    START_COINS,
)


def set_up(position: Position, deal: Deal) -> None:
    """Set up an empty board according to `deal`. The opening comes next [4]."""
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
    """Set up the boroughs in play and the boxes with the remaining brides."""
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
    """Give each seat its family and coins."""
    bonus_places = position.parameters.bonus_coin_places
    position.families = tuple([FAMILIES.index(family) for family in deal.families])
    for seat in range(position.parameters.seats):
        position.hands[seat] = LOYALS[position.families[seat]]
        coins = START_COINS + (deal.favor.index(seat) in bonus_places)
        position.coins[seat] = coins
        position.coin_pile -= coins


def choose_worker(position: Position, number: int) -> None:
    """Ask the seats, clockwise from F, for their first worker [4, R7]."""
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
