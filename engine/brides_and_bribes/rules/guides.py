"""Rules for choosing and replacing guides, and for the costs of marriages [7.1, 7.7]."""
# compiled: see setup.py

from collections.abc import Sequence

from engine.brides_and_bribes.actions import GUIDE, GUIDE_OF
from engine.brides_and_bribes.position.position import OBJECTS, Position
from engine.brides_and_bribes.position.resolution import Resolution
from engine.brides_and_bribes.tiles import (
    BRIDE_CHARM,
    CHARM,
    FIRST_OBJECT,
    LORD_PRESTIGE,
    NONE,
    PRESTIGE,
    without,
)


def prestige(resolution: Resolution, seat: int) -> int:
    return max(0, PRESTIGE[resolution.guide[seat]] + resolution.prestige_change[seat])


def charm(resolution: Resolution, seat: int) -> int:
    return max(0, CHARM[resolution.guide[seat]] + resolution.charm_change[seat])


def forfeit(position: Position, seat: int) -> int:
    resolution = position.resolution
    lord = LORD_PRESTIGE[position.lords[resolution.borough]] + resolution.lord_change
    return max(0, lord - prestige(resolution, seat))


def bribe(position: Position, seat: int, place: int) -> int:
    """Return how many coins a seat must pay to marry its loyal guide to a bride [7.1]."""
    resolution = position.resolution
    bride = position.brides[2 * resolution.borough + place]
    return max(0, BRIDE_CHARM[bride] + resolution.bride_change - charm(resolution, seat))


def guide_options(position: Position, seat: int) -> Sequence[str]:
    hand = position.resolution.hand[seat]
    options = [GUIDE[tile] for tile in hand if tile < FIRST_OBJECT]
    options.sort()
    return options


def lose_guide(position: Position, seat: int) -> None:
    """Replace a lost guide, if possible [R37].

    Callers must return immediately afterwards, because the seat may still have to choose a new
    guide.
    """
    resolution = position.resolution
    position.log.notes.append(("guide_lost", seat, resolution.guide[seat]))
    resolution.guide[seat] = NONE
    resolution.guide_used[seat] = resolution.guide_married[seat] = False
    options = guide_options(position, seat)
    if options:
        position.ask(seat, "replace", options, take_guide, seat)
    elif resolution.hand[seat]:  # this reveals that the seat has no character left
        position.proofs += ((OBJECTS, resolution.hand[seat]),)


def take_guide(position: Position, action: str, seat: int) -> None:
    resolution = position.resolution
    tile = GUIDE_OF[action]
    resolution.hand[seat] = without(resolution.hand[seat], tile)
    resolution.guide[seat] = tile
    resolution.guide_used[seat] = False
    resolution.exposed -= {tile}
    position.log.notes.append(("guide_new", seat, tile))


def can_change(resolution: Resolution, seat: int) -> bool:
    """Return whether a seat can replace its guide with another character [7.7]."""
    if resolution.guide_married[seat]:
        return False
    return min(resolution.hand[seat], default=FIRST_OBJECT) < FIRST_OBJECT


def change_guides(position: Position, seats: tuple[int, ...]) -> None:
    """Let seats change their guides one by one [R39]."""
    if not seats:
        return
    resolution = position.resolution
    seat = seats[0]
    position.push(change_guides, seats[1:])
    if can_change(resolution, seat):
        position.ask(seat, "replace", guide_options(position, seat), change_guide, seat)
    elif not resolution.guide_married[seat] and resolution.hand[seat]:
        position.proofs += ((OBJECTS, resolution.hand[seat]),)


def change_guide(position: Position, action: str, seat: int) -> None:
    """Replace a guide. A used guide goes to the seat's alley."""
    resolution = position.resolution
    old, used = resolution.guide[seat], resolution.guide_used[seat]
    take_guide(position, action, seat)
    if used:
        position.alley_shown[seat] += (old,)
    else:
        resolution.hand[seat] += (old,)
        resolution.exposed |= {old}
