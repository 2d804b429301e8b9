"""Start a bundled bot, given its module and its name.

The referee's first message is answered before the bot's module is imported, so that bots start
quickly.
"""

import sys

from arena.bot import Bot, run

GAMES = {
    "any_game": (),
    "pot_de_vin": ("pot-de-vin",),
    "bribery": ("bribery",),
    "brides_and_bribes": ("brides-and-bribes",),
    "champion": (),
}
"""The games that the bots in each folder play. An empty tuple stands for all games."""
GUIDES = {
    "pot-de-vin": "bots.pot_de_vin.guide",
    "bribery": "bots.bribery.guide",
    "brides-and-bribes": "bots.brides_and_bribes.guide",
}
RACES = ("brides-and-bribes",)
"""Games for which `ChampionBot` uses `arena.sdk.race` instead of a tree search."""
WITHOUT_VIEWS = ("random",)


def bot_in(module: str, own_name: str) -> type[Bot]:
    """Return a bot class that answers the referee's first message without importing the bot's
    module.
    """
    folder = module.split(".")[1]

    class Bundled(Bot):
        name = own_name
        games = GAMES[folder]
        detail = "none" if name in WITHOUT_VIEWS else "full"

        def __new__(cls) -> Bot:  # type: ignore[misc]  # an object of another class
            return _class_of(cls.name, module)()

    return Bundled


def _class_of(name: str, module: str) -> type[Bot]:
    __import__(module)
    classes = [member for member in vars(sys.modules[module]).values() if isinstance(member, type)]
    return next(bot for bot in classes if issubclass(bot, Bot) and bot.name == name)


def main() -> None:
    run(bot_in(*sys.argv[1:]))
