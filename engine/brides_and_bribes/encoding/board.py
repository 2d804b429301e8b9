"""Slices of the board: what belongs to the game as a whole, and the boroughs."""

from array import array
from collections.abc import Sequence

from engine.brides_and_bribes.encoding.names import (
    COMMON_TILES,
    LOYAL_TILES,
    PHASE_NUMBER,
    PHASES,
    SPOT_NAMES,
    STACK_SIZES,
    WINDOW_NUMBER,
    WINDOWS,
    mark,
)
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    COLOURS,
    FIRST_COMMON,
    LORDS,
    NONE,
    SEATS,
    SHIPS,
    SHOPS,
)
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

    def write(
        self, vector: "array[int]", position: Position, seat: int, seat_from: Sequence[int]
    ) -> None:
        """Write what `seat` knows of it."""
        vector[self._seat + seat] = 1
        vector[self._phase + PHASE_NUMBER[position.phase]] = 1
        vector[self._round] = position.round
        window = position.window
        if window is not None and seat == position.seat_to_act:
            vector[self._window + WINDOW_NUMBER[window]] = 1
            if window == "place":
                vector[self._round + 1] = position.actions_left
        vector[self._first_seat + seat_from[position.first_seat]] = 1
        favor = self._favor
        for place, other in enumerate(position.favor_order, start=1):
            vector[favor + 2 * seat_from[other]] = place
        for place, other in enumerate(position.favor_asked, start=1):
            vector[favor + 2 * seat_from[other] + 1] = place
        supply = self._supply
        vector[supply] = position.coin_pile
        vector[supply + 1] = position.token_pile
        for place, number in enumerate(position.worker_pile, start=supply + 2):
            vector[place] = number
        for other, ship in enumerate(position.ship):
            if ship:
                vector[self._ships + len(seat_from) * (ship - 1) + seat_from[other]] = 1
                vector[self._ship_tiles + ship - 1] = len(position.ship_tiles[other])
        for box in position.boxes:
            mark(vector, self._box, box)
        workshops = self._workshops
        for shop, taken in enumerate(position.shops_taken):
            vector[workshops + shop] = STACK_SIZES[shop] - taken


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

    def write(
        self, vector: "array[int]", position: Position, seat: int, seat_from: Sequence[int]
    ) -> None:
        """Write what `seat` knows of the boroughs."""
        seats, resolved = len(seat_from), position.resolved
        for borough in position.in_play:
            deck = position.decks[borough]
            at = self._boroughs + (4 + len(COLOURS)) * borough
            vector[at] = 1
            if borough in resolved:
                vector[at + 1] = 1
            vector[at + 2] = position.tokens[borough]
            vector[at + 3] = len(deck)
            for place, number in enumerate(position.borough_workers[borough], start=at + 4):
                if number:
                    vector[place] = number
            vector[self._lord + len(LORDS) * borough + position.lords[borough]] = 1
            commons, common = len(COMMON_TILES) * borough - FIRST_COMMON, position.commons[borough]
            if common != NONE:
                vector[self._common + commons + common] = 1
            if deck and seat in position.known_below[borough]:
                vector[self._below + commons + deck[0]] = 1
            sent, first = self._sent + seats * borough, borough * SEATS
            for other, distance in enumerate(seat_from):
                if tiles := position.delegations[first + other]:
                    vector[sent + distance] = len(tiles)
            self._write_bride(vector, position, 2 * borough, seat_from)
            self._write_bride(vector, position, 2 * borough + 1, seat_from)

    def _write_bride(
        self, vector: "array[int]", position: Position, spot: int, seat_from: Sequence[int]
    ) -> None:
        bride, spouse = position.brides[spot], position.spouse[spot]
        if bride != NONE:
            vector[self._bride + len(BRIDES) * spot + bride] = 1
            if spouse != NONE:
                married = seat_from[position.spouse_seat[spot]]
                vector[self._spouse_seat + len(seat_from) * spot + married] = 1
                vector[self._spouse + FIRST_COMMON * spot + spouse] = 1
