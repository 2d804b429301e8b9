"""Brides & Bribes bots that differ only in how much they value each kind of gain."""

from bots.brides_and_bribes.bot import BridesBot
from bots.brides_and_bribes.weights import Weights


class SuitorBot(BridesBot):
    """Spends everything on brides."""

    name = "suitor"
    weights = Weights(marriages=2.0, workers=0.4, commons=0.3, tokens=0.5, favor=0.0, harm=0.0)


class PoisonerBot(BridesBot):
    """Prefers harming opponents to making gains."""

    name = "poisoner"
    weights = Weights(marriages=0.2, workers=0.2, commons=2.0, tokens=0.5, favor=0.0, harm=8.0)


class CourtierBot(BridesBot):
    """Prefers small, safe gains."""

    name = "courtier"
    weights = Weights(marriages=0.3, workers=0.2, commons=0.5, tokens=4.0, favor=4.0, harm=0.0)


class BuilderBot(BridesBot):
    """Prefers workers to marriages."""

    name = "builder"
    weights = Weights(marriages=0.3, workers=1.5, commons=0.5, favor=0.0, harm=0.0)


class DogeBot(BridesBot):
    name = "doge"
