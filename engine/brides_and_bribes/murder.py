"""The murder of a bride [7.8]."""

from typing import TYPE_CHECKING

from engine.brides_and_bribes import story
from engine.brides_and_bribes.guides import lose_guide
from engine.brides_and_bribes.tiles import ADDITIONAL, BRIDE_TYPE, NONE

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def murder(state: "BridesAndBribesState", spot: int) -> None:
    """Take the bride there off the board, and her marriage with her; another one comes."""
    bride, place = state.brides[spot], spot % 2
    seat, loyal = state.spouse_seat[spot], state.spouse[spot]
    state.brides[spot] = NONE
    lost = 0
    if seat >= 0:
        lost = min(ADDITIONAL[place], state.influence[seat])  # all else stays [R35]
        state.influence[seat] -= lost
        state.alley_shown[seat] += (loyal,)
        state.spouse_seat[spot] = state.spouse[spot] = NONE
    state.tell(story.murdered, spot, bride, seat, loyal, lost)
    if place == 0 and state.spouse_seat[spot + 1] >= 0:
        _move_up(state, spot)
        spot += 1
    _fill(state, spot)
    box = BRIDE_TYPE[bride]
    state.boxes[box] += (bride,)
    state.box_tails[box] += 1
    for borough in state.in_play:
        for other in (2 * borough, 2 * borough + 1):
            if state.brides[other] == NONE:
                _fill(state, other)
    if seat >= 0 and state.guide[seat] == loyal:  # it was the married guide of this resolution
        state.push(lose_guide, seat)


def _move_up(state: "BridesAndBribesState", spot: int) -> None:
    """Move the wed second bride to the vacant first place [7.8.2]."""
    seat = state.spouse_seat[spot + 1]
    state.brides[spot] = state.brides[spot + 1]
    state.spouse_seat[spot] = seat
    state.spouse[spot] = state.spouse[spot + 1]
    state.brides[spot + 1] = state.spouse_seat[spot + 1] = state.spouse[spot + 1] = NONE
    state.influence[seat] += ADDITIONAL[0] - ADDITIONAL[1]
    state.tell(story.moved_up, spot // 2, seat)


def _fill(state: "BridesAndBribesState", spot: int) -> None:
    """Let the front bride of the box come to a vacant place, if there is one [R36]."""
    box = state.boxes[spot % 2]
    if box:
        state.brides[spot], *rest = box
        state.boxes[spot % 2] = tuple(rest)
        state.box_tails[spot % 2] = min(state.box_tails[spot % 2], len(rest))
        state.tell(story.bride_came, spot, state.brides[spot])
