"""Flatters: takes influence where it lies, and asks for the Doge's favor."""

from arena.bot import run
from bots.brides_and_bribes import BridesBot
from bots.brides_and_bribes_outlook import Tastes


class CourtierBot(BridesBot):
    """Gathers small and safe things in the best of company."""

    name = "courtier"
    tastes = Tastes(marriages=0.3, workers=0.2, commons=0.5, tokens=4.0, favor=4.0, harm=0.0)


if __name__ == "__main__":
    run(CourtierBot)
