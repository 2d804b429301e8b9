"""Write the slices for the borough being resolved."""
# compiled: see setup.py

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.actions import DECLARE, NO_ARGUMENT, PLACE_ARGUMENT, SEAT_ARGUMENT
from engine.brides_and_bribes.encoding.names import TILE_COUNT, At, mark
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.position.resolution import Play, Resolution
from engine.brides_and_bribes.rules.guides import charm, prestige
from engine.brides_and_bribes.tiles import FIRST_COMMON, FIRST_OBJECT, LORD_PRESTIGE, NONE

DELEGATION_NUMBERS = 9
"""Length of a row of the `delegation` slice."""


def write_resolution(
    vector: "array[int]", at: At, position: Position, seat_from: Sequence[int]
) -> None:
    """Write what everyone knows about the borough being resolved."""
    resolution = position.resolution
    vector[at["resolving"] + resolution.borough] = 1
    for column, order in enumerate((resolution.order, resolution.queue)):
        for place, seat in enumerate(order, start=1):
            vector[at["order"] + 2 * seat_from[seat] + column] = place
    if resolution.active != NONE:
        vector[at["active"] + seat_from[resolution.active]] = 1
    if resolution.declared != NONE:
        vector[at["declared"] + resolution.declared] = 1
    here, lord = at["here"], position.lords[resolution.borough]
    vector[here] = LORD_PRESTIGE[lord] + resolution.lord_change
    vector[here + 1] = resolution.bride_change
    vector[here + 2] = resolution.marriage_banned
    vector[here + 3] = resolution.workers_banned
    if resolution.lover != NONE:
        vector[at["lover"] + seat_from[resolution.lover]] = 1
    if resolution.pending is not None:
        _write_pending(vector, at, resolution.pending, seat_from)


def _write_pending(vector: "array[int]", at: At, pending: Play, seat_from: Sequence[int]) -> None:
    seat, tile, argument, _ = pending
    vector[at["pending_seat"] + seat_from[seat]] = 1
    vector[at["pending"] + tile] = 1
    if argument >= PLACE_ARGUMENT:
        vector[at["target"] + argument - PLACE_ARGUMENT] = 1
    elif argument != NO_ARGUMENT:
        vector[at["target_seat"] + seat_from[argument - SEAT_ARGUMENT]] = 1


def write_delegations(
    vector: "array[int]", at: At, resolution: Resolution, viewer: int, seat_from: Sequence[int]
) -> None:
    """Write what `viewer` knows about the delegations there."""
    for seat in resolution.delegates:
        distance, guide, hand = seat_from[seat], resolution.guide[seat], resolution.hand[seat]
        row = at["delegation"] + DELEGATION_NUMBERS * distance
        if guide != NONE:
            vector[at["guide"] + FIRST_OBJECT * distance + guide] = 1
            vector[row] = prestige(resolution, seat)
            if guide < FIRST_COMMON:
                vector[row + 1] = charm(resolution, seat)
        vector[row + 2] = resolution.prestige_change[seat]
        vector[row + 3] = resolution.charm_change[seat]
        vector[row + 4] = len(hand)
        vector[row + 5] = resolution.guide_used[seat]
        vector[row + 6] = resolution.guide_married[seat]
        vector[row + 7] = resolution.edict[seat]
        vector[row + 8] = resolution.open[seat]
        if seat == viewer or resolution.open[seat]:
            mark(vector, at["here_tiles"] + TILE_COUNT * distance, hand)
        closed = at["closed"] + len(DECLARE) * distance
        mark(vector, closed, resolution.closed[seat])
        if seat == resolution.active:
            mark(vector, closed, resolution.charmed_out)
