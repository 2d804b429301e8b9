"""The turn of the active seat: declaring, reactions, own plays, completing [7.3, 7.4].

A is the active seat and X its declaration, as in the pseudo-code of section 7.3.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.abilities import plays
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
from engine.brides_and_bribes.completing import complete
from engine.brides_and_bribes.playing import play
from engine.brides_and_bribes.prices import bribe, forfeit
from engine.brides_and_bribes.proofs import IS_KILLER, KILLER
from engine.brides_and_bribes.tiles import FIRST_COMMON, NONE
from engine.brides_and_bribes.windows import ask_each

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState

GO, OUT, CHARMED, FAIL = range(4)
"""How the declaration stands."""


def take_turn(state: "BridesAndBribesState") -> None:
    """A declares."""
    state.ask(state.active, "declare", declare_options(state, state.active), declare)


def declare_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return what can be declared: payability is not checked [7.3, R21]."""
    borough, closed = state.borough, state.closed[seat]
    options = ["ducato"]
    if EMPLOY not in closed and possible(state, EMPLOY):
        options.append("employ")
    if state.commons[borough] >= 0 and HIRE not in closed:
        options.append("hire")
    if state.tokens[borough] and INFLUENCE not in closed:
        options.append("influence")
    for place in (MARRY_FIRST, MARRY_SECOND):
        if place in closed or not possible(state, place):
            continue
        if state.spouse_seat[2 * borough + place] < 0 or _holds_killer(state, seat):
            options.append(DECLARE[place])
    return options


def _holds_killer(state: "BridesAndBribesState", seat: int) -> bool:
    return any(IS_KILLER[tile] for tile in state.hand[seat])


def possible(state: "BridesAndBribesState", action: int) -> bool:
    """Return whether A can do that now, if it can pay: `base` [7.3]."""
    borough = state.borough
    if action == EMPLOY:
        return not state.workers_banned and any(state.borough_workers[borough])
    if action == HIRE:
        return state.commons[borough] >= 0
    if action == INFLUENCE:
        return state.tokens[borough] > 0
    if action == DUCATO:
        return True
    return (
        not state.marriage_banned
        and state.guide[state.active] < FIRST_COMMON
        and state.brides[2 * borough + action] >= 0
    )


def declare(state: "BridesAndBribesState", action: str) -> None:
    """Ask first the others, then A, for plays that bear on the declaration [7.3]."""
    seat, declared = state.active, DECLARED_OF[action]
    state.declared = declared
    state.tell(story.declared, seat, declared)
    if declared == DUCATO:  # no reactions at all [R22]
        state.push(complete)
        return
    if declared <= MARRY_SECOND and state.spouse_seat[2 * state.borough + declared] >= 0:
        state.proofs += ((KILLER, state.hand[seat]),)
    state.charmed = False
    state.push(judge)
    state.push(before)
    state.push(react, state.others(seat), 0)


def standing(state: "BridesAndBribesState") -> int:
    """Return how the declaration stands: `status` [7.3]."""
    if state.guide[state.active] < 0:
        return OUT
    if state.charmed:
        return CHARMED
    return GO if possible(state, state.declared) else FAIL


def react(state: "BridesAndBribesState", others: Sequence[int], number: int) -> None:
    """Ask the others from this number on for reactions, while the declaration stands [R23, R24]."""
    if standing(state) == GO:
        ask_each(state, "react", react, others, number)


def before(state: "BridesAndBribesState") -> None:
    """Ask A for what must precede its action [R27]."""
    if standing(state) == GO:
        options = plays(state, state.active, "before")
        if options:
            state.ask(state.active, "before", options, play_before)


def play_before(state: "BridesAndBribesState", action: str) -> None:
    """Play and be asked again, or decline."""
    if action != DECLINE:
        state.push(before)
        play(state, state.active, *PLAY_OF[action], "before")


def judge(state: "BridesAndBribesState") -> None:
    """Complete the action, or find that it fails [7.3]."""
    seat, declared = state.active, state.declared
    stands = standing(state)
    if stands == OUT:
        state.tell(story.action_lost, seat, declared)
        return
    if stands == CHARMED:
        state.closed[seat] += (declared,)
        state.declared = NONE
        state.tell(story.charmed, seat, declared)
        state.push(take_turn)  # it declares again at once [R30]
    elif stands == FAIL or (declared <= MARRY_SECOND and not _can_marry(state, seat, declared)):
        state.closed[seat] += (declared,)
        state.declared = NONE
        state.tell(story.failed, seat, declared)
        state.queue += (seat,)  # it goes last [R29]
    else:
        state.push(complete)


def _can_marry(state: "BridesAndBribesState", seat: int, place: int) -> bool:
    """Return whether the bride is free and A can pay for her [7.3]."""
    return (
        state.spouse_seat[2 * state.borough + place] < 0
        and forfeit(state, seat) <= state.influence[seat]
        and bribe(state, seat, place) <= state.coins[seat]
    )
