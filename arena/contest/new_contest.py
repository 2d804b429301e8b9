"""The folder of a new contest: its settings with comments, and a place for submissions."""

import re
from pathlib import Path

from arena.contest.contest_file import CONTEST_FILE
from arena.contest.settings import checked_run_name
from arena.errors import SettingsError

SUBMISSIONS = "submissions"
TEMPLATE = Path(__file__).with_name(CONTEST_FILE)
"""Every setting with its default, or with what suits a first contest."""
DEFAULT_NAME = "my-contest"
_COMMENT_COLUMN = 32


def make_contest(folder: Path, seed: int) -> list[Path]:
    """Make a contest that is called like its folder and has this seed; return what was made.

    Raises:
        SettingsError: there is one already, or it cannot be written.
    """
    name = folder.resolve().name
    try:
        checked_run_name(name)
    except SettingsError:
        name = DEFAULT_NAME
    text = _with(TEMPLATE.read_text("utf-8"), f'name = "{name}"')
    text = _with(text, f"seed = {seed}")
    file, submissions = folder / CONTEST_FILE, folder / SUBMISSIONS
    try:
        folder.mkdir(parents=True, exist_ok=True)
        submissions.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8") as contest:
            contest.write(text)
    except FileExistsError as error:
        raise SettingsError(
            f"{error.filename} is there already and stays as it is: choose another folder"
        ) from None
    except OSError as error:
        raise SettingsError(f"cannot write {folder}: {error.strerror}") from None
    return [file, submissions]


def _with(template: str, setting: str) -> str:
    """Return the template with this line for a setting, whose comment stays."""
    key = setting.partition(" ")[0]
    line = f"{setting:<{_COMMENT_COLUMN - 1}} #"
    return re.sub(rf"^{key} = .*?#", line, template, count=1, flags=re.MULTILINE)
