"""Builds: employs workers and puts up workshops; marries only in passing."""

from arena.bot import run
from bots.brides_and_bribes import BridesBot
from bots.brides_and_bribes_outlook import Tastes


class BuilderBot(BridesBot):
    """Wants workers above all, and harms nobody for its own sake."""

    name = "builder"
    tastes = Tastes(marriages=0.3, workers=1.5, commons=0.5, favor=0.0, harm=0.0)


if __name__ == "__main__":
    run(BuilderBot)
