"""Marries: at once, wherever it can pay, and thinks of little else."""

from arena.bot import run
from bots.brides_and_bribes import BridesBot
from bots.brides_and_bribes_outlook import Tastes


class SuitorBot(BridesBot):
    """Spends all that it has on brides, and harms nobody for its own sake."""

    name = "suitor"
    tastes = Tastes(marriages=2.0, workers=0.4, commons=0.3, tokens=0.5, favor=0.0, harm=0.0)


if __name__ == "__main__":
    run(SuitorBot)
