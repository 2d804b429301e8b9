"""The parts of a Brides & Bribes view that the bundled bots use."""

import msgspec

from bots.brides_and_bribes.tiles import Place


class Bride(msgspec.Struct, gc=False):
    charm: int
    dowry_coins: int
    dowry_object: str | None
    married_seat: int | None


class Brides(msgspec.Struct, gc=False):
    first: Bride | None
    second: Bride | None


class VisibleDelegation(msgspec.Struct, gc=False):
    seat: int


class Borough(msgspec.Struct, gc=False):
    borough: str
    colour: str
    resolved: bool
    lord_prestige: int
    workers: dict[str, int]
    influence_tokens: int
    common: str | None
    brides: Brides
    delegations: tuple[VisibleDelegation, ...]


class Trade(msgspec.Struct, gc=False):
    ship: int


class Workshop(msgspec.Struct, gc=False):
    kind: str
    left: int
    influence: int | None
    workers: dict[str, int]


class Marriage(msgspec.Struct, gc=False):
    """A seat's marriage, without its details."""


class Player(msgspec.Struct, gc=False):
    seat: int
    influence: int
    coins: int
    workers: dict[str, int]
    workshops: tuple[str, ...]
    tiles: tuple[str, ...]
    passed: bool
    coaches_left: int
    marriages: tuple[Marriage, ...]


class OwnTiles(msgspec.Struct, gc=False):
    hand: tuple[str, ...]
    delegations: dict[str, tuple[str, ...]]


class Pending(msgspec.Struct, gc=False):
    seat: int


class Delegation(msgspec.Struct, gc=False):
    seat: int
    guide: str | None
    guide_used: bool
    prestige: int | None
    charm: int | None
    hand: int
    known: tuple[str, ...]


class Resolution(msgspec.Struct, gc=False):
    borough: str
    queue: tuple[int, ...]
    active_seat: int | None
    declared: str | None
    lord_prestige: int
    bride_charm_change: int
    pending: Pending | None
    delegations: tuple[Delegation, ...]


class View(msgspec.Struct, gc=False):
    seat: int
    round: int
    window: str
    favor_order: tuple[int, ...]
    boroughs: tuple[Borough, ...]
    trade: Trade | None
    workshops: tuple[Workshop, ...]
    players: tuple[Player, ...]
    own: OwnTiles
    resolution: Resolution | None


def bride_at(brides: Brides, place: Place) -> Bride | None:
    return brides.first if place == "first" else brides.second


def married_to(brides: Brides, seat: int) -> int:
    return [bride.married_seat for bride in (brides.first, brides.second) if bride].count(seat)


def have_same_goods(view: View, other: View) -> bool:
    """Return whether two views have the same round, players, tiles and boroughs."""
    return (
        view.own == other.own
        and view.players == other.players
        and view.boroughs == other.boroughs
        and view.workshops == other.workshops
        and view.favor_order == other.favor_order
        and (view.seat, view.round) == (other.seat, other.round)
    )
