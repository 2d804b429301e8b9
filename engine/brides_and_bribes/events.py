"""Events of Brides & Bribes [10].

All seats see the same events in the same order, but only one seat sees each secret tile. Events
do not reveal which seats were asked for a decision, or which seats declined to act.
"""

from collections.abc import Sequence
from typing import Annotated, Any, get_type_hints

import msgspec

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARE, DESTINATIONS
from engine.brides_and_bribes.position.log import Chapter, Note, Viewer
from engine.brides_and_bribes.position.position import Changes, Position
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    CARDS,
    COLOURS,
    NONE,
    PLACES,
    SEATS,
    TILES,
)

_WHERE = (*[f"seat-{seat}" for seat in range(SEATS)], *BOROUGHS)


def _tile(tile: int) -> str | None:
    return None if tile == NONE else TILES[tile]


def _names(tiles: Sequence[int]) -> tuple[str, ...]:
    return tuple([TILES[tile] for tile in sorted(tiles)])


class Change(msgspec.Struct, frozen=True):
    """A public change to a seat or a borough.

    For example, `Change("seat-1", "coins", -2)` means that seat 1 lost 2 coins, and
    `Change("port", "marriage-banned", 1)` means that nobody can marry in the port. The possible
    values of `what` are listed in section 10.2 of the rules.
    """

    where: str
    what: str
    amount: int


class PutAway(msgspec.Struct, frozen=True):
    seat: int
    shown: tuple[str, ...]
    hidden: int


def _changes(changes: Changes) -> tuple[Change, ...]:
    return tuple([Change(_WHERE[where], what, amount) for where, what, amount in changes])


Tile = Annotated[str, TILES.__getitem__]
MaybeTile = Annotated[str | None, _tile]
Tiles = Annotated[tuple[str, ...], _names]
Bride = Annotated[str, BRIDES.__getitem__]
Borough = Annotated[str, BOROUGHS.__getitem__]
Place = Annotated[str, PLACES.__getitem__]
Destination = Annotated[str, DESTINATIONS.__getitem__]
Colour = Annotated[str, COLOURS.__getitem__]
Card = Annotated[str, CARDS.__getitem__]
Action = Annotated[str, DECLARE.__getitem__]
MaybeAction = Annotated[str | None, lambda action: None if action == NONE else DECLARE[action]]
MaybeSeat = Annotated[int | None, lambda seat: None if seat == NONE else seat]
Argument = Annotated[str | None, lambda argument: ARGUMENTS[argument] or None]
Changed = Annotated[tuple[Change, ...], _changes]
CommonBy = Annotated[
    dict[str, str | None], lambda commons: {BOROUGHS[b]: _tile(tile) for b, tile in commons.items()}
]
NumberBy = Annotated[
    dict[str, int], lambda numbers: {BOROUGHS[b]: number for b, number in numbers.items()}
]
Guides = Annotated[
    dict[int, str | None], lambda guides: {seat: _tile(tile) for seat, tile in guides.items()}
]
Alleys = Annotated[
    tuple[PutAway, ...],
    lambda alleys: tuple([PutAway(seat, _names(shown), hidden) for seat, shown, hidden in alleys]),
]


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """Base class of all events."""


class GameStarted(Event, frozen=True, tag="start"):
    variant: str
    boroughs: tuple[str, ...]
    families: tuple[str, ...]
    favor: tuple[int, ...]
    lords: tuple[str, ...]
    first_brides: tuple[str, ...]
    second_brides: tuple[str, ...]
    first_box: tuple[str, ...]
    second_box: tuple[str, ...]
    commons: tuple[str, ...]
    first_seat: int


class Opened(Event, frozen=True, tag="opening"):
    seat: int
    colour: Colour


class RoundBegan(Event, frozen=True, tag="round"):
    """A round began, and tiles, workers and tokens were added to each borough."""

    round: int
    first_seat: int
    favor_order: tuple[int, ...]
    commons: CommonBy
    workers: NumberBy
    influence_tokens: NumberBy


class Sent(Event, frozen=True, tag="sent"):
    """A seat sent the first tile of a delegation. Other seats do not see which tile it is."""

    seat: int
    place: Destination
    tiles: int
    tile: MaybeTile


class Reinforced(Event, frozen=True, tag="reinforced"):
    seat: int
    place: Destination
    tiles: int
    tile: MaybeTile


class FavorAsked(Event, frozen=True, tag="favor"):
    seat: int
    tile: Tile


class Passed(Event, frozen=True, tag="passed"):
    seat: int
    tiles: int


class FavorFixed(Event, frozen=True, tag="favor_order"):
    """The order of favor after the placement phase, with the best seat first."""

    seats: tuple[int, ...]


class ShipCame(Event, frozen=True, tag="ship"):
    seat: int
    ship: int
    characters: Tiles
    objects: int


class Traded(Event, frozen=True, tag="traded"):
    seat: int
    gave: str
    took: Colour


class Activated(Event, frozen=True, tag="activated"):
    seat: int
    borough: Borough


class GuidesRevealed(Event, frozen=True, tag="guides"):
    """All guides in a borough were revealed."""

    guides: Guides


