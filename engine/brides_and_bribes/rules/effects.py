"""Apply the effects of tiles in Brides & Bribes [7.6].

An effect is a function that takes the position, the acting seat and the action's argument.
Arguments are stored as indices in `actions.ARGUMENTS`. If `abilities.toml` specifies an amount
for an ability, the effect's first parameter is the amount. Every effect returns its public
changes. A seat that cannot gain or steal the full amount takes as much as possible [R4].
"""
# compiled: see setup.py

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
from engine.brides_and_bribes.position.position import Changes, Position
from engine.brides_and_bribes.rules.guides import change_guides, lose_guide
from engine.brides_and_bribes.tiles import ADDITIONAL, BRIDE_TYPE, COLOURS, NONE, SEATS

# -- coins and workers --------------------------------------------------------------------------


def gain_coins(position: Position, seat: int, coins: int) -> int:
    """Give coins from the supply to a seat, and return the number of coins given."""
    coins = min(coins, position.coin_pile)
    position.coin_pile -= coins
    position.coins[seat] += coins
    return coins


def gain(coins: int, position: Position, seat: int, argument: int) -> Changes:
    return ((seat, "coins", gain_coins(position, seat, coins)),)


def _steal(position: Position, seat: int, victim: int, coins: int) -> Changes:
    coins = min(coins, position.coins[victim])
    position.coins[victim] -= coins
    position.coins[seat] += coins
    return ((victim, "coins", -coins), (seat, "coins", coins))


def steal(coins: int, position: Position, seat: int, argument: int) -> Changes:
    return _steal(position, seat, argument - SEAT_ARGUMENT, coins)


def steal_from_all(position: Position, seat: int, argument: int) -> Changes:
    changes: Changes = ()
    for other in position.others(seat):
        if position.coins[other]:
            changes += _steal(position, seat, other, 1)
    return changes


def sell(position: Position, seat: int, argument: int) -> Changes:
    """Sell a worker or influence for coins [R43]."""
    if argument == INFLUENCE_ARGUMENT:
        position.influence[seat] -= 1
        return ((seat, "influence", -1), (seat, "coins", gain_coins(position, seat, 5)))
    colour = argument - COLOUR_ARGUMENT
    position.workers[seat][colour] -= 1
    position.worker_pile[colour] += 1
    return ((seat, COLOURS[colour], -1), (seat, "coins", gain_coins(position, seat, 3)))


def gain_worker(position: Position, seat: int, argument: int) -> Changes:
    colour = position.resolution.borough
    position.worker_pile[colour] -= 1
    position.workers[seat][colour] += 1
    return ((seat, COLOURS[colour], 1),)


def mediate(position: Position, seat: int, argument: int) -> Changes:
    """Exchange workers that were just employed for workers of another colour [R42]."""
    wanted = argument - COLOUR_ARGUMENT
    own, pile, taken = position.workers[seat], position.worker_pile, position.resolution.taken
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


def exchange_workers(position: Position, seat: int, argument: int) -> Changes:
    """Exchange all workers of two boroughs [R45]."""
    here, there = position.resolution.borough, argument - BOROUGH_ARGUMENT
    workers = position.borough_workers
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


def exchange_commons(position: Position, seat: int, argument: int) -> Changes:
    """Exchange the commons of two boroughs [R45]."""
    here, there = position.resolution.borough, argument - BOROUGH_ARGUMENT
    commons = position.commons
    commons[here], commons[there] = commons[there], commons[here]
    position.log.notes.append(("switched", here, commons[here]))
    position.log.notes.append(("switched", there, commons[there]))
    return ()


def look_below(position: Position, seat: int, argument: int) -> Changes:
    """Let a seat look at the top card of a deck and decide whether to take it [R44]."""
    position.push(peek, seat)
    return ()


def peek(position: Position, seat: int) -> None:
    borough = position.resolution.borough
    if seat not in position.known_below[borough]:
        position.known_below[borough] += (seat,)
    position.log.notes.append(("peeked", seat, borough, position.decks[borough][0]))
    position.ask(seat, "peek", (LEAVE, SWITCH), peeked)


