"""Scoring of Hush Money: points and ranks of seats."""

from hush_money.cards import OFFICIALS
from hush_money.position import Position


def influence(position: Position) -> tuple[int, ...]:
    """Return the points of each seat: the highest note has bought each official."""
    points = [0] * len(position.hands)
    for official, notes in zip(OFFICIALS, position.opened, strict=False):
        points[notes.index(max(notes))] += official
    return tuple(points)


def rank(position: Position) -> tuple[int, ...]:
    """Return the rank of each seat, by influence, then by the money that it has left."""
    keys = list(zip(influence(position), map(sum, position.hands), strict=True))
    return tuple([1 + sum(other > own for other in keys) for own in keys])
