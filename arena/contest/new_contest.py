"""The folder of a new contest: settings with comments, and a folder for submissions."""

import re
from pathlib import Path

from arena.contest.contest_file import CONTEST_FILE
from arena.contest.settings import checked_run_name
from arena.errors import SettingsError

SUBMISSIONS = "submissions"
TEMPLATE = Path(__file__).with_name(CONTEST_FILE)
"""Every setting with its default, or with a value for a first contest."""
DEFAULT_NAME = "my-contest"
_COMMENT_COLUMN = 32


def make_contest(folder: Path, seed: int) -> list[Path]:
    """Create a contest with the name of its folder, and return the created paths.

    Raises:
        SettingsError: the folder has a contest already or cannot be written.
    """
    name = folder.resolve().name
    try:
        checked_run_name(name)
    except SettingsError:
        name = DEFAULT_NAME
    text = _replace_setting(TEMPLATE.read_text("utf-8"), f'name = "{name}"')
    text = _replace_setting(text, f"seed = {seed}")
    file, submissions = folder / CONTEST_FILE, folder / SUBMISSIONS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        submissions.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8") as contest:
            contest.write(text)
    except FileExistsError as error:
        raise SettingsError(
            f"{error.filename} exists already and was not changed: choose another folder"
        ) from None
    except OSError as error:
        raise SettingsError(f"cannot write {folder}: {error.strerror}") from None
    return [file, submissions]


def _replace_setting(template: str, setting: str) -> str:
    """Return the template with a new line for one setting, which keeps its comment."""
    key = setting.partition(" ")[0]
    line = f"{setting:<{_COMMENT_COLUMN - 1}} #"
    return re.sub(rf"^{key} = .*?#", line, template, count=1, flags=re.MULTILINE)