class OrderFixed(Event, frozen=True, tag="order"):
    seats: tuple[int, ...]


class Declared(Event, frozen=True, tag="declared"):
    seat: int
    action: Action


class Failed(Event, frozen=True, tag="failed"):
    seat: int
    action: Action


class Charmed(Event, frozen=True, tag="charmed"):
    seat: int
    action: Action


class ActionLost(Event, frozen=True, tag="lost_action"):
    """A seat lost its turn because it has no guide. A declared action is lost too."""

    seat: int
    action: MaybeAction


class Done(Event, frozen=True, tag="done"):
    seat: int
    action: Action
    gains: Changed


class Played(Event, frozen=True, tag="played"):
    seat: int
    tile: Tile
    argument: Argument


class Countered(Event, frozen=True, tag="countered"):
    """A seat spent a tile to counter another seat's play, or to prevent its own play from being
    stopped.
    """

    seat: int
    tile: Tile
    how: str


class HadNoEffect(Event, frozen=True, tag="no_effect"):
    seat: int
    tile: Tile


class TookEffect(Event, frozen=True, tag="effect"):
    """The ability of a played tile took effect."""

    seat: int
    tile: Tile
    argument: Argument
    changes: Changed


class Peeked(Event, frozen=True, tag="peeked"):
    seat: int
    borough: Borough
    tile: MaybeTile


class Switched(Event, frozen=True, tag="switched"):
    borough: Borough
    common: Tile


class HandOpened(Event, frozen=True, tag="opened"):
    seat: int
    tiles: Tiles


class GuideLost(Event, frozen=True, tag="guide_lost"):
    seat: int
    tile: Tile


class GuideNew(Event, frozen=True, tag="guide_new"):
    seat: int
    tile: Tile


class Married(Event, frozen=True, tag="married"):
    seat: int
    borough: Borough
    place: Place
    bride: Bride
    tile: Tile
    forfeit: int
    bribe: int


class DowryGiven(Event, frozen=True, tag="dowry"):
    seat: int
    coins: int
    object: MaybeTile


class Murdered(Event, frozen=True, tag="murdered"):
    """A bride was murdered. If the bride was married, `tile` is her husband and `seat` is his
    owner.
    """

    borough: Borough
    place: Place
    bride: Bride
    seat: MaybeSeat
    tile: MaybeTile
    influence_lost: int


class MovedUp(Event, frozen=True, tag="moved_up"):
    borough: Borough
    seat: int


class BrideCame(Event, frozen=True, tag="bride"):
    borough: Borough
    place: Place
    bride: Bride


class BoroughEnded(Event, frozen=True, tag="borough_end"):
    borough: Borough
    alleys: Alleys


class IncomeGained(Event, frozen=True, tag="income"):
    seat: int
    coins: int


class UpkeepPaid(Event, frozen=True, tag="upkeep"):
    seat: int
    coins: int


class Dismissed(Event, frozen=True, tag="dismissed"):
    seat: int
    tile: Tile


class BoughtBack(Event, frozen=True, tag="bought_back"):
    seat: int
    tile: Tile


class Built(Event, frozen=True, tag="built"):
    seat: int
    card: Card


class GameEnded(Event, frozen=True, tag="over"):
    """The end of the game, with each seat's influence before and after the bonus for coins."""

    influence_before: tuple[int, ...]
    influence: tuple[int, ...]
    keys: tuple[tuple[int, int, int, int, int], ...]
    ranks: tuple[int, ...]


def _makers(kind: type[Event]) -> list[tuple[int, Any]]:
    types = get_type_hints(kind, include_extras=True)
    return [
        (place, types[field].__metadata__[0])
        for place, field in enumerate(kind.__struct_fields__)
        if hasattr(types[field], "__metadata__")
    ]


_SECRETS = (Sent, Reinforced, Peeked)
_KINDS = {
    kind.__struct_config__.tag: (kind, _makers(kind), kind in _SECRETS)
    for kind in Event.__subclasses__()
}


def make_event(note: Note, viewer: Viewer) -> Event:
    name, *values = note
    kind, makers, is_secret = _KINDS[name]
    if is_secret and values[0] != viewer:
        values[-1] = NONE
    for place, make in makers:
        values[place] = make(values[place])
    return kind(*values)


def list_events(position: Position, seat: Viewer, since: int) -> list[Any]:
    log = position.log
    events: list[Any] = []
    for number, chapter in enumerate(log.chapters):
        length = len(chapter.notes)
        if since < length:
            knows = all(seat == other or number >= until for other, until in log.redrawn)
            events += _chapter_events(chapter, seat if knows else None)[since:]
        since = max(0, since - length)
    return events + _make_events(log.notes[since:], seat)


def _chapter_events(chapter: Chapter, viewer: Viewer) -> list[Any]:
    if viewer not in chapter.events:
        chapter.events[viewer] = _make_events(chapter.notes, viewer)
    return chapter.events[viewer]


def _make_events(written: Sequence[Note], viewer: Viewer) -> list[Any]:
    return [make_event(note, viewer) for note in written]
