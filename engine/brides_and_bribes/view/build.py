"""Build views from positions [10, 11]."""
# compiled: see setup.py

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARE, DESTINATIONS
from engine.brides_and_bribes.parameters import GAME
from engine.brides_and_bribes.position.position import Position
from engine.brides_and_bribes.position.resolution import Tiles
from engine.brides_and_bribes.rules.guides import charm, prestige
from engine.brides_and_bribes.scoring import scores_of
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
    TradeView,
    View,
    WorkshopView,
    describe,
)

CACHE_SIZE: Final = 4096

_SHOP_COSTS: Final = tuple(
    [
        tuple([(c, k) for c, k in zip(COLOURS, CARD_WORKERS[stack[0]], strict=True) if k])
        for stack in STACKS
    ]
)


Bride = tuple[int, int, int]


def build_view(position: Position, seat: int | None) -> View:
    parameters = position.parameters
    is_to_act = seat is not None and seat == position.seat_to_act
    return View(
        game=GAME,
        variant=parameters.variant_id,
        seat=seat,
        round=position.round,
        phase=position.phase,
        window=position.window if is_to_act else None,
        actions_left=position.actions_left if is_to_act and position.phase == "placement" else None,
        legal=tuple(position.options) if is_to_act else (),
        first_seat=position.first_seat,
        favor_order=position.favor_order,
        favor_asked=position.favor_asked,
        supply=SupplyView(position.coin_pile, position.token_pile, _workers(position.worker_pile)),
        boroughs=tuple([_borough(position, borough, seat) for borough in position.in_play]),
        ships=tuple([_ship(position, ship) for ship in SHIPS]),
        trade=_trade(position) if position.window == "ship" else None,
        bride_box=_boxes(tuple(position.boxes)),
        workshops=_workshops(tuple(position.shops_taken)),
        players=tuple([_player(position, other) for other in range(parameters.seats)]),
        own=_own(position, seat),
        resolution=_resolution(position, seat) if position.resolution.borough != NONE else None,
        result=describe(scores_of(position)) if position.phase == "over" else None,
    )


def _workers(numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(COLOURS, numbers, strict=True))


def _names(tiles: Iterable[int]) -> tuple[str, ...]:
    return tuple([TILES[tile] for tile in sorted(tiles)])


def _in_order(tiles: Iterable[int]) -> tuple[str, ...]:
    return tuple([TILES[tile] for tile in tiles])


def _tile(tile: int) -> str | None:
    return None if tile == NONE else TILES[tile]


def _seat(seat: int) -> int | None:
    return None if seat == NONE else seat


# -- the board ----------------------------------------------------------------------------------


def _borough(position: Position, borough: int, viewer: int | None) -> BoroughView:
    deck, knowing = position.decks[borough], position.known_below[borough]
    knows = len(knowing) == position.parameters.seats if viewer is None else viewer in knowing
    at = borough * SEATS
    return _borough_view(
        borough,
        borough in position.resolved,
        position.lords[borough],
        position.borough_workers[borough],
        position.tokens[borough],
        position.commons[borough],
        len(deck),
        deck[0] if knows and deck else NONE,
        _bride(position, 2 * borough),
        _bride(position, 2 * borough + 1),
        tuple(map(len, position.delegations[at : at + position.parameters.seats])),
    )


@lru_cache(CACHE_SIZE)
def _borough_view(  # noqa: PLR0913
    borough: int,
    resolved: bool,
    lord: int,
    workers: Tiles,
    tokens: int,
    common: int,
    deck: int,
    known_below: int,
    first: Bride,
    second: Bride,
    delegations: tuple[int, ...],
) -> BoroughView:
    return BoroughView(
        borough=BOROUGHS[borough],
        colour=COLOURS[borough],
        resolved=resolved,
        lord=LORDS[lord],
        lord_prestige=LORD_PRESTIGE[lord],
        workers=_workers(workers),
        influence_tokens=tokens,
        common=_tile(common),
        deck=deck,
        known_below=_tile(known_below),
        brides=BridesView(_bride_view(first), _bride_view(second)),
        delegations=tuple(
            [DelegationSize(seat, tiles) for seat, tiles in enumerate(delegations) if tiles]
        ),
    )


def _bride(position: Position, spot: int) -> Bride:
    return position.brides[spot], position.spouse_seat[spot], position.spouse[spot]


def _bride_view(married: Bride) -> BrideView | None:
    bride, seat, tile = married
    if bride == NONE:
        return None
    return BrideView(
        tile=BRIDES[bride],
        charm=BRIDE_CHARM[bride],
        dowry_coins=DOWRY_COINS[bride],
        dowry_object=_tile(DOWRY_OBJECT[bride]),
        married_seat=_seat(seat),
        married_tile=_tile(tile),
    )


