"""Carry out a declared action that was not prevented [7.4]."""
# compiled: see setup.py

from engine.brides_and_bribes.actions import DUCATO, EMPLOY, HIRE, INFLUENCE
from engine.brides_and_bribes.position.position import Changes, Position
from engine.brides_and_bribes.rules.effects import gain_coins
from engine.brides_and_bribes.rules.guides import bribe, forfeit
from engine.brides_and_bribes.rules.plays import Responders, ask_each
from engine.brides_and_bribes.tiles import (
    ADDITIONAL,
    BRIDE_INFLUENCE,
    COLOURS,
    DOWRY_COINS,
    DOWRY_OBJECT,
    NONE,
    TILES,
)


def complete(position: Position) -> None:
    """Carry out the active seat's declared action [7.4, R28]."""
    resolution = position.resolution
    seat, declared, borough = resolution.active, resolution.declared, resolution.borough
    gains: Changes
    if declared == DUCATO:
        gains = ((seat, "coins", gain_coins(position, seat, 1)),)
    elif declared == EMPLOY:
        gains = _employ(position, seat, borough)
    elif declared == HIRE:
        common = position.commons[borough]
        position.commons[borough] = NONE
        position.alley_shown[seat] += (common,)
        gains = ((seat, TILES[common], 1),)
    elif declared == INFLUENCE:
        tokens = position.tokens[borough]
        position.influence[seat] += tokens
        position.token_pile += tokens
        position.tokens[borough] = 0
        gains = ((seat, "influence", tokens),)
    else:
        marry(position, seat, declared)
        return
    _finish(position, gains)


def _finish(position: Position, gains: Changes) -> None:
    resolution = position.resolution
    seat, closed = resolution.active, resolution.closed
    position.log.notes.append(("done", seat, resolution.declared, gains))
    for other in resolution.delegates:
        if other != seat:
            closed[other] = ()
    after(position, ((seat,), 0))


def _employ(position: Position, seat: int, borough: int) -> Changes:
    workers = position.borough_workers[borough]
    position.resolution.taken = list(workers)
    position.borough_workers[borough] = (0,) * len(COLOURS)
    own = position.workers[seat]
    for colour, number in enumerate(workers):
        own[colour] += number
    return tuple([(seat, COLOURS[c], number) for c, number in enumerate(workers) if number])


def marry(position: Position, seat: int, place: int) -> None:
    """Pay for a marriage and carry it out [7.4]."""
    resolution = position.resolution
    spot = 2 * resolution.borough + place
    bride, guide = position.brides[spot], resolution.guide[seat]
    influence, coins = forfeit(position, seat), bribe(position, seat, place)
    position.influence[seat] += BRIDE_INFLUENCE[bride] + ADDITIONAL[place] - influence
    position.coins[seat] -= coins
    position.coin_pile += coins
    position.spouse_seat[spot] = seat
    position.spouse[spot] = guide
    resolution.guide_married[seat] = True  # and remains the guide for this resolution [R32]
    position.log.notes.append(
        ("married", seat, resolution.borough, place, bride, guide, influence, coins)
    )
    resolution.lover = NONE
    resolution.dowry_given = False
    position.push(give_dowry, (bride, place))
    wedding(position, (position.others(seat), 0))


def wedding(position: Position, argument: Responders) -> None:
    """Let the other seats play tiles before or after the dowry is paid [7.4, R47]."""
    ask_each(position, "wedding", wedding, argument)


def give_dowry(position: Position, married: tuple[int, int]) -> None:
    """Give the dowry to the active seat, or to the seat that played a lover tile [7.4.4, R33]."""
    bride, place = married
    resolution = position.resolution
    active = resolution.active
    seat = active if resolution.lover == NONE else resolution.lover
    resolution.lover = NONE
    coins, item = gain_coins(position, seat, DOWRY_COINS[bride]), DOWRY_OBJECT[bride]
    if item in position.stock:
        position.stock -= {item}
        position.alley_shown[seat] += (item,)
    else:
        item = NONE
    position.log.notes.append(("dowry", seat, coins, item))
    resolution.dowry_given = True
    gained = BRIDE_INFLUENCE[bride] + ADDITIONAL[place]
    position.push(finish_marriage, gained)
    wedding(position, (position.others(active), 0))


def finish_marriage(position: Position, gained: int) -> None:
    _finish(position, ((position.resolution.active, "influence", gained),))


def after(position: Position, argument: Responders) -> None:
    """Let the active seat play any number of tiles after its action [R27]."""
    ask_each(position, "after", after, argument)