def peeked(position: Position, action: str, _: None) -> None:
    if action == SWITCH:
        borough = position.resolution.borough
        deck = position.decks[borough]
        top = deck[0]
        position.decks[borough] = (position.commons[borough], *deck[1:])
        position.commons[borough] = top
        position.known_below[borough] = tuple(range(position.parameters.seats))
        position.log.notes.append(("switched", borough, top))


# -- prestige and charm -------------------------------------------------------------------------


def _add_charm(position: Position, seat: int, amount: int) -> Changes:
    position.resolution.charm_change[seat] += amount
    return ((seat, "charm", amount),)


def _add_prestige(position: Position, seat: int, amount: int) -> Changes:
    position.resolution.prestige_change[seat] += amount
    return ((seat, "prestige", amount),)


def add_charm(amount: int, position: Position, seat: int, argument: int) -> Changes:
    return _add_charm(position, seat, amount)


def add_prestige(amount: int, position: Position, seat: int, argument: int) -> Changes:
    return _add_prestige(position, seat, amount)


def judge_others(position: Position, seat: int, argument: int) -> Changes:
    """Take 1 prestige from every other delegation."""
    changes: Changes = ()
    for other in position.resolution.delegates:
        if other != seat:
            changes += _add_prestige(position, other, -1)
    return changes


def defame(position: Position, seat: int, argument: int) -> Changes:
    """Take 2 prestige from a seat."""
    return _add_prestige(position, argument - SEAT_ARGUMENT, -2)


def spread_plague(position: Position, seat: int, argument: int) -> Changes:
    """Take 3 charm from every other delegation."""
    changes: Changes = ()
    for other in position.resolution.delegates:
        if other != seat:
            changes += _add_charm(position, other, -3)
    return changes


def advise_brides(position: Position, seat: int, argument: int) -> Changes:
    """Add 3 to the charm of the borough's brides."""
    resolution = position.resolution
    resolution.bride_change += 3
    return ((SEATS + resolution.borough, "bride-charm", 3),)


def warn_lord(position: Position, seat: int, argument: int) -> Changes:
    """Add 3 to the prestige of the borough's lord."""
    resolution = position.resolution
    resolution.lord_change += 3
    return ((SEATS + resolution.borough, "lord-prestige", 3),)


# -- orders, bans and open hands ----------------------------------------------------------------


def use_edict(position: Position, seat: int, argument: int) -> Changes:
    """Move a seat to the front of the turn order."""
    position.resolution.edict[seat] = True
    return ((seat, "edict", 1),)


def ban_marriage(position: Position, seat: int, argument: int) -> Changes:
    """Prevent all marriages in the active borough."""
    resolution = position.resolution
    resolution.marriage_banned = True
    return ((SEATS + resolution.borough, "marriage-banned", 1),)


def ban_workers(position: Position, seat: int, argument: int) -> Changes:
    """Prevent all seats from taking workers [R41]."""
    resolution = position.resolution
    resolution.workers_banned = True
    return ((SEATS + resolution.borough, "workers-banned", 1),)


def charm_away(position: Position, seat: int, argument: int) -> Changes:
    """Force the active seat to declare a different action [R30]."""
    resolution = position.resolution
    resolution.charmed = True
    return ((resolution.active, "charmed", 1),)


def open_hands(position: Position, seat: int, argument: int) -> Changes:
    """Reveal the tiles that all other seats still hold in the active borough [R40]."""
    resolution = position.resolution
    for other in resolution.delegates:
        if other != seat and not resolution.open[other]:
            resolution.open[other] = True
            resolution.exposed |= {*resolution.hand[other]}
            position.log.notes.append(("opened", other, resolution.hand[other]))
    return ()


def send_rat(position: Position, seat: int, argument: int) -> Changes:
    """Make other seats change their guides [R39]."""
    position.push(change_guides, tuple(position.others(seat)))
    return ()


# -- brides and guides --------------------------------------------------------------------------


