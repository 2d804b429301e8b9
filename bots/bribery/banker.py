"""A bot that maximizes its lead on the current board and ignores future plays."""

from collections.abc import Sequence

from bots.bribery.bot import BriberyBot


class BankerBot(BriberyBot):
    name = "banker"

    def utility(self, points: Sequence[float]) -> float:
        return self.lead(points)
