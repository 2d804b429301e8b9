"""Losing and changing a guide [7.7]."""

from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.actions import GUIDE, GUIDE_OF
from engine.brides_and_bribes.proofs import OBJECTS
from engine.brides_and_bribes.tiles import FIRST_OBJECT, NONE

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def guide_options(state: "BridesAndBribesState", seat: int) -> list[str]:
    """Return the characters of a borough hand, as decisions on a guide."""
    return sorted([GUIDE[tile] for tile in state.hand[seat] if tile < FIRST_OBJECT])


def lose_guide(state: "BridesAndBribesState", seat: int) -> None:
    """Replace a guide that was eliminated or whose bride was murdered, if possible [R37].

    The tile itself has been put away. This may ask the seat, so it comes last in a step.
    """
    state.tell(story.guide_lost, seat, state.guide[seat])
    state.guide[seat] = NONE
    state.guide_used[seat] = state.guide_married[seat] = False
    options = guide_options(state, seat)
    if options:
        state.ask(seat, "replace", options, take_guide, seat)
    elif state.hand[seat]:  # all see that it has no character left
        state.proofs += ((OBJECTS, state.hand[seat]),)


def take_guide(state: "BridesAndBribesState", action: str, seat: int) -> None:
    """Take a tile of the borough hand as the new, unused guide."""
    tile = GUIDE_OF[action]
    state.hand[seat] = tuple([other for other in state.hand[seat] if other != tile])
    state.guide[seat] = tile
    state.guide_used[seat] = False
    state.exposed -= {tile}
    state.tell(story.guide_new, seat, tile)


def can_change(state: "BridesAndBribesState", seat: int) -> bool:
    """Return whether a present seat has another guide than its own, unmarried one [7.7]."""
    if state.guide_married[seat]:
        return False
    return min(state.hand[seat], default=FIRST_OBJECT) < FIRST_OBJECT


def change_guides(state: "BridesAndBribesState", seats: tuple[int, ...]) -> None:
    """Make these seats change their guides, one after another: the rat [R39]."""
    if not seats:
        return
    seat = seats[0]
    state.push(change_guides, seats[1:])
    if can_change(state, seat):
        state.ask(seat, "replace", guide_options(state, seat), change_guide, seat)
    elif not state.guide_married[seat] and state.hand[seat]:
        state.proofs += ((OBJECTS, state.hand[seat]),)


def change_guide(state: "BridesAndBribesState", action: str, seat: int) -> None:
    """Change a guide: the old one goes back to the borough hand, or if used to the alley."""
    old, used = state.guide[seat], state.guide_used[seat]
    take_guide(state, action, seat)
    if used:
        state.alley_shown[seat] += (old,)
    else:
        state.hand[seat] += (old,)
        state.exposed |= {old}
