"""Turn a view into a position, with hidden tiles in possible places."""
# compiled: see setup.py

import random
from collections.abc import Iterable, Sequence, Set

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARED_OF, DESTINATIONS, FIRST_SHIP
from engine.brides_and_bribes.parameters import Parameters
from engine.brides_and_bribes.position import Position, empty_position
from engine.brides_and_bribes.rules.tile_plays import victim_of
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    CARDS,
    COMMONS,
    DOWRY_OBJECTS,
    FAMILIES,
    LORD_PRESTIGE,
    LORDS,
    NONE,
    NUMBER,
    SEATS,
    SHOPS,
    STACKS,
)
from engine.brides_and_bribes.view.structs import (
    BoroughView,
    BrideView,
    PlayerView,
    ResolutionView,
    View,
)


def lay_out_view(
    parameters: Parameters, view: View, rng: random.Random, seen: Set[int] = frozenset()
) -> Position:
    """Return a position that shows `view`, with hidden tiles in possible places.

    The hidden tiles of a seat are in arbitrary order, and decks are drawn at random. Commons in
    `seen` are left out of the decks unless `view` shows them there.
    """
    position = _lay_out_board(parameters, view)
    _lay_out_hidden(position, view, rng, seen)
    return position


def _numbers(tiles: Iterable[str]) -> tuple[int, ...]:
    return tuple([NUMBER[tile] for tile in tiles])


def _number(tile: str | None) -> int:
    return NONE if tile is None else NUMBER[tile]


def _seat(seat: int | None) -> int:
    return NONE if seat is None else seat


# -- what the view shows ------------------------------------------------------------------------


def _lay_out_board(parameters: Parameters, view: View) -> Position:
    position = empty_position(parameters)
    position.in_play = tuple([BOROUGHS.index(borough.borough) for borough in view.boroughs])
    position.phase = view.phase
    position.round = view.round
    position.first_seat = view.first_seat
    position.favor_order = view.favor_order
    position.favor_asked = view.favor_asked
    position.coin_pile = view.supply.coins
    position.token_pile = view.supply.influence_tokens
    position.worker_pile = list(view.supply.workers.values())
    position.families = tuple([FAMILIES.index(player.family) for player in view.players])
    for player in view.players:
        _lay_player(position, player)
    for borough in view.boroughs:
        _lay_borough(position, borough)
    for ship in view.ships:
        if ship.seat is not None:
            position.ship[ship.seat] = ship.ship
    boxes = (view.bride_box.first, view.bride_box.second)
    position.boxes = [tuple([BRIDES.index(bride) for bride in box]) for box in boxes]
    for shop, workshop in enumerate(view.workshops):
        position.shops_taken[shop] = len(STACKS[shop]) - workshop.left
    assert [workshop.kind for workshop in view.workshops] == list(SHOPS), "a view of other rules"
    owned = {tile for player in view.players for tile in _numbers(player.tiles)}
    position.stock = DOWRY_OBJECTS - owned
    if view.resolution is not None:
        _lay_resolution(position, view.resolution)
    return position


def _lay_player(position: Position, player: PlayerView) -> None:
    seat = player.seat
    position.influence[seat] = player.influence
    position.coins[seat] = player.coins
    position.workers[seat] = list(player.workers.values())
    position.shops[seat] = tuple([CARDS.index(card) for card in player.workshops])
    position.used[seat] = _numbers(player.used_objects)
    if player.passed:
        position.passed += (seat,)
    position.coaches[seat] = player.coaches_left
    position.alley_shown[seat] = _numbers(player.alley_shown)


def _lay_borough(position: Position, view: BoroughView) -> None:
    """Fill in a borough without its deck and delegations."""
    borough = BOROUGHS.index(view.borough)
    if view.resolved:
        position.resolved += (borough,)
    position.lords[borough] = LORDS.index(view.lord)
    position.borough_workers[borough] = tuple(view.workers.values())
    position.tokens[borough] = view.influence_tokens
    position.commons[borough] = _number(view.common)
    for place, bride in enumerate((view.brides.first, view.brides.second)):
        if bride is not None:
            _lay_bride(position, 2 * borough + place, bride)


def _lay_bride(position: Position, spot: int, bride: BrideView) -> None:
    position.brides[spot] = BRIDES.index(bride.tile)
    position.spouse_seat[spot] = _seat(bride.married_seat)
    position.spouse[spot] = _number(bride.married_tile)


