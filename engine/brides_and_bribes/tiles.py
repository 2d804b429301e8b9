"""Tiles of Brides & Bribes, and its other printed material, by number [2].

The engine counts everything in the order of its table: a *borough* is 0..4, and so is its
*colour*; a *place* is 0 (first) or 1 (second), and a *spot*, one of the ten places of brides, is
`2 * borough + place`. *Tiles* are numbered loyals first, then commons, then objects. So a tile is
a character if and only if it is less than `FIRST_OBJECT`.
"""
# compiled: see setup.py

from collections import Counter
from typing import Final

from engine.brides_and_bribes.tile_table import read_tiles
from engine.errors import InvalidTable

_TABLE: Final = read_tiles()

NONE: Final = -1
"""No seat, tile, bride or borough, where a number stands for one."""

# -- numbers ------------------------------------------------------------------------------------

SEATS: Final = 5
"""The maximum number of seats of a variant."""
COINS: Final = _TABLE.supply.coins
TOKENS: Final = _TABLE.supply.influence_tokens
WORKERS: Final = _TABLE.supply.workers_per_colour
COACHES: Final = _TABLE.supply.coaches_per_seat
START_COINS: Final = _TABLE.start.coins
DELEGATION: Final = 3
"""The maximum number of tiles of a delegation."""

# -- the board ----------------------------------------------------------------------------------

BOROUGHS: Final = tuple([borough.slug for borough in _TABLE.borough])
COLOURS: Final = tuple([borough.colour for borough in _TABLE.borough])
"""By borough; a colour has the number of its borough."""
PORT: Final = next(
    number for number, borough in enumerate(_TABLE.borough) if borough.always_in_play
)
PLACES: Final = ("first", "second")
SPOTS: Final = tuple([(place, borough) for borough in range(len(BOROUGHS)) for place in range(2)])
"""By spot: its place and its borough."""
LORDS: Final = tuple([lord.slug for lord in _TABLE.lord])
LORD_PRESTIGE: Final = tuple([lord.prestige for lord in _TABLE.lord])
LORD_IN_PLAY: Final = LORD_PRESTIGE.index(3)
"""The one lord of prestige 3, which is always in play [R3]."""
SHIPS: Final = tuple([ship.number for ship in _TABLE.ship])
SHIP_PRICE: Final = {ship.number: ship.coins for ship in _TABLE.ship}
"""In coins; a ship without a price takes a worker instead [6.2]."""

# -- brides -------------------------------------------------------------------------------------

BRIDES: Final = tuple([bride.slug for bride in _TABLE.bride])
BRIDE_TYPE: Final = tuple([PLACES.index(bride.type) for bride in _TABLE.bride])
"""By bride: the place she can take."""
BRIDE_CHARM: Final = tuple([bride.charm for bride in _TABLE.bride])
BRIDE_INFLUENCE: Final = tuple([bride.influence for bride in _TABLE.bride])
ADDITIONAL: Final = (_TABLE.marriage.additional_first, _TABLE.marriage.additional_second)
"""By place: the influence that a marriage adds, and that its loss takes away."""
DOWRY_COINS: Final = tuple([bride.dowry_coins for bride in _TABLE.bride])

# -- tiles --------------------------------------------------------------------------------------

FAMILIES: Final = tuple([family.slug for family in _TABLE.family])
TILES: Final = tuple([tile.slug for tile in (*_TABLE.loyal, *_TABLE.common, *_TABLE.object)])
NUMBER: Final = {slug: number for number, slug in enumerate(TILES)}
"""By slug of a tile."""
FIRST_COMMON: Final = len(_TABLE.loyal)
FIRST_OBJECT: Final = FIRST_COMMON + len(_TABLE.common)
KIND: Final = (
    *[loyal.ability for loyal in _TABLE.loyal],
    *[common.kind for common in _TABLE.common],
    *[item.kind for item in _TABLE.object],
)
"""By tile: its ability [1]."""
PRESTIGE: Final = (
    *[loyal.prestige for loyal in _TABLE.loyal],
    *[common.prestige for common in _TABLE.common],
)
"""By character."""
CHARM: Final = tuple([loyal.charm for loyal in _TABLE.loyal])
"""By loyal."""
LOYALS: Final = tuple(
    [
        tuple([number for number, loyal in enumerate(_TABLE.loyal) if loyal.family == family])
        for family in FAMILIES
    ]
)
"""By family."""
COMMONS: Final = tuple(
    [
        tuple([NUMBER[common.slug] for common in _TABLE.common if common.borough == borough])
        for borough in BOROUGHS
    ]
)
"""By borough."""
DOWRY_OBJECTS: Final = frozenset(
    [NUMBER[item.slug] for item in _TABLE.object if item.origin == "dowry"]
)
DOWRY_OBJECT: Final = tuple(
    [NUMBER[bride.dowry_object] if bride.dowry_object else NONE for bride in _TABLE.bride]
)
"""By bride."""

# -- workshops ----------------------------------------------------------------------------------

SHOPS: Final = tuple(dict.fromkeys([card.kind for card in _TABLE.workshop]))
"""The kinds of workshops. A *card* is numbered as in the table."""
CARDS: Final = tuple([card.slug for card in _TABLE.workshop])
SHOP_OF: Final = tuple([SHOPS.index(card.kind) for card in _TABLE.workshop])
"""By card."""
STACKS: Final = tuple(
    [tuple([card for card, kind in enumerate(SHOP_OF) if kind == shop]) for shop in range(6)]
)
"""By shop: its cards, top first."""
CARD_INFLUENCE: Final = tuple([card.influence for card in _TABLE.workshop])
CARD_OBJECT: Final = tuple([NUMBER[card.object] for card in _TABLE.workshop])
CARD_WORKERS: Final = tuple(
    [tuple([card.workers.get(colour, 0) for colour in COLOURS]) for card in _TABLE.workshop]
)
"""By card and colour."""


def without(tiles: tuple[int, ...], tile: int) -> tuple[int, ...]:
    """Return `tiles` without `tile`, which is one of them."""
    place = tiles.index(tile)
    return tiles[:place] + tiles[place + 1 :]


def _check() -> None:
    """Check the facts about the table that the engine relies on.

    Raises:
        InvalidTable: the table breaks a rule; the error names the records.
    """
    slugs = [*TILES, *BRIDES, *LORDS, *CARDS, *BOROUGHS, *FAMILIES]
    twice = [slug for slug, times in Counter(slugs).items() if times > 1]
    if twice:
        raise InvalidTable(f"tiles.toml: expected every slug once, twice there is {twice[0]}")
    sizes = {"borough": (BOROUGHS, 5), "workshop kind": (SHOPS, 6), "ship": (SHIPS, 4)}
    for what, (records, expected) in sizes.items():
        if len(records) != expected:
            raise InvalidTable(f"tiles.toml: expected {expected} of {what}, got {len(records)}")
    if LORD_PRESTIGE.count(3) != 1:
        raise InvalidTable("tiles.toml: expected exactly one lord of prestige 3")
    if not any(KIND[common] == "assassin" for common in COMMONS[PORT]):
        raise InvalidTable(f"tiles.toml: expected an assassin in the {BOROUGHS[PORT]}")


_check()
