"""Find the legal targets of each tile [7.6].

Each function returns a tile's legal targets, as indices in `actions.ARGUMENTS`. A tile without
legal targets cannot be played. Tiles that need no target have the single target `NO_ARGUMENT`.
"""
# compiled: see setup.py

from collections.abc import Sequence
from typing import Final

from engine.brides_and_bribes.actions import (
    BOROUGH_ARGUMENT,
    BRIDE_ARGUMENT,
    COLOUR_ARGUMENT,
    INFLUENCE_ARGUMENT,
    NO_ARGUMENT,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
    SPOT_ARGUMENT,
)
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.rules.guides import bribe, can_change
from engine.brides_and_bribes.tiles import COLOURS

PLAIN: Final = (NO_ARGUMENT,)


def always(position: Position, seat: int) -> Sequence[int]:
    return PLAIN


# -- coins, workers, commons --------------------------------------------------------------------


def coin_in_pile(position: Position, seat: int) -> Sequence[int]:
    return PLAIN if position.coin_pile else ()


def worker_in_supply(position: Position, seat: int) -> Sequence[int]:
    return PLAIN if position.worker_pile[position.resolution.borough] else ()


def worker_for_wine(position: Position, seat: int) -> Sequence[int]:
    # [R41]
    return () if position.resolution.workers_banned else worker_in_supply(position, seat)


def goods(position: Position, seat: int) -> Sequence[int]:
    """Return what a merchant can sell [R43]."""
    if not position.coin_pile:
        return ()
    sellable = [COLOUR_ARGUMENT + c for c, number in enumerate(position.workers[seat]) if number]
    if position.influence[seat]:
        sellable.append(INFLUENCE_ARGUMENT)
    return sellable


def mediated_colour(position: Position, seat: int) -> Sequence[int]:
    # [R42]
    own, taken = position.workers[seat], position.resolution.taken
    left = [colour for colour in range(len(COLOURS)) if own[colour] and taken[colour]]
    return [
        COLOUR_ARGUMENT + colour
        for colour, number in enumerate(position.worker_pile)
        if number and any(other != colour for other in left)
    ]


def borough_with_worker(position: Position, seat: int) -> Sequence[int]:
    # [R45]
    workers = position.borough_workers
    return [BOROUGH_ARGUMENT + other for other in _elsewhere(position) if any(workers[other])]


def borough_with_common(position: Position, seat: int) -> Sequence[int]:
    # [R45]
    commons = position.commons
    return [BOROUGH_ARGUMENT + other for other in _elsewhere(position) if commons[other] >= 0]


def _elsewhere(position: Position) -> list[int]:
    return [borough for borough in position.in_play if borough != position.resolution.borough]


def deck_left(position: Position, seat: int) -> Sequence[int]:
    # [R44]
    return PLAIN if position.decks[position.resolution.borough] else ()


# -- seats --------------------------------------------------------------------------------------


def active_seat(position: Position, seat: int) -> Sequence[int]:
    return (SEAT_ARGUMENT + position.resolution.active,)


def other_seat(position: Position, seat: int) -> Sequence[int]:
    return [SEAT_ARGUMENT + other for other in position.others(seat)]


def other_present(position: Position, seat: int) -> Sequence[int]:
    return PLAIN if position.others(seat) else ()


def seat_with_coin(position: Position, seat: int) -> Sequence[int]:
    """Return other seats that have coins [R48]."""
    return [SEAT_ARGUMENT + other for other in position.others(seat) if position.coins[other]]


def coin_elsewhere(position: Position, seat: int) -> Sequence[int]:
    return PLAIN if any(position.coins[other] for other in position.others(seat)) else ()


def coin_after_dowry(position: Position, seat: int) -> Sequence[int]:
    # [R47]
    return coin_elsewhere(position, seat) if position.resolution.dowry_given else ()


def dowry_to_come(position: Position, seat: int) -> Sequence[int]:
    # [R47]
    return () if position.resolution.dowry_given else PLAIN


def richest_seat(position: Position, seat: int) -> Sequence[int]:
    # [R48]
    others, coins = position.others(seat), position.coins
    most = max([coins[other] for other in others], default=0)
    return [SEAT_ARGUMENT + other for other in others if coins[other] == most > 0]


def bribing_seat(position: Position, seat: int) -> Sequence[int]:
    # [R48]
    resolution = position.resolution
    active = resolution.active
    if position.coins[active] and bribe(position, active, resolution.declared):
        return (SEAT_ARGUMENT + active,)
    return ()


def richest_bribing_seat(position: Position, seat: int) -> Sequence[int]:
    # [R48]
    bribing = bribing_seat(position, seat)
    return bribing if bribing and bribing[0] in richest_seat(position, seat) else ()


def closed_hands(position: Position, seat: int) -> Sequence[int]:
    # [R40]
    resolution = position.resolution
    for other in resolution.delegates:
        if other != seat and resolution.hand[other] and not resolution.open[other]:
            return PLAIN
    return ()


def active_can_change(position: Position, seat: int) -> Sequence[int]:
    # [R39]
    resolution = position.resolution
    return PLAIN if can_change(resolution, resolution.active) else ()


def other_can_change(position: Position, seat: int) -> Sequence[int]:
    # [R39]
    resolution = position.resolution
    return PLAIN if any(can_change(resolution, other) for other in position.others(seat)) else ()


def no_edict(position: Position, seat: int) -> Sequence[int]:
    return () if position.resolution.edict[seat] else PLAIN


# -- brides and guides --------------------------------------------------------------------------


def bride_elsewhere(position: Position, seat: int) -> Sequence[int]:
    # [R46]
    return _exchangeable(position, (position.resolution.declared,))


def any_bride_elsewhere(position: Position, seat: int) -> Sequence[int]:
    # [R46]
    return _exchangeable(position, (0, 1))


def _exchangeable(position: Position, places: tuple[int, ...]) -> Sequence[int]:
    return [
        SPOT_ARGUMENT + 2 * other + place
        for place in places
        if _is_free(position, 2 * position.resolution.borough + place)
        for other in _elsewhere(position)
        if _is_free(position, 2 * other + place)
    ]


def _is_free(position: Position, spot: int) -> bool:
    return position.brides[spot] >= 0 > position.spouse_seat[spot]


def bride_in_box(position: Position, seat: int) -> Sequence[int]:
    # [R46]
    return _boxed(position, (position.resolution.declared,))


def any_bride_in_box(position: Position, seat: int) -> Sequence[int]:
    # [R46]
    return _boxed(position, (0, 1))


def _boxed(position: Position, places: tuple[int, ...]) -> Sequence[int]:
    return [
        BRIDE_ARGUMENT + bride
        for place in places
        if _is_free(position, 2 * position.resolution.borough + place)
        for bride in position.boxes[place]
    ]


def declared_bride(position: Position, seat: int) -> Sequence[int]:
    # [R34]
    return (PLACE_ARGUMENT + position.resolution.declared,)


def any_victim(position: Position, seat: int) -> Sequence[int]:
    # [R34, R38]
    resolution = position.resolution
    spot = 2 * resolution.borough
    brides = [PLACE_ARGUMENT + place for place in range(2) if position.brides[spot + place] >= 0]
    married = resolution.guide_married
    return brides + [SEAT_ARGUMENT + q for q in position.others(seat) if not married[q]]
