"""Slices of the borough that is being resolved."""

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.actions import (
    ARGUMENTS,
    DECLARE,
    NO_ARGUMENT,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
)
from engine.brides_and_bribes.encoding.names import CHARACTERS, TILE_COUNT, mark
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.position.resolution import Play, Resolution
from engine.brides_and_bribes.rules.guides import charm, prestige
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    FIRST_COMMON,
    FIRST_OBJECT,
    LORD_PRESTIGE,
    NONE,
    TILES,
)
from engine.encoding import Layout

DELEGATION_NUMBERS = 9
"""The length of a row of the slice `delegation`."""


class ResolutionSlices:
    """Slices of the resolution as a whole."""

    def __init__(self, layout: Layout, seats: Sequence[str]) -> None:
        add, add_numbers = layout.add, layout.add_numbers
        self._resolving = add("resolving", "The borough that is being resolved.", BOROUGHS)
        self._order = add_numbers(
            "order",
            "By seat: its place in the order of turns and in the queue, from 1.",
            ("turn", "queue"),
            (0, 2 * len(seats)),
            seats,
        )
        self._active = add("active", "The active seat.", seats)
        self._declared = add("declared", "The action that it declared.", DECLARE)
        self._here = add_numbers(
            "here",
            "The lord's prestige and the change of the brides' charm now; what is banned.",
            ("lord", "bride change", "marriage banned", "workers banned"),
            (0, 20),
        )
        self._pending_seat = add("pending_seat", "The seat whose play may be countered.", seats)
        self._pending = add("pending", "The tile of that play.", TILES)
        self._target_seat = add("target_seat", "The seat that it targets.", seats)
        self._target = add("target", "What else it targets.", ARGUMENTS[PLACE_ARGUMENT:])
        self._lover = add("lover", "The seat that gets the dowry by a lover.", seats)

    def write(self, vector: "array[int]", position: Position, seat_from: Sequence[int]) -> None:
        """Write what all know of the borough that is being resolved."""
        resolution = position.resolution
        vector[self._resolving + resolution.borough] = 1
        order = self._order
        for place, seat in enumerate(resolution.order, start=1):
            vector[order + 2 * seat_from[seat]] = place
        for place, seat in enumerate(resolution.queue, start=1):
            vector[order + 2 * seat_from[seat] + 1] = place
        if resolution.active != NONE:
            vector[self._active + seat_from[resolution.active]] = 1
        if resolution.declared != NONE:
            vector[self._declared + resolution.declared] = 1
        here, lord = self._here, position.lords[resolution.borough]
        vector[here] = LORD_PRESTIGE[lord] + resolution.lord_change
        vector[here + 1] = resolution.bride_change
        vector[here + 2] = resolution.marriage_banned
        vector[here + 3] = resolution.workers_banned
        if resolution.lover != NONE:
            vector[self._lover + seat_from[resolution.lover]] = 1
        if resolution.pending is not None:
            self._write_pending(vector, resolution.pending, seat_from)

    def _write_pending(self, vector: "array[int]", pending: Play, seat_from: Sequence[int]) -> None:
        seat, tile, argument, _ = pending
        vector[self._pending_seat + seat_from[seat]] = 1
        vector[self._pending + tile] = 1
        if argument >= PLACE_ARGUMENT:
            vector[self._target + argument - PLACE_ARGUMENT] = 1
        elif argument != NO_ARGUMENT:
            vector[self._target_seat + seat_from[argument - SEAT_ARGUMENT]] = 1


class DelegationSlices:
    """Slices of the delegations there."""

    def __init__(self, layout: Layout, seats: Sequence[str]) -> None:
        add, add_numbers = layout.add, layout.add_numbers
        self._guide = add("guide", "By seat: its guide here.", CHARACTERS, seats)
        self._here_tiles = add("here_tiles", "By seat: its tiles here, known to you.", TILES, seats)
        self._closed = add("closed", "By seat: the actions closed to it.", DECLARE, seats)
        self._delegation = add_numbers(
            "delegation",
            "By seat: values of its guide, their changes, tiles here; whether the guide is used "
            "or married, whether an edict was played, whether the tiles are open.",
            (
                *("prestige", "charm", "prestige change", "charm change", "tiles"),
                *("used", "married", "edict", "open"),
            ),
            (-40, 40),
            seats,
        )

    def write(
        self, vector: "array[int]", resolution: Resolution, viewer: int, seat_from: Sequence[int]
    ) -> None:
        """Write what `viewer` knows of the delegations."""
        for seat in resolution.delegates:
            distance, guide, hand = seat_from[seat], resolution.guide[seat], resolution.hand[seat]
            at = self._delegation + DELEGATION_NUMBERS * distance
            if guide != NONE:
                vector[self._guide + FIRST_OBJECT * distance + guide] = 1
                vector[at] = prestige(resolution, seat)
                if guide < FIRST_COMMON:
                    vector[at + 1] = charm(resolution, seat)
            vector[at + 2] = resolution.prestige_change[seat]
            vector[at + 3] = resolution.charm_change[seat]
            vector[at + 4] = len(hand)
            vector[at + 5] = resolution.guide_used[seat]
            vector[at + 6] = resolution.guide_married[seat]
            vector[at + 7] = resolution.edict[seat]
            vector[at + 8] = resolution.open[seat]
            if seat == viewer or resolution.open[seat]:
                mark(vector, self._here_tiles + TILE_COUNT * distance, hand)
            mark(vector, self._closed + len(DECLARE) * distance, resolution.closed[seat])
