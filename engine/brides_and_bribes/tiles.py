"""The tiles and other components of Brides & Bribes [2].

Tiles, brides and other components are numbered in the order in which `tiles.toml` lists them.
Loyal characters come first in the list of tiles, then common characters, then objects. The first
object is `FIRST_OBJECT`. Boroughs and colours are numbered from 0 to 4. Each borough has two
places for brides: place 0 (first) and place 1 (second). A bride's spot on the board is stored as
`2 * borough + place`.
"""
# compiled: see setup.py

from typing import Any, Final

from engine.fields import read_table

_TABLE: Final = read_table(__package__, "tiles.toml")


def _column(table: str, name: str) -> tuple[Any, ...]:
    return tuple([row[name] for row in _TABLE[table]])


NONE: Final = -1
"""Stands for no seat, tile, bride or borough."""

# -- numbers ------------------------------------------------------------------------------------

SEATS: Final = 5
"""Maximum number of seats."""
COINS: Final[int] = _TABLE["supply"]["coins"]
TOKENS: Final[int] = _TABLE["supply"]["influence_tokens"]
WORKERS: Final[int] = _TABLE["supply"]["workers_per_colour"]
COACHES: Final[int] = _TABLE["supply"]["coaches_per_seat"]
START_COINS: Final[int] = _TABLE["start"]["coins"]
DELEGATION: Final = 3

# -- the board ----------------------------------------------------------------------------------

BOROUGHS: Final[tuple[str, ...]] = _column("borough", "slug")
COLOURS: Final[tuple[str, ...]] = _column("borough", "colour")
PORT: Final = _column("borough", "always_in_play").index(True)
PLACES: Final = ("first", "second")
SPOTS: Final = tuple([(place, borough) for borough in range(len(BOROUGHS)) for place in range(2)])
"""The place and borough of each spot."""
LORDS: Final[tuple[str, ...]] = _column("lord", "slug")
LORD_PRESTIGE: Final[tuple[int, ...]] = _column("lord", "prestige")
LORD_IN_PLAY: Final = LORD_PRESTIGE.index(3)
"""The lord that takes part in every game [R3]."""
SHIPS: Final[tuple[int, ...]] = _column("ship", "number")
SHIP_PRICE: Final[dict[int, int]] = dict(zip(SHIPS, _column("ship", "coins"), strict=True))
"""The price of each ship in coins. A ship without a price costs a worker [6.2]."""

# -- brides -------------------------------------------------------------------------------------

BRIDES: Final[tuple[str, ...]] = _column("bride", "slug")
BRIDE_TYPE: Final = tuple([PLACES.index(kind) for kind in _column("bride", "type")])
BRIDE_CHARM: Final[tuple[int, ...]] = _column("bride", "charm")
BRIDE_INFLUENCE: Final[tuple[int, ...]] = _column("bride", "influence")
ADDITIONAL: Final[tuple[int, ...]] = tuple(
    [_TABLE["marriage"][f"additional_{place}"] for place in PLACES]
)
"""Extra influence for marrying a first or a second bride."""
DOWRY_COINS: Final[tuple[int, ...]] = _column("bride", "dowry_coins")

# -- tiles --------------------------------------------------------------------------------------

FAMILIES: Final[tuple[str, ...]] = _column("family", "slug")
TILES: Final[tuple[str, ...]] = (
    *_column("loyal", "slug"),
    *_column("common", "slug"),
    *_column("object", "slug"),
)
NUMBER: Final = {slug: number for number, slug in enumerate(TILES)}
FIRST_COMMON: Final = len(_TABLE["loyal"])
FIRST_OBJECT: Final = FIRST_COMMON + len(_TABLE["common"])
KIND: Final[tuple[str, ...]] = (
    *_column("loyal", "ability"),
    *_column("common", "kind"),
    *_column("object", "kind"),
)
PRESTIGE: Final[tuple[int, ...]] = (*_column("loyal", "prestige"), *_column("common", "prestige"))
CHARM: Final[tuple[int, ...]] = _column("loyal", "charm")
LOYALS: Final = tuple(
    [
        tuple([number for number, own in enumerate(_column("loyal", "family")) if own == family])
        for family in FAMILIES
    ]
)
COMMONS: Final = tuple(
    [
        tuple([NUMBER[row["slug"]] for row in _TABLE["common"] if row["borough"] == borough])
        for borough in BOROUGHS
    ]
)
DOWRY_OBJECTS: Final = frozenset(
    [NUMBER[row["slug"]] for row in _TABLE["object"] if row["origin"] == "dowry"]
)
DOWRY_OBJECT: Final = tuple(
    [NUMBER[item] if item else NONE for item in _column("bride", "dowry_object")]
)

# -- workshops ----------------------------------------------------------------------------------

SHOPS: Final[tuple[str, ...]] = tuple(dict.fromkeys(_column("workshop", "kind")))
CARDS: Final[tuple[str, ...]] = _column("workshop", "slug")
SHOP_OF: Final = tuple([SHOPS.index(kind) for kind in _column("workshop", "kind")])
STACKS: Final = tuple(
    [tuple([card for card, kind in enumerate(SHOP_OF) if kind == shop]) for shop in range(6)]
)
"""The six stacks of workshop cards, one for each kind of workshop, with the top card first."""
CARD_INFLUENCE: Final[tuple[int, ...]] = _column("workshop", "influence")
CARD_OBJECT: Final = tuple([NUMBER[item] for item in _column("workshop", "object")])
CARD_WORKERS: Final[tuple[tuple[int, ...], ...]] = tuple(
    [
        tuple([workers.get(colour, 0) for colour in COLOURS])
        for workers in _column("workshop", "workers")
    ]
)


def without(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    place = tiles.index(tile)
    return tiles[:place] + tiles[place + 1 :]
