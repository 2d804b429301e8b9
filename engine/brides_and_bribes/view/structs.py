"""Define the structure of Brides & Bribes views [10, 11]."""

from collections.abc import Sequence

import msgspec

from engine.brides_and_bribes.scoring import Score
from engine.state import rank


class Result(msgspec.Struct, frozen=True):
    ranks: tuple[int, ...]
    keys: tuple[Score, ...]


def describe(scores: Sequence[Score]) -> Result:
    return Result(ranks=tuple(rank(scores)), keys=tuple(scores))


class SupplyView(msgspec.Struct, frozen=True, gc=False):
    coins: int
    influence_tokens: int
    workers: dict[str, int]


class BrideView(msgspec.Struct, frozen=True, gc=False):
    tile: str
    charm: int
    dowry_coins: int
    dowry_object: str | None
    married_seat: int | None
    married_tile: str | None


class BridesView(msgspec.Struct, frozen=True, gc=False):
    first: BrideView | None
    second: BrideView | None


class DelegationSize(msgspec.Struct, frozen=True, gc=False):
    seat: int
    tiles: int


class BoroughView(msgspec.Struct, frozen=True, gc=False):
    """A borough that is in play. `known_below` is the next card of the borough's deck, or None if
    the viewer doesn't know the card.
    """

    borough: str
    colour: str
    resolved: bool
    lord: str
    lord_prestige: int
    workers: dict[str, int]
    influence_tokens: int
    common: str | None
    deck: int
    known_below: str | None
    brides: BridesView
    delegations: tuple[DelegationSize, ...]


class ShipView(msgspec.Struct, frozen=True, gc=False):
    ship: int
    seat: int | None
    tiles: int


class TradeView(msgspec.Struct, frozen=True, gc=False):
    """A pending trade and its ship [R60]."""

    seat: int
    ship: int
    left: int


class BoxView(msgspec.Struct, frozen=True, gc=False):
    first: tuple[str, ...]
    second: tuple[str, ...]


class WorkshopView(msgspec.Struct, frozen=True, gc=False):
    kind: str
    left: int
    influence: int | None
    workers: dict[str, int]
    object: str


class MarriageView(msgspec.Struct, frozen=True, gc=False):
    borough: str
    place: str
    tile: str


class PlayerView(msgspec.Struct, frozen=True, gc=False):
    seat: int
    family: str
    influence: int
    coins: int
    workers: dict[str, int]
    workshops: tuple[str, ...]
    tiles: tuple[str, ...]
    used_objects: tuple[str, ...]
    hand: int
    passed: bool
    coaches_left: int
    alley_shown: tuple[str, ...]
    alley_hidden: int
    marriages: tuple[MarriageView, ...]


class OwnView(msgspec.Struct, frozen=True, gc=False):
    """The viewer's tiles outside the borough that is being resolved (see `ResolutionView`)."""

    hand: tuple[str, ...]
    alley: tuple[str, ...]
    delegations: dict[str, tuple[str, ...]]


class PendingView(msgspec.Struct, frozen=True, gc=False):
    seat: int
    tile: str
    target: str | None


class DelegationView(msgspec.Struct, frozen=True, gc=False):
    seat: int
    guide: str | None
    guide_used: bool
    guide_married: bool
    prestige: int | None
    charm: int | None
    prestige_change: int
    charm_change: int
    edict: bool
    open: bool
    hand: int
    known: tuple[str, ...]
    closed: tuple[str, ...]


class ResolutionView(msgspec.Struct, frozen=True, gc=False):
    borough: str
    order: tuple[int, ...]
    queue: tuple[int, ...]
    active_seat: int | None
    declared: str | None
    lord_prestige: int
    bride_charm_change: int
    marriage_banned: bool
    workers_banned: bool
    pending: PendingView | None
    lover_seat: int | None
    delegations: tuple[DelegationView, ...]


class View(msgspec.Struct, frozen=True, gc=False):
    """A seat's or spectator's view of the game [11]."""

    game: str
    variant: str
    seat: int | None
    round: int
    phase: str
    window: str | None
    actions_left: int | None
    legal: tuple[str, ...]
    first_seat: int
    favor_order: tuple[int, ...]
    favor_asked: tuple[int, ...]
    supply: SupplyView
    boroughs: tuple[BoroughView, ...]
    ships: tuple[ShipView, ...]
    trade: TradeView | None
    bride_box: BoxView
    workshops: tuple[WorkshopView, ...]
    players: tuple[PlayerView, ...]
    own: OwnView
    resolution: ResolutionView | None
    result: Result | None
