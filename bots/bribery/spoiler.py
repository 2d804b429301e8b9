"""A Bribery bot that minimizes its opponents' current points."""

from collections.abc import Sequence
from typing import ClassVar

from bots.bribery.bot import BriberyBot


class SpoilerBot(BriberyBot):
    name = "spoiler"
    min_ability_gain: ClassVar[float] = -1.5  # it uses abilities even at a small loss

    def utility(self, points: Sequence[float]) -> float:
        return points[self.view.side] - sum(points)
