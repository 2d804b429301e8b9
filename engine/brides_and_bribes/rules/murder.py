"""Murder of a bride [7.8]."""
# compiled: see setup.py

from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.guides import lose_guide
from engine.brides_and_bribes.tiles import ADDITIONAL, BRIDE_TYPE, NONE


def murder(position: Position, spot: int) -> None:
    """Remove the bride at `spot` and her marriage. Another bride takes her place."""
    bride, place = position.brides[spot], spot % 2
    seat, loyal = position.spouse_seat[spot], position.spouse[spot]
    position.brides[spot] = NONE
    lost = 0
    if seat >= 0:
        lost = min(ADDITIONAL[place], position.influence[seat])  # the seat keeps the rest [R35]
        position.influence[seat] -= lost
        position.alley_shown[seat] += (loyal,)
        position.spouse_seat[spot] = position.spouse[spot] = NONE
    position.log.notes.append(("murdered", *divmod(spot, 2), bride, seat, loyal, lost))
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
    if seat >= 0 and position.resolution.guide[seat] == loyal:  # married in this resolution
        position.push(lose_guide, seat)


def _move_up(position: Position, spot: int) -> None:
    """Move the married second bride to `spot`, the vacant first place of the borough [7.8.2]."""
    brides, spouse_seat, spouse = position.brides, position.spouse_seat, position.spouse
    seat = spouse_seat[spot + 1]
    brides[spot], brides[spot + 1] = brides[spot + 1], NONE
    spouse_seat[spot], spouse_seat[spot + 1] = seat, NONE
    spouse[spot], spouse[spot + 1] = spouse[spot + 1], NONE
    position.influence[seat] += ADDITIONAL[0] - ADDITIONAL[1]
    position.log.notes.append(("moved_up", spot // 2, seat))


def _fill(position: Position, spot: int) -> None:
    """Fill a vacant place with the front bride of the box, if there is one [R36]."""
    place = spot % 2
    box = position.boxes[place]
    if box:
        position.brides[spot], rest = box[0], box[1:]
        position.boxes[place] = rest
        position.box_tails[place] = min(position.box_tails[place], len(rest))
        position.log.notes.append(("bride", *divmod(spot, 2), box[0]))
