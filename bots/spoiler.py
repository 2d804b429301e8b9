"""Spoils: takes from the others what they have right now, and pays for it too readily."""

from collections.abc import Sequence
from typing import ClassVar

from arena.bot import run
from bots.bribery import BriberyBot


class SpoilerBot(BriberyBot):
    """Breaks what the others hold where the lowest bribe will do; what it gains is an accident."""

    name = "spoiler"
    patience: ClassVar[float] = -1.5  # where it can meddle it does

    def weigh(self, points: Sequence[float]) -> float:
        """The less the others have, the better."""
        return points[self.view.side] - sum(points)


if __name__ == "__main__":
    run(SpoilerBot)
