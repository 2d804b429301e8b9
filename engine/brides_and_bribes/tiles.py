"""Tiles and other printed material of Brides & Bribes, by number [2].

Numbers follow the order of the table. A *borough* is a number from 0 to 4, and so is its
*colour*. A *place* is 0 (first) or 1 (second). A *spot* is one of the ten places for brides, `2
* borough + place`. *Tiles* are numbered loyals first, then commons, then objects, so the
characters are the tiles below `FIRST_OBJECT`.
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
"""Maximum number of tiles in a delegation."""

# -- the board ----------------------------------------------------------------------------------

BOROUGHS: Final[tuple[str, ...]] = _column("borough", "slug")
COLOURS: Final[tuple[str, ...]] = _column("borough", "colour")
"""The colours, by borough."""
PORT: Final = _column("borough", "always_in_play").index(True)
PLACES: Final = ("first", "second")
SPOTS: Final = tuple([(place, borough) for borough in range(len(BOROUGHS)) for place in range(2)])
"""The place and the borough of each spot."""
LORDS: Final[tuple[str, ...]] = _column("lord", "slug")
LORD_PRESTIGE: Final[tuple[int, ...]] = _column("lord", "prestige")
LORD_IN_PLAY: Final = LORD_PRESTIGE.index(3)
"""The lord who is always in play, the only one with prestige 3 [R3]."""
SHIPS: Final[tuple[int, ...]] = _column("ship", "number")
SHIP_PRICE: Final[dict[int, int]] = dict(zip(SHIPS, _column("ship", "coins"), strict=True))
"""The price of each ship in coins. A ship without a price takes a worker instead [6.2]."""

# -- brides -------------------------------------------------------------------------------------

BRIDES: Final[tuple[str, ...]] = _column("bride", "slug")
BRIDE_TYPE: Final = tuple([PLACES.index(kind) for kind in _column("bride", "type")])
"""The place that each bride can take."""
BRIDE_CHARM: Final[tuple[int, ...]] = _column("bride", "charm")
BRIDE_INFLUENCE: Final[tuple[int, ...]] = _column("bride", "influence")
ADDITIONAL: Final[tuple[int, ...]] = tuple(
    [_TABLE["marriage"][f"additional_{place}"] for place in PLACES]
)
"""The influence that a marriage adds, by place."""
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
"""The ability of each tile [1]."""
PRESTIGE: Final[tuple[int, ...]] = (*_column("loyal", "prestige"), *_column("common", "prestige"))
"""The prestige of each character."""
CHARM: Final[tuple[int, ...]] = _column("loyal", "charm")
"""The charm of each loyal."""
LOYALS: Final = tuple(
    [
        tuple([number for number, own in enumerate(_column("loyal", "family")) if own == family])
        for family in FAMILIES
    ]
)
"""The loyals of each family."""
COMMONS: Final = tuple(
    [
        tuple([NUMBER[row["slug"]] for row in _TABLE["common"] if row["borough"] == borough])
        for borough in BOROUGHS
    ]
)
"""The commons of each borough."""
DOWRY_OBJECTS: Final = frozenset(
    [NUMBER[row["slug"]] for row in _TABLE["object"] if row["origin"] == "dowry"]
)
DOWRY_OBJECT: Final = tuple(
    [NUMBER[item] if item else NONE for item in _column("bride", "dowry_object")]
)
"""The object in each bride's dowry."""

# -- workshops ----------------------------------------------------------------------------------

SHOPS: Final[tuple[str, ...]] = tuple(dict.fromkeys(_column("workshop", "kind")))
"""The kinds of workshops."""
CARDS: Final[tuple[str, ...]] = _column("workshop", "slug")
SHOP_OF: Final = tuple([SHOPS.index(kind) for kind in _column("workshop", "kind")])
"""The kind of workshop of each card."""
STACKS: Final = tuple(
    [tuple([card for card, kind in enumerate(SHOP_OF) if kind == shop]) for shop in range(6)]
)
"""The cards of each kind of workshop, top first."""
CARD_INFLUENCE: Final[tuple[int, ...]] = _column("workshop", "influence")
CARD_OBJECT: Final = tuple([NUMBER[item] for item in _column("workshop", "object")])
CARD_WORKERS: Final[tuple[tuple[int, ...], ...]] = tuple(
    [
        tuple([workers.get(colour, 0) for colour in COLOURS])
        for workers in _column("workshop", "workers")
    ]
)
"""The workers that a workshop costs, by card and colour."""


def without(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    place = tiles.index(tile)
    return tiles[:place] + tiles[place + 1 :]
