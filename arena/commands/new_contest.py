"""The folder of a new contest: settings with comments, a secret, a folder for submissions."""

import errno
import re
from pathlib import Path

from arena.contest.contest_file import CONTEST_FILE
from arena.contest.secret_file import SECRET_FILE, keep_private, write_secret
from arena.contest.settings import checked_run_name
from arena.errors import SettingsError
from arena.schedule.chance import Secret

SUBMISSIONS = "submissions"
TEMPLATE = Path(__file__).with_name(CONTEST_FILE)
"""Every setting with its default, or with a value for a first contest."""
IGNORED = ".gitignore"
PRIVATE = (SECRET_FILE, "server.db*")
"""What no repository may have: the secret of the deals, and the people of a server."""
DEFAULT_NAME = "my-contest"
_COMMENT_COLUMN = 32


def make_contest(folder: Path, secret: Secret) -> list[Path]:
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
    file, submissions = folder / CONTEST_FILE, folder / SUBMISSIONS
    secret_file = folder / SECRET_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in (file, secret_file):  # neither is written if the other is there
            if path.exists():
                raise FileExistsError(errno.EEXIST, "", str(path))
        submissions.mkdir(exist_ok=True)
        keep_private([submissions])
        with file.open("x", encoding="utf-8") as contest:
            contest.write(text)
        write_secret(secret_file, secret)
        _ignore_private(folder)
    except FileExistsError as error:
        raise SettingsError(
            f"{error.filename} exists already and was not changed: choose another folder"
        ) from None
    except OSError as error:
        raise SettingsError(f"cannot write {folder}: {error.strerror}") from None
    return [file, secret_file, submissions]


def _ignore_private(folder: Path) -> None:
    """Keep the secret, its copies in the folders of runs, and people out of a Git repository."""
    file = folder / IGNORED
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    missing = [name for name in PRIVATE if name not in lines]
    if missing:
        file.write_text("\n".join([*lines, *missing, ""]), encoding="utf-8")


def _replace_setting(template: str, setting: str) -> str:
    """Return the template with a new line for one setting, which keeps its comment."""
    key = setting.partition(" ")[0]
    line = f"{setting:<{_COMMENT_COLUMN - 1}} #"
    return re.sub(rf"^{key} = .*?#", line, template, count=1, flags=re.MULTILINE)
