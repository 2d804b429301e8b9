"""The tiles, brides, lords, workshops and numbers of `tiles.toml`, by number [2].

Inside the engine everything is a number in the order of its table: a *borough* is 0..4, and so is
its *colour*; a *place* is 0 (first) or 1 (second), and a *spot*, one of the ten places of brides,
is `2 * borough + place`. *Tiles* are numbered loyals first, then commons, then objects, so that a
tile is a character if and only if it is less than `FIRST_OBJECT`.
"""

import tomllib
from collections import Counter
from importlib import resources

import msgspec

from engine.errors import InvalidTable


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record of the table file; `house` names its keys that are no values of the source."""

    house: tuple[str, ...]
    slug: str
    name: str = ""


class _Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    coins: int
    influence_tokens: int
    workers_per_colour: int
    coaches_per_seat: int
    house: tuple[str, ...]


class _Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    coins: int
    workers_of_choice: int
    house: tuple[str, ...]


class _Marriage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    additional_first: int
    additional_second: int
    house: tuple[str, ...]


class _Borough(_Record, frozen=True):
    colour: str
    always_in_play: bool


class _Ship(_Record, frozen=True):
    number: int
    pays: str
    coins: int


class _Lord(_Record, frozen=True):
    prestige: int


class _Bride(_Record, frozen=True):
    type: str
    charm: int
    influence: int
    dowry_coins: int
    dowry_object: str


class _Loyal(_Record, frozen=True):
    family: str
    ability: str
    prestige: int
    charm: int


class _Common(_Record, frozen=True):
    kind: str
    borough: str
    copy: int
    copies: int
    prestige: int


class _Workshop(_Record, frozen=True):
    kind: str
    place: int
    workers: dict[str, int]
    influence: int
    object: str


class _Object(_Record, frozen=True):
    kind: str
    origin: str


class _Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `tiles.toml`."""

    format: int
    game: str
    source: str
    supply: _Supply
    start: _Start
    marriage: _Marriage
    borough: tuple[_Borough, ...]
    ship: tuple[_Ship, ...]
    family: tuple[_Record, ...]
    lord: tuple[_Lord, ...]
    bride: tuple[_Bride, ...]
    loyal: tuple[_Loyal, ...]
    common: tuple[_Common, ...]
    workshop: tuple[_Workshop, ...]
    object: tuple[_Object, ...]


_TABLE = msgspec.convert(
    tomllib.loads(resources.files(__package__).joinpath("tiles.toml").read_text(encoding="utf-8")),
    _Table,
)

NONE = -1
"""No seat, tile, bride or borough, where a number stands for one."""

# -- numbers ------------------------------------------------------------------------------------

SEATS = 5
"""The most seats of a variant."""
COINS = _TABLE.supply.coins
TOKENS = _TABLE.supply.influence_tokens
WORKERS = _TABLE.supply.workers_per_colour
COACHES = _TABLE.supply.coaches_per_seat
START_COINS = _TABLE.start.coins
DELEGATION = 3
"""The most tiles of a delegation."""

# -- the board ----------------------------------------------------------------------------------

BOROUGHS = tuple([borough.slug for borough in _TABLE.borough])
COLOURS = tuple([borough.colour for borough in _TABLE.borough])
"""By borough; a colour has the number of its borough."""
PORT = next(number for number, borough in enumerate(_TABLE.borough) if borough.always_in_play)
PLACES = ("first", "second")
SPOTS = tuple([(place, borough) for borough in range(len(BOROUGHS)) for place in range(2)])
"""By spot: its place and its borough."""
LORDS = tuple([lord.slug for lord in _TABLE.lord])
LORD_PRESTIGE = tuple([lord.prestige for lord in _TABLE.lord])
LORD_IN_PLAY = LORD_PRESTIGE.index(3)
"""The one lord of prestige 3, which is always in play [R3]."""
SHIPS = tuple([ship.number for ship in _TABLE.ship])
SHIP_PRICE = {ship.number: ship.coins for ship in _TABLE.ship}
"""In coins; a ship without a price takes a worker instead [6.2]."""

# -- brides -------------------------------------------------------------------------------------

BRIDES = tuple([bride.slug for bride in _TABLE.bride])
BRIDE_TYPE = tuple([PLACES.index(bride.type) for bride in _TABLE.bride])
"""By bride: the place that she is for."""
BRIDE_CHARM = tuple([bride.charm for bride in _TABLE.bride])
BRIDE_INFLUENCE = tuple([bride.influence for bride in _TABLE.bride])
ADDITIONAL = (_TABLE.marriage.additional_first, _TABLE.marriage.additional_second)
"""By place: the influence that a marriage there adds, and its loss takes away."""
DOWRY_COINS = tuple([bride.dowry_coins for bride in _TABLE.bride])

# -- tiles --------------------------------------------------------------------------------------

FAMILIES = tuple([family.slug for family in _TABLE.family])
TILES = tuple([tile.slug for tile in (*_TABLE.loyal, *_TABLE.common, *_TABLE.object)])
NUMBER = {slug: number for number, slug in enumerate(TILES)}
"""By slug of a tile."""
FIRST_COMMON = len(_TABLE.loyal)
FIRST_OBJECT = FIRST_COMMON + len(_TABLE.common)
KIND = (
    *[loyal.ability for loyal in _TABLE.loyal],
    *[common.kind for common in _TABLE.common],
    *[item.kind for item in _TABLE.object],
)
"""By tile: its ability [1]."""
PRESTIGE = (
    *[loyal.prestige for loyal in _TABLE.loyal],
    *[common.prestige for common in _TABLE.common],
)
"""By character."""
CHARM = tuple([loyal.charm for loyal in _TABLE.loyal])
"""By loyal."""
LOYALS = tuple(
    [
        tuple([number for number, loyal in enumerate(_TABLE.loyal) if loyal.family == family])
        for family in FAMILIES
    ]
)
"""By family."""
COMMONS = tuple(
    [
        tuple([NUMBER[common.slug] for common in _TABLE.common if common.borough == borough])
        for borough in BOROUGHS
    ]
)
"""By borough."""
DOWRY_OBJECTS = frozenset([NUMBER[item.slug] for item in _TABLE.object if item.origin == "dowry"])
DOWRY_OBJECT = tuple(
    [NUMBER[bride.dowry_object] if bride.dowry_object else NONE for bride in _TABLE.bride]
)
"""By bride."""

# -- workshops ----------------------------------------------------------------------------------

SHOPS = tuple(dict.fromkeys([card.kind for card in _TABLE.workshop]))
"""The kinds of workshops. A *card* is numbered as in the table."""
CARDS = tuple([card.slug for card in _TABLE.workshop])
SHOP_OF = tuple([SHOPS.index(card.kind) for card in _TABLE.workshop])
"""By card."""
STACKS = tuple(
    [tuple([card for card, kind in enumerate(SHOP_OF) if kind == shop]) for shop in range(6)]
)
"""By shop: its cards, top first."""
CARD_INFLUENCE = tuple([card.influence for card in _TABLE.workshop])
CARD_OBJECT = tuple([NUMBER[card.object] for card in _TABLE.workshop])
CARD_WORKERS = tuple(
    [tuple([card.workers.get(colour, 0) for colour in COLOURS]) for card in _TABLE.workshop]
)
"""By card and colour."""


def _check() -> None:
    """Check what the engine relies on in the table.

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