def exchange_brides(position: Position, seat: int, argument: int) -> Changes:
    """Swap a bride in the active borough with a bride in another borough [R46]."""
    there, brides = argument - SPOT_ARGUMENT, position.brides
    here = 2 * position.resolution.borough + there % 2
    brides[here], brides[there] = brides[there], brides[here]
    position.log.notes.append(("bride", *divmod(here, 2), brides[here]))
    position.log.notes.append(("bride", *divmod(there, 2), brides[there]))
    return ()


def exchange_with_box(position: Position, seat: int, argument: int) -> Changes:
    """Swap a bride in the active borough with a bride from the box [R46]."""
    bride = argument - BRIDE_ARGUMENT
    place = BRIDE_TYPE[bride]
    here = 2 * position.resolution.borough + place
    box, tail = position.boxes[place], position.box_tails[place]
    left = [other for other in box if other != bride]
    position.boxes[place] = (*left, position.brides[here])
    position.box_tails[place] = tail + 1 - (box.index(bride) >= len(box) - tail)
    position.brides[here] = bride
    position.log.notes.append(("bride", *divmod(here, 2), bride))
    return ()


def win_bride(position: Position, seat: int, argument: int) -> Changes:
    """Redirect the dowry from the active seat to the seat that played the tile [R47]."""
    position.resolution.lover = seat
    return ((seat, "dowry", 1),)


def kill(position: Position, seat: int, argument: int) -> Changes:
    """Kill a guide or a bride [7.7, 7.8]."""
    if argument >= PLACE_ARGUMENT:
        murder(position, 2 * position.resolution.borough + argument - PLACE_ARGUMENT)
    else:
        eliminate(position, argument - SEAT_ARGUMENT)
    return ()


def eliminate(position: Position, seat: int) -> None:
    """Kill a seat's guide and let the seat choose a new guide."""
    position.alley_shown[seat] += (position.resolution.guide[seat],)
    position.push(lose_guide, seat)


def murder(position: Position, spot: int) -> None:
    """Murder a bride [7.8]. Another bride takes her place, if possible."""
    bride, place = position.brides[spot], spot % 2
    seat, loyal = position.spouse_seat[spot], position.spouse[spot]
    position.brides[spot] = NONE
    lost = 0
    if seat >= 0:
        lost = min(ADDITIONAL[place], position.influence[seat])  # the seat keeps the rest [R35]
        position.influence[seat] -= lost
        position.alley_shown[seat] += (loyal,)
        position.spouse_seat[spot] = position.spouse[spot] = NONE
    position.log.notes.append(("murdered", *divmod(spot, 2), bride, seat, loyal, lost))
    if place == 0 and position.spouse_seat[spot + 1] >= 0:
        _move_up(position, spot)
        spot += 1
    _fill(position, spot)
    box = BRIDE_TYPE[bride]
    position.boxes[box] += (bride,)
    position.box_tails[box] += 1
    for borough in position.in_play:
        for other in (2 * borough, 2 * borough + 1):
            if position.brides[other] == NONE:
                _fill(position, other)
    if seat >= 0 and position.resolution.guide[seat] == loyal:  # married in this resolution
        position.push(lose_guide, seat)


def _move_up(position: Position, spot: int) -> None:
    brides, spouse_seat, spouse = position.brides, position.spouse_seat, position.spouse
    seat = spouse_seat[spot + 1]
    brides[spot], brides[spot + 1] = brides[spot + 1], NONE
    spouse_seat[spot], spouse_seat[spot + 1] = seat, NONE
    spouse[spot], spouse[spot + 1] = spouse[spot + 1], NONE
    position.influence[seat] += ADDITIONAL[0] - ADDITIONAL[1]
    position.log.notes.append(("moved_up", spot // 2, seat))


def _fill(position: Position, spot: int) -> None:
    place = spot % 2
    box = position.boxes[place]
    if box:
        position.brides[spot], rest = box[0], box[1:]
        position.boxes[place] = rest
        position.box_tails[place] = min(position.box_tails[place], len(rest))
        position.log.notes.append(("bride", *divmod(spot, 2), box[0]))
