"""A bot that marries as soon as it can pay for a bride."""

from arena.bot import run
from bots.brides_and_bribes.bot import BridesBot
from bots.brides_and_bribes.weights import Weights


class SuitorBot(BridesBot):
    """Spends everything on brides, and does no harm for its own sake."""

    name = "suitor"
    weights = Weights(marriages=2.0, workers=0.4, commons=0.3, tokens=0.5, favor=0.0, harm=0.0)


if __name__ == "__main__":
    run(SuitorBot)
