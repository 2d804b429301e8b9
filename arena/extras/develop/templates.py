"""Create files from the templates in `bots/templates`."""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from arena.base.atomic_file import os_error_as
from arena.base.errors import SettingsError

TEMPLATES = files("bots").joinpath("templates")


def texts_of(
    template: Traversable, words: Iterable[tuple[str, str]], at: str = ""
) -> dict[str, str]:
    """Return a template's files as a dict from paths to contents.

    `words` contains pairs of a word and its replacement in paths and texts.
    """
    texts: dict[str, str] = {}
    for entry in template.iterdir():
        path = f"{at}{entry.name}"
        if entry.is_dir() and entry.name != "__pycache__":
            texts |= texts_of(entry, words, f"{path}/")
        elif entry.is_file():
            texts[_with_words(path, words)] = _with_words(entry.read_text("utf-8"), words)
    return texts


def _with_words(text: str, words: Iterable[tuple[str, str]]) -> str:
    for old, new in words:
        text = text.replace(old, new)
    return text


def write_folder(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Create a folder with the given files, and return the files' paths in alphabetical order.

    Raise `SettingsError` if the folder already exists or if a file can't be written.
    """
    if folder.exists():
        raise SettingsError(f"{folder} already exists: choose another name")
    paths = {folder / path: text for path, text in texts.items()}
    with os_error_as(SettingsError, f"cannot write {folder}"):
        for path, text in paths.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return sorted(paths)
