"""The parts of a view of Brides & Bribes that the bots read."""

import msgspec

from bots.brides_and_bribes.tiles import Place


class Bride(msgspec.Struct):
    """A bride on the board."""

    tile: str
    charm: int
    dowry_coins: int
    dowry_object: str | None
    married_seat: int | None


class Brides(msgspec.Struct):
    """The brides at the two places of a borough."""

    first: Bride | None
    second: Bride | None

    def at(self, place: Place) -> Bride | None:
        """Return the bride at a place, if there is one."""
        return self.first if place == "first" else self.second


class VisibleDelegation(msgspec.Struct):
    """A delegation, as all seats see it."""

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
    delegations: list[VisibleDelegation]


class Workshop(msgspec.Struct):
    """A stack of workshops, with the gain and the cost of the top one."""

    kind: str
    left: int
    influence: int | None
    workers: dict[str, int]
    object: str


class Player(msgspec.Struct):
    """The public data of a seat."""

    seat: int
    influence: int
    coins: int
    workers: dict[str, int]
    workshops: list[str]
    tiles: list[str]
    passed: bool
    coaches_left: int
    marriages: list[object]


class OwnTiles(msgspec.Struct):
    """The places of our tiles, without those in the borough that is being resolved."""

    hand: list[str]
    delegations: dict[str, list[str]]


class Pending(msgspec.Struct):
    """A play that may still be countered."""

    seat: int
    tile: str
    target: str | None


class Delegation(msgspec.Struct):
    """A delegation in the borough that is being resolved."""

    seat: int
    guide: str | None
    guide_used: bool
    guide_married: bool
    prestige: int | None
    charm: int | None
    hand: int
    known: list[str]


class Resolution(msgspec.Struct):
    """The state of the borough that is being resolved."""

    borough: str
    queue: list[int]
    active_seat: int | None
    declared: str | None
    lord_prestige: int
    bride_charm_change: int
    pending: Pending | None
    delegations: list[Delegation]


class View(msgspec.Struct):
    """A seat's view. The fields that no bot reads are not decoded."""

    seat: int
    round: int
    window: str
    favor_order: list[int]
    boroughs: list[Borough]
    workshops: list[Workshop]
    players: list[Player]
    own: OwnTiles
    resolution: Resolution | None
