"""How a view is made from a position [10, 11]."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARE, DESTINATIONS
from engine.brides_and_bribes.prices import charm, prestige
from engine.brides_and_bribes.scoring import describe
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
from engine.brides_and_bribes.view import (
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

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def view_for(state: "BridesAndBribesState", seat: int | None) -> View:
    """Return the view of a seat, or of a spectator (None)."""
    variant = state.variant
    asked = seat is not None and seat == state.seat_to_act
    return View(
        game=variant.game,
        variant=variant.id,
        seat=seat,
        round=state.round,
        phase=state.phase,
        window=state.window if asked else None,
        actions_left=state.actions_left if asked and state.window == "place" else None,
        legal=tuple(state.options) if asked else (),
        first_seat=state.first_seat,
        favor_order=state.favor_order,
        favor_asked=state.favor_asked,
        supply=SupplyView(state.coin_pile, state.token_pile, _workers(state.worker_pile)),
        boroughs=tuple([_borough(state, borough, seat) for borough in state.in_play]),
        ships=tuple([_ship(state, ship) for ship in SHIPS]),
        bride_box=BoxView(*[tuple(sorted([BRIDES[b] for b in box])) for box in state.boxes]),
        workshops=tuple([_workshop(state, shop) for shop in range(len(SHOPS))]),
        players=tuple([_player(state, other) for other in range(variant.seats)]),
        own=_own(state, seat),
        resolution=_resolution(state, seat) if state.borough != NONE else None,
        result=describe(state) if state.phase == "over" else None,
    )


def _workers(numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(COLOURS, numbers, strict=True))


def _names(tiles: Iterable[int]) -> tuple[str, ...]:
    """Return the slugs of tiles in canonical order."""
    return tuple([TILES[tile] for tile in sorted(tiles)])


def _in_order(tiles: Iterable[int]) -> tuple[str, ...]:
    """Return the slugs of tiles in the order in which they lie."""
    return tuple([TILES[tile] for tile in tiles])


def _tile(tile: int) -> str | None:
    return None if tile == NONE else TILES[tile]


def _seat(seat: int) -> int | None:
    return None if seat == NONE else seat


# -- the board ----------------------------------------------------------------------------------


def _borough(state: "BridesAndBribesState", borough: int, viewer: int | None) -> BoroughView:
    deck, knowing = state.decks[borough], state.known_below[borough]
    knows = len(knowing) == state.variant.seats if viewer is None else viewer in knowing
    at = borough * SEATS
    return BoroughView(
        borough=BOROUGHS[borough],
        colour=COLOURS[borough],
        resolved=state.resolved[borough],
        lord=LORDS[state.lords[borough]],
        lord_prestige=LORD_PRESTIGE[state.lords[borough]],
        workers=_workers(state.borough_workers[borough]),
        influence_tokens=state.tokens[borough],
        common=_tile(state.commons[borough]),
        deck=len(deck),
        known_below=TILES[deck[0]] if knows and deck else None,
        brides=BridesView(_bride(state, 2 * borough), _bride(state, 2 * borough + 1)),
        delegations=tuple(
            [
                DelegationSize(seat, len(state.delegations[at + seat]))
                for seat in range(state.variant.seats)
                if state.delegations[at + seat]
            ]
        ),
    )


def _bride(state: "BridesAndBribesState", spot: int) -> BrideView | None:
    bride = state.brides[spot]
    if bride == NONE:
        return None
    return BrideView(
        tile=BRIDES[bride],
        charm=BRIDE_CHARM[bride],
        dowry_coins=DOWRY_COINS[bride],
        dowry_object=_tile(DOWRY_OBJECT[bride]),
        married_seat=_seat(state.spouse_seat[spot]),
        married_tile=_tile(state.spouse[spot]),
    )


def _ship(state: "BridesAndBribesState", ship: int) -> ShipView:
    if ship not in state.ship:
        return ShipView(ship, None, 0)
    seat = state.ship.index(ship)
    return ShipView(ship, seat, len(state.ship_tiles[seat]))


def _workshop(state: "BridesAndBribesState", shop: int) -> WorkshopView:
    stack, taken = STACKS[shop], state.shops_taken[shop]
    costs = zip(COLOURS, CARD_WORKERS[stack[0]], strict=True)
    return WorkshopView(
        kind=SHOPS[shop],
        left=len(stack) - taken,
        influence=CARD_INFLUENCE[stack[taken]] if taken < len(stack) else None,
        workers={colour: number for colour, number in costs if number},
        object=KIND[CARD_OBJECT[stack[0]]],
    )


# -- the seats ----------------------------------------------------------------------------------


def _player(state: "BridesAndBribesState", seat: int) -> PlayerView:
    return PlayerView(
        seat=seat,
        family=FAMILIES[state.families[seat]],
        influence=state.influence[seat],
        coins=state.coins[seat],
        workers=_workers(state.workers[seat]),
        workshops=tuple([CARDS[card] for card in sorted(state.shops[seat])]),
        tiles=_names(tiles_of(state, seat)),
        used_objects=_names(state.used[seat]),
        hand=len(state.hands[seat]),
        passed=state.passed[seat],
        coaches_left=state.coaches[seat],
        alley_shown=_names(state.alley_shown[seat]),
        alley_hidden=len(state.alley_hidden[seat]),
        marriages=tuple(
            [
                MarriageView(BOROUGHS[spot // 2], PLACES[spot % 2], TILES[state.spouse[spot]])
                for spot, wed in enumerate(state.spouse_seat)
                if wed == seat
            ]
        ),
    )


def tiles_of(state: "BridesAndBribesState", seat: int) -> list[int]:
    """Return the tiles that a seat owns, without wed loyals and used objects [11]."""
    owned = [*state.hands[seat], *state.alley_shown[seat], *state.alley_hidden[seat]]
    owned += state.ship_tiles[seat]
    for borough in state.in_play:
        owned += state.delegations[borough * SEATS + seat]
    owned += state.hand[seat]
    if state.guide[seat] >= 0 and not state.guide_married[seat]:
        owned.append(state.guide[seat])
    return owned


def _own(state: "BridesAndBribesState", seat: int | None) -> OwnView:
    if seat is None:
        return OwnView((), (), {})
    delegations = {
        BOROUGHS[borough]: _in_order(state.delegations[borough * SEATS + seat])
        for borough in state.in_play
        if state.delegations[borough * SEATS + seat]
    }
    if state.ship[seat]:
        ship = DESTINATIONS[len(BOROUGHS) + state.ship[seat] - 1]
        delegations[ship] = _in_order(state.ship_tiles[seat])
    alley = (*state.alley_shown[seat], *state.alley_hidden[seat])
    return OwnView(_names(state.hands[seat]), _names(alley), delegations)


# -- the resolution -----------------------------------------------------------------------------


def _resolution(state: "BridesAndBribesState", viewer: int | None) -> ResolutionView:
    pending = None
    if state.pending is not None:
        seat, tile, argument, _ = state.pending
        pending = PendingView(seat, TILES[tile], ARGUMENTS[argument] or None)
    return ResolutionView(
        borough=BOROUGHS[state.borough],
        order=state.order,
        queue=state.queue,
        active_seat=_seat(state.active),
        declared=None if state.declared == NONE else DECLARE[state.declared],
        lord_prestige=LORD_PRESTIGE[state.lords[state.borough]] + state.lord_change,
        bride_charm_change=state.bride_change,
        marriage_banned=state.marriage_banned,
        workers_banned=state.workers_banned,
        pending=pending,
        lover_seat=_seat(state.lover),
        delegations=tuple([_delegation(state, seat, viewer) for seat in state.delegates]),
    )


def _delegation(state: "BridesAndBribesState", seat: int, viewer: int | None) -> DelegationView:
    guide, hand = state.guide[seat], state.hand[seat]
    present = guide != NONE
    return DelegationView(
        seat=seat,
        guide=_tile(guide),
        guide_used=state.guide_used[seat],
        guide_married=state.guide_married[seat],
        prestige=prestige(state, seat) if present else None,
        charm=charm(state, seat) if present and guide < FIRST_COMMON else None,
        prestige_change=state.prestige_change[seat],
        charm_change=state.charm_change[seat],
        edict=state.edict[seat],
        open=state.open[seat],
        hand=len(hand),
        known=_names(hand) if state.open[seat] or seat == viewer else (),
        closed=tuple([DECLARE[action] for action in state.closed[seat]]),
    )
