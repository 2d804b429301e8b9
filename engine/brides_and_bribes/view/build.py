"""Building of views from positions [10, 11]."""

from collections.abc import Iterable, Sequence
from typing import Final

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARE, DESTINATIONS
from engine.brides_and_bribes.parameters import GAME
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.result import describe, scores_of
from engine.brides_and_bribes.rules.prices import charm, prestige
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDE_CHARM,
    BRIDES,
    CARD_INFLUENCE,
    CARD_OBJECT,
    CARD_WORKERS,
    CARDS,
    COLOURS,
    DOWRY_COINS,
    DOWRY_OBJECT,
    FAMILIES,
    FIRST_COMMON,
    KIND,
    LORD_PRESTIGE,
    LORDS,
    NONE,
    PLACES,
    SEATS,
    SHIPS,
    SHOPS,
    STACKS,
    TILES,
)
from engine.brides_and_bribes.view.structs import (
    BoroughView,
    BoxView,
    BridesView,
    BrideView,
    DelegationSize,
    DelegationView,
    MarriageView,
    OwnView,
    PendingView,
    PlayerView,
    ResolutionView,
    ShipView,
    SupplyView,
    View,
    WorkshopView,
)

_SHOP_COSTS: Final = tuple(
    [
        tuple([(c, k) for c, k in zip(COLOURS, CARD_WORKERS[stack[0]], strict=True) if k])
        for stack in STACKS
    ]
)
"""By shop: the colours and numbers of workers that a workshop costs."""


def build_view(position: Position, seat: int | None) -> View:
    """Return the view of a seat, or of a spectator (None)."""
    parameters = position.parameters
    asked = seat is not None and seat == position.seat_to_act
    return View(
        game=GAME,
        variant=parameters.variant_id,
        seat=seat,
        round=position.round,
        phase=position.phase,
        window=position.window if asked else None,
        actions_left=position.actions_left if asked and position.window == "place" else None,
        legal=tuple(position.options) if asked else (),
        first_seat=position.first_seat,
        favor_order=position.favor_order,
        favor_asked=position.favor_asked,
        supply=SupplyView(position.coin_pile, position.token_pile, _workers(position.worker_pile)),
        boroughs=tuple([_borough(position, borough, seat) for borough in position.in_play]),
        ships=tuple([_ship(position, ship) for ship in SHIPS]),
        bride_box=BoxView(*[tuple(sorted([BRIDES[b] for b in box])) for box in position.boxes]),
        workshops=tuple([_workshop(position, shop) for shop in range(len(SHOPS))]),
        players=tuple([_player(position, other) for other in range(parameters.seats)]),
        own=_own(position, seat),
        resolution=_resolution(position, seat) if position.resolution.borough != NONE else None,
        result=describe(scores_of(position)) if position.phase == "over" else None,
    )


def _workers(numbers: Sequence[int]) -> dict[str, int]:
    """Return numbers of workers by the name of their colour."""
    return dict(zip(COLOURS, numbers, strict=True))


def _names(tiles: Iterable[int]) -> tuple[str, ...]:
    """Return the names of tiles in canonical order."""
    return tuple([TILES[tile] for tile in sorted(tiles)])


def _in_order(tiles: Iterable[int]) -> tuple[str, ...]:
    """Return the names of tiles in the given order."""
    return tuple([TILES[tile] for tile in tiles])


def _tile(tile: int) -> str | None:
    """Return the name of a tile, None for `NONE`."""
    return None if tile == NONE else TILES[tile]


def _seat(seat: int) -> int | None:
    """Return a seat, None for `NONE`."""
    return None if seat == NONE else seat


# -- the board ----------------------------------------------------------------------------------


def _borough(position: Position, borough: int, viewer: int | None) -> BoroughView:
    """Return the view of a borough in play."""
    deck, knowing = position.decks[borough], position.known_below[borough]
    knows = len(knowing) == position.parameters.seats if viewer is None else viewer in knowing
    at = borough * SEATS
    return BoroughView(
        borough=BOROUGHS[borough],
        colour=COLOURS[borough],
        resolved=borough in position.resolved,
        lord=LORDS[position.lords[borough]],
        lord_prestige=LORD_PRESTIGE[position.lords[borough]],
        workers=_workers(position.borough_workers[borough]),
        influence_tokens=position.tokens[borough],
        common=_tile(position.commons[borough]),
        deck=len(deck),
        known_below=TILES[deck[0]] if knows and deck else None,
        brides=BridesView(_bride(position, 2 * borough), _bride(position, 2 * borough + 1)),
        delegations=tuple(
            [
                DelegationSize(seat, len(position.delegations[at + seat]))
                for seat in range(position.parameters.seats)
                if position.delegations[at + seat]
            ]
        ),
    )


def _bride(position: Position, spot: int) -> BrideView | None:
    """Return the view of the bride at `spot`, None if there is none."""
    bride = position.brides[spot]
    if bride == NONE:
        return None
    return BrideView(
        tile=BRIDES[bride],
        charm=BRIDE_CHARM[bride],
        dowry_coins=DOWRY_COINS[bride],
        dowry_object=_tile(DOWRY_OBJECT[bride]),
        married_seat=_seat(position.spouse_seat[spot]),
        married_tile=_tile(position.spouse[spot]),
    )


