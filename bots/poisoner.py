"""Spoils: murders brides and thwarts what others declare, and hopes to be left over."""

from arena.bot import run
from bots.brides_and_bribes import BridesBot
from bots.brides_and_bribes_outlook import Tastes


class PoisonerBot(BridesBot):
    """Enjoys the harm that it does far more than what it gains."""

    name = "poisoner"
    tastes = Tastes(marriages=0.2, workers=0.2, commons=2.0, tokens=0.5, favor=0.0, harm=8.0)


if __name__ == "__main__":
    run(PoisonerBot)
