"""Prestige, charm, and what a marriage costs [7.1]."""

from typing import TYPE_CHECKING

from engine.brides_and_bribes.tiles import BRIDE_CHARM, CHARM, LORD_PRESTIGE, PRESTIGE

if TYPE_CHECKING:
    from engine.brides_and_bribes.state import BridesAndBribesState


def prestige(state: "BridesAndBribesState", seat: int) -> int:
    """Return the prestige of a present seat."""
    return max(0, PRESTIGE[state.guide[seat]] + state.prestige_change[seat])


def charm(state: "BridesAndBribesState", seat: int) -> int:
    """Return the charm of a seat with a loyal guide."""
    return max(0, CHARM[state.guide[seat]] + state.charm_change[seat])


def forfeit(state: "BridesAndBribesState", seat: int) -> int:
    """Return the influence that a marriage costs the seat."""
    lord = LORD_PRESTIGE[state.lords[state.borough]] + state.lord_change
    return max(0, lord - prestige(state, seat))


def bribe(state: "BridesAndBribesState", seat: int, place: int) -> int:
    """Return the coins that a marriage to the bride at a place costs a seat with a loyal guide."""
    bride = BRIDE_CHARM[state.brides[2 * state.borough + place]] + state.bride_change
    return max(0, bride - charm(state, seat))
