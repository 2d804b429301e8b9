"""Counts: takes the widest lead that there is right now, as if nobody played after it."""

from collections.abc import Sequence

from arena.bot import run
from bots.bribery import BriberyBot


class BankerBot(BriberyBot):
    """Believes what the board says, and is surprised by what comes next."""

    name = "banker"

    def weigh(self, points: Sequence[float]) -> float:
        """What others have is as bad as what we have is good."""
        return self.lead(points)


if __name__ == "__main__":
    run(BankerBot)
