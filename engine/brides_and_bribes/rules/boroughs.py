"""The third phase: boroughs are activated; guides and order of a borough [6.3, 7.1, 7.2]."""

from collections.abc import Sequence

from engine.brides_and_bribes.actions import (
    ACTIVATE,
    BOROUGH_OF,
    GUIDE_OF,
)
from engine.brides_and_bribes.events import notes
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.proofs import OBJECTS
from engine.brides_and_bribes.resolution import new_resolution
from engine.brides_and_bribes.rules.declarations import take_turn
from engine.brides_and_bribes.rules.guides import guide_options
from engine.brides_and_bribes.rules.play_windows import ask_each
from engine.brides_and_bribes.rules.prices import prestige
from engine.brides_and_bribes.tiles import NONE, SEATS


def begin(position: Position) -> None:
    """Let the seats, clockwise from F, activate a borough each."""
    position.phase = "resolution"
    position.resolved = [False] * len(position.resolved)
    position.push(activate, 0)


def activate(position: Position, number: int) -> None:
    """Ask the seat of this number, clockwise from F, which borough is resolved next [6.3]."""
    n = position.parameters.seats
    if number == n:
        return
    seat = (position.first_seat + number) % n
    position.ask(seat, "activate", activate_options(position), activated, seat, number)


def activate_options(position: Position) -> list[str]:
    """Return the boroughs in play that are not yet resolved in this round."""
    return sorted(
        [ACTIVATE[borough] for borough in position.in_play if not position.resolved[borough]]
    )


def activated(position: Position, action: str, seat: int, number: int) -> None:
    """Resolve that borough completely, before the next seat activates [R15]."""
    position.push(activate, number + 1)
    position.push(begin_borough, seat, BOROUGH_OF[action])


def begin_borough(position: Position, seat: int, borough: int) -> None:
    """Begin the resolution of a borough that `seat` has activated; the guides come next [7.1]."""
    parameters = position.parameters
    n = parameters.seats
    position.tell(notes.activated, seat, borough)
    position.resolution = resolution = new_resolution(n, borough)
    at, clockwise = borough * SEATS, parameters.clockwise[position.first_seat]
    delegations = position.delegations
    resolution.delegates = tuple([seat for seat in clockwise if delegations[at + seat]])
    resolution.hand = delegations[at : at + n]
    delegations[at : at + n] = [()] * n
    choose_guide(position, 0)


def choose_guide(position: Position, number: int) -> None:
    """Ask the delegates from this number on for their guides, each unseen by the others [7.2.1]."""
    resolution = position.resolution
    if number == len(resolution.delegates):
        position.push(reveal_guides)
        return
    seat = resolution.delegates[number]
    options = guide_options(position, seat)
    if options:
        position.ask(seat, "guide", options, chosen, seat, number)
    else:
        position.push(choose_guide, number + 1)


def chosen(position: Position, action: str, seat: int, number: int) -> None:
    """Note a guide until all are revealed."""
    position.resolution.chosen[seat] = GUIDE_OF[action]
    position.push(choose_guide, number + 1)


def reveal_guides(position: Position) -> None:
    """Reveal the guides at once; they leave the borough hands [7.2.1]."""
    resolution = position.resolution
    for seat in resolution.delegates:
        guide = resolution.chosen[seat]
        if guide == NONE:  # only objects: it takes no part [R16]
            position.proofs += ((OBJECTS, resolution.hand[seat]),)
        else:
            resolution.guide[seat] = guide
            resolution.hand[seat] = tuple([tile for tile in resolution.hand[seat] if tile != guide])
            resolution.chosen[seat] = NONE
    position.tell(notes.guides_revealed, resolution.delegates, tuple(resolution.guide))
    position.push(fix_order)
    position.push(order_window, resolution.delegates, 0)


def order_window(position: Position, delegates: Sequence[int], number: int) -> None:
    """Ask the delegates from this number on for plays that bear on the order [7.2.2, R18]."""
    ask_each(position, "order", order_window, delegates, number)


def fix_order(position: Position) -> None:
    """Fix the order of turns, once [7.2.3, R19]."""
    resolution = position.resolution
    present = [seat for seat in position.favor_order if resolution.guide[seat] >= 0]
    spouses = position.spouse_seat[2 * resolution.borough : 2 * resolution.borough + 2]
    order = [seat for seat in present if resolution.edict[seat]]
    for seat in spouses:
        if seat in present and seat not in order:
            order.append(seat)
    if len(order) < len(present):
        rest = [seat for seat in present if seat not in order]
        rest.sort(key=lambda seat: -prestige(position, seat))  # stable: ties by the favor order
        order += rest
    resolution.order = resolution.queue = tuple(order)
    position.tell(notes.order_fixed, resolution.order)
    position.push(next_turn)


def next_turn(position: Position) -> None:
    """Let the first seat of the queue have its turn [7.2.4]."""
    resolution = position.resolution
    resolution.active = resolution.declared = NONE
    if not resolution.queue:
        position.push(clean_up)
        return
    seat, *rest = resolution.queue
    resolution.queue = tuple(rest)
    position.push(next_turn)
    if resolution.guide[seat] >= 0:
        resolution.active = seat
        position.push(take_turn)
    else:
        position.tell(notes.action_lost, seat, NONE)


def clean_up(position: Position) -> None:
    """Put the tiles of the borough away, and end its resolution [7.2.5]."""
    resolution = position.resolution
    put_away = []
    for seat in resolution.delegates:
        shown = [tile for tile in resolution.hand[seat] if tile in resolution.exposed]
        hidden = [tile for tile in resolution.hand[seat] if tile not in resolution.exposed]
        if resolution.guide[seat] >= 0 and not resolution.guide_married[seat]:
            shown.append(resolution.guide[seat])
        position.alley_shown[seat] += tuple(shown)
        position.alley_hidden[seat] += tuple(hidden)
        position.coaches[seat] += 1
        put_away.append((seat, tuple(shown), len(hidden)))
        resolution.hand[seat] = ()
        resolution.guide[seat] = NONE
    position.tell(notes.borough_ended, resolution.borough, tuple(put_away))
    position.resolved[resolution.borough] = True
    position.resolution = new_resolution(position.parameters.seats)
