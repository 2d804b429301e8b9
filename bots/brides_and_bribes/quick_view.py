"""The view of a seat from a position of the engine, with only the parts that the bots read.

A simulated game asks for a view at each decision. To build the whole view of the rules and to
convert it would take most of its time. Parts that stay the same are kept and shared, so they must
not be changed.
"""
# compiled: see setup.py

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from bots.brides_and_bribes.view import (
    Borough,
    Bride,
    Brides,
    Delegation,
    Marriage,
    OwnTiles,
    Pending,
    Player,
    Resolution,
    View,
    VisibleDelegation,
    Workshop,
)
from engine.brides_and_bribes.actions import DECLARE, DESTINATIONS, FIRST_SHIP
from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.rules.guides import charm, prestige
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDE_CHARM,
    CARD_INFLUENCE,
    CARD_WORKERS,
    CARDS,
    COLOURS,
    DOWRY_COINS,
    DOWRY_OBJECT,
    FIRST_COMMON,
    LORD_PRESTIGE,
    NONE,
    SEATS,
    SHOPS,
    STACKS,
    TILES,
)

CACHE_SIZE: Final = 4096
"""Parts of views that are kept, by kind."""

Tiles = tuple[int, ...]


def view_of(position: Position) -> View:
    """Return the view of the seat to act, as far as the bots read it."""
    seat, window, resolution = position.seat_to_act, position.window, position.resolution
    assert seat is not None, "expected a game that is not over"
    assert window is not None
    return View(
        seat=seat,
        round=position.round,
        window=window,
        favor_order=[*position.favor_order],
        boroughs=[_borough(position, borough) for borough in position.in_play],
        workshops=_workshops(tuple(position.shops_taken)),
        players=[_player(position, other) for other in range(position.parameters.seats)],
        own=_own(position, seat),
        resolution=_resolution(position, seat) if resolution.borough != NONE else None,
    )


def _borough(position: Position, borough: int) -> Borough:
    brides, owners, spot = position.brides, position.spouse_seat, 2 * borough
    at = borough * SEATS
    return _borough_of(
        borough,
        borough in position.resolved,
        position.lords[borough],
        position.borough_workers[borough],
        position.tokens[borough],
        position.commons[borough],
        (brides[spot], owners[spot], brides[spot + 1], owners[spot + 1]),
        tuple(map(bool, position.delegations[at : at + position.parameters.seats])),
    )


@lru_cache(CACHE_SIZE)
def _borough_of(  # noqa: PLR0913
    borough: int,
    resolved: bool,
    lord: int,
    workers: Tiles,
    tokens: int,
    common: int,
    married: tuple[int, int, int, int],
    sent: tuple[bool, ...],
) -> Borough:
    """Return a borough; the parameters are all that it depends on.

    Args:
        married: each of two brides and the seat that is married to her.
        sent: by seat, whether it has a delegation there.
    """
    return Borough(
        borough=BOROUGHS[borough],
        colour=COLOURS[borough],
        resolved=resolved,
        lord_prestige=LORD_PRESTIGE[lord],
        workers=_workers(workers),
        influence_tokens=tokens,
        common=None if common == NONE else TILES[common],
        brides=Brides(_bride(*married[:2]), _bride(*married[2:])),
        delegations=[VisibleDelegation(seat) for seat, there in enumerate(sent) if there],
    )


def _bride(bride: int, seat: int) -> Bride | None:
    if bride == NONE:
        return None
    dowry = DOWRY_OBJECT[bride]
    return Bride(
        charm=BRIDE_CHARM[bride],
        dowry_coins=DOWRY_COINS[bride],
        dowry_object=None if dowry == NONE else TILES[dowry],
        married_seat=None if seat == NONE else seat,
    )


@lru_cache(CACHE_SIZE)
def _workshops(taken: Tiles) -> list[Workshop]:
    """Return the stacks of workshops, from each of which a number is `taken`."""
    return [
        Workshop(
            kind=kind,
            left=len(stack) - number,
            influence=CARD_INFLUENCE[stack[number]] if number < len(stack) else None,
            workers={
                colour: need
                for colour, need in zip(COLOURS, CARD_WORKERS[stack[0]], strict=True)
                if need
            },
        )
        for kind, stack, number in zip(SHOPS, STACKS, taken, strict=True)
    ]


def _workers(numbers: Sequence[int]) -> dict[str, int]:
    return dict(zip(COLOURS, numbers, strict=True))


def _player(position: Position, seat: int) -> Player:
    resolution = position.resolution
    guide = NONE if resolution.guide_married[seat] else resolution.guide[seat]
    return _player_of(
        seat,
        position.influence[seat],
        position.coins[seat],
        tuple(position.workers[seat]),
        position.shops[seat],
        (
            position.hands[seat],
            position.alley_shown[seat],
            position.alley_hidden[seat],
            position.ship_tiles[seat],
            *position.delegations[seat::SEATS],
            resolution.hand[seat],
            (guide,) if guide >= 0 else (),
        ),
        seat in position.passed,
        position.coaches[seat],
        position.spouse_seat.count(seat),
    )


@lru_cache(CACHE_SIZE)
def _player_of(  # noqa: PLR0913
    seat: int,
    influence: int,
    coins: int,
    workers: Tiles,
    shops: Tiles,
    tiles: tuple[Tiles, ...],
    passed: bool,
    coaches: int,
    marriages: int,
) -> Player:
    """Return the public data of a seat; the parameters are all that they depend on."""
    return Player(
        seat=seat,
        influence=influence,
        coins=coins,
        workers=_workers(workers),
        workshops=[CARDS[card] for card in sorted(shops)],
        tiles=_names(sorted(chain.from_iterable(tiles))),
        passed=passed,
        coaches_left=coaches,
        marriages=[Marriage()] * marriages,
    )


def _names(tiles: Sequence[int]) -> list[str]:
    return [TILES[tile] for tile in tiles]


def _own(position: Position, seat: int) -> OwnTiles:
    sent = position.delegations
    delegations = {
        BOROUGHS[borough]: _names(tiles)
        for borough in position.in_play
        if (tiles := sent[borough * SEATS + seat])
    }
    if position.ship[seat]:
        ship = DESTINATIONS[FIRST_SHIP + position.ship[seat] - 1]
        delegations[ship] = _names(position.ship_tiles[seat])
    return OwnTiles(_names(sorted(position.hands[seat])), delegations)


def _resolution(position: Position, viewer: int) -> Resolution:
    resolution = position.resolution
    active, declared = resolution.active, resolution.declared
    return Resolution(
        borough=BOROUGHS[resolution.borough],
        queue=[*resolution.queue],
        active_seat=None if active == NONE else active,
        declared=None if declared == NONE else DECLARE[declared],
        lord_prestige=LORD_PRESTIGE[position.lords[resolution.borough]] + resolution.lord_change,
        bride_charm_change=resolution.bride_change,
        pending=None if resolution.pending is None else Pending(resolution.pending[0]),
        delegations=[_delegation(position, seat, viewer) for seat in resolution.delegates],
    )


def _delegation(position: Position, seat: int, viewer: int) -> Delegation:
    resolution = position.resolution
    guide, hand = resolution.guide[seat], resolution.hand[seat]
    present = guide != NONE
    is_seen = resolution.open[seat] or seat == viewer
    return Delegation(
        seat=seat,
        guide=TILES[guide] if present else None,
        guide_used=resolution.guide_used[seat],
        prestige=prestige(resolution, seat) if present else None,
        charm=charm(resolution, seat) if present and guide < FIRST_COMMON else None,
        hand=len(hand),
        known=_names(sorted(hand)) if is_seen else [],
    )
