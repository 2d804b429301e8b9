"""The table before the first round, and the opening [4]."""

from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.actions import COLOUR_OF, WORKER
from engine.brides_and_bribes.rounds import begin_round
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

if TYPE_CHECKING:
    from engine.brides_and_bribes.deal import Deal
    from engine.brides_and_bribes.state import BridesAndBribesState


def lay_table(state: "BridesAndBribesState", deal: "Deal") -> None:
    """Lay an empty table as a deal says [4]; the opening comes next."""
    n = state.variant.seats
    state.in_play = tuple([BOROUGHS.index(borough) for borough in deal.boroughs])
    brides = [[BRIDES.index(b) for b in row] for row in (deal.first_brides, deal.second_brides)]
    for number, borough in enumerate(state.in_play):
        state.lords[borough] = LORDS.index(deal.lords[number])
        for place in range(2):
            state.brides[2 * borough + place] = brides[place][number]
        deck = tuple([NUMBER[tile] for tile in deal.decks[BOROUGHS[borough]]])
        state.commons[borough] = deck[0]
        state.decks[borough] = deck[1:]
        state.borough_workers[borough][borough] = 1
        state.worker_pile[borough] -= 1
        state.tokens[borough] = 1
        state.token_pile -= 1
    state.boxes = [tuple(row[n:]) for row in brides]
    state.stock = DOWRY_OBJECTS
    state.favor_order = deal.favor
    state.first_seat = deal.favor[-1]
    state.families = tuple([FAMILIES.index(family) for family in deal.families])
    for seat in range(n):
        state.hands[seat] = LOYALS[state.families[seat]]
        bonus = deal.favor.index(seat) in state.variant.bonus_coin_places
        state.coins[seat] = START_COINS + bonus
        state.coin_pile -= state.coins[seat]
    state.tell(story.started, state.variant.id, deal, state.first_seat)
    state.push(choose_worker, 0)


def choose_worker(state: "BridesAndBribesState", number: int) -> None:
    """Ask the seats, clockwise from F, for their first worker [4, R7]."""
    n = state.variant.seats
    if number == n:
        added = [int(borough in state.in_play) for borough in range(len(BOROUGHS))]
        begin_round(state, added, added)
        return
    seat = (state.first_seat + number) % n
    state.ask(seat, "opening", opening_options(state, seat), take_worker, seat, number)


def opening_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return the workers that the supply has."""
    return sorted([WORKER[colour] for colour, left in enumerate(state.worker_pile) if left])


def take_worker(state: "BridesAndBribesState", action: str, seat: int, number: int) -> None:
    """Take the first worker."""
    colour = COLOUR_OF[action]
    state.worker_pile[colour] -= 1
    state.workers[seat][colour] += 1
    state.tell(story.opened_with, seat, colour)
    state.push(choose_worker, number + 1)
