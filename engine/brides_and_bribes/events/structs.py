"""Structs of events: what seats are told as a game goes on [10].

All seats are told the same events in the same order, but some fields are for one seat only. No
event tells which seat is asked, nor that a seat declined. In JSON the field `event` names the kind.
A state that was imagined from a view has only the events since then.
"""

import msgspec


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """An event that seats are told."""


class Change(msgspec.Struct, frozen=True):
    """A number of a seat (`seat-1`) or a borough that changed.

    `what` is `coins`, `influence`, a colour, `prestige`, `charm`, `bride-charm`, `lord-prestige`, a
    tile that was taken, or a condition that now holds: `edict`, `charmed`, `dowry`,
    `marriage-banned`, `workers-banned`.
    """

    where: str
    what: str
    amount: int


class GameStarted(Event, frozen=True, tag="start"):
    """The game begins: the public part of the deal; the boxes are sorted by name."""

    variant: str
    boroughs: tuple[str, ...]
    families: tuple[str, ...]
    favor: tuple[int, ...]
    lords: tuple[str, ...]
    first_brides: tuple[str, ...]
    """The brides on the board, in the order of the boroughs."""
    second_brides: tuple[str, ...]
    first_box: tuple[str, ...]
    second_box: tuple[str, ...]
    commons: tuple[str, ...]
    first_seat: int


class Opened(Event, frozen=True, tag="opening"):
    """A seat took its first worker."""

    seat: int
    colour: str


class RoundBegan(Event, frozen=True, tag="round"):
    """A round begins; by borough in play its common, and the workers and tokens added to it."""

    round: int
    first_seat: int
    favor_order: tuple[int, ...]
    commons: dict[str, str | None]
    workers: dict[str, int]
    influence_tokens: dict[str, int]


class Sent(Event, frozen=True, tag="sent"):
    """A seat started a delegation; only this seat is told the tile."""

    seat: int
    place: str
    tiles: int
    tile: str | None


class Reinforced(Event, frozen=True, tag="reinforced"):
    """A seat added a tile to a delegation; only this seat is told the tile."""

    seat: int
    place: str
    tiles: int
    tile: str | None


class FavorAsked(Event, frozen=True, tag="favor"):
    """A seat asked for the Doge's favor."""

    seat: int
    tile: str


class Passed(Event, frozen=True, tag="passed"):
    """A seat passed and put away a number of tiles."""

    seat: int
    tiles: int


class FavorFixed(Event, frozen=True, tag="favor_order"):
    """The favor order was fixed after placement, best first."""

    seats: tuple[int, ...]


class ShipCame(Event, frozen=True, tag="ship"):
    """A ship returned: its characters, and the number of its objects."""

    seat: int
    ship: int
    characters: tuple[str, ...]
    objects: int


class Traded(Event, frozen=True, tag="traded"):
    """A seat gave a worker or coins for a worker."""

    seat: int
    gave: str
    took: str


class Activated(Event, frozen=True, tag="activated"):
    """A seat activated a borough."""

    seat: int
    borough: str


class GuidesRevealed(Event, frozen=True, tag="guides"):
    """The guides of the delegations were revealed; by seat, None where there is no character."""

    guides: dict[int, str | None]


class OrderFixed(Event, frozen=True, tag="order"):
    """The order of turns was fixed."""

    seats: tuple[int, ...]


class Declared(Event, frozen=True, tag="declared"):
    """The active seat declared an action."""

    seat: int
    action: str


class Failed(Event, frozen=True, tag="failed"):
    """The declared action failed; the seat goes last."""

    seat: int
    action: str


class Charmed(Event, frozen=True, tag="charmed"):
    """A charmer made the seat declare another action."""

    seat: int
    action: str


class ActionLost(Event, frozen=True, tag="lost_action"):
    """A seat without a guide lost its turn; `action` is what it declared, or None."""

    seat: int
    action: str | None


class Done(Event, frozen=True, tag="done"):
    """The action was completed."""

    seat: int
    action: str
    gains: tuple[Change, ...]


class Played(Event, frozen=True, tag="played"):
    """A seat plays a tile."""

    seat: int
    tile: str
    argument: str | None


class Countered(Event, frozen=True, tag="countered"):
    """A seat spent a tile to `stop` or `guard` against a play, or to `save` its own."""

    seat: int
    tile: str
    how: str


class HadNoEffect(Event, frozen=True, tag="no_effect"):
    """A play had no effect."""

    seat: int
    tile: str


class TookEffect(Event, frozen=True, tag="effect"):
    """A play took effect; later events tell what it asked of seats."""

    seat: int
    tile: str
    argument: str | None
    changes: tuple[Change, ...]


class Peeked(Event, frozen=True, tag="peeked"):
    """A seat looked at the top of a deck; only this seat is told the tile."""

    seat: int
    borough: str
    tile: str | None


class Switched(Event, frozen=True, tag="switched"):
    """A borough has another common."""

    borough: str
    common: str


class HandOpened(Event, frozen=True, tag="opened"):
    """A seat plays with open tiles from now on."""

    seat: int
    tiles: tuple[str, ...]


class GuideLost(Event, frozen=True, tag="guide_lost"):
    """A seat lost its guide."""

    seat: int
    tile: str


class GuideNew(Event, frozen=True, tag="guide_new"):
    """A seat has another guide."""

    seat: int
    tile: str


class Married(Event, frozen=True, tag="married"):
    """A loyal was married; what that cost."""

    seat: int
    borough: str
    place: str
    bride: str
    tile: str
    forfeit: int
    bribe: int


class DowryGiven(Event, frozen=True, tag="dowry"):
    """A seat got the dowry."""

    seat: int
    coins: int
    object: str | None


class Murdered(Event, frozen=True, tag="murdered"):
    """A bride was murdered; the seat and loyal that were married to her, if any."""

    borough: str
    place: str
    bride: str
    seat: int | None
    tile: str | None
    influence_lost: int


class MovedUp(Event, frozen=True, tag="moved_up"):
    """The second bride of a borough, married to this seat, took the first place."""

    borough: str
    seat: int


class BrideCame(Event, frozen=True, tag="bride"):
    """Another bride came to a place."""

    borough: str
    place: str
    bride: str


class PutAway(msgspec.Struct, frozen=True):
    """The tiles that a seat put away: those shown, and the number of those not shown."""

    seat: int
    shown: tuple[str, ...]
    hidden: int


class BoroughEnded(Event, frozen=True, tag="borough_end"):
    """The resolution of a borough ended."""

    borough: str
    alleys: tuple[PutAway, ...]


class IncomeGained(Event, frozen=True, tag="income"):
    """A seat got its income."""

    seat: int
    coins: int


class UpkeepPaid(Event, frozen=True, tag="upkeep"):
    """A seat paid for its commons."""

    seat: int
    coins: int


class Dismissed(Event, frozen=True, tag="dismissed"):
    """A common left the game."""

    seat: int
    tile: str


class BoughtBack(Event, frozen=True, tag="bought_back"):
    """A seat bought back a used object."""

    seat: int
    tile: str


class Built(Event, frozen=True, tag="built"):
    """A seat built a workshop."""

    seat: int
    card: str


class GameEnded(Event, frozen=True, tag="over"):
    """The game is over; influence by seat before and after coins were counted."""

    influence_before: tuple[int, ...]
    influence: tuple[int, ...]
    keys: tuple[tuple[int, int, int, int, int], ...]
    ranks: tuple[int, ...]
