"""A state that a seat cannot tell from the real one, made from nothing but the seat's view."""

import random
from typing import TYPE_CHECKING

from engine.pot_de_vin.cards import CARDS, CHARACTERS
from engine.pot_de_vin.deal import ORDERS, PLACES, Deal
from engine.pot_de_vin.hidden import redraw
from engine.pot_de_vin.rounds import PastRound
from engine.pot_de_vin.state import NOTHING, PotDeVinState
from engine.pot_de_vin.view import RoundView, View

if TYPE_CHECKING:
    from engine.pot_de_vin.variant import PotDeVin


def imagine(variant: "PotDeVin", view: View, rng: random.Random) -> PotDeVinState:
    """Return a state whose view for the seat of `view` is `view`; what that hides is drawn."""
    assert view.seat is not None, "a spectator's view: nobody to imagine for"
    orders = (tuple(range(PLACES)),) * ORDERS if variant.recycled_trumps else None
    state = PotDeVinState()
    state.deal(variant, Deal(view.start, CARDS, orders))  # any deal of this start
    state.gems = list(view.gems)
    state.removed = list(view.gems_removed)
    state.round = view.round
    state.active = view.active
    state.led = NOTHING if view.led is None else CHARACTERS.index(view.led)
    state.trick = [turn.action for turn in view.trick]
    state.past = [_past_round(past) for past in view.history]
    state.trumps = tuple([past.trump for past in view.history])
    if view.trump is not None:
        state.trumps += (view.trump,)
    state.discards = tuple(
        [view.discarded if seat == view.seat else None for seat in range(view.n)]
    )
    state.deal_hand(view.seat, view.hand or ())
    state.seat_to_act = view.to_act
    redraw(state, view.seat, view.hand_sizes, rng)
    return state


def _past_round(past: RoundView) -> PastRound:
    active = tuple([turn.seat for turn in past.trick])
    return active, [turn.action for turn in past.trick], past.winner
