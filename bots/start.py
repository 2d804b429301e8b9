"""Starts a bundled bot: the arguments of the program are its module and its name.

It says what the bot says of itself, and imports the bot when its first game begins. So a bot is
ready before it imports what reads its views, which takes much longer than all else.
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
"""By folder: the games of its bots, empty for all."""
GUIDES = {
    "pot-de-vin": "bots.pot_de_vin.guide",
    "bribery": "bots.bribery.guide",
    "brides-and-bribes": "bots.brides_and_bribes.guide",
}
"""By game: the module of what is known of it, with `make_guide` and `actions_in`."""
RACES = ("brides-and-bribes",)
"""The games with few simulated games in the time, of which a race makes more than a tree does."""
WITHOUT_VIEWS = ("random",)
"""Bots that want no views. All others want whole views."""


def bot_in(module: str, own_name: str) -> type[Bot]:
    """Return a class whose objects are those of the bot `own_name`; they import its `module`."""
    folder = module.split(".")[1]

    class Bundled(Bot):
        name = own_name
        games = GAMES[folder]
        detail = "none" if name in WITHOUT_VIEWS else "full"

        def __new__(cls) -> Bot:  # type: ignore[misc]  # an object of another class
            return _class_of(cls.name, module)()

    return Bundled


def _class_of(name: str, module: str) -> type[Bot]:
    """Return the class of the bot `name`, which is in the module."""
    __import__(module)
    classes = [member for member in vars(sys.modules[module]).values() if isinstance(member, type)]
    return next(bot for bot in classes if issubclass(bot, Bot) and bot.name == name)


def main() -> None:
    """Play for the referee."""
    run(bot_in(*sys.argv[1:]))
