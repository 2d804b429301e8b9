"""Prestige, charm, and what a marriage costs [7.1]."""

from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.tiles import BRIDE_CHARM, CHARM, LORD_PRESTIGE, PRESTIGE


def prestige(position: Position, seat: int) -> int:
    """Return the prestige of a present seat."""
    resolution = position.resolution
    return max(0, PRESTIGE[resolution.guide[seat]] + resolution.prestige_change[seat])


def charm(position: Position, seat: int) -> int:
    """Return the charm of a seat with a loyal guide."""
    resolution = position.resolution
    return max(0, CHARM[resolution.guide[seat]] + resolution.charm_change[seat])


def forfeit(position: Position, seat: int) -> int:
    """Return the influence that a marriage costs the seat."""
    resolution = position.resolution
    lord = LORD_PRESTIGE[position.lords[resolution.borough]] + resolution.lord_change
    return max(0, lord - prestige(position, seat))


def bribe(position: Position, seat: int, place: int) -> int:
    """Return the coins that a marriage to the bride at a place costs a seat with a loyal guide."""
    resolution = position.resolution
    bride = BRIDE_CHARM[position.brides[2 * resolution.borough + place]] + resolution.bride_change
    return max(0, bride - charm(position, seat))
