"""What each ability does, one small function each [7.6].

A function is given the state, the seat that plays and the argument by number. It returns what
changed for all to see; what asks somebody is pushed as the next step. The supply and the purses
give what they have [R4].
"""

from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.actions import (
    BOROUGH_ARGUMENT,
    BRIDE_ARGUMENT,
    COLOUR_ARGUMENT,
    INFLUENCE_ARGUMENT,
    LEAVE,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
    SPOT_ARGUMENT,
    SWITCH,
)
from engine.brides_and_bribes.guides import change_guides, lose_guide
from engine.brides_and_bribes.murder import murder
from engine.brides_and_bribes.tiles import BRIDE_TYPE, COLOURS, SEATS

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState

Change = tuple[int, str, int]
"""Where (a seat, or `SEATS` and a borough's number), what, and how many more."""
Changes = tuple[Change, ...]


# -- coins and workers --------------------------------------------------------------------------


def gain_coins(state: "BridesAndBribesState", seat: int, coins: int) -> int:
    """Give a seat coins of the pile; return how many."""
    coins = min(coins, state.coin_pile)
    state.coin_pile -= coins
    state.coins[seat] += coins
    return coins


def gain_coin(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Gain 1 coin."""
    return ((seat, "coins", gain_coins(state, seat, 1)),)


def gain_two_coins(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Gain 2 coins."""
    return ((seat, "coins", gain_coins(state, seat, 2)),)


def _steal(state: "BridesAndBribesState", seat: int, victim: int, coins: int) -> Changes:
    coins = min(coins, state.coins[victim])
    state.coins[victim] -= coins
    state.coins[seat] += coins
    return ((victim, "coins", -coins), (seat, "coins", coins))


def steal_coin(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Steal 1 coin of a seat."""
    return _steal(state, seat, argument - SEAT_ARGUMENT, 1)


def steal_two_coins(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Steal 2 coins of a seat."""
    return _steal(state, seat, argument - SEAT_ARGUMENT, 2)


def steal_from_all(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Steal 1 coin of each of the others."""
    changes: Changes = ()
    for other in state.others(seat):
        if state.coins[other]:
            changes += _steal(state, seat, other, 1)
    return changes


def sell(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Give a worker for 3 coins, or 1 influence for 5 [R43]."""
    if argument == INFLUENCE_ARGUMENT:
        state.influence[seat] -= 1
        return ((seat, "influence", -1), (seat, "coins", gain_coins(state, seat, 5)))
    colour = argument - COLOUR_ARGUMENT
    state.workers[seat][colour] -= 1
    state.worker_pile[colour] += 1
    return ((seat, COLOURS[colour], -1), (seat, "coins", gain_coins(state, seat, 3)))


def gain_worker(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Gain a worker of the borough's colour."""
    colour = state.borough
    state.worker_pile[colour] -= 1
    state.workers[seat][colour] += 1
    return ((seat, COLOURS[colour], 1),)


def mediate(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Exchange the workers of this `employ` for those of one colour, as far as possible [R42]."""
    wanted = argument - COLOUR_ARGUMENT
    own, pile, taken = state.workers[seat], state.worker_pile, state.taken
    changes: Changes = ()
    for colour, name in enumerate(COLOURS):
        number = min(taken[colour], own[colour], pile[wanted])
        if colour != wanted and number:
            own[colour] -= number
            pile[colour] += number
            own[wanted] += number
            pile[wanted] -= number
            taken[colour] -= number
            changes += ((seat, name, -number), (seat, COLOURS[wanted], number))
    return changes


def exchange_workers(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Exchange all workers of two boroughs [R45]."""
    here, there = state.borough, argument - BOROUGH_ARGUMENT
    workers = state.borough_workers
    workers[here], workers[there] = workers[there], workers[here]
    more = [workers[here][colour] - workers[there][colour] for colour in range(len(COLOURS))]
    return tuple(
        [
            (SEATS + borough, COLOURS[colour], sign * number)
            for borough, sign in ((here, 1), (there, -1))
            for colour, number in enumerate(more)
            if number
        ]
    )


# -- commons ------------------------------------------------------------------------------------


def exchange_commons(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Exchange the commons of two boroughs [R45]."""
    here, there = state.borough, argument - BOROUGH_ARGUMENT
    commons = state.commons
    commons[here], commons[there] = commons[there], commons[here]
    state.tell(story.switched, here, commons[here])
    state.tell(story.switched, there, commons[there])
    return ()


def look_below(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """See the top of the deck, and decide whether to switch it with the common [R44]."""
    state.push(peek, seat)
    return ()


def peek(state: "BridesAndBribesState", seat: int) -> None:
    """Show a seat the top of the deck."""
    borough = state.borough
    if seat not in state.known_below[borough]:
        state.known_below[borough] += (seat,)
    state.tell(story.peeked, seat, borough, state.decks[borough][0])
    state.ask(seat, "peek", (LEAVE, SWITCH), peeked)


def peeked(state: "BridesAndBribesState", action: str) -> None:
    """Switch the common with the top of the deck, where all know it then, or leave both."""
    if action == SWITCH:
        borough = state.borough
        top, *rest = state.decks[borough]
        state.decks[borough] = (state.commons[borough], *rest)
        state.commons[borough] = top
        state.known_below[borough] = tuple(range(state.variant.seats))
        state.tell(story.switched, borough, top)


# -- prestige and charm -------------------------------------------------------------------------


def _add_charm(state: "BridesAndBribesState", seat: int, amount: int) -> Changes:
    state.charm_change[seat] += amount
    return ((seat, "charm", amount),)


def _add_prestige(state: "BridesAndBribesState", seat: int, amount: int) -> Changes:
    state.prestige_change[seat] += amount
    return ((seat, "prestige", amount),)


def wear_ring(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Charm + 4."""
    return _add_charm(state, seat, 4)


def sing(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Charm + 3."""
    return _add_charm(state, seat, 3)


def wear_suit(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Prestige + 4."""
    return _add_prestige(state, seat, 4)


def find_records(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Prestige + 3."""
    return _add_prestige(state, seat, 3)


def judge_others(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Prestige - 1 for all other delegations."""
    changes: Changes = ()
    for other in state.delegates:
        if other != seat:
            changes += _add_prestige(state, other, -1)
    return changes


def defame(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Prestige - 2 for a seat."""
    return _add_prestige(state, argument - SEAT_ARGUMENT, -2)


def spread_plague(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Charm - 3 for all other delegations."""
    changes: Changes = ()
    for other in state.delegates:
        if other != seat:
            changes += _add_charm(state, other, -3)
    return changes


def advise_brides(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """The brides of the borough: charm + 3."""
    state.bride_change += 3
    return ((SEATS + state.borough, "bride-charm", 3),)


def warn_lord(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """The lord of the borough: prestige + 3."""
    state.lord_change += 3
    return ((SEATS + state.borough, "lord-prestige", 3),)


# -- what is forbidden, ordered and shown -------------------------------------------------------


def use_edict(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Come first in the order of turns."""
    state.edict[seat] = True
    return ((seat, "edict", 1),)


def ban_marriage(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Nobody can marry here any more."""
    state.marriage_banned = True
    return ((SEATS + state.borough, "marriage-banned", 1),)


def ban_workers(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Nobody can employ here any more [R41]."""
    state.workers_banned = True
    return ((SEATS + state.borough, "workers-banned", 1),)


def charm_away(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """The active seat must declare another action [R30]."""
    state.charmed = True
    return ((state.active, "charmed", 1),)


def open_hands(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """All others play with open tiles [R40]."""
    for other in state.delegates:
        if other != seat and not state.open[other]:
            state.open[other] = True
            state.exposed |= {*state.hand[other]}
            state.tell(story.opened, other, state.hand[other])
    return ()


def send_rat(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """All others that can change their guide must [R39]."""
    state.push(change_guides, tuple(state.others(seat)))
    return ()


# -- brides and guides --------------------------------------------------------------------------


def exchange_brides(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Exchange a bride with that of another borough [R46]."""
    there, brides = argument - SPOT_ARGUMENT, state.brides
    here = 2 * state.borough + there % 2
    brides[here], brides[there] = brides[there], brides[here]
    state.tell(story.bride_came, here, brides[here])
    state.tell(story.bride_came, there, brides[there])
    return ()


def exchange_with_box(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Exchange a bride with one of the box; the old one goes to its back [R46]."""
    bride = argument - BRIDE_ARGUMENT
    place = BRIDE_TYPE[bride]
    here = 2 * state.borough + place
    box, tail = state.boxes[place], state.box_tails[place]
    left = [other for other in box if other != bride]
    state.boxes[place] = (*left, state.brides[here])
    state.box_tails[place] = tail + 1 - (box.index(bride) >= len(box) - tail)
    state.brides[here] = bride
    state.tell(story.bride_came, here, bride)
    return ()


def win_bride(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """The dowry will go to this seat [R47]."""
    state.lover = seat
    return ((seat, "dowry", 1),)


def kill(state: "BridesAndBribesState", seat: int, argument: int) -> Changes:
    """Eliminate a seat's guide, or murder the bride at a place [7.7, 7.8]."""
    if argument >= PLACE_ARGUMENT:
        murder(state, 2 * state.borough + argument - PLACE_ARGUMENT)
    else:
        eliminate(state, argument - SEAT_ARGUMENT)
    return ()


def eliminate(state: "BridesAndBribesState", seat: int) -> None:
    """Put a seat's guide away; it may take another one."""
    state.alley_shown[seat] += (state.guide[seat],)
    state.push(lose_guide, seat)
