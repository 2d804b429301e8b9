"""A bot that takes influence tokens and asks for the Doge's favor."""

from arena.bot import run
from bots.brides_and_bribes.bot import BridesBot
from bots.brides_and_bribes.weights import Weights


class CourtierBot(BridesBot):
    """Prefers small and safe gains."""

    name = "courtier"
    weights = Weights(marriages=0.3, workers=0.2, commons=0.5, tokens=4.0, favor=4.0, harm=0.0)


if __name__ == "__main__":
    run(CourtierBot)
