"""A bot that employs workers and builds workshops."""

from arena.bot import run
from bots.brides_and_bribes.bot import BridesBot
from bots.brides_and_bribes.weights import Weights


class BuilderBot(BridesBot):
    """Prefers workers to marriages, and does no harm for its own sake."""

    name = "builder"
    weights = Weights(marriages=0.3, workers=1.5, commons=0.5, favor=0.0, harm=0.0)


if __name__ == "__main__":
    run(BuilderBot)
