"""What the bots of Brides & Bribes see and know: the parts of a view, and the values of tiles.

This is no bot. It needs no engine either: it starts sooner without, and a view has the rest.
"""

import functools
from typing import Literal, NamedTuple

import msgspec

Place = Literal["first", "second"]
PLACES: tuple[Place, ...] = ("first", "second")


def as_place(word: str) -> Place:
    """Return the place that a word names."""
    return "second" if word == "second" else "first"


class Values(NamedTuple):
    """What a character can do, and what it impresses lords and brides with."""

    kind: str
    prestige: int
    charm: int = 0
    """Commons have none, as they cannot marry."""


LOYALS = {
    "luciano": Values("extra-worker", 3, 5),
    "matteo": Values("guard", 3, 4),
    "mario": Values("two-ducati", 3, 5),
    "raineo": Values("raineo", 3, 4),
    "niccolo": Values("extra-worker", 3, 5),
    "enrico": Values("guard", 4, 5),
    "giorgio": Values("two-ducati", 2, 4),
    "giovanni": Values("giovanni", 3, 4),
    "taddeo": Values("extra-worker", 4, 4),
    "oberto": Values("guard", 3, 5),
    "franco": Values("two-ducati", 2, 5),
    "ansaldo": Values("ansaldo", 3, 4),
    "mileto": Values("extra-worker", 3, 5),
    "filippo": Values("guard", 4, 5),
    "lucchino": Values("two-ducati", 2, 4),
    "antonio": Values("antonio", 3, 4),
    "raffaele": Values("extra-worker", 3, 6),
    "isandro": Values("guard", 5, 4),
    "tommaso": Values("two-ducati", 2, 4),
    "gabriele": Values("gabriele", 2, 4),
}
PRESTIGE = {
    "double": 3,
    "hag": 1,
    "plague-spreader": 2,
    "damsel": 3,
    "lover": 3,
    "falconer": 4,
    "guard": 3,
    "mediator": 4,
    "charmer": 2,
    "archivist": 4,
    "magistrate": 6,
    "beguiler": 4,
    "tutor": 5,
    "groomsman": 5,
    "merchant": 4,
    "bard": 3,
    "crook": 2,
    "jester": 2,
    "barker": 2,
    "assassin": 1,
    "rat": 1,
    "thief": 2,
    "defamer": 3,
}
"""Of the commons, by kind."""
CHARM = {
    "bianca": 8,
    "caterina": 8,
    "eleonora": 9,
    "ginevra": 9,
    "isabella": 9,
    "lucrezia": 10,
    "vittoria": 10,
    "agnese": 5,
    "chiara": 5,
    "fiammetta": 6,
    "livia": 6,
    "margherita": 6,
    "paola": 7,
    "teresa": 7,
}
"""Of the brides: a view has it of those on the board only."""
KILLERS = ("assassin", "poison")
GUARDS = ("guard", "antidote")
LAST_ROUND = 6
END_INFLUENCE = {3: 25, 4: 20, 5: 20}
"""By seats: with so much the game ends early."""


@functools.cache
def values(tile: str) -> Values:
    """Return what a tile is; objects have no prestige either."""
    if tile in LOYALS:
        return LOYALS[tile]
    kind, _, number = tile.rpartition("-")
    kind = kind if number.isdigit() else tile
    return Values(kind, PRESTIGE.get(kind, 0))


def kind_of(tile: str) -> str:
    """Return the kind of a tile: its ability."""
    return values(tile).kind


@functools.cache
def is_character(tile: str) -> bool:
    """Return whether a tile is a loyal or common, and no object."""
    return values(tile).prestige > 0


# -- what the bots see ----------------------------------------------------------------------------


class Bride(msgspec.Struct):
    """A bride on the board."""

    tile: str
    charm: int
    dowry_coins: int
    dowry_object: str | None
    married_seat: int | None


class Brides(msgspec.Struct):
    """The two places of a borough."""

    first: Bride | None
    second: Bride | None

    def at(self, place: Place) -> Bride | None:
        """Return who lies at a place."""
        return self.first if place == "first" else self.second


class Sent(msgspec.Struct):
    """A delegation, as all see it."""

    seat: int
    tiles: int


class Borough(msgspec.Struct):
    """A borough in play."""

    borough: str
    colour: str
    resolved: bool
    lord_prestige: int
    workers: dict[str, int]
    influence_tokens: int
    common: str | None
    brides: Brides
    delegations: list[Sent]


class Workshop(msgspec.Struct):
    """A stack of workshops: what the top one gives and costs."""

    kind: str
    left: int
    influence: int | None
    workers: dict[str, int]
    object: str


class Player(msgspec.Struct):
    """What everybody knows of a seat."""

    seat: int
    influence: int
    coins: int
    workers: dict[str, int]
    workshops: list[str]
    tiles: list[str]
    passed: bool
    coaches_left: int
    marriages: list[object]


class Own(msgspec.Struct):
    """Where the own tiles are, but for those of the borough that is resolved."""

    hand: list[str]
    delegations: dict[str, list[str]]


class Pending(msgspec.Struct):
    """A play that may still be countered."""

    seat: int
    tile: str
    target: str | None


class Delegation(msgspec.Struct):
    """A delegation in the borough that is resolved."""

    seat: int
    guide: str | None
    guide_used: bool
    guide_married: bool
    prestige: int | None
    charm: int | None
    hand: int
    known: list[str]


class Resolution(msgspec.Struct):
    """The borough that is resolved, where it stands."""

    borough: str
    queue: list[int]
    active_seat: int | None
    declared: str | None
    lord_prestige: int
    bride_charm_change: int
    pending: Pending | None
    delegations: list[Delegation]


class View(msgspec.Struct):
    """The part of a seat's view that these bots look at; the rest is not even decoded."""

    seat: int
    round: int
    window: str
    favor_order: list[int]
    boroughs: list[Borough]
    workshops: list[Workshop]
    players: list[Player]
    own: Own
    resolution: Resolution | None
