"""Types of the rows of `tiles.toml`, and its reading."""

import tomllib
from importlib import resources

import msgspec


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A record; `house` names its keys whose values are ours, not from the source."""

    house: tuple[str, ...]
    slug: str
    name: str = ""


class Supply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole stock."""

    coins: int
    influence_tokens: int
    workers_per_colour: int
    coaches_per_seat: int
    house: tuple[str, ...]


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The coins and goods with which each seat starts."""

    coins: int
    workers_of_choice: int
    house: tuple[str, ...]


class Marriage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Influence that a marriage adds, by place."""

    additional_first: int
    additional_second: int
    house: tuple[str, ...]


class Borough(Record, frozen=True):
    """A borough and the colour of its workers."""

    colour: str
    always_in_play: bool


class Ship(Record, frozen=True):
    """A ship and its price."""

    number: int
    pays: str
    coins: int


class Lord(Record, frozen=True):
    """A lord."""

    prestige: int


class Bride(Record, frozen=True):
    """A bride with her dowry."""

    type: str
    charm: int
    influence: int
    dowry_coins: int
    dowry_object: str


class Loyal(Record, frozen=True):
    """A loyal of a family."""

    family: str
    ability: str
    prestige: int
    charm: int


class Common(Record, frozen=True):
    """A common of a borough."""

    kind: str
    borough: str
    copy: int
    copies: int
    prestige: int


class Workshop(Record, frozen=True):
    """A workshop card."""

    kind: str
    place: int
    workers: dict[str, int]
    influence: int
    object: str


class Object(Record, frozen=True):
    """An object, from a workshop or a dowry."""

    kind: str
    origin: str


class TileTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The file `tiles.toml`."""

    format: int
    game: str
    source: str
    supply: Supply
    start: Start
    marriage: Marriage
    borough: tuple[Borough, ...]
    ship: tuple[Ship, ...]
    family: tuple[Record, ...]
    lord: tuple[Lord, ...]
    bride: tuple[Bride, ...]
    loyal: tuple[Loyal, ...]
    common: tuple[Common, ...]
    workshop: tuple[Workshop, ...]
    object: tuple[Object, ...]


def read_tiles() -> TileTable:
    """Return the table of the printed material."""
    text = resources.files(__package__).joinpath("tiles.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), TileTable)
