"""The parts of a view of Brides & Bribes that the bots read."""

import msgspec

from bots.brides_and_bribes.tiles import Place


class Bride(msgspec.Struct, gc=False):
    """A bride on the board."""

    charm: int
    dowry_coins: int
    dowry_object: str | None
    married_seat: int | None


class Brides(msgspec.Struct, gc=False):
    """The brides at the two places of a borough."""

    first: Bride | None
    second: Bride | None

    def at(self, place: Place) -> Bride | None:
        """Return the bride at a place, if there is one."""
        return self.first if place == "first" else self.second

    def married_to(self, seat: int) -> int:
        """Return the number of brides that are married to a seat."""
        first, second = self.first, self.second
        number = int(first is not None and first.married_seat == seat)
        return number + (second is not None and second.married_seat == seat)


class VisibleDelegation(msgspec.Struct, gc=False):
    """A delegation, as all seats see it."""

    seat: int


class Borough(msgspec.Struct, gc=False):
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

    def has_same_goods(self, other: "Borough") -> bool:
        """Return whether the same can be gained as in another borough of this name."""
        return self is other or (
            self.brides == other.brides
            and self.workers == other.workers
            and self.common == other.common
            and self.influence_tokens == other.influence_tokens
            and self.lord_prestige == other.lord_prestige
        )


class Workshop(msgspec.Struct, gc=False):
    """A stack of workshops, with the gain and the cost of the top one."""

    kind: str
    left: int
    influence: int | None
    workers: dict[str, int]


class Marriage(msgspec.Struct, gc=False):
    """A marriage of a seat. That there is one is all that matters."""


class Player(msgspec.Struct, gc=False):
    """The public data of a seat."""

    seat: int
    influence: int
    coins: int
    workers: dict[str, int]
    workshops: list[str]
    tiles: list[str]
    passed: bool
    coaches_left: int
    marriages: list[Marriage]


class OwnTiles(msgspec.Struct, gc=False):
    """The places of our tiles, without those in the borough that is being resolved."""

    hand: list[str]
    delegations: dict[str, list[str]]


class Pending(msgspec.Struct, gc=False):
    """A play that may still be countered."""

    seat: int


class Delegation(msgspec.Struct, gc=False):
    """A delegation in the borough that is being resolved."""

    seat: int
    guide: str | None
    guide_used: bool
    prestige: int | None
    charm: int | None
    hand: int
    known: list[str]


class Resolution(msgspec.Struct, gc=False):
    """The state of the borough that is being resolved."""

    borough: str
    queue: list[int]
    active_seat: int | None
    declared: str | None
    lord_prestige: int
    bride_charm_change: int
    pending: Pending | None
    delegations: list[Delegation]


class View(msgspec.Struct, gc=False):
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

    def has_same_goods(self, other: "View") -> bool:
        """Return whether two views differ at most in the window and the resolution."""
        return (
            self.own == other.own
            and self.players == other.players
            and self.boroughs == other.boroughs
            and self.workshops == other.workshops
            and self.favor_order == other.favor_order
            and (self.seat, self.round) == (other.seat, other.round)
        )
