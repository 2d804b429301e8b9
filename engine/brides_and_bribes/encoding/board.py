"""Slices of the board: what belongs to the game as a whole, and the boroughs."""

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.encoding.names import (
    BOROUGH_NUMBER,
    BRIDE_NUMBER,
    COMMON_TILES,
    LORD_NUMBER,
    LOYAL_TILES,
    PHASES,
    SPOT_NAMES,
    WINDOW_NUMBER,
    WINDOWS,
    mark,
)
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    COLOURS,
    FIRST_COMMON,
    LORDS,
    NUMBER,
    SHIPS,
    SHOPS,
)
from engine.brides_and_bribes.view import BoroughView, View
from engine.encoding import Layout


class GameSlices:
    """Slices of what belongs to no borough and no seat."""

    def __init__(self, layout: Layout, parameters: Parameters, seats: Sequence[str]) -> None:
        add, add_numbers, n = layout.add, layout.add_numbers, len(seats)
        self._seat = add("seat", "Your seat as actions name it.", [f"seat-{s}" for s in range(n)])
        self._phase = add("phase", "The phase of the round.", PHASES)
        self._window = add("window", "The window in which you are asked, if you are.", WINDOWS)
        self._round = add_numbers(
            "round",
            "The round, and the actions that you have left in this turn of placement.",
            ("round", "actions left"),
            (0, parameters.rounds),
        )
        self._first_seat = add("first_seat", "The first seat of the round.", seats)
        self._favor = add_numbers(
            "favor",
            "By seat: its place in the favor order, and in the order of asking for favor, from 1.",
            ("place", "asked"),
            (0, n),
            seats,
        )
        self._supply = add_numbers(
            "supply",
            "The supply: coins, influence tokens, workers by colour.",
            ("coins", "influence", *COLOURS),
            (0, 55),
        )
        self._ships = add("ships", "By ship: the seat on it.", seats, [f"ship-{k}" for k in SHIPS])
        self._ship_tiles = add_numbers(
            "ship_tiles", "By ship: the number of tiles.", [f"ship-{k}" for k in SHIPS], (0, 3)
        )
        self._box = add("box", "The brides in the boxes.", BRIDES)
        self._workshops = add_numbers(
            "workshops", "By kind of workshop: how many are left.", SHOPS, (0, 4)
        )

    def write(self, vector: "array[int]", view: View, seat_from: Sequence[int]) -> None:
        vector[self._seat + (view.seat or 0)] = 1
        vector[self._phase + PHASES.index(view.phase)] = 1
        if view.window is not None:
            vector[self._window + WINDOW_NUMBER[view.window]] = 1
        vector[self._round] = view.round
        vector[self._round + 1] = view.actions_left or 0
        vector[self._first_seat + seat_from[view.first_seat]] = 1
        for place, seat in enumerate(view.favor_order, start=1):
            vector[self._favor + 2 * seat_from[seat]] = place
        for place, seat in enumerate(view.favor_asked, start=1):
            vector[self._favor + 2 * seat_from[seat] + 1] = place
        supply = view.supply
        numbers = (supply.coins, supply.influence_tokens, *supply.workers.values())
        for place, number in enumerate(numbers, start=self._supply):
            vector[place] = number
        seats = len(seat_from)
        for number, ship in enumerate(view.ships):
            if ship.seat is not None:
                vector[self._ships + seats * number + seat_from[ship.seat]] = 1
                vector[self._ship_tiles + number] = ship.tiles
        mark(vector, self._box, BRIDE_NUMBER, view.bride_box.first)
        mark(vector, self._box, BRIDE_NUMBER, view.bride_box.second)
        for place, shop in enumerate(view.workshops, start=self._workshops):
            vector[place] = shop.left


class BoroughSlices:
    """Slices of the boroughs."""

    def __init__(self, layout: Layout, seats: Sequence[str]) -> None:
        add, add_numbers = layout.add, layout.add_numbers
        self._boroughs = add_numbers(
            "boroughs",
            "By borough: whether it is in play, is resolved; tokens, cards in its deck, workers.",
            ("in play", "resolved", "influence", "deck", *COLOURS),
            (0, 55),
            BOROUGHS,
        )
        self._lord = add("lord", "By borough: its lord.", LORDS, BOROUGHS)
        self._common = add("common", "By borough: its common.", COMMON_TILES, BOROUGHS)
        self._below = add(
            "below", "By borough: the top of its deck, if you know it.", COMMON_TILES, BOROUGHS
        )
        self._sent = add_numbers(
            "sent", "By borough: the tiles of each seat's delegation.", seats, (0, 3), BOROUGHS
        )
        self._bride = add("bride", "By place of brides: the bride.", BRIDES, SPOT_NAMES)
        self._spouse_seat = add(
            "spouse_seat", "By place: the seat married there.", seats, SPOT_NAMES
        )
        self._spouse = add("spouse", "By place: the loyal wed there.", LOYAL_TILES, SPOT_NAMES)

    def write(self, vector: "array[int]", view: BoroughView, seat_from: Sequence[int]) -> None:
        number, seats = BOROUGH_NUMBER[view.borough], len(seat_from)
        at = self._boroughs + (4 + len(COLOURS)) * number
        numbers = (1, view.resolved, view.influence_tokens, view.deck, *view.workers.values())
        for place, value in enumerate(numbers, start=at):
            vector[place] = value
        vector[self._lord + len(LORDS) * number + LORD_NUMBER[view.lord]] = 1
        commons = len(COMMON_TILES) * number - FIRST_COMMON
        if view.common is not None:
            vector[self._common + commons + NUMBER[view.common]] = 1
        if view.known_below is not None:
            vector[self._below + commons + NUMBER[view.known_below]] = 1
        for sent in view.delegations:
            vector[self._sent + seats * number + seat_from[sent.seat]] = sent.tiles
        for spot, bride in enumerate((view.brides.first, view.brides.second), start=2 * number):
            if bride is None:
                continue
            vector[self._bride + len(BRIDES) * spot + BRIDE_NUMBER[bride.tile]] = 1
            if bride.married_seat is not None and bride.married_tile is not None:
                vector[self._spouse_seat + seats * spot + seat_from[bride.married_seat]] = 1
                vector[self._spouse + FIRST_COMMON * spot + NUMBER[bride.married_tile]] = 1
