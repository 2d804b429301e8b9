"""Add and remove officials and bribes on the Bribery board [5, 6]."""

# In compiled code, `numbers[i] = numbers[i] | bit` is much faster than `numbers[i] |= bit`.
# compiled: see setup.py

from collections.abc import Sequence

from engine.bribery.cards import (
    ALL_OFFICIALS,
    BIT,
    COUNTRY,
    JOKER_1,
    JOKER_4,
    OFFICIALS,
    ONE_BRIBE,
    OPEN_OFFICIALS,
    OPENS_TO,
    SEATS,
    SUIT_OF,
    VALUE_OF,
)
from engine.bribery.control import NO_SIDE, UNCONTROLLED, Controller
from engine.bribery.position import Position

_ALL = tuple(range(len(OFFICIALS)))


def turn_up(position: Position, official: int) -> None:
    bit = BIT[official]
    position.face_up |= bit
    open_to = position.open_to
    for suit in OPENS_TO[official]:
        open_to[suit] = open_to[suit] | bit


def turn_down(position: Position, official: int) -> None:
    """Turn an assassinated official face down [R30]. Its bribes must have been removed."""
    bit = BIT[official]
    position.face_up &= ~bit
    position.face_down |= bit
    position.open_to = [officials & ~bit for officials in position.open_to]
    _set_control(position, official, UNCONTROLLED)


def put(position: Position, bribe: int, official: int) -> None:
    position.piles[official] += ONE_BRIBE[bribe]
    open_to, suit = position.open_to, SUIT_OF[bribe]
    open_to[suit] = open_to[suit] & ~BIT[official]
    update_control(position, official)


def take(position: Position, card: int, official: int) -> int:
    pile = position.piles[official]
    (bribe,) = [bribe for bribe in pile if bribe // SEATS == card]
    left = tuple([other for other in pile if other != bribe])
    position.piles[official] = left
    suit = SUIT_OF[bribe]
    if suit != COUNTRY[official] and not (left and suit in [SUIT_OF[other] for other in left]):
        open_to = position.open_to
        open_to[suit] = open_to[suit] | BIT[official]
    update_control(position, official)
    return bribe


def controllers(position: Position, changed: Sequence[int] = _ALL) -> list[Controller]:
    """Return the controller of each official.

    Pass `changed` to update only the officials whose bribes have changed since the last call.
    """
    control, parameters = position.control, position.parameters
    if not parameters.advanced:  # in advanced games, the rules update all controllers
        piles, values, find = (
            position.piles,
            position.bribe_values,
            parameters.side_table.controller,
        )
        for official in changed:
            pile = piles[official]
            if pile and official != JOKER_1:
                control[official] = find(pile, values)
    return control


def update_control(position: Position, official: int) -> None:
    piles, sides = position.piles, position.parameters.side_table
    if official != JOKER_1:
        controller = sides.controller(piles[official], position.bribe_values)
        _set_control(position, official, controller)
        return
    bonus = sides.controller(piles[JOKER_1], VALUE_OF)
    _set_control(position, JOKER_1, bonus)
    values = sides.values[bonus]
    if values is not position.bribe_values:  # the bonus can change other controllers
        position.bribe_values = values
        for other, pile in enumerate(piles):
            if pile and other != JOKER_1:
                _set_control(position, other, sides.controller(pile, values))


def _set_control(position: Position, official: int, controller: Controller) -> None:
    # `NO_SIDE` is -1, so it sets the last element.
    before = position.control[official]
    if controller is before:
        return
    position.control[official] = controller
    if official == JOKER_4:
        position.free_side, _ = controller
    old, _ = before
    side, _ = controller
    if side != old:
        controlled, bit = position.controlled, BIT[official]
        controlled[old] = controlled[old] ^ bit
        controlled[side] = controlled[side] ^ bit


def refresh(position: Position) -> None:
    position.open_to = [position.face_up & officials for officials in OPEN_OFFICIALS]
    position.bribe_values = VALUE_OF
    position.control = [UNCONTROLLED] * len(OFFICIALS)
    position.free_side = NO_SIDE
    position.controlled = [0] * position.parameters.side_table.count + [ALL_OFFICIALS]
    for official, pile in enumerate(position.piles):
        for bribe in pile:
            position.open_to[SUIT_OF[bribe]] &= ~BIT[official]
        if pile:
            update_control(position, official)