def _ship(position: Position, ship: int) -> ShipView:
    if ship not in position.ship:
        return ShipView(ship, None, 0)
    seat = position.ship.index(ship)
    return ShipView(ship, seat, len(position.ship_tiles[seat]))


def _trade(position: Position) -> TradeView:
    _, (seat, ship, left) = position.stack[-1]
    return TradeView(seat, ship, left)


@lru_cache(CACHE_SIZE)
def _boxes(boxes: tuple[Tiles, ...]) -> BoxView:
    return BoxView(*[tuple(sorted([BRIDES[bride] for bride in box])) for box in boxes])


@lru_cache(CACHE_SIZE)
def _workshops(taken: tuple[int, ...]) -> tuple[WorkshopView, ...]:
    return tuple([_workshop(shop, built) for shop, built in enumerate(taken)])


def _workshop(shop: int, taken: int) -> WorkshopView:
    stack = STACKS[shop]
    return WorkshopView(
        kind=SHOPS[shop],
        left=len(stack) - taken,
        influence=CARD_INFLUENCE[stack[taken]] if taken < len(stack) else None,
        workers=dict(_SHOP_COSTS[shop]),
        object=KIND[CARD_OBJECT[stack[0]]],
    )


# -- the seats ----------------------------------------------------------------------------------


def _player(position: Position, seat: int) -> PlayerView:
    spouses, owners, resolution = position.spouse, position.spouse_seat, position.resolution
    marriages: tuple[tuple[int, int], ...] = ()
    if seat in owners:
        marriages = tuple([(at, spouses[at]) for at, owner in enumerate(owners) if owner == seat])
    return _player_view(
        seat,
        position.families[seat],
        position.influence[seat],
        position.coins[seat],
        tuple(position.workers[seat]),
        position.shops[seat],
        position.used[seat],
        position.hands[seat],
        position.alley_shown[seat],
        position.alley_hidden[seat],
        (
            position.ship_tiles[seat],
            *position.delegations[seat::SEATS],
            resolution.hand[seat],
        ),
        NONE if resolution.guide_married[seat] else resolution.guide[seat],
        seat in position.passed,
        position.coaches[seat],
        marriages,
    )


@lru_cache(CACHE_SIZE)
def _player_view(  # noqa: PLR0913
    seat: int,
    family: int,
    influence: int,
    coins: int,
    workers: tuple[int, ...],
    shops: Tiles,
    used: Tiles,
    hand: Tiles,
    alley_shown: Tiles,
    alley_hidden: Tiles,
    sent: tuple[Tiles, ...],
    guide: int,
    passed: bool,
    coaches: int,
    marriages: tuple[tuple[int, int], ...],
) -> PlayerView:
    """Return the public information about a seat [11]."""
    tiles = [*hand, *alley_shown, *alley_hidden, *chain.from_iterable(sent)]
    if guide >= 0:
        tiles.append(guide)
    return PlayerView(
        seat=seat,
        family=FAMILIES[family],
        influence=influence,
        coins=coins,
        workers=_workers(workers),
        workshops=tuple([CARDS[card] for card in shops]),
        tiles=_names(tiles),
        used_objects=_names(used),
        hand=len(hand),
        passed=passed,
        coaches_left=coaches,
        alley_shown=_names(alley_shown),
        alley_hidden=len(alley_hidden),
        marriages=tuple(
            [
                MarriageView(BOROUGHS[spot // 2], PLACES[spot % 2], TILES[tile])
                for spot, tile in marriages
            ]
        ),
    )


def _own(position: Position, seat: int | None) -> OwnView:
    if seat is None:
        return OwnView((), (), {})
    delegations = {
        BOROUGHS[borough]: _in_order(tiles)
        for borough in position.in_play
        if (tiles := position.delegations[borough * SEATS + seat])
    }
    if position.ship[seat]:
        ship = DESTINATIONS[len(BOROUGHS) + position.ship[seat] - 1]
        delegations[ship] = _in_order(position.ship_tiles[seat])
    alley = (*position.alley_shown[seat], *position.alley_hidden[seat])
    return OwnView(_names(position.hands[seat]), _names(alley), delegations)


# -- the resolution -----------------------------------------------------------------------------


def _resolution(position: Position, viewer: int | None) -> ResolutionView:
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
    resolution = position.resolution
    guide, hand = resolution.guide[seat], resolution.hand[seat]
    present = guide != NONE
    closed = resolution.closed[seat]
    if seat == resolution.active:
        closed += resolution.charmed_out
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
        closed=tuple([DECLARE[action] for action in closed]),
    )
