"""The package of a new game: a small complete game, a test and a bot, from a template."""

import importlib.util
import keyword
import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from arena.commands.new_bot import write_folder
from arena.errors import SettingsError
from engine import variants

TEMPLATE = "game_template"
"""The folder of the template, beside this module."""
TEMPLATE_NAME = "hush-money"
MAX_NAME_LENGTH = 40
_NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
_SUFFIXES = (".md", ".py", ".toml")


def make_game(folder: Path) -> list[str]:
    """Make the package of a game in `folder` and return its files; the game is named like it.

    Raises:
        SettingsError: the name cannot be used, `folder` exists, or it cannot be written.
    """
    name = checked_game_name(folder.resolve().name)
    template = files("arena.commands").joinpath(TEMPLATE)
    texts = {_renamed(path, name): _renamed(text, name) for path, text in _texts(template).items()}
    write_folder(folder, texts)
    return sorted(texts)


def checked_game_name(name: str) -> str:
    """Return `name`; raise `SettingsError` if a new game cannot have it."""
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME_LENGTH:
        raise SettingsError(
            f"{name!r} cannot be the name of a game: expected at most {MAX_NAME_LENGTH} lowercase "
            "letters, digits and single hyphens, beginning with a letter, such as 'my-game'"
        )
    if any(variant.game == name for variant in variants().values()):
        raise SettingsError(f"a game {name!r} is installed already: choose another name")
    module = name.replace("-", "_")
    if keyword.iskeyword(module) or importlib.util.find_spec(module):
        raise SettingsError(
            f"{name!r} cannot be the name of a game: {module!r} is a word or a module of Python"
        )
    return name


def _texts(folder: Traversable, above: str = "") -> dict[str, str]:
    """Return the text of each file in a folder of the template, by its path."""
    texts: dict[str, str] = {}
    for entry in folder.iterdir():
        path = above + entry.name
        if entry.is_dir():
            texts |= _texts(entry, f"{path}/")
        elif path.endswith(_SUFFIXES):
            texts[path] = entry.read_text(encoding="utf-8")
    return texts


def _renamed(text: str, name: str) -> str:
    """Return `text` with each form of the template's name replaced by that form of `name`."""
    for old, new in zip(_forms(TEMPLATE_NAME), _forms(name), strict=True):
        text = text.replace(old, new)
    return text


def _forms(name: str) -> tuple[str, ...]:
    """Return how a game is called as an id, a module, a class and a title."""
    words = name.split("-")
    title = [word.capitalize() for word in words]
    return name, "_".join(words), "".join(title), " ".join(title)
