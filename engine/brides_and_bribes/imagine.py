"""A state that a seat cannot tell from the real one, made from nothing but the seat's view.

A view does not tell all that its seat has seen: what happened before, how a decision came about,
who else is asked. `imagine` guesses that, `determinize` knows it.
"""

import random
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes.actions import ARGUMENTS, DECLARED_OF, DESTINATIONS, FIRST_SHIP
from engine.brides_and_bribes.borough_questions import borough_questions, choose_guides
from engine.brides_and_bribes.hidden import redraw, shuffle_cards
from engine.brides_and_bribes.playing import victim_of
from engine.brides_and_bribes.proofs import IS_KILLER, KILLER, OBJECTS
from engine.brides_and_bribes.questions import (
    activation_questions,
    ask_one,
    colonies_questions,
    end_questions,
    opening_questions,
    placement_questions,
)
from engine.brides_and_bribes.state import BridesAndBribesState
from engine.brides_and_bribes.tiles import (
    BOROUGHS,
    BRIDES,
    CARDS,
    COMMONS,
    DOWRY_OBJECTS,
    FAMILIES,
    FIRST_OBJECT,
    LORD_PRESTIGE,
    LORDS,
    NONE,
    NUMBER,
    SEATS,
    SHOPS,
    STACKS,
)
from engine.brides_and_bribes.view import BoroughView, BrideView, PlayerView, ResolutionView, View

if TYPE_CHECKING:
    from engine.brides_and_bribes.variant import BridesAndBribes

QUESTIONS = {
    "opening": opening_questions,
    "placement": placement_questions,
    "colonies": colonies_questions,
    "resolution": activation_questions,
    "end": end_questions,
}
"""By phase: what may be asked; while a borough is resolved see `borough_questions`."""

TRIES = 2000
"""A view is of a real state, so some draw finds somebody to ask; most often the first does."""
LIKELY_TRIES = 100
"""After so many the viewer's guess at what is asked must be wrong."""


def imagine(variant: "BridesAndBribes", view: View, rng: random.Random) -> BridesAndBribesState:
    """Return a state whose view for the seat of `view` is `view`; what that hides is drawn."""
    assert view.seat is not None, "a spectator's view: nobody to imagine for"
    state = _lay_open(variant, view)
    _lay_hidden(state, view, rng)
    shuffle_cards(state, view.seat, rng)
    if view.phase == "over":
        return state
    list_questions = QUESTIONS[view.phase]
    if view.resolution is not None:
        list_questions = borough_questions
    for number in range(TRIES):
        likely = view.window is None and number < LIKELY_TRIES
        if number == LIKELY_TRIES:
            state.proofs = ()  # a seat without a guide may be about to take one
        redraw(state, view.seat, rng)
        if ask_one(state, view, list_questions(state, view), rng, likely=likely):
            choose_guides(state, rng)
            return state
    raise AssertionError(f"no state has this view: {view}")


def _numbers(tiles: Iterable[str]) -> tuple[int, ...]:
    return tuple([NUMBER[tile] for tile in tiles])


def _number(tile: str | None) -> int:
    return NONE if tile is None else NUMBER[tile]


def _seat(seat: int | None) -> int:
    return NONE if seat is None else seat


# -- what lies open -----------------------------------------------------------------------------


def _lay_open(variant: "BridesAndBribes", view: View) -> BridesAndBribesState:
    """Return a state with all that lies open in a view, and where the viewer's own tiles are."""
    state = BridesAndBribesState(variant)
    state.in_play = tuple([BOROUGHS.index(borough.borough) for borough in view.boroughs])
    state.phase = view.phase
    state.round = view.round
    state.first_seat = view.first_seat
    state.favor_order = view.favor_order
    state.favor_asked = view.favor_asked
    state.coin_pile = view.supply.coins
    state.token_pile = view.supply.influence_tokens
    state.worker_pile = list(view.supply.workers.values())
    state.families = tuple([FAMILIES.index(player.family) for player in view.players])
    for player in view.players:
        _lay_player(state, player)
    for borough in view.boroughs:
        _lay_borough(state, borough)
    for ship in view.ships:
        if ship.seat is not None:
            state.ship[ship.seat] = ship.ship
    boxes = (view.bride_box.first, view.bride_box.second)
    state.boxes = [tuple([BRIDES.index(bride) for bride in box]) for box in boxes]
    for shop, workshop in enumerate(view.workshops):
        state.shops_taken[shop] = len(STACKS[shop]) - workshop.left
    assert [workshop.kind for workshop in view.workshops] == list(SHOPS), "a view of other rules"
    owned = {tile for player in view.players for tile in _numbers(player.tiles)}
    state.stock = DOWRY_OBJECTS - owned
    if view.resolution is not None:
        _lay_resolution(state, view.resolution)
    return state


