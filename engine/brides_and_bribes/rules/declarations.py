"""Rules for a turn, in which the active seat declares an action and other seats react [7.3]."""
# compiled: see setup.py

from collections.abc import Sequence
from functools import cache

from engine.brides_and_bribes.actions import (
    DECLARE,
    DECLARED_OF,
    DUCATO,
    EMPLOY,
    HIRE,
    INFLUENCE,
    MARRY_FIRST,
    MARRY_SECOND,
)
from engine.brides_and_bribes.position.position import IS_KILLER, KILLER, Position
from engine.brides_and_bribes.position.resolution import Tiles
from engine.brides_and_bribes.rules.completion import complete
from engine.brides_and_bribes.rules.guides import bribe, forfeit
from engine.brides_and_bribes.rules.plays import (
    Circuit,
    Responders,
    ask_circuit,
    ask_each,
    first_circuit,
)
from engine.brides_and_bribes.tiles import FIRST_COMMON, NONE


def take_turn(position: Position) -> None:
    position.resolution.charmed_out = ()
    ask_declaration(position)


def ask_declaration(position: Position) -> None:
    seat = position.resolution.active
    position.ask(seat, "declare", declare_options(position, seat), declare)


def declare_options(position: Position, seat: int) -> Sequence[str]:
    """Return the actions that a seat can declare, even if it cannot pay for them [7.3, R21]."""
    resolution = position.resolution
    borough = resolution.borough
    declared = 1 << DUCATO
    if is_possible(position, EMPLOY):
        declared |= 1 << EMPLOY
    if position.commons[borough] >= 0:  # inlined from `is_possible`, like the next condition
        declared |= 1 << HIRE
    if position.tokens[borough]:
        declared |= 1 << INFLUENCE
    if resolution.guide[seat] < FIRST_COMMON and not resolution.marriage_banned:
        spot = 2 * borough
        for place in (MARRY_FIRST, MARRY_SECOND):
            if position.brides[spot + place] >= 0 and (
                position.spouse_seat[spot + place] < 0 or _holds_killer(resolution.hand[seat])
            ):
                declared |= 1 << place
    for action in resolution.closed[seat] + resolution.charmed_out:
        declared &= ~(1 << action)
    return _declare_list(declared)


def _holds_killer(hand: Tiles) -> bool:
    return any(IS_KILLER[tile] for tile in hand)


@cache
def _declare_list(declared: int) -> tuple[str, ...]:
    return tuple(sorted([text for action, text in enumerate(DECLARE) if declared >> action & 1]))


def is_possible(position: Position, action: int) -> bool:
    """Return whether the active seat can carry out an action, regardless of the action's cost
    [7.3].
    """
    resolution = position.resolution
    borough = resolution.borough
    if action == EMPLOY:
        return not resolution.workers_banned and any(position.borough_workers[borough])
    if action == HIRE:
        return position.commons[borough] >= 0
    if action == INFLUENCE:
        return position.tokens[borough] > 0
    if action == DUCATO:
        return True
    return (
        not resolution.marriage_banned
        and resolution.guide[resolution.active] < FIRST_COMMON
        and position.brides[2 * borough + action] >= 0
    )


def declare(position: Position, action: str, _: None) -> None:
    """Declare an action and let other seats react to it [7.3]."""
    resolution = position.resolution
    seat, declared = resolution.active, DECLARED_OF[action]
    resolution.declared = declared
    position.log.notes.append(("declared", seat, declared))
    if declared == DUCATO:  # no reactions at all [R22]
        complete(position)
        return
    if declared <= MARRY_SECOND and position.spouse_seat[2 * resolution.borough + declared] >= 0:
        position.proofs += ((KILLER, resolution.hand[seat]),)
    resolution.charmed = False
    position.push(judge)
    position.push(before, ((seat,), 0))
    react(position, first_circuit(position))


def _stands(position: Position) -> bool:
    resolution = position.resolution
    return (
        resolution.guide[resolution.active] >= 0
        and not resolution.charmed
        and is_possible(position, resolution.declared)
    )


def react(position: Position, circuit: Circuit) -> None:
    """Let the other seats react to a declared action until nobody plays a tile [R23, R24]."""
    if _stands(position):
        ask_circuit(position, "react", react, circuit)


def before(position: Position, argument: Responders) -> None:
    """Let the active seat play any number of tiles before its action is carried out [R27]."""
    if _stands(position):
        ask_each(position, "before", before, argument)


def judge(position: Position, _: None) -> None:
    """Carry out the action that the active seat has declared, if it is still possible [7.3]."""
    resolution = position.resolution
    seat, declared = resolution.active, resolution.declared
    if resolution.guide[seat] < 0:
        position.log.notes.append(("lost_action", seat, declared))
    elif resolution.charmed:
        resolution.charmed_out += (declared,)
        resolution.declared = NONE
        position.log.notes.append(("charmed", seat, declared))
        ask_declaration(position)  # the seat immediately declares again [R30]
    elif not is_possible(position, declared) or (
        declared <= MARRY_SECOND and not _can_marry(position, declared)
    ):
        resolution.closed[seat] += (declared,)
        resolution.declared = NONE
        position.log.notes.append(("failed", seat, declared))
        resolution.queue += (seat,)  # the seat moves to the end of the queue [R29]
    else:
        complete(position)


def _can_marry(position: Position, place: int) -> bool:
    # [7.3]
    seat = position.resolution.active
    return (
        position.spouse_seat[2 * position.resolution.borough + place] < 0
        and forfeit(position, seat) <= position.influence[seat]
        and bribe(position, seat, place) <= position.coins[seat]
    )
