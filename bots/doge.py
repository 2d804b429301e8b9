"""Plans: marries where it can pay, builds, and meddles where that costs others more than it."""

from arena.bot import run
from bots.brides_and_bribes import BridesBot


class DogeBot(BridesBot):
    """Cares for everything as much as it brings."""

    name = "doge"


if __name__ == "__main__":
    run(DogeBot)
