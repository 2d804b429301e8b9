"""The third phase: boroughs are activated; guides and order of a borough [6.3, 7.1, 7.2]."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.actions import (
    ACTIVATE,
    BOROUGH_OF,
    GUIDE_OF,
)
from engine.brides_and_bribes.guides import guide_options
from engine.brides_and_bribes.prices import prestige
from engine.brides_and_bribes.proofs import OBJECTS
from engine.brides_and_bribes.tiles import NONE, SEATS
from engine.brides_and_bribes.turn import take_turn
from engine.brides_and_bribes.windows import ask_each

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def begin(state: "BridesAndBribesState") -> None:
    """Let the seats, clockwise from F, activate a borough each."""
    state.phase = "resolution"
    state.resolved = [False] * len(state.resolved)
    state.push(activate, 0)


def activate(state: "BridesAndBribesState", number: int) -> None:
    """Ask the seat of this number, clockwise from F, which borough is resolved next [6.3]."""
    n = state.variant.seats
    if number == n:
        return
    seat = (state.first_seat + number) % n
    state.ask(seat, "activate", activate_options(state), activated, seat, number)


def activate_options(state: "BridesAndBribesState") -> list[str]:
    """Return the boroughs in play that are not yet resolved in this round."""
    return sorted([ACTIVATE[borough] for borough in state.in_play if not state.resolved[borough]])


def activated(state: "BridesAndBribesState", action: str, seat: int, number: int) -> None:
    """Resolve that borough completely, before the next seat activates [R15]."""
    state.push(activate, number + 1)
    state.push(begin_borough, seat, BOROUGH_OF[action])


def begin_borough(state: "BridesAndBribesState", seat: int, borough: int) -> None:
    """Lay out what matters in this resolution only [7.1]; the guides come next."""
    n = state.variant.seats
    state.tell(story.activated, seat, borough)
    state.borough = borough
    at, clockwise = borough * SEATS, state.variant.clockwise[state.first_seat]
    delegations = state.delegations
    state.delegates = tuple([seat for seat in clockwise if delegations[at + seat]])
    state.hand = delegations[at : at + n]
    delegations[at : at + n] = [()] * n
    state.chosen = [NONE] * n
    state.guide = [NONE] * n
    state.guide_used = [False] * n
    state.guide_married = [False] * n
    state.prestige_change = [0] * n
    state.charm_change = [0] * n
    state.closed = [()] * n
    state.edict = [False] * n
    state.open = [False] * n
    state.exposed = frozenset()
    state.lord_change = state.bride_change = 0
    state.marriage_banned = state.workers_banned = False
    state.order = state.queue = ()
    state.push(choose_guide, 0)


def choose_guide(state: "BridesAndBribesState", number: int) -> None:
    """Ask the delegates from this number on for their guides, each unseen by the others [7.2.1]."""
    if number == len(state.delegates):
        state.push(reveal_guides)
        return
    seat = state.delegates[number]
    options = guide_options(state, seat)
    if options:
        state.ask(seat, "guide", options, chosen, seat, number)
    else:
        state.push(choose_guide, number + 1)


def chosen(state: "BridesAndBribesState", action: str, seat: int, number: int) -> None:
    """Note a guide until all are revealed."""
    state.chosen[seat] = GUIDE_OF[action]
    state.push(choose_guide, number + 1)


def reveal_guides(state: "BridesAndBribesState") -> None:
    """Reveal the guides at once; they leave the borough hands [7.2.1]."""
    for seat in state.delegates:
        guide = state.chosen[seat]
        if guide == NONE:  # only objects: it takes no part [R16]
            state.proofs += ((OBJECTS, state.hand[seat]),)
        else:
            state.guide[seat] = guide
            state.hand[seat] = tuple([tile for tile in state.hand[seat] if tile != guide])
            state.chosen[seat] = NONE
    state.tell(story.guides_revealed, state.delegates, tuple(state.guide))
    state.push(fix_order)
    state.push(order_window, state.delegates, 0)


def order_window(state: "BridesAndBribesState", delegates: Sequence[int], number: int) -> None:
    """Ask the delegates from this number on for plays that bear on the order [7.2.2, R18]."""
    ask_each(state, "order", order_window, delegates, number)


def fix_order(state: "BridesAndBribesState") -> None:
    """Fix the order of turns, once [7.2.3, R19]."""
    present = [seat for seat in state.favor_order if state.guide[seat] >= 0]
    spouses = state.spouse_seat[2 * state.borough : 2 * state.borough + 2]
    order = [seat for seat in present if state.edict[seat]]
    for seat in spouses:
        if seat in present and seat not in order:
            order.append(seat)
    if len(order) < len(present):
        rest = [seat for seat in present if seat not in order]
        rest.sort(key=lambda seat: -prestige(state, seat))  # stable: ties by the favor order
        order += rest
    state.order = state.queue = tuple(order)
    state.tell(story.order_fixed, state.order)
    state.push(next_turn)


def next_turn(state: "BridesAndBribesState") -> None:
    """Let the first seat of the queue have its turn [7.2.4]."""
    state.active = state.declared = NONE
    if not state.queue:
        state.push(clean_up)
        return
    seat, *rest = state.queue
    state.queue = tuple(rest)
    state.push(next_turn)
    if state.guide[seat] >= 0:
        state.active = seat
        state.push(take_turn)
    else:
        state.tell(story.action_lost, seat, NONE)


def clean_up(state: "BridesAndBribesState") -> None:
    """Put the tiles of the borough away, and end its resolution [7.2.5]."""
    put_away = []
    for seat in state.delegates:
        shown = [tile for tile in state.hand[seat] if tile in state.exposed]
        hidden = [tile for tile in state.hand[seat] if tile not in state.exposed]
        if state.guide[seat] >= 0 and not state.guide_married[seat]:
            shown.append(state.guide[seat])
        state.alley_shown[seat] += tuple(shown)
        state.alley_hidden[seat] += tuple(hidden)
        state.coaches[seat] += 1
        put_away.append((seat, tuple(shown), len(hidden)))
        state.hand[seat] = ()
        state.guide[seat] = NONE
    state.tell(story.borough_ended, state.borough, tuple(put_away))
    state.resolved[state.borough] = True
    state.borough = NONE
    state.delegates = ()
