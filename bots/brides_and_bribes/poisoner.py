"""A bot that murders brides and makes the actions of others fail."""

from arena.bot import run
from bots.brides_and_bribes.bot import BridesBot
from bots.brides_and_bribes.weights import Weights


class PoisonerBot(BridesBot):
    """Values harm to others far more than its own gains."""

    name = "poisoner"
    weights = Weights(marriages=0.2, workers=0.2, commons=2.0, tokens=0.5, favor=0.0, harm=8.0)


if __name__ == "__main__":
    run(PoisonerBot)
