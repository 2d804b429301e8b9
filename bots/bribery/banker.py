"""A bot that maximizes its lead on the current board, as if no bribes followed."""

from collections.abc import Sequence

from arena.bot import run
from bots.bribery.bot import BriberyBot


class BankerBot(BriberyBot):
    """Trusts the current board, and does not expect what comes next."""

    name = "banker"

    def utility(self, points: Sequence[float]) -> float:
        """Return our lead."""
        return self.lead(points)


if __name__ == "__main__":
    run(BankerBot)
