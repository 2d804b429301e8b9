"""Encode Brides & Bribes actions and positions for machine learning."""

from array import array
from collections.abc import Iterable

from engine.brides_and_bribes.actions import (
    ACTIVATE,
    ARGUMENTS,
    BOROUGH_ARGUMENT,
    BRIDE_ARGUMENT,
    BUILD,
    BUY,
    BUY_BACK,
    COLOUR_ARGUMENT,
    COUNTER,
    DECLARE,
    DECLINE,
    DESTINATIONS,
    DISMISS,
    FAVOR,
    GUIDE,
    INFLUENCE_ARGUMENT,
    KEEP,
    LEAVE,
    NO_ARGUMENT,
    PASS,
    PLACE,
    PLACE_ARGUMENT,
    PLAY,
    REINFORCE,
    SEAT_ARGUMENT,
    SEND,
    SPOT_ARGUMENT,
    SWAP,
    SWITCH,
    WORKER,
)
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.rules.plays import ABILITIES
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    CARDS,
    COLOURS,
    FAMILIES,
    FIRST_COMMON,
    FIRST_OBJECT,
    KIND,
    LORDS,
    PLACES,
    SHIPS,
    SHOPS,
    TILES,
)
from engine.brides_and_bribes.vectors import (
    COMMON_TILES,
    OBJECT_TILES,
    PHASES,
    WINDOWS,
    write_vector,
)
from engine.encoding import EventTable, PositionEncoding, relative_seats
from engine.fields import read_layout

EVENTS = (
    *("start", "opening", "round", "sent", "reinforced", "favor", "passed", "favor_order"),
    *("ship", "traded", "activated", "guides", "order", "declared", "failed", "charmed"),
    *("lost_action", "done", "played", "countered", "no_effect", "effect", "peeked", "switched"),
    *("opened", "guide_lost", "guide_new", "married", "dowry", "murdered", "moved_up", "bride"),
    *("borough_end", "income", "upkeep", "dismissed", "bought_back", "built", "over"),
)
EVENT_WORDS = (
    *TILES,
    *BRIDES,
    *DESTINATIONS,
    *COLOURS,
    *CARDS,
    *("marry", "first", "second", "employ", "hire", "influence", "ducato"),
    *("stop", "guard", "save", "coins"),
)
WORDS = {
    "phases": PHASES,
    "windows": WINDOWS,
    "colours": COLOURS,
    "boroughs": BOROUGHS,
    "lords": LORDS,
    "brides": BRIDES,
    "spots": [f"{borough} {place}" for borough in BOROUGHS for place in PLACES],
    "ships": [f"ship-{ship}" for ship in SHIPS],
    "workshops": SHOPS,
    "cards": CARDS,
    "families": FAMILIES,
    "tiles": TILES,
    "characters": TILES[:FIRST_OBJECT],
    "loyals": TILES[:FIRST_COMMON],
    "commons": COMMON_TILES,
    "objects": OBJECT_TILES,
    "places": DESTINATIONS[:FAVOR],
    "destinations": DESTINATIONS,
    "declarations": DECLARE,
    "targets": ARGUMENTS[PLACE_ARGUMENT:],
}


class BridesAndBribesEncoding(PositionEncoding):
    """The encoding of one variant."""

    version = 2

    def __init__(self, parameters: Parameters, history: int = 0) -> None:
        n = parameters.seats
        seats = {"seats": relative_seats(n), "seat_names": [f"seat-{seat}" for seat in range(n)]}
        bounds = {"rounds": parameters.rounds, "seats": n, "turns": 2 * n}
        layout = read_layout("engine.brides_and_bribes", {**WORDS, **seats}, bounds)
        events = EventTable(EVENTS, EVENT_WORDS, n)
        super().__init__(parameters.variant_id, n, list_actions(n), layout, events, history)

    def write(self, position: Position, seat: int) -> "array[int]":
        vector = self._zeros[:]
        write_vector(vector, self._at, position, seat, self._seat_from[seat])
        return vector


_COUNTERS = ("guard", "antidote")


def list_actions(seats: int) -> list[str]:
    actions = [*WORKER, *PLACE, PASS]
    for row in SEND:
        actions += row
    for row in REINFORCE:
        actions += row
    for gives, texts in enumerate(SWAP):
        actions += [text for takes, text in enumerate(texts) if takes != gives]
    actions += [*BUY, DECLINE, *ACTIVATE, *GUIDE, *DECLARE]
    for tile, kind in enumerate(KIND):
        if kind not in _COUNTERS:
            actions += [PLAY[tile][argument] for argument in _arguments(kind, seats)]
    stops = ("assassin", "poison", *_COUNTERS)
    actions += [text for text, kind in zip(COUNTER, KIND, strict=True) if kind in stops]
    actions += [SWITCH, LEAVE, KEEP, *DISMISS[FIRST_COMMON:]]
    return [*actions, *dict.fromkeys(BUY_BACK[FIRST_OBJECT:]), *BUILD]


def _arguments(kind: str, seats: int) -> Iterable[int]:
    ranges: dict[str, Iterable[int]] = {
        "": (NO_ARGUMENT,),
        "seat": range(SEAT_ARGUMENT, SEAT_ARGUMENT + seats),
        "place": range(PLACE_ARGUMENT, COLOUR_ARGUMENT),
        "colour": range(COLOUR_ARGUMENT, INFLUENCE_ARGUMENT),
        "influence": (INFLUENCE_ARGUMENT,),
        "borough": range(BOROUGH_ARGUMENT, BRIDE_ARGUMENT),
        "bride": range(BRIDE_ARGUMENT, SPOT_ARGUMENT),
        "spot": range(SPOT_ARGUMENT, len(ARGUMENTS)),
    }
    named = ABILITIES.get(kind, {}).get("argument", "").split(" or ")
    return [argument for name in named for argument in ranges[name]]
