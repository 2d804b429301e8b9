"""Positions of Brides & Bribes: the data and the log of a game in progress."""

from engine.brides_and_bribes.position.position import (
    CHARACTER,
    IS_KILLER,
    KILLER,
    OBJECTS,
    Answer,
    Change,
    Changes,
    Position,
    Step,
    empty_position,
    holds,
)

__all__ = [
    "CHARACTER",
    "IS_KILLER",
    "KILLER",
    "OBJECTS",
    "Answer",
    "Change",
    "Changes",
    "Position",
    "Step",
    "empty_position",
    "holds",
]
