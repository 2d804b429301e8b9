"""What a play can be aimed at: for each use of an ability the legal arguments [7.6].

Every function is given the state and the seat that would play, and returns arguments by number,
`PLAIN` for a play that takes none; none at all means that it cannot be played.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from engine.brides_and_bribes.actions import (
    BOROUGH_ARGUMENT,
    BRIDE_ARGUMENT,
    COLOUR_ARGUMENT,
    INFLUENCE_ARGUMENT,
    NO_ARGUMENT,
    PLACE_ARGUMENT,
    SEAT_ARGUMENT,
    SPOT_ARGUMENT,
)
from engine.brides_and_bribes.guides import can_change
from engine.brides_and_bribes.prices import bribe
from engine.brides_and_bribes.tiles import COLOURS

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState

PLAIN = (NO_ARGUMENT,)


def always(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """No condition, no argument."""
    return PLAIN


# -- coins, workers, commons --------------------------------------------------------------------


def coin_in_pile(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The pile has a coin."""
    return PLAIN if state.coin_pile else ()


def worker_in_supply(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The supply has a worker of the borough's colour."""
    return PLAIN if state.worker_pile[state.borough] else ()


def worker_for_wine(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The same, and no barker stands against it [R41]."""
    return () if state.workers_banned else worker_in_supply(state, seat)


def goods(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """What a merchant can sell: a worker of a colour, influence; the pile has a coin [R43]."""
    if not state.coin_pile:
        return ()
    found = [COLOUR_ARGUMENT + c for c, number in enumerate(state.workers[seat]) if number]
    if state.influence[seat]:
        found.append(INFLUENCE_ARGUMENT)
    return found


def mediated_colour(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """A colour that the supply has, if another one was taken by this `employ` [R42]."""
    own, taken = state.workers[seat], state.taken
    left = [colour for colour in range(len(COLOURS)) if own[colour] and taken[colour]]
    return [
        COLOUR_ARGUMENT + colour
        for colour, number in enumerate(state.worker_pile)
        if number and any(other != colour for other in left)
    ]


def borough_with_worker(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Another borough in play with a worker [R45]."""
    workers = state.borough_workers
    return [BOROUGH_ARGUMENT + other for other in _elsewhere(state) if any(workers[other])]


def borough_with_common(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Another borough in play with a common [R45]."""
    commons = state.commons
    return [BOROUGH_ARGUMENT + other for other in _elsewhere(state) if commons[other] >= 0]


def _elsewhere(state: "BridesAndBribesState") -> Iterable[int]:
    return [borough for borough in state.in_play if borough != state.borough]


def deck_left(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The deck of the borough is not empty [R44]."""
    return PLAIN if state.decks[state.borough] else ()


# -- seats --------------------------------------------------------------------------------------


def active_seat(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The active seat."""
    return (SEAT_ARGUMENT + state.active,)


def other_seat(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Any other present seat."""
    return [SEAT_ARGUMENT + other for other in state.others(seat)]


def somebody_else(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Another seat is present."""
    return PLAIN if state.others(seat) else ()


def seat_with_coin(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Another present seat with a coin [R48]."""
    return [SEAT_ARGUMENT + other for other in state.others(seat) if state.coins[other]]


def somebody_with_coin(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Another present seat has a coin [R47]."""
    return PLAIN if any(state.coins[other] for other in state.others(seat)) else ()


def richest_seat(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The richest of the others, each of them if tied, having a coin [R48]."""
    others, coins = state.others(seat), state.coins
    most = max([coins[other] for other in others], default=0)
    return [SEAT_ARGUMENT + other for other in others if coins[other] == most > 0]


def bribing_seat(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The active seat, if it must bribe and has a coin [R48]."""
    active = state.active
    if state.coins[active] and bribe(state, active, state.declared):
        return (SEAT_ARGUMENT + active,)
    return ()


def richest_bribing_seat(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The same, if none of the others is richer [R48]."""
    found = bribing_seat(state, seat)
    return found if found and found[0] in richest_seat(state, seat) else ()


def closed_hands(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Some other delegation is not open and has tiles [R40]."""
    for other in state.delegates:
        if other != seat and state.hand[other] and not state.open[other]:
            return PLAIN
    return ()


def active_can_change(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The active seat can change its guide [R39]."""
    return PLAIN if can_change(state, state.active) else ()


def somebody_can_change(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Some other present seat can change its guide [R39]."""
    return PLAIN if any(can_change(state, other) for other in state.others(seat)) else ()


def no_edict(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The seat has no edict here."""
    return () if state.edict[seat] else PLAIN


# -- brides and guides --------------------------------------------------------------------------


def bride_elsewhere(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """A bride to exchange with the one at the declared place [R46]."""
    return _exchangeable(state, (state.declared,))


def any_bride_elsewhere(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """A bride to exchange with the one at either place."""
    return _exchangeable(state, (0, 1))


def _exchangeable(state: "BridesAndBribesState", places: Iterable[int]) -> Sequence[int]:
    return [
        SPOT_ARGUMENT + 2 * other + place
        for place in places
        if _is_free(state, 2 * state.borough + place)
        for other in _elsewhere(state)
        if _is_free(state, 2 * other + place)
    ]


def _is_free(state: "BridesAndBribesState", spot: int) -> bool:
    """Return whether a bride who is not wed lies there."""
    return state.brides[spot] >= 0 > state.spouse_seat[spot]


def bride_in_box(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """A bride of the box, in place of the one at the declared place [R46]."""
    return _boxed(state, (state.declared,))


def any_bride_in_box(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """A bride of either box, in place of the one at its place."""
    return _boxed(state, (0, 1))


def _boxed(state: "BridesAndBribesState", places: Iterable[int]) -> Sequence[int]:
    return [
        BRIDE_ARGUMENT + bride
        for place in places
        if _is_free(state, 2 * state.borough + place)
        for bride in state.boxes[place]
    ]


def declared_bride(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """The bride at the declared place [R34]."""
    return (PLACE_ARGUMENT + state.declared,)


def anybody(state: "BridesAndBribesState", seat: int) -> Sequence[int]:
    """Both brides, and every other guide who is not married [R34, R38]."""
    spot = 2 * state.borough
    found = [PLACE_ARGUMENT + place for place in range(2) if state.brides[spot + place] >= 0]
    married = state.guide_married
    return found + [SEAT_ARGUMENT + q for q in state.others(seat) if not married[q]]
