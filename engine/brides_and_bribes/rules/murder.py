"""The murder of a bride [7.8]."""

from engine.brides_and_bribes.events import notes
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.guides import lose_guide
from engine.brides_and_bribes.tiles import ADDITIONAL, BRIDE_TYPE, NONE


def murder(position: Position, spot: int) -> None:
    """Take the bride there off the board, and her marriage with her; another one comes."""
    bride, place = position.brides[spot], spot % 2
    seat, loyal = position.spouse_seat[spot], position.spouse[spot]
    position.brides[spot] = NONE
    lost = 0
    if seat >= 0:
        lost = min(ADDITIONAL[place], position.influence[seat])  # all else stays [R35]
        position.influence[seat] -= lost
        position.alley_shown[seat] += (loyal,)
        position.spouse_seat[spot] = position.spouse[spot] = NONE
    position.tell(notes.murdered, spot, bride, seat, loyal, lost)
    if place == 0 and position.spouse_seat[spot + 1] >= 0:
        _move_up(position, spot)
        spot += 1
    _fill(position, spot)
    box = BRIDE_TYPE[bride]
    position.boxes[box] += (bride,)
    position.box_tails[box] += 1
    for borough in position.in_play:
        for other in (2 * borough, 2 * borough + 1):
            if position.brides[other] == NONE:
                _fill(position, other)
    if (
        seat >= 0 and position.resolution.guide[seat] == loyal
    ):  # it was the married guide of this resolution
        position.push(lose_guide, seat)


def _move_up(position: Position, spot: int) -> None:
    """Move the wed second bride to the vacant first place [7.8.2]."""
    seat = position.spouse_seat[spot + 1]
    position.brides[spot] = position.brides[spot + 1]
    position.spouse_seat[spot] = seat
    position.spouse[spot] = position.spouse[spot + 1]
    position.brides[spot + 1] = position.spouse_seat[spot + 1] = position.spouse[spot + 1] = NONE
    position.influence[seat] += ADDITIONAL[0] - ADDITIONAL[1]
    position.tell(notes.moved_up, spot // 2, seat)


def _fill(position: Position, spot: int) -> None:
    """Let the front bride of the box come to a vacant place, if there is one [R36]."""
    box = position.boxes[spot % 2]
    if box:
        position.brides[spot], *rest = box
        position.boxes[spot % 2] = tuple(rest)
        position.box_tails[spot % 2] = min(position.box_tails[spot % 2], len(rest))
        position.tell(notes.bride_came, spot, position.brides[spot])
