"""Rules for the abilities of officials in the advanced game [8]."""
# compiled: see setup.py

from typing import Final

from engine.bribery.actions import (
    ABILITY,
    ABILITY_OF,
    ALLOW,
    NO_ABILITY,
    PROTECT,
    PROTECT_OF,
    SWINDLE,
    SWINDLE_OF,
)
from engine.bribery.cards import (
    BIT,
    CLUBS,
    COUNTRY,
    HEART,
    NO_SUIT,
    OTHERS,
    OTHERS_SET,
    SEATS,
    SOURCES,
    SPADES,
    SUIT_OF,
)
from engine.bribery.control import NO_SIDE
from engine.bribery.position import (
    ABILITY_PHASE,
    PLAY_PHASE,
    PROTECT_PHASE,
    SWINDLE_PHASE,
    Position,
)
from engine.bribery.rules.board import put, take, turn_down
from engine.errors import IllegalAction

SPENT: Final = "spent"
ASSASSINATED: Final = "assassinated"


def begin_turn(position: Position, seat: int) -> None:
    if options := _list_abilities(position, seat):
        position.options = options
        position.phase = ABILITY_PHASE


def apply(position: Position, action: str) -> None:
    if action not in position.options:
        raise IllegalAction(action, position.seat_to_act, position.options)
    position.log.append(action)
    position.options = []
    if action == NO_ABILITY:
        position.phase = PLAY_PHASE
    elif position.phase == ABILITY_PHASE:
        _pay(position, *ABILITY_OF[action])
    elif position.phase == PROTECT_PHASE:
        _answer(position, action)
    else:
        _swindle(position, *SWINDLE_OF[action])


# -- legal decisions ------------------------------------------------------------------------------


def _list_abilities(position: Position, seat: int) -> list[str]:
    parameters = position.parameters
    side, of = parameters.side_of_seat[seat], parameters.side_table.of
    face_up, piles = position.face_up, position.piles
    is_free = position.free_side == side
    legal: list[str] = []
    sources = position.controlled[side] & SOURCES
    while sources:  # from the lowest bit up
        source = (sources & -sources).bit_length() - 1
        sources &= sources - 1
        others = OTHERS_SET[source] & face_up
        if not others:
            continue
        suit, texts, pile = COUNTRY[source], ABILITY[source], piles[source]
        for spent in pile if len(pile) == 1 else sorted(pile):
            if of[spent] != side:
                continue
            if suit == CLUBS:
                targets = others
            elif suit == SPADES:
                targets = others if is_free else others & position.open_to[SUIT_OF[spent]]
            else:
                targets = _swindle_targets(position, source, spent)
            legal += texts[spent // SEATS][targets]
    if legal:
        legal.append(NO_ABILITY)
    return legal


def _swindle_targets(position: Position, source: int, spent: int) -> int:
    """Return the officials that the swindle ability can target [8.2]."""
    piles, open_to = position.piles, position.open_to
    targets = 0
    if 0 not in open_to:  # most frequent case: every bribe fits somewhere
        for target in OTHERS[source]:
            if piles[target]:
                targets |= BIT[target]
        return targets
    opened = SUIT_OF[spent]
    suits = [SUIT_OF[bribe] for bribe in piles[source]]
    if opened == COUNTRY[source] or suits.count(opened) > 1:
        opened = NO_SUIT
    of, free_side = position.parameters.side_table.of, position.free_side
    for target in OTHERS[source]:
        for bribe in piles[target]:
            suit = SUIT_OF[bribe]
            # The target itself is never open to the suit of a bribe on it, so an open official is
            # another one. A bribe that Joker #4 frees can always go to the source.
            if open_to[suit] or suit == opened or of[bribe] == free_side:
                targets |= BIT[target]
                break
    return targets


def _list_protections(position: Position, heart: int) -> list[str]:
    of, (side, _) = position.parameters.side_table.of, position.control[heart]
    spendable = sorted([bribe for bribe in position.piles[heart] if of[bribe] == side])
    return [ALLOW, *[PROTECT[bribe // SEATS] for bribe in spendable]]


def _list_swindles(position: Position, target: int) -> list[str]:
    of, free_side = position.parameters.side_table.of, position.free_side
    legal: list[str] = []
    for bribe in sorted(position.piles[target]):
        if of[bribe] == free_side:
            officials = position.face_up & ~BIT[target]
        else:
            officials = position.open_to[SUIT_OF[bribe]]
        row = SWINDLE[bribe // SEATS]
        legal += [row[official] for official, bit in enumerate(BIT) if officials & bit]
    return legal


# -- effects --------------------------------------------------------------------------------------


def _pay(position: Position, source: int, card: int, target: int) -> None:
    seat = position.seat_to_act
    assert seat is not None
    spent = _spend(position, card, source)
    sides, n = position.parameters.side_of_seat, position.parameters.seats
    heart = HEART[source]
    protector, _ = position.control[heart]
    position.pending = (seat, source, spent, target)
    if protector in (NO_SIDE, sides[seat]):
        _take_effect(position)
        return
    clockwise = [(seat + step) % n for step in range(1, n)]
    position.to_ask = tuple([other for other in clockwise if sides[other] == protector])
    _ask_protection(position, heart)


def _ask_protection(position: Position, heart: int) -> None:
    position.phase = PROTECT_PHASE
    position.seat_to_act = position.to_ask[0]
    position.options = _list_protections(position, heart)


def _answer(position: Position, action: str) -> None:
    seat = position.seat_to_act
    assert position.pending is not None
    assert seat is not None
    _, source, _, _ = position.pending
    heart = HEART[source]
    position.protection_seats += (seat,)
    position.to_ask = position.to_ask[1:]
    if action != ALLOW:
        _spend(position, PROTECT_OF[action], heart)
        _settle(position, by=seat)
    elif position.to_ask:
        _ask_protection(position, heart)
    else:
        _take_effect(position)


def _take_effect(position: Position) -> None:
    assert position.pending is not None
    seat, source, spent, target = position.pending
    suit = COUNTRY[source]
    if suit == CLUBS:
        bribes = position.piles[target]
        position.discards += tuple([(bribe, ASSASSINATED) for bribe in bribes])
        position.piles[target] = ()
        turn_down(position, target)
        _settle(position, discarded=bribes)
    elif suit == SPADES:
        position.discards = position.discards[:-1]  # the spent bribe, which lies on top [R34]
        put(position, spent, target)
        _settle(position)
    else:
        position.phase = SWINDLE_PHASE
        position.seat_to_act = seat
        position.options = _list_swindles(position, target)


def _swindle(position: Position, card: int, destination: int) -> None:
    assert position.pending is not None
    _, _, _, target = position.pending
    put(position, take(position, card, target), destination)
    _settle(position)


def _settle(position: Position, by: int | None = None, discarded: tuple[int, ...] = ()) -> None:
    ability = position.pending
    assert ability is not None
    position.settled += ((len(position.log), ability, by, discarded),)
    position.seat_to_act, _, _, _ = ability
    position.pending = None
    position.to_ask = ()
    position.phase = PLAY_PHASE


def _spend(position: Position, card: int, official: int) -> int:
    bribe = take(position, card, official)
    position.discards += ((bribe, SPENT),)
    return bribe
