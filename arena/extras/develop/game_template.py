"""Create a package for a new game from the template in `bots/templates/game`."""

import importlib.util
import keyword
import re
from pathlib import Path

from arena.base.errors import SettingsError
from arena.extras.develop.templates import TEMPLATES, texts_of, write_folder
from engine.plugins import all_variants

TEMPLATE_NAME = "hush-money"
MAX_NAME_LENGTH = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def make_game(folder: Path) -> list[Path]:
    """Create a package for a new game, and return the paths of its files.

    The name of the folder is used as the name of the game. Raise `SettingsError` if the folder's
    name isn't a valid game name, if the folder already exists, or if a file can't be written.
    """
    name = checked_game_name(folder.resolve().name)
    words = list(zip(_forms(TEMPLATE_NAME), _forms(name), strict=True))
    return write_folder(folder, texts_of(TEMPLATES.joinpath("game"), words))


def checked_game_name(name: str) -> str:
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME_LENGTH:
        raise SettingsError(
            f"{name!r} cannot be the name of a game: expected at most {MAX_NAME_LENGTH} lowercase "
            "letters, digits and single hyphens, beginning with a letter, such as 'my-game'"
        )
    if any(variant.game == name for variant in all_variants().values()):
        raise SettingsError(f"a game {name!r} is already installed: choose another name")
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or importlib.util.find_spec(module):
        raise SettingsError(
            f"{name!r} cannot be the name of a game: {module!r} is a word or a module of Python"
        )
    return name


def _forms(name: str) -> tuple[str, ...]:
    words = name.split("-")
    title = [word.capitalize() for word in words]
    module = "_".join(words)
    return name, module, module.upper(), "".join(title), " ".join(title)
