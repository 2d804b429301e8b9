"""Every decision as a string, and what each string says [5].

The strings are made once, here, so that to list what is legal is to pick from these tables.
"""

from collections.abc import Iterable

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

WORKER = tuple([f"worker {colour}" for colour in COLOURS])
COLOUR_OF = {text: colour for colour, text in enumerate(WORKER)}

DESTINATIONS = (*BOROUGHS, *[f"ship-{ship}" for ship in SHIPS], "favor")
"""Where tiles are placed, by number: the boroughs, the ships, the Doge's favor."""
FIRST_SHIP = len(BOROUGHS)
FAVOR = len(DESTINATIONS) - 1
PLACE = tuple([f"place {destination}" for destination in DESTINATIONS])
DESTINATION_OF = {text: number for number, text in enumerate(PLACE)}
PASS = "pass"

SEND = (
    *[tuple([f"send {tile} {borough}" for tile in TILES]) for borough in BOROUGHS],
    *[tuple([f"ship {ship} {tile}" for tile in TILES]) for ship in SHIPS],
    tuple([f"favor {tile}" for tile in TILES[:FIRST_OBJECT]]),
)
"""By destination and tile: a new delegation, or the tile that asks for favor."""
REINFORCE = tuple(
    [tuple([f"reinforce {tile} {place}" for tile in TILES]) for place in DESTINATIONS[:FAVOR]]
)
"""By destination and tile."""
PLACED_TILE = {text: tile for row in (*SEND, *REINFORCE) for tile, text in enumerate(row)}
"""The tile of each decision in the window `tile`."""

# -- colonies -----------------------------------------------------------------------------------

DECLINE = "decline"
SWAP = tuple([tuple([f"swap {gives} {takes}" for takes in COLOURS]) for gives in COLOURS])
BUY = tuple([f"buy {colour}" for colour in COLOURS])
TRADE_OF = {
    **{text: (gives, takes) for gives, row in enumerate(SWAP) for takes, text in enumerate(row)},
    **{text: (-1, takes) for takes, text in enumerate(BUY)},
}
"""What a seat gives, a colour or coins (-1), and the colour that it takes."""

# -- resolution ---------------------------------------------------------------------------------

ACTIVATE = tuple([f"activate {borough}" for borough in BOROUGHS])
BOROUGH_OF = {text: borough for borough, text in enumerate(ACTIVATE)}
GUIDE = tuple([f"guide {tile}" for tile in TILES[:FIRST_OBJECT]])
GUIDE_OF = {text: tile for tile, text in enumerate(GUIDE)}

DECLARE = ("marry first", "marry second", "employ", "hire", "influence", "ducato")
MARRY_FIRST, MARRY_SECOND, EMPLOY, HIRE, INFLUENCE, DUCATO = range(len(DECLARE))
"""A marriage at a place has the number of the place."""
DECLARED_OF = {text: number for number, text in enumerate(DECLARE)}

ARGUMENTS = (
    "",
    *[f"seat-{seat}" for seat in range(SEATS)],
    *PLACES,
    *COLOURS,
    "influence",
    *BOROUGHS,
    *BRIDES,
    *[f"{place} {borough}" for borough in BOROUGHS for place in PLACES],
)
"""The arguments of plays, by number [5]; those of a sort begin at the numbers below."""
NO_ARGUMENT = 0
SEAT_ARGUMENT = 1
PLACE_ARGUMENT = SEAT_ARGUMENT + SEATS
COLOUR_ARGUMENT = PLACE_ARGUMENT + len(PLACES)
INFLUENCE_ARGUMENT = COLOUR_ARGUMENT + len(COLOURS)
BOROUGH_ARGUMENT = INFLUENCE_ARGUMENT + 1
BRIDE_ARGUMENT = BOROUGH_ARGUMENT + len(BOROUGHS)
SPOT_ARGUMENT = BRIDE_ARGUMENT + len(BRIDES)

PLAY = tuple([tuple([f"play {tile} {what}".rstrip() for what in ARGUMENTS]) for tile in TILES])
"""By tile and argument."""
PLAY_OF = {text: (tile, what) for tile, row in enumerate(PLAY) for what, text in enumerate(row)}
COUNTER = tuple([f"counter {tile}" for tile in TILES])
COUNTER_OF = {text: tile for tile, text in enumerate(COUNTER)}
SWITCH, LEAVE = "switch", "leave"

# -- end of the round ---------------------------------------------------------------------------

KEEP = "keep"
DISMISS = tuple([f"dismiss {tile}" for tile in TILES[:FIRST_OBJECT]])
DISMISSED_OF = {text: tile for tile, text in enumerate(DISMISS)}
BUY_BACK = tuple([f"buy-back {kind}" for kind in KIND])
"""By object; a seat has one used object of a kind at most [R54]."""
BUILD = tuple([f"build {shop}" for shop in SHOPS])
SHOP_BUILT = {text: shop for shop, text in enumerate(BUILD)}


def characters(tiles: Iterable[int]) -> list[int]:
    """Return the characters among some tiles."""
    return [tile for tile in tiles if tile < FIRST_OBJECT]
