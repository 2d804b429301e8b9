"""The contest of a folder, found in it or above it, and what its file says of the results."""

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

from arena.contest.contest_file import CONTEST_FILE
from arena.contest.settings import Contest
from arena.errors import SettingsError

DEFAULT_SITE = "site"


def folders_up(folder: Path | None = None) -> Iterator[Path]:
    """Yield a folder and all above it, relative to the working folder, which is the default."""
    start = Path.cwd() if folder is None else folder.resolve()
    for place in (start, *start.parents):
        yield Path(os.path.relpath(place))


def find_contest(folder: Path | None = None) -> Path | None:
    """Return the nearest contest file in a folder or above it, or None.

    `folder` is by default the working folder.
    """
    files = (place / CONTEST_FILE for place in folders_up(folder))
    return next((file for file in files if file.is_file()), None)


def contest_at(place: Path) -> Path:
    """Return the contest file that a person names by its path or by that of its folder.

    Raises:
        SettingsError: the folder has no contest file.
    """
    if not place.is_dir():
        return place
    file = place / CONTEST_FILE
    if not file.is_file():
        raise SettingsError(
            f"there is no {CONTEST_FILE} in {place}: name the folder of a contest, or create one "
            "with `arena init`"
        )
    return file


def results_of(contest_file: Path) -> Path:
    """Return the folder of all runs of a contest. Its other settings may be wrong.

    Raises:
        SettingsError: the file cannot be read or is not TOML.
    """
    return contest_file.parent / (_text_of(contest_file, "results") or Contest().results)


def site_of(contest_file: Path) -> Path:
    """Return the folder of a contest's web site: that of its file, or else `site` beside it.

    Raises:
        SettingsError: the file cannot be read or is not TOML.
    """
    return contest_file.parent / (_text_of(contest_file, "publish") or DEFAULT_SITE)


def _text_of(contest_file: Path, key: str) -> str | None:
    """Return a text among the settings of a contest, or None."""
    try:
        value = tomllib.loads(contest_file.read_text("utf-8-sig")).get(key)
    except OSError as error:
        raise SettingsError(f"cannot read {contest_file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"{contest_file} cannot be read: {error}") from None
    return value if isinstance(value, str) and value else None
