"""Slices of the borough that is being resolved."""

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARE, PLACE_ARGUMENT, SEAT_ARGUMENT
from engine.brides_and_bribes.encoding.names import (
    BOROUGH_NUMBER,
    CHARACTERS,
    DECLARED_NUMBER,
    TILE_COUNT,
    mark,
)
from engine.brides_and_bribes.tiles import BOROUGHS, FIRST_OBJECT, NUMBER, TILES
from engine.brides_and_bribes.view import DelegationView, ResolutionView
from engine.encoding import Layout


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

    def write(self, vector: "array[int]", view: ResolutionView, seat_from: Sequence[int]) -> None:
        vector[self._resolving + BOROUGH_NUMBER[view.borough]] = 1
        for place, seat in enumerate(view.order, start=1):
            vector[self._order + 2 * seat_from[seat]] = place
        for place, seat in enumerate(view.queue, start=1):
            vector[self._order + 2 * seat_from[seat] + 1] = place
        if view.active_seat is not None:
            vector[self._active + seat_from[view.active_seat]] = 1
        if view.declared is not None:
            vector[self._declared + DECLARED_NUMBER[view.declared]] = 1
        vector[self._here] = view.lord_prestige
        vector[self._here + 1] = view.bride_charm_change
        vector[self._here + 2] = view.marriage_banned
        vector[self._here + 3] = view.workers_banned
        if view.lover_seat is not None:
            vector[self._lover + seat_from[view.lover_seat]] = 1
        pending = view.pending
        if pending is None:
            return
        vector[self._pending_seat + seat_from[pending.seat]] = 1
        vector[self._pending + NUMBER[pending.tile]] = 1
        if pending.target is not None:
            target = ARGUMENTS.index(pending.target)
            if target < PLACE_ARGUMENT:
                vector[self._target_seat + seat_from[target - SEAT_ARGUMENT]] = 1
            else:
                vector[self._target + target - PLACE_ARGUMENT] = 1


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

    def write(self, vector: "array[int]", view: DelegationView, seat: int) -> None:
        """Write a delegation of a seat that is `seat` places clockwise from the viewer."""
        if view.guide is not None:
            vector[self._guide + FIRST_OBJECT * seat + NUMBER[view.guide]] = 1
        mark(vector, self._here_tiles + TILE_COUNT * seat, NUMBER, view.known)
        mark(vector, self._closed + len(DECLARE) * seat, DECLARED_NUMBER, view.closed)
        numbers = (
            view.prestige or 0,
            view.charm or 0,
            view.prestige_change,
            view.charm_change,
            view.hand,
            view.guide_used,
            view.guide_married,
            view.edict,
            view.open,
        )
        for place, number in enumerate(numbers, start=self._delegation + len(numbers) * seat):
            vector[place] = number
