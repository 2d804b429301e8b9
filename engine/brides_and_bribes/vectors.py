"""Encode a seat's knowledge of a Brides & Bribes position as a vector."""
# compiled: see setup.py

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from engine.brides_and_bribes.actions import (
    DECLARE,
    FIRST_SHIP,
    NO_ARGUMENT,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
)
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.position.resolution import Play, Resolution
from engine.brides_and_bribes.rules.guides import charm, prestige
from engine.brides_and_bribes.tiles import (
    BRIDES,
    CARDS,
    COLOURS,
    FAMILIES,
    FIRST_COMMON,
    FIRST_OBJECT,
    LORD_PRESTIGE,
    LORDS,
    NONE,
    SEATS,
    STACKS,
    TILES,
)

PHASES = ("opening", "placement", "colonies", "resolution", "end", "over")
WINDOWS = (
    *("opening", "place", "tile", "ship", "activate", "guide", "replace", "order", "react"),
    *("before", "wedding", "after", "declare", "counter", "save", "peek", "upkeep"),
    *("buy-back", "build"),
)
PHASE_NUMBER: Final = {phase: number for number, phase in enumerate(PHASES)}
WINDOW_NUMBER: Final = {window: number for number, window in enumerate(WINDOWS)}
COMMON_TILES = TILES[FIRST_COMMON:FIRST_OBJECT]
OBJECT_TILES = TILES[FIRST_OBJECT:]
TILE_COUNT: Final = len(TILES)
At = Mapping[str, int]


def write_vector(
    vector: "array[int]", at: At, position: Position, seat: int, seat_from: Sequence[int]
) -> None:
    """Write what a seat knows about a position to a zero-filled vector."""
    _write_game(vector, at, position, seat, seat_from)
    _write_boroughs(vector, at, position, seat, seat_from)
    for other, distance in enumerate(seat_from):
        _write_seat(vector, at, position, other, distance)
    _write_own(vector, at, position, seat)
    if position.resolution.borough != NONE:
        _write_resolution(vector, at, position, seat_from)
        _write_delegations(vector, at, position.resolution, seat, seat_from)


def _mark(vector: "array[int]", start: int, numbers: Iterable[int]) -> None:
    for number in numbers:
        vector[start + number] = 1


def _write_game(
    vector: "array[int]", at: At, position: Position, seat: int, seat_from: Sequence[int]
) -> None:
    vector[at["seat"] + seat] = 1
    vector[at["phase"] + PHASE_NUMBER[position.phase]] = 1
    vector[at["round"]] = position.round
    window = position.window
    if window is not None and seat == position.seat_to_act:
        vector[at["window"] + WINDOW_NUMBER[window]] = 1
        if position.phase == "placement":
            vector[at["round"] + 1] = position.actions_left
        if window == "tile":
            vector[at["placing"] + position.placing] = 1
    if window == "ship":
        _, (trading, ship, left) = position.stack[-1]
        vector[at["trade_seat"] + seat_from[trading]] = 1
        vector[at["trade"] + ship - 1] = left
    vector[at["first_seat"] + seat_from[position.first_seat]] = 1
    for column, order in enumerate((position.favor_order, position.favor_asked)):
        for place, other in enumerate(order, start=1):
            vector[at["favor"] + 2 * seat_from[other] + column] = place
    supply = (position.coin_pile, position.token_pile, *position.worker_pile)
    for place, number in enumerate(supply, start=at["supply"]):
        vector[place] = number
    for other, ship in enumerate(position.ship):
        if ship:
            vector[at["ships"] + len(seat_from) * (ship - 1) + seat_from[other]] = 1
            vector[at["ship_tiles"] + ship - 1] = len(position.ship_tiles[other])
    for box in position.boxes:
        _mark(vector, at["box"], box)
    for shop, taken in enumerate(position.shops_taken):
        vector[at["workshops"] + shop] = len(STACKS[shop]) - taken


