"""The files of a new folder."""

from collections.abc import Mapping
from pathlib import Path

from arena.errors import SettingsError


def write_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Make `folder` and write each text to its path in it.

    Raises:
        SettingsError: `folder` exists, or it cannot be written.
    """
    try:
        folder.mkdir(parents=True)
        for path, text in texts.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    except FileExistsError:
        raise SettingsError(f"{folder} exists already: choose another name") from None
    except OSError as error:
        raise SettingsError(f"cannot write {folder}: {error.strerror}") from None
