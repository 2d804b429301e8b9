"""The turn of the active seat: declaring, reactions, own plays, completing [7.3, 7.4].

A is the active seat and X its declaration, as in the pseudo-code of section 7.3.
"""

from collections.abc import Sequence

from engine.brides_and_bribes.actions import (
    DECLARE,
    DECLARED_OF,
    DECLINE,
    DUCATO,
    EMPLOY,
    HIRE,
    INFLUENCE,
    MARRY_FIRST,
    MARRY_SECOND,
    PLAY_OF,
)
from engine.brides_and_bribes.events import notes
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.proofs import IS_KILLER, KILLER
from engine.brides_and_bribes.rules.abilities import plays
from engine.brides_and_bribes.rules.completion import complete
from engine.brides_and_bribes.rules.play_windows import ask_each
from engine.brides_and_bribes.rules.prices import bribe, forfeit
from engine.brides_and_bribes.rules.tile_plays import play
from engine.brides_and_bribes.tiles import FIRST_COMMON, NONE

GO, OUT, CHARMED, FAIL = range(4)
"""How the declaration stands."""


def take_turn(position: Position) -> None:
    """A declares."""
    resolution = position.resolution
    position.ask(
        resolution.active, "declare", declare_options(position, resolution.active), declare
    )


def declare_options(position: Position, seat: int) -> list[str]:
    """Return what can be declared: payability is not checked [7.3, R21]."""
    resolution = position.resolution
    borough, closed = resolution.borough, resolution.closed[seat]
    options = ["ducato"]
    if EMPLOY not in closed and possible(position, EMPLOY):
        options.append("employ")
    if position.commons[borough] >= 0 and HIRE not in closed:
        options.append("hire")
    if position.tokens[borough] and INFLUENCE not in closed:
        options.append("influence")
    for place in (MARRY_FIRST, MARRY_SECOND):
        if place in closed or not possible(position, place):
            continue
        if position.spouse_seat[2 * borough + place] < 0 or _holds_killer(position, seat):
            options.append(DECLARE[place])
    return options


def _holds_killer(position: Position, seat: int) -> bool:
    return any(IS_KILLER[tile] for tile in position.resolution.hand[seat])


def possible(position: Position, action: int) -> bool:
    """Return whether A can do that now, if it can pay: `base` [7.3]."""
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


def declare(position: Position, action: str) -> None:
    """Ask first the others, then A, for plays that bear on the declaration [7.3]."""
    resolution = position.resolution
    seat, declared = resolution.active, DECLARED_OF[action]
    resolution.declared = declared
    position.tell(notes.declared, seat, declared)
    if declared == DUCATO:  # no reactions at all [R22]
        position.push(complete)
        return
    if declared <= MARRY_SECOND and position.spouse_seat[2 * resolution.borough + declared] >= 0:
        position.proofs += ((KILLER, resolution.hand[seat]),)
    resolution.charmed = False
    position.push(judge)
    position.push(before)
    position.push(react, position.others(seat), 0)


def standing(position: Position) -> int:
    """Return how the declaration stands: `status` [7.3]."""
    resolution = position.resolution
    if resolution.guide[resolution.active] < 0:
        return OUT
    if resolution.charmed:
        return CHARMED
    return GO if possible(position, resolution.declared) else FAIL


def react(position: Position, others: Sequence[int], number: int) -> None:
    """Ask the others from this number on for reactions, while the declaration stands [R23, R24]."""
    if standing(position) == GO:
        ask_each(position, "react", react, others, number)


def before(position: Position) -> None:
    """Ask A for what must precede its action [R27]."""
    resolution = position.resolution
    if standing(position) == GO:
        options = plays(position, resolution.active, "before")
        if options:
            position.ask(resolution.active, "before", options, play_before)


def play_before(position: Position, action: str) -> None:
    """Play and be asked again, or decline."""
    if action != DECLINE:
        position.push(before)
        play(position, position.resolution.active, *PLAY_OF[action], "before")


def judge(position: Position) -> None:
    """Complete the action, or find that it fails [7.3]."""
    resolution = position.resolution
    seat, declared = resolution.active, resolution.declared
    stands = standing(position)
    if stands == OUT:
        position.tell(notes.action_lost, seat, declared)
        return
    if stands == CHARMED:
        resolution.closed[seat] += (declared,)
        resolution.declared = NONE
        position.tell(notes.charmed, seat, declared)
        position.push(take_turn)  # it declares again at once [R30]
    elif stands == FAIL or (declared <= MARRY_SECOND and not _can_marry(position, seat, declared)):
        resolution.closed[seat] += (declared,)
        resolution.declared = NONE
        position.tell(notes.failed, seat, declared)
        resolution.queue += (seat,)  # it goes last [R29]
    else:
        position.push(complete)


def _can_marry(position: Position, seat: int, place: int) -> bool:
    """Return whether the bride is free and A can pay for her [7.3]."""
    return (
        position.spouse_seat[2 * position.resolution.borough + place] < 0
        and forfeit(position, seat) <= position.influence[seat]
        and bribe(position, seat, place) <= position.coins[seat]
    )