def _ship(position: Position, ship: int) -> ShipView:
    """Return the view of a ship."""
    if ship not in position.ship:
        return ShipView(ship, None, 0)
    seat = position.ship.index(ship)
    return ShipView(ship, seat, len(position.ship_tiles[seat]))


def _workshop(position: Position, shop: int) -> WorkshopView:
    """Return the view of a stack of workshops."""
    stack, taken = STACKS[shop], position.shops_taken[shop]
    return WorkshopView(
        kind=SHOPS[shop],
        left=len(stack) - taken,
        influence=CARD_INFLUENCE[stack[taken]] if taken < len(stack) else None,
        workers=dict(_SHOP_COSTS[shop]),
        object=KIND[CARD_OBJECT[stack[0]]],
    )


# -- the seats ----------------------------------------------------------------------------------


def _player(position: Position, seat: int) -> PlayerView:
    """Return what all seats know of `seat`."""
    return PlayerView(
        seat=seat,
        family=FAMILIES[position.families[seat]],
        influence=position.influence[seat],
        coins=position.coins[seat],
        workers=_workers(position.workers[seat]),
        workshops=tuple([CARDS[card] for card in sorted(position.shops[seat])]),
        tiles=_names(tiles_of(position, seat)),
        used_objects=_names(position.used[seat]),
        hand=len(position.hands[seat]),
        passed=seat in position.passed,
        coaches_left=position.coaches[seat],
        alley_shown=_names(position.alley_shown[seat]),
        alley_hidden=len(position.alley_hidden[seat]),
        marriages=tuple(
            [
                MarriageView(BOROUGHS[spot // 2], PLACES[spot % 2], TILES[position.spouse[spot]])
                for spot, owner in enumerate(position.spouse_seat)
                if owner == seat
            ]
        ),
    )


def tiles_of(position: Position, seat: int) -> list[int]:
    """Return the tiles that a seat owns, without married loyals and used objects [11]."""
    resolution = position.resolution
    owned = [*position.hands[seat], *position.alley_shown[seat], *position.alley_hidden[seat]]
    owned += position.ship_tiles[seat]
    for borough in position.in_play:
        owned += position.delegations[borough * SEATS + seat]
    owned += resolution.hand[seat]
    if resolution.guide[seat] >= 0 and not resolution.guide_married[seat]:
        owned.append(resolution.guide[seat])
    return owned


def _own(position: Position, seat: int | None) -> OwnView:
    """Return the places of the tiles of `seat`."""
    if seat is None:
        return OwnView((), (), {})
    delegations = {
        BOROUGHS[borough]: _in_order(position.delegations[borough * SEATS + seat])
        for borough in position.in_play
        if position.delegations[borough * SEATS + seat]
    }
    if position.ship[seat]:
        ship = DESTINATIONS[len(BOROUGHS) + position.ship[seat] - 1]
        delegations[ship] = _in_order(position.ship_tiles[seat])
    alley = (*position.alley_shown[seat], *position.alley_hidden[seat])
    return OwnView(_names(position.hands[seat]), _names(alley), delegations)


# -- the resolution -----------------------------------------------------------------------------


def _resolution(position: Position, viewer: int | None) -> ResolutionView:
    """Return the view of the borough that is being resolved."""
    resolution = position.resolution
    pending = None
    if resolution.pending is not None:
        seat, tile, argument, _ = resolution.pending
        pending = PendingView(seat, TILES[tile], ARGUMENTS[argument] or None)
    return ResolutionView(
        borough=BOROUGHS[resolution.borough],
        order=resolution.order,
        queue=resolution.queue,
        active_seat=_seat(resolution.active),
        declared=None if resolution.declared == NONE else DECLARE[resolution.declared],
        lord_prestige=LORD_PRESTIGE[position.lords[resolution.borough]] + resolution.lord_change,
        bride_charm_change=resolution.bride_change,
        marriage_banned=resolution.marriage_banned,
        workers_banned=resolution.workers_banned,
        pending=pending,
        lover_seat=_seat(resolution.lover),
        delegations=tuple([_delegation(position, seat, viewer) for seat in resolution.delegates]),
    )


def _delegation(position: Position, seat: int, viewer: int | None) -> DelegationView:
    """Return the view of the delegation of `seat` in the borough that is being resolved."""
    resolution = position.resolution
    guide, hand = resolution.guide[seat], resolution.hand[seat]
    present = guide != NONE
    return DelegationView(
        seat=seat,
        guide=_tile(guide),
        guide_used=resolution.guide_used[seat],
        guide_married=resolution.guide_married[seat],
        prestige=prestige(resolution, seat) if present else None,
        charm=charm(resolution, seat) if present and guide < FIRST_COMMON else None,
        prestige_change=resolution.prestige_change[seat],
        charm_change=resolution.charm_change[seat],
        edict=resolution.edict[seat],
        open=resolution.open[seat],
        hand=len(hand),
        known=_names(hand) if resolution.open[seat] or seat == viewer else (),
        closed=tuple([DECLARE[action] for action in resolution.closed[seat]]),
    )