def _lay_resolution(position: Position, view: ResolutionView) -> None:
    resolution = position.resolution
    resolution.borough = BOROUGHS.index(view.borough)
    resolution.delegates = tuple([delegation.seat for delegation in view.delegations])
    for delegation in view.delegations:
        seat = delegation.seat
        resolution.guide[seat] = _number(delegation.guide)
        resolution.guide_used[seat] = delegation.guide_used
        resolution.guide_married[seat] = delegation.guide_married
        resolution.prestige_change[seat] = delegation.prestige_change
        resolution.charm_change[seat] = delegation.charm_change
        resolution.closed[seat] = tuple([DECLARED_OF[action] for action in delegation.closed])
        resolution.edict[seat] = delegation.edict
        resolution.open[seat] = delegation.open
        resolution.hand[seat] = _numbers(delegation.known)
        if delegation.open:
            resolution.exposed |= {*resolution.hand[seat]}
    resolution.lord_change = view.lord_prestige - LORD_PRESTIGE[position.lords[resolution.borough]]
    resolution.bride_change = view.bride_charm_change
    resolution.marriage_banned = view.marriage_banned
    resolution.workers_banned = view.workers_banned
    resolution.order = view.order
    resolution.queue = view.queue
    resolution.active = _seat(view.active_seat)
    resolution.declared = NONE if view.declared is None else DECLARED_OF[view.declared]
    resolution.lover = _seat(view.lover_seat)
    if view.pending is not None:
        seat, tile = view.pending.seat, NUMBER[view.pending.tile]
        argument = ARGUMENTS.index(view.pending.target or "")
        resolution.pending = (seat, tile, argument, victim_of(position, seat, tile, argument))


# -- what the view hides ------------------------------------------------------------------------


def _lay_out_hidden(position: Position, view: View, rng: random.Random, seen: Set[int]) -> None:
    """Put the viewer's tiles where they are, and other hidden tiles where they may be."""
    for player in view.players:
        if player.seat == view.seat:
            _lay_own(position, view)
        else:
            _lay_others(position, view, player)
    _lay_decks(position, view, rng, seen)


def _lay_own(position: Position, view: View) -> None:
    seat, own = view.seat, view.own
    assert seat is not None
    position.hands[seat] = _numbers(own.hand)
    shown = position.alley_shown[seat]
    position.alley_hidden[seat] = tuple([t for t in _numbers(own.alley) if t not in shown])
    for place, tiles in own.delegations.items():
        destination = DESTINATIONS.index(place)
        if destination < FIRST_SHIP:
            position.delegations[destination * SEATS + seat] = _numbers(tiles)
        else:
            position.ship_tiles[seat] = _numbers(tiles)


def _lay_others(position: Position, view: View, player: PlayerView) -> None:
    """Distribute a seat's hidden tiles over its places; `redraw` shuffles them later."""
    resolution = position.resolution
    seat = player.seat
    seen = {*position.alley_shown[seat], *resolution.hand[seat], resolution.guide[seat]}
    hidden = [tile for tile in _numbers(player.tiles) if tile not in seen]

    def take(number: int) -> tuple[int, ...]:
        """Remove and return the first `number` hidden tiles."""
        taken = tuple(hidden[:number])
        del hidden[:number]
        return taken

    position.hands[seat] = take(player.hand)
    position.alley_hidden[seat] = take(player.alley_hidden)
    for borough in view.boroughs:
        for size in borough.delegations:
            if size.seat == seat:
                at = BOROUGHS.index(borough.borough) * SEATS + seat
                position.delegations[at] = take(size.tiles)
    for ship in view.ships:
        if ship.seat == seat:
            position.ship_tiles[seat] = take(ship.tiles)
    if not resolution.open[seat]:
        resolution.hand[seat] = take(_borough_hand(view, seat))


def _borough_hand(view: View, seat: int) -> int:
    if view.resolution is None:
        return 0
    return sum([each.hand for each in view.resolution.delegations if each.seat == seat])


def _lay_decks(position: Position, view: View, rng: random.Random, seen: Set[int]) -> None:
    """Fill the decks with commons that no seat can see. The rest are out of the game.

    A common belongs to the deck of its borough unless it was exchanged and then switched.
    """
    assert view.seat is not None
    unseen = {tile for borough in position.in_play for tile in COMMONS[borough]}
    unseen -= {*position.commons}
    unseen.difference_update(*[_numbers(player.tiles) for player in view.players])
    known = {_number(borough.known_below) for borough in view.boroughs}
    unseen -= known
    out = unseen & seen
    unseen -= out
    for borough in view.boroughs:
        number = BOROUGHS.index(borough.borough)
        size = borough.deck - (borough.known_below is not None)
        own = _of_borough(number, unseen)
        deck = rng.sample(own, min(size, len(own)))
        unseen.difference_update(deck)
        position.decks[number] = tuple(deck)
    for borough in view.boroughs:
        number = BOROUGHS.index(borough.borough)
        if borough.known_below is not None:
            position.decks[number] = (NUMBER[borough.known_below], *position.decks[number])
            position.known_below[number] = (view.seat,)
        missing = borough.deck - len(position.decks[number])
        foreign = rng.sample(sorted(unseen), missing)
        unseen.difference_update(foreign)
        position.decks[number] += tuple(foreign)
    position.out = tuple(sorted(unseen | out))


def _of_borough(borough: int, unseen: Iterable[int]) -> Sequence[int]:
    return sorted({*COMMONS[borough]}.intersection(unseen))
