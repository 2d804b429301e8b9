"""Move the hidden tiles of a sampled game state to their most probable places."""
# compiled: see setup.py

import random
from collections.abc import Mapping, Sequence

from engine.brides_and_bribes.actions import DESTINATIONS, FIRST_SHIP
from engine.brides_and_bribes.hidden import (
    agrees,
    choose_guides,
    hidden_tiles,
    move_all,
    move_tiles,
)
from engine.brides_and_bribes.position.position import Position, holds
from engine.brides_and_bribes.tiles import NONE, SEATS
from engine.state import GameState, build_state

# (seat, place) -> the tiles that the seat has probably placed there
Placed = Mapping[tuple[int, str], Sequence[int]]


def put_where_placed(
    world: GameState, viewer: int, placed: Placed, rng: random.Random
) -> GameState:
    """Return a copy of a game state with hidden tiles moved to their most likely places.

    If these places contradict what the viewer knows, return the original state.
    """
    position = world.position.copy()
    moved: dict[int, int] = {}
    for seat in {seat for seat, _ in placed}:
        moved |= _moves(position, seat, placed)
    position.proofs = tuple([(what, move_tiles(row, moved)) for what, row in position.proofs])
    move_all(position, moved)
    choose_guides(position, viewer, rng)
    is_possible = all(holds(what, row) for what, row in position.proofs)
    if is_possible and agrees(position, viewer):
        return build_state(world.variant, position)
    return world


def _moves(position: Position, seat: int, placed: Placed) -> dict[int, int]:
    hidden = hidden_tiles(position, seat)
    left = dict.fromkeys(hidden)  # in this order, so that the same dice give the same world
    moved: dict[int, int] = {}
    for (owner, place), tiles in placed.items():
        if owner != seat or place == "favor":
            continue
        there = [tile for tile in _tiles_at(position, seat, place) if tile in hidden]
        for old, new in zip(there, [tile for tile in tiles if tile in left], strict=False):
            moved[old] = new
            del left[new]
    rest = [tile for tile in hidden if tile not in moved]
    stay = [tile for tile in rest if tile in left]
    for tile in stay:
        moved[tile] = tile
        del left[tile]
    others = [tile for tile in rest if tile not in moved]
    return moved | dict(zip(others, left, strict=True))


def _tiles_at(position: Position, seat: int, place: str) -> Sequence[int]:
    destination = DESTINATIONS.index(place)
    if destination >= FIRST_SHIP:
        return position.ship_tiles[seat]
    resolution = position.resolution
    if resolution.borough != NONE and resolution.borough == destination:
        return resolution.hand[seat]
    return position.delegations[destination * SEATS + seat]