def _lay_player(state: BridesAndBribesState, player: PlayerView) -> None:
    seat = player.seat
    state.influence[seat] = player.influence
    state.coins[seat] = player.coins
    state.workers[seat] = list(player.workers.values())
    state.shops[seat] = tuple([CARDS.index(card) for card in player.workshops])
    state.used[seat] = _numbers(player.used_objects)
    state.passed[seat] = player.passed
    state.coaches[seat] = player.coaches_left
    state.alley_shown[seat] = _numbers(player.alley_shown)


def _lay_borough(state: BridesAndBribesState, view: BoroughView) -> None:
    borough = BOROUGHS.index(view.borough)
    state.resolved[borough] = view.resolved
    state.lords[borough] = LORDS.index(view.lord)
    state.borough_workers[borough] = list(view.workers.values())
    state.tokens[borough] = view.influence_tokens
    state.commons[borough] = _number(view.common)
    for place, bride in enumerate((view.brides.first, view.brides.second)):
        if bride is not None:
            _lay_bride(state, 2 * borough + place, bride)


def _lay_bride(state: BridesAndBribesState, spot: int, bride: BrideView) -> None:
    state.brides[spot] = BRIDES.index(bride.tile)
    state.spouse_seat[spot] = _seat(bride.married_seat)
    state.spouse[spot] = _number(bride.married_tile)


def _lay_resolution(state: BridesAndBribesState, view: ResolutionView) -> None:
    state.borough = BOROUGHS.index(view.borough)
    state.delegates = tuple([delegation.seat for delegation in view.delegations])
    for delegation in view.delegations:
        seat = delegation.seat
        state.guide[seat] = _number(delegation.guide)
        state.guide_used[seat] = delegation.guide_used
        state.guide_married[seat] = delegation.guide_married
        state.prestige_change[seat] = delegation.prestige_change
        state.charm_change[seat] = delegation.charm_change
        state.closed[seat] = tuple([DECLARED_OF[action] for action in delegation.closed])
        state.edict[seat] = delegation.edict
        state.open[seat] = delegation.open
        state.hand[seat] = _numbers(delegation.known)
        if delegation.open:
            state.exposed |= {*state.hand[seat]}
    state.lord_change = view.lord_prestige - LORD_PRESTIGE[state.lords[state.borough]]
    state.bride_change = view.bride_charm_change
    state.marriage_banned = view.marriage_banned
    state.workers_banned = view.workers_banned
    state.order = view.order
    state.queue = view.queue
    state.active = _seat(view.active_seat)
    state.declared = NONE if view.declared is None else DECLARED_OF[view.declared]
    state.lover = _seat(view.lover_seat)
    if view.pending is not None:
        seat, tile = view.pending.seat, NUMBER[view.pending.tile]
        argument = ARGUMENTS.index(view.pending.target or "")
        state.pending = (seat, tile, argument, victim_of(state, seat, tile, argument))


# -- what is hidden -----------------------------------------------------------------------------


def _lay_hidden(state: BridesAndBribesState, view: View, rng: random.Random) -> None:
    """Lay what the viewer has where it is, and what it cannot see anywhere that it may be."""
    for player in view.players:
        if player.seat == view.seat:
            _lay_own(state, view)
        else:
            _lay_others(state, view, player)
    _lay_decks(state, view, rng)


