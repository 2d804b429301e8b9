"""Prestige, charm, and the price of a marriage [7.1]."""
# compiled: see setup.py

from engine.brides_and_bribes.position import Position
from engine.brides_and_bribes.position.resolution import Resolution
from engine.brides_and_bribes.tiles import BRIDE_CHARM, CHARM, LORD_PRESTIGE, PRESTIGE


def prestige(resolution: Resolution, seat: int) -> int:
    """Return the prestige of a present seat."""
    return max(0, PRESTIGE[resolution.guide[seat]] + resolution.prestige_change[seat])


def charm(resolution: Resolution, seat: int) -> int:
    """Return the charm of a seat with a loyal guide."""
    return max(0, CHARM[resolution.guide[seat]] + resolution.charm_change[seat])


def forfeit(position: Position, seat: int) -> int:
    """Return the influence that a marriage costs `seat`."""
    resolution = position.resolution
    lord = LORD_PRESTIGE[position.lords[resolution.borough]] + resolution.lord_change
    return max(0, lord - prestige(resolution, seat))


def bribe(position: Position, seat: int, place: int) -> int:
    """Return the coins that a marriage to the bride at `place` costs a seat with a loyal guide."""
    resolution = position.resolution
    bride = position.brides[2 * resolution.borough + place]
    return max(0, BRIDE_CHARM[bride] + resolution.bride_change - charm(resolution, seat))
