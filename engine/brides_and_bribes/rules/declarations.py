"""Turn of the active seat: its declaration, the plays that bear on it, the outcome [7.3].

The active seat is A and its declaration X in the pseudo-code of section 7.3.
"""

from collections.abc import Sequence
from typing import Final

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
from engine.brides_and_bribes.events import notes
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.position.proofs import IS_KILLER, KILLER
from engine.brides_and_bribes.rules.completion import complete
from engine.brides_and_bribes.rules.play_windows import ask_each
from engine.brides_and_bribes.rules.prices import bribe, forfeit
from engine.brides_and_bribes.tiles import FIRST_COMMON, NONE

GO: Final = 0
OUT: Final = 1
CHARMED: Final = 2
FAIL: Final = 3
"""What becomes of the declaration as things stand."""


def take_turn(position: Position) -> None:
    """Ask the active seat for its declaration."""
    seat = position.resolution.active
    position.ask(seat, "declare", declare_options(position, seat), declare)


def declare_options(position: Position, seat: int) -> list[str]:
    """Return what can be declared, whether or not the seat can pay for it [7.3, R21]."""
    resolution = position.resolution
    borough, closed = resolution.borough, resolution.closed[seat]
    options = ["ducato"]
    if EMPLOY not in closed and is_possible(position, EMPLOY):
        options.append("employ")
    if position.commons[borough] >= 0 and HIRE not in closed:
        options.append("hire")
    if position.tokens[borough] and INFLUENCE not in closed:
        options.append("influence")
    for place in (MARRY_FIRST, MARRY_SECOND):
        if place in closed or not is_possible(position, place):
            continue
        if position.spouse_seat[2 * borough + place] < 0 or _holds_killer(position, seat):
            options.append(DECLARE[place])
    return options


def _holds_killer(position: Position, seat: int) -> bool:
    """Return whether the borough hand of `seat` has an assassin or poison."""
    return any(IS_KILLER[tile] for tile in position.resolution.hand[seat])


def is_possible(position: Position, action: int) -> bool:
    """Return whether the active seat can do `action` now, if it can pay: `base` [7.3]."""
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
    """Ask the other seats, then the active one, for plays that bear on the declaration [7.3]."""
    resolution = position.resolution
    seat, declared = resolution.active, DECLARED_OF[action]
    resolution.declared = declared
    position.tell(notes.declared, seat, declared)
    if declared == DUCATO:  # no reactions at all [R22]
        complete(position)
        return
    if declared <= MARRY_SECOND and position.spouse_seat[2 * resolution.borough + declared] >= 0:
        position.proofs += ((KILLER, resolution.hand[seat]),)
    resolution.charmed = False
    position.push(judge)
    position.push(before, (seat,), 0)
    react(position, position.others(seat), 0)


def _standing(position: Position) -> int:
    """Return what becomes of the declaration as things stand: `status` [7.3]."""
    resolution = position.resolution
    if resolution.guide[resolution.active] < 0:
        return OUT
    if resolution.charmed:
        return CHARMED
    return GO if is_possible(position, resolution.declared) else FAIL


def react(position: Position, others: Sequence[int], number: int) -> None:
    """Ask `others`, from index `number` on, while the declaration stands [R23, R24]."""
    if _standing(position) == GO:
        ask_each(position, "react", react, others, number)


def before(position: Position, active: Sequence[int], number: int) -> None:
    """Ask the active seat for plays before its action, until it declines [R27]."""
    if _standing(position) == GO:
        ask_each(position, "before", before, active, number)


def judge(position: Position) -> None:
    """Complete the declared action, or let it fail [7.3]."""
    resolution = position.resolution
    seat, declared = resolution.active, resolution.declared
    standing = _standing(position)
    if standing == OUT:
        position.tell(notes.action_lost, seat, declared)
    elif standing == CHARMED:
        _close(position)
        position.tell(notes.charmed, seat, declared)
        take_turn(position)  # it declares again at once [R30]
    elif standing == FAIL or (declared <= MARRY_SECOND and not _can_marry(position, declared)):
        _close(position)
        position.tell(notes.failed, seat, declared)
        resolution.queue += (seat,)  # it goes last [R29]
    else:
        complete(position)


def _close(position: Position) -> None:
    """Withdraw the declaration; the seat cannot declare the same again in this resolution."""
    resolution = position.resolution
    resolution.closed[resolution.active] += (resolution.declared,)
    resolution.declared = NONE


def _can_marry(position: Position, place: int) -> bool:
    """Return whether the bride is free and the active seat can pay for her [7.3]."""
    seat = position.resolution.active
    return (
        position.spouse_seat[2 * position.resolution.borough + place] < 0
        and forfeit(position, seat) <= position.influence[seat]
        and bribe(position, seat, place) <= position.coins[seat]
    )