def _lay_own(state: BridesAndBribesState, view: View) -> None:
    seat, own = view.seat, view.own
    assert seat is not None
    state.hands[seat] = _numbers(own.hand)
    shown = state.alley_shown[seat]
    state.alley_hidden[seat] = tuple([t for t in _numbers(own.alley) if t not in shown])
    for place, tiles in own.delegations.items():
        destination = DESTINATIONS.index(place)
        if destination < FIRST_SHIP:
            state.delegations[destination * SEATS + seat] = _numbers(tiles)
        else:
            state.ship_tiles[seat] = _numbers(tiles)


def _lay_others(state: BridesAndBribesState, view: View, player: PlayerView) -> None:
    """Put the hidden tiles of a seat where it has tiles; `redraw` lets them change places."""
    seat = player.seat
    seen = {*state.alley_shown[seat], *state.hand[seat], state.guide[seat]}
    hidden = [tile for tile in _numbers(player.tiles) if tile not in seen]
    tiles = tuple(hidden)

    def take(number: int) -> tuple[int, ...]:
        taken = tuple(hidden[:number])
        del hidden[:number]
        return taken

    state.hands[seat] = take(player.hand)
    state.alley_hidden[seat] = take(player.alley_hidden)
    for borough in view.boroughs:
        for size in borough.delegations:
            if size.seat == seat:
                at = BOROUGHS.index(borough.borough) * SEATS + seat
                state.delegations[at] = take(size.tiles)
    for ship in view.ships:
        if ship.seat == seat:
            state.ship_tiles[seat] = take(ship.tiles)
    if not state.open[seat]:
        state.hand[seat] = take(_borough_hand(view, seat))
        _prove(state, seat, tiles)


def _prove(state: BridesAndBribesState, seat: int, hidden: Sequence[int]) -> None:
    """Note what the view proves of the borough hand of a seat with these hidden tiles.

    That is so unless the seat is just about to replace its guide, or has used its assassin.
    """
    hand = state.hand[seat]
    objects = [tile for tile in hidden if tile >= FIRST_OBJECT]
    if state.guide[seat] == NONE:
        revealed = any(guide != NONE for guide in state.guide)
        if revealed and len(hand) <= len(objects):
            state.proofs += ((OBJECTS, hand),)  # nobody of its tiles can guide
    elif hand and seat == state.active and state.declared in (0, 1):
        wed = state.spouse_seat[2 * state.borough + state.declared] not in (NONE, seat)
        if wed and any(IS_KILLER[tile] for tile in hidden):
            state.proofs += ((KILLER, hand),)  # else it could not declare that [R21]


def _borough_hand(view: View, seat: int) -> int:
    """Return how many tiles a seat has in its borough hand."""
    if view.resolution is None:
        return 0
    return sum([each.hand for each in view.resolution.delegations if each.seat == seat])


def _lay_decks(state: BridesAndBribesState, view: View, rng: random.Random) -> None:
    """Fill the decks with commons that nobody can see; those left over are out of the game.

    A common lies in the deck of its borough, unless it was exchanged and then switched.
    """
    assert view.seat is not None
    unseen = {tile for borough in state.in_play for tile in COMMONS[borough]}
    unseen -= {*state.commons}
    unseen.difference_update(*[_numbers(player.tiles) for player in view.players])
    known = {_number(borough.known_below) for borough in view.boroughs}
    unseen -= known
    for borough in view.boroughs:
        number = BOROUGHS.index(borough.borough)
        size = borough.deck - (borough.known_below is not None)
        own = _of_borough(number, unseen)
        deck = rng.sample(own, min(size, len(own)))
        unseen.difference_update(deck)
        state.decks[number] = tuple(deck)
    for borough in view.boroughs:
        number = BOROUGHS.index(borough.borough)
        if borough.known_below is not None:
            state.decks[number] = (NUMBER[borough.known_below], *state.decks[number])
            state.known_below[number] = (view.seat,)
        missing = borough.deck - len(state.decks[number])
        strangers = rng.sample(sorted(unseen), missing)
        unseen.difference_update(strangers)
        state.decks[number] += tuple(strangers)
    state.out = tuple(sorted(unseen))


def _of_borough(borough: int, unseen: Iterable[int]) -> Sequence[int]:
    """Return the unseen commons of a borough."""
    return sorted({*COMMONS[borough]}.intersection(unseen))
