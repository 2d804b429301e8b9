"""Position of Brides & Bribes: the plain data of a game in progress, with its log."""

from engine.brides_and_bribes.position.position import (
    Answer,
    Change,
    Changes,
    Position,
    Step,
    empty_position,
)

__all__ = ["Answer", "Change", "Changes", "Position", "Step", "empty_position"]
