"""Rules for the third phase of a round, in which seats activate boroughs [6.3, 7.2]."""
# compiled: see setup.py

from engine.brides_and_bribes.actions import ACTIVATE, BOROUGH_OF, GUIDE_OF, characters
from engine.brides_and_bribes.position.position import OBJECTS, Position
from engine.brides_and_bribes.position.resolution import (
    NO_HANDS,
    NO_RESOLUTION,
    Tiles,
    new_resolution,
)
from engine.brides_and_bribes.rules.declarations import take_turn
from engine.brides_and_bribes.rules.guides import guide_options, prestige
from engine.brides_and_bribes.rules.plays import Responders, ask_each
from engine.brides_and_bribes.tiles import NONE, SEATS, without


def begin(position: Position, _: None) -> None:
    position.phase = "resolution"
    position.resolved = ()
    activate(position, 0)


def activate(position: Position, number: int) -> None:
    """Let the next seat choose a borough [6.3]."""
    n = position.parameters.seats
    if number < n:
        seat = (position.first_seat + number) % n
        position.ask(seat, "activate", activate_options(position), activated, (seat, number))


def activate_options(position: Position) -> list[str]:
    resolved = position.resolved
    options = [ACTIVATE[borough] for borough in position.in_play if borough not in resolved]
    options.sort()
    return options


def activated(position: Position, action: str, argument: tuple[int, int]) -> None:
    """Resolve the activated borough [R15]."""
    seat, number = argument
    position.push(activate, number + 1)
    begin_borough(position, seat, BOROUGH_OF[action])


def begin_borough(position: Position, seat: int, borough: int) -> None:
    """Start to resolve a borough [7.1]."""
    parameters, delegations = position.parameters, position.delegations
    n, at = parameters.seats, borough * SEATS
    hands = delegations[at : at + n]
    clockwise = parameters.clockwise[position.first_seat]
    delegates = tuple([other for other in clockwise if hands[other]])
    position.log.notes.append(("activated", seat, borough))
    if not delegates:
        _pass_over(position, borough)
        return
    delegations[at : at + n] = NO_HANDS[n]
    position.resolution = resolution = new_resolution(n, borough)
    resolution.delegates = delegates
    resolution.hand = hands
    choose_guide(position, 0)


def _pass_over(position: Position, borough: int) -> None:
    position.log.notes += [
        ("guides", {}),
        ("order", ()),
        ("borough_end", borough, ()),
    ]
    position.resolved += (borough,)


def choose_guide(position: Position, number: int) -> None:
    """Let seats choose their guides in secret, one after another [7.2.1]."""
    resolution = position.resolution
    delegates = resolution.delegates
    while number < len(delegates):
        seat = delegates[number]
        candidates = characters(resolution.hand[seat])
        if len(candidates) > 1:
            position.ask(seat, "guide", guide_options(position, seat), chosen, (seat, number))
            return
        if candidates:  # a single character is chosen automatically [R5]
            resolution.chosen[seat] = candidates[0]
        number += 1
    reveal_guides(position)


def chosen(position: Position, action: str, argument: tuple[int, int]) -> None:
    seat, number = argument
    position.resolution.chosen[seat] = GUIDE_OF[action]
    choose_guide(position, number + 1)


def reveal_guides(position: Position) -> None:
    # [7.2.1]
    resolution = position.resolution
    for seat in resolution.delegates:
        guide, hand = resolution.chosen[seat], resolution.hand[seat]
        if guide == NONE:  # the delegation has only objects [R16]
            position.proofs += ((OBJECTS, hand),)
        else:
            resolution.guide[seat] = guide
            resolution.hand[seat] = without(hand, guide)
            resolution.chosen[seat] = NONE
    guides = {seat: resolution.guide[seat] for seat in resolution.delegates}
    position.log.notes.append(("guides", guides))
    position.push(fix_order)
    order_window(position, (resolution.delegates, 0))


def order_window(position: Position, argument: Responders) -> None:
    """Let seats with a guide play tiles before the order of turns is fixed [7.2.2, R18]."""
    ask_each(position, "order", order_window, argument)


def fix_order(position: Position, _: None) -> None:
    # [7.2.3, R19]
    resolution = position.resolution
    guide, edict = resolution.guide, resolution.edict
    present = [seat for seat in position.favor_order if guide[seat] >= 0]
    order = present
    if len(present) > 1:
        first_spot = 2 * resolution.borough
        order = [seat for seat in present if edict[seat]]
        for seat in position.spouse_seat[first_spot : first_spot + 2]:
            if seat in present and seat not in order:
                order.append(seat)
        rest = [seat for seat in present if seat not in order]
        if len(rest) > 1:  # the sort is stable: ties by the favor order
            rest.sort(key=lambda seat: -prestige(resolution, seat))
        order += rest
    resolution.order = resolution.queue = tuple(order)
    position.log.notes.append(("order", resolution.order))
    next_turn(position, None)


def next_turn(position: Position, _: None) -> None:
    # [7.2.4]
    resolution = position.resolution
    resolution.active = resolution.declared = NONE
    while resolution.queue:
        seat = resolution.queue[0]
        resolution.queue = resolution.queue[1:]
        if resolution.guide[seat] >= 0:
            resolution.active = seat
            position.push(next_turn)
            take_turn(position)
            return
        position.log.notes.append(("lost_action", seat, NONE))
    clean_up(position)


def clean_up(position: Position) -> None:
    # [7.2.5]
    resolution = position.resolution
    guides, married, exposed = resolution.guide, resolution.guide_married, resolution.exposed
    put_away = []
    for seat in resolution.delegates:
        hand, guide = resolution.hand[seat], guides[seat]
        shown: Tiles = ()
        hidden = hand
        if exposed:
            shown = tuple([tile for tile in hand if tile in exposed])
            hidden = tuple([tile for tile in hand if tile not in exposed])
        if guide >= 0 and not married[seat]:
            shown += (guide,)
        position.alley_shown[seat] += shown
        position.alley_hidden[seat] += hidden
        position.coaches[seat] += 1
        put_away.append((seat, shown, len(hidden)))
    position.log.notes.append(("borough_end", resolution.borough, tuple(put_away)))
    position.resolved += (resolution.borough,)
    position.resolution = NO_RESOLUTION[position.parameters.seats]