def _write_boroughs(
    vector: "array[int]", at: At, position: Position, seat: int, seat_from: Sequence[int]
) -> None:
    seats = len(seat_from)
    for borough in position.in_play:
        deck = position.decks[borough]
        row = at["boroughs"] + (4 + len(COLOURS)) * borough
        vector[row] = 1
        if borough in position.resolved:
            vector[row + 1] = 1
        vector[row + 2] = position.tokens[borough]
        vector[row + 3] = len(deck)
        for place, number in enumerate(position.borough_workers[borough], start=row + 4):
            if number:
                vector[place] = number
        vector[at["lord"] + len(LORDS) * borough + position.lords[borough]] = 1
        commons, common = len(COMMON_TILES) * borough - FIRST_COMMON, position.commons[borough]
        if common != NONE:
            vector[at["common"] + commons + common] = 1
        if deck and seat in position.known_below[borough]:
            vector[at["below"] + commons + deck[0]] = 1
        sent, first = at["sent"] + seats * borough, borough * SEATS
        for other, distance in enumerate(seat_from):
            if tiles := position.delegations[first + other]:
                vector[sent + distance] = len(tiles)
    for spot, bride in enumerate(position.brides):
        if bride != NONE:
            vector[at["bride"] + len(BRIDES) * spot + bride] = 1
            if (spouse := position.spouse[spot]) != NONE:
                married = seat_from[position.spouse_seat[spot]]
                vector[at["spouse_seat"] + seats * spot + married] = 1
                vector[at["spouse"] + FIRST_COMMON * spot + spouse] = 1


MAX_INFLUENCE = 63  # the highest value in vectors


def _write_seat(vector: "array[int]", at: At, position: Position, seat: int, distance: int) -> None:
    vector[at["family"] + len(FAMILIES) * distance + position.families[seat]] = 1
    row = at["holds"] + (6 + len(COLOURS)) * distance
    shown, influence = position.alley_shown[seat], position.influence[seat]
    vector[row] = influence if influence < MAX_INFLUENCE else MAX_INFLUENCE
    vector[row + 1] = position.coins[seat]
    vector[row + 2] = len(position.hands[seat])
    vector[row + 3] = position.coaches[seat]
    vector[row + 4] = len(position.alley_hidden[seat])
    vector[row + 5] = seat in position.passed
    for place, number in enumerate(position.workers[seat], start=row + 6):
        if number:
            vector[place] = number
    _write_tiles(vector, position, seat, at["tiles"] + TILE_COUNT * distance)
    if shown:
        _mark(vector, at["shown"] + TILE_COUNT * distance, shown)
    if used := position.used[seat]:
        _mark(vector, at["used"] + len(OBJECT_TILES) * distance - FIRST_OBJECT, used)
    if shops := position.shops[seat]:
        _mark(vector, at["cards"] + len(CARDS) * distance, shops)


def _write_tiles(vector: "array[int]", position: Position, seat: int, start: int) -> None:
    # [11]
    _mark(vector, start, position.hands[seat])
    _mark(vector, start, position.alley_shown[seat])
    _mark(vector, start, position.alley_hidden[seat])
    _mark(vector, start, position.ship_tiles[seat])
    for sent in position.delegations[seat::SEATS]:
        if sent:
            _mark(vector, start, sent)
    resolution = position.resolution
    _mark(vector, start, resolution.hand[seat])
    guide = resolution.guide[seat]
    if guide >= 0 and not resolution.guide_married[seat]:
        vector[start + guide] = 1


def _write_own(vector: "array[int]", at: At, position: Position, seat: int) -> None:
    _mark(vector, at["hand"], position.hands[seat])
    _mark(vector, at["alley"], position.alley_shown[seat])
    _mark(vector, at["alley"], position.alley_hidden[seat])
    for borough in position.in_play:
        sent = position.delegations[borough * SEATS + seat]
        _mark(vector, at["own_sent"] + TILE_COUNT * borough, sent)
    if ship := position.ship[seat]:
        place = FIRST_SHIP + ship - 1
        _mark(vector, at["own_sent"] + TILE_COUNT * place, position.ship_tiles[seat])


DELEGATION_NUMBERS = 9


def _write_resolution(
    vector: "array[int]", at: At, position: Position, seat_from: Sequence[int]
) -> None:
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


def _write_delegations(
    vector: "array[int]", at: At, resolution: Resolution, viewer: int, seat_from: Sequence[int]
) -> None:
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
            _mark(vector, at["here_tiles"] + TILE_COUNT * distance, hand)
        closed = at["closed"] + len(DECLARE) * distance
        _mark(vector, closed, resolution.closed[seat])
        if seat == resolution.active:
            _mark(vector, closed, resolution.charmed_out)
