"""Build and parse the action strings of Brides & Bribes [5]."""
# compiled: see setup.py

from collections.abc import Iterable
from typing import Final

from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    COLOURS,
    FIRST_OBJECT,
    KIND,
    PLACES,
    SEATS,
    SHIPS,
    SHOPS,
    TILES,
)

# -- opening and placement ----------------------------------------------------------------------

WORKER: Final = tuple([f"worker {colour}" for colour in COLOURS])
COLOUR_OF: Final = {text: colour for colour, text in enumerate(WORKER)}

DESTINATIONS: Final = (*BOROUGHS, *[f"ship-{ship}" for ship in SHIPS], "favor")
FIRST_SHIP: Final = len(BOROUGHS)
FAVOR: Final = len(DESTINATIONS) - 1
PLACE: Final = tuple([f"place {destination}" for destination in DESTINATIONS])
DESTINATION_OF: Final = {text: number for number, text in enumerate(PLACE)}
PASS: Final = "pass"

SEND: Final = (
    *[tuple([f"send {tile} {borough}" for tile in TILES]) for borough in BOROUGHS],
    *[tuple([f"ship {ship} {tile}" for tile in TILES]) for ship in SHIPS],
    tuple([f"favor {tile}" for tile in TILES[:FIRST_OBJECT]]),
)
REINFORCE: Final = tuple(
    [tuple([f"reinforce {tile} {place}" for tile in TILES]) for place in DESTINATIONS[:FAVOR]]
)
PLACED_TILE: Final = {text: tile for row in (*SEND, *REINFORCE) for tile, text in enumerate(row)}

# -- colonies -----------------------------------------------------------------------------------

DECLINE: Final = "decline"
SWAP: Final = tuple([tuple([f"swap {gives} {takes}" for takes in COLOURS]) for gives in COLOURS])
BUY: Final = tuple([f"buy {colour}" for colour in COLOURS])
TRADE_OF: Final = {
    **{text: (gives, takes) for gives, row in enumerate(SWAP) for takes, text in enumerate(row)},
    **{text: (-1, takes) for takes, text in enumerate(BUY)},
}
"""The colours that each trade gives and takes. The colour -1 stands for coins."""

# -- resolution ---------------------------------------------------------------------------------

ACTIVATE: Final = tuple([f"activate {borough}" for borough in BOROUGHS])
BOROUGH_OF: Final = {text: borough for borough, text in enumerate(ACTIVATE)}
GUIDE: Final = tuple([f"guide {tile}" for tile in TILES[:FIRST_OBJECT]])
GUIDE_OF: Final = {text: tile for tile, text in enumerate(GUIDE)}

DECLARE: Final = ("marry first", "marry second", "employ", "hire", "influence", "ducato")
MARRY_FIRST: Final = 0
MARRY_SECOND: Final = 1
EMPLOY: Final = 2
HIRE: Final = 3
INFLUENCE: Final = 4
DUCATO: Final = 5
DECLARED_OF: Final = {text: number for number, text in enumerate(DECLARE)}

ARGUMENTS: Final = (
    "",
    *[f"seat-{seat}" for seat in range(SEATS)],
    *PLACES,
    *COLOURS,
    "influence",
    *BOROUGHS,
    *BRIDES,
    *[f"{place} {borough}" for borough in BOROUGHS for place in PLACES],
)
"""All arguments of plays, grouped by type [5]."""
NO_ARGUMENT: Final = 0
SEAT_ARGUMENT: Final = 1
PLACE_ARGUMENT: Final = SEAT_ARGUMENT + SEATS
COLOUR_ARGUMENT: Final = PLACE_ARGUMENT + len(PLACES)
INFLUENCE_ARGUMENT: Final = COLOUR_ARGUMENT + len(COLOURS)
BOROUGH_ARGUMENT: Final = INFLUENCE_ARGUMENT + 1
BRIDE_ARGUMENT: Final = BOROUGH_ARGUMENT + len(BOROUGHS)
SPOT_ARGUMENT: Final = BRIDE_ARGUMENT + len(BRIDES)

PLAY: Final = tuple(
    [tuple([f"play {tile} {what}".rstrip() for what in ARGUMENTS]) for tile in TILES]
)
PLAY_OF: Final = {
    text: (tile, what) for tile, row in enumerate(PLAY) for what, text in enumerate(row)
}
COUNTER: Final = tuple([f"counter {tile}" for tile in TILES])
COUNTER_OF: Final = {text: tile for tile, text in enumerate(COUNTER)}
SWITCH: Final = "switch"
LEAVE: Final = "leave"

# -- end of the round ---------------------------------------------------------------------------

KEEP: Final = "keep"
DISMISS: Final = tuple([f"dismiss {tile}" for tile in TILES[:FIRST_OBJECT]])
DISMISSED_OF: Final = {text: tile for tile, text in enumerate(DISMISS)}
BUY_BACK: Final = tuple([f"buy-back {kind}" for kind in KIND])
BUILD: Final = tuple([f"build {shop}" for shop in SHOPS])
SHOP_BUILT: Final = {text: shop for shop, text in enumerate(BUILD)}


def characters(tiles: Iterable[int]) -> list[int]:
    return [tile for tile in tiles if tile < FIRST_OBJECT]
